import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DemoSession, DemoStream } from '../../src/demo/demoState.ts';
import { externalAddress } from '../../src/host/boxes/externalAddress.ts';
import { type Product, withProduct } from './product.ts';

/** A recorded session of an idle stream, and its row. */
function addSession({ service }: Product, fields: Partial<DemoSession>): { session: DemoSession; row: unknown } {
  const stream = idleStream(service.control.streams());
  const { id: streamId } = stream;
  const session = service.control.addSession(streamId, { record: true, ...fields });
  const { id } = session;
  return { session, row: { kind: 'session', id: `idle/${streamId}/${id}`, list: 'idle', streamId, sessionId: id } };
}

function idleStream(streams: readonly DemoStream[]): DemoStream {
  const stream = streams.find(({ isActive, parentId }) => !isActive && parentId === undefined);
  return stream ?? assert.fail('The demo has no idle stream');
}

describe('Opening recordings', () => {
  it(
    'hands VS Code the address to the letter, so that signatures survive',
    withProduct({}, async (product) => {
      const mp4Url = 'https://cdn.example/r/a%2Fb/source.mp4?Policy=a%2Bb%3D&Signature=x~y+z%20';
      const { row } = addSession(product, { recordingUrl: 'https://cdn.example/r/index.m3u8', mp4Url });
      await product.run('openRecordingInBrowser', row);
      assert.deepEqual(product.window.opened, [mp4Url]);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'makes addresses of this machine reachable for the browser first',
    withProduct({}, async (product) => {
      const { row } = addSession(product, { recordingUrl: 'https://cdn.example/r/index.m3u8?s=a%2Fb' });
      await product.run('openRecordingInBrowser', row);
      const page = new URL('/player', product.service.baseUrl).href;
      const expected = `${page}?url=${encodeURIComponent('https://cdn.example/r/index.m3u8?s=a%2Fb')}`;
      assert.deepEqual(product.window.opened, [await externalAddress(expected)]);
    }),
  );

  it(
    'opens nothing of another kind, and says why',
    withProduct({}, async (product) => {
      const refused: Readonly<Record<string, RegExp>> = {
        '': /didn't return a URL/,
        '/recordings/1/index.m3u8': /incomplete/,
        '//cdn.example/index.m3u8': /incomplete/,
        'javascript:alert(1)': /starts with "javascript:"/,
        'file:///etc/passwd': /starts with "file:"/,
        'command:workbench.action.quit': /starts with "command:"/,
        'vscode://live-streams.live-streams/x': /starts with "vscode:"/,
        'data:text/html,x': /starts with "data:"/,
        'https://a.example/\nx': /isn't valid|didn't return a URL/,
      };
      for (const [recordingUrl, sentence] of Object.entries(refused)) {
        const { row } = addSession(product, { recordingStatus: 'ready', recordingUrl });
        for (const command of ['openRecordingInBrowser', 'copyRecordingUrl']) {
          product.window.said.length = 0;
          await product.run(command, row);
          assert.equal(product.window.said.length, 1, recordingUrl);
          assert.match(product.window.said[0]?.text ?? '', sentence);
        }
      }
      const schemes = Object.entries(refused).filter(([url]) => /^[a-z]+:/.test(url) && !url.startsWith('https:'));
      for (const [mp4Url, sentence] of schemes) {
        const { row } = addSession(product, { recordingStatus: 'ready', mp4Url });
        for (const command of ['copyMp4Url', 'openRecordingInBrowser']) {
          product.window.said.length = 0;
          await product.run(command, row);
          assert.match(product.window.said[0]?.text ?? '', sentence, command);
        }
      }
      assert.deepEqual(product.window.opened, []);
    }),
  );

  it(
    'says why there is no recording',
    withProduct({}, async (product) => {
      const { row } = addSession(product, { record: false });
      await product.run('openRecordingInBrowser', row);
      assert.equal(product.window.said[0]?.text, "This session wasn't recorded.");
      assert.deepEqual(product.window.opened, []);
    }),
  );

  it(
    'opens the player page and the dashboard of a stream',
    withProduct({}, async (product) => {
      const { id, playbackId } = idleStream(product.service.control.streams());
      for (const command of ['openPlayerPage', 'openDashboard']) await product.run(command, id);
      const { origin } = new URL(product.service.baseUrl);
      const expected = [`${origin}/player?v=${playbackId}`, `${origin}/dashboard?stream=${id}`];
      const reachable = expected.map(externalAddress);
      assert.deepEqual(product.window.opened, await Promise.all(reachable));
    }),
  );

  it(
    'falls back to no other service where an address is not known',
    withProduct({ settings: { addresses: undefined } }, async (product) => {
      const { id } = idleStream(product.service.control.streams());
      const commands = ['openPlayerPage', 'openDashboard'];
      for (const command of commands) await product.run(command, id);
      assert.equal(product.window.said.length, commands.length);
      for (const { text, actions } of product.window.said) {
        assert.match(text, / is configured for 127\.0\.0\.1:\d+\.$/);
        assert.deepEqual(actions, ['Configure…']);
      }
      assert.deepEqual(product.window.opened, []);
      // These the service itself provides.
      await product.run('copyPlaybackUrl', id);
      const copied = await vscode.env.clipboard.readText();
      assert.equal(new URL(copied).origin, new URL(product.service.baseUrl).origin);
      await product.run('copyIngestServer', id);
      assert.match(await vscode.env.clipboard.readText(), /^rtmp:\/\/127\.0\.0\.1:\d+\/live$/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }),
  );
});
