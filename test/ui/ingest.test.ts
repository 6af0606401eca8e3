import assert from 'node:assert/strict';
import { broadcast } from '../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { makeDemoStream, untilInGroup } from '../support/page/madeStream.ts';
import { clearNotifications, readClipboard } from '../support/page/messages.ts';
import { untilPlaying, videoOf } from '../support/page/playerPage.ts';
import { pressItemButton, quickInput, runCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Made here';

describe('Broadcasting to the demo', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });
  const stop = new AbortController();
  let sending: Promise<unknown> | undefined;

  before(async () => {
    const { page } = workbench();
    await makeDemoStream(page, STREAM, 'Record');
    await clearNotifications(page);
  });

  after(() => stop.abort());

  it('tells other programs where it is, and what its key is', async () => {
    const { page } = workbench();
    const copy = async (button: string, form: RegExp) => {
      await runCommand(page, 'liveStreams.switchConnection');
      await quickInput(page).waitFor();
      await takeScreenshot(page, 'demo-in-the-picker');
      await pressItemButton(page, 'Stop Demo', button);
      await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
      return waitUntil(async () => form.exec(await readClipboard(page))?.[0]);
    };
    const baseUrl = await copy('Copy Base URL', /^http:\/\/127\.0\.0\.1:\d+\/api$/);
    const apiKey = await copy('Copy API Key', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status } = await fetch(`${baseUrl}/stream?streamsonly=1`, { headers });
    assert.equal(status, 200);
  });

  it('makes a stream live with what its row copies', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, STREAM, ['Copy', 'Copy RTMP URL (with Key)']);
    await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
    const address = await waitUntil(async () => {
      const text = await readClipboard(page);
      return text.startsWith('rtmp://127.0.0.1:') && text;
    });
    const key = address.split('/').at(-1) ?? '';
    const parsed = parseIngest(address.replace(key, '{streamKey}'), key);
    assert.ok(parsed.ok);
    const source = await openMp4Source(inProject('media/demo/source.mp4'));
    sending = broadcast({ ingest: parsed.ingest, source, seconds: 600, signal: stop.signal });
    const row = await untilInGroup(page, STREAM, 'Active');
    assert.equal(row.description, 'recording');
  });

  it('plays what is sent', async () => {
    const { page } = workbench();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await tree.pressRowAction(page, STREAM, 'Watch Stream');
    const { width, height } = await untilPlaying(page);
    assert.deepEqual([width, height], [640, 360]);
    await takeScreenshot(page, 'broadcast-to-the-demo');
    assert.ok(
      asked.some((address) => /\/hls\/\w+\/[\w-]+\/\d+\.m4s$/.test(address)),
      asked.filter((address) => address.includes('/hls/')).join('\n'),
    );
  });

  it('ends with its sender, and leaves a recording that plays', async () => {
    const { page } = workbench();
    stop.abort();
    await sending;
    await untilInGroup(page, STREAM, 'Idle');
    await tree.expandRow(page, STREAM);
    const rows = await tree.untilRows(page, (all) => all.some(isNewest));
    const session = rows.find(isNewest);
    await tree.rowOf(page, session?.label ?? '').click();
    await untilPlaying(page);
    const duration = await videoOf(page).evaluate(
      (video: unknown) => (video as { readonly duration: number }).duration,
    );
    assert.ok(Number.isFinite(duration) && duration > 2, `${duration}`);
  });

  const isNewest = (session: tree.Row) =>
    session.level === 3 && tree.isReadySession(session) && /^Today/.test(session.label);
});
