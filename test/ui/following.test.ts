import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { untilNotification } from '../support/page/messages.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('Following the service', () => {
  const workbench = suiteWorkbench({
    // A workspace cannot choose notifications, and an open workbench does not always follow a settings file: so from the start.
    settings: { 'liveStreams.notifications': ['streamStarted'], 'liveStreams.refreshInterval': 5 },
  });
  let service: DemoService;
  let wentLive = '';

  before(async () => {
    const clock = createTestClock();
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), seed: 7, isLively: false });
  });
  after(() => service.dispose());

  it('shows a stream that goes live under Active without a click, while another row stays selected and open', async () => {
    const { page } = workbench();
    await connectTo(page, service);
    await tree.rowOf(page, 'Keynote').click(); // which opens it too, a little later
    await tree.untilRows(page, (all) => all.some((row) => row.level === 3));
    const idle = service.control
      .streams()
      .find(
        ({ isActive, suspended, parentId, name }) =>
          !isActive && suspended !== true && parentId === undefined && name.length > 4,
      );
    assert.ok(idle);
    service.control.clearRequests();
    service.control.startBroadcast(idle.id);
    const rows = await tree.untilRows(page, (all) => isUnderActive(all, idle.name));
    const keynote = rows.find((row) => row.label === 'Keynote');
    assert.deepEqual([keynote?.isSelected, keynote?.isExpanded], [true, true]);
    const asked = service.control.requests.map(({ path, query }) => `${path}?${decodeURIComponent(query)}`);
    assert.ok(
      asked.every((request) => !request.includes('"value":false')),
      `idle streams were listed: ${asked.join('\n')}`,
    );
    wentLive = idle.name;
  });

  it('tells of it, as was chosen, and not of those that were live before', async () => {
    const { page } = workbench();
    const said = await untilNotification(page, 'went live');
    assert.deepEqual(said, { severity: 'info', message: `"${wentLive}" went live`, buttons: ['Watch'] });
    await takeScreenshot(page, 'notification');
  });

  it('shows under Idle a stream whose broadcast ended, and what the person has open stays open', async () => {
    const { page } = workbench();
    const live = (await tree.readRows(page)).find((row) => row.level === 2 && row.description === 'live');
    assert.ok(live);
    const stream = service.control.streams().find(({ name }) => name === live.label);
    assert.ok(stream);
    service.control.endBroadcast(stream.id);
    const rows = await tree.untilRows(page, (all) => !isUnderActive(all, live.label));
    assert.equal(rows.find((row) => row.label === 'Keynote')?.isExpanded, true);
  });
});

function isUnderActive(rows: readonly tree.Row[], label: string): boolean {
  const end = rows.findIndex((row) => row.label === 'Idle');
  return rows.slice(0, end).some((row) => row.level === 2 && row.label === label);
}
