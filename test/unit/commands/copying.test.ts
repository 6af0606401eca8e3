import assert from 'node:assert/strict';
import type { DemoStream } from '../../../src/demo/demoState.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { type Fixture, withCommands } from './fixture.ts';

function live(fixture: Fixture): DemoStream {
  const found = fixture.service.control.streams().find((stream) => stream.isActive);
  assert.ok(found);
  return found;
}

function row(stream: { readonly id: string }, list: 'active' | 'idle' | 'recording' = 'active'): Node {
  return { kind: 'stream', id: `${list}/${stream.id}`, list, streamId: stream.id };
}

describe('copying from a stream', () => {
  it(
    'copies keys, ids and addresses, and says so without the value',
    withCommands({}, async (fixture) => {
      const { ui, service } = fixture;
      const stream = live(fixture);
      const { streamKey = '', playbackId = '', id, name } = stream;
      const fill = (template: string | undefined) =>
        template?.replace('{streamKey}', streamKey).replace('{playbackId}', playbackId);
      const expected: readonly [string, string | undefined, string][] = [
        ['copyStreamKey', streamKey, `Copied the stream key for "${name}"`],
        ['copyPlaybackId', playbackId, `Copied the playback ID for "${name}"`],
        ['copyStreamId', id, `Copied the stream ID for "${name}"`],
        [
          'copyIngestUrl',
          fill(service.addresses.rtmp),
          `Copied the RTMP URL for "${name}". It contains the stream key, so keep it private.`,
        ],
        ['copyPlaybackUrl', fill(service.addresses.hls), `Copied the HLS URL for "${name}"`],
        ['copyPlayerUrl', fill(service.addresses.player), `Copied the player URL for "${name}"`],
      ];
      for (const [command] of expected) await fixture.run(command, row(stream));
      assert.deepEqual(
        ui.seen.copied,
        expected.map(([, value]) => value),
      );
      assert.deepEqual(
        ui.seen.flashes,
        expected.map(([, , sentence]) => sentence),
      );
      assert.deepEqual(ui.seen.said, []);
      for (const secret of [streamKey, service.apiKey]) assert.ok(!fixture.readable().includes(secret));
    }),
  );

  it(
    'is a step of the walkthrough once a key is in the clipboard, and not if the picker was dismissed',
    withCommands({}, async (fixture) => {
      await fixture.run('copyStreamKey');
      await fixture.run('copyPlaybackId', row(live(fixture)));
      assert.deepEqual(fixture.steps, []);
      await fixture.run('copyStreamKey', row(live(fixture)));
      await fixture.run('copyIngestUrl', row(live(fixture)));
      assert.deepEqual(fixture.steps, ['encoder', 'encoder']);
    }),
  );

  it(
    'copies no key that would run as a command where it is pasted',
    withCommands({}, async ({ run, ui, service }) => {
      const rows = [{ id: 'odd', name: 'Odd', streamKey: 'abcd\rtouch /tmp/x\r', playbackId: 'ab\u001b[201~\ncd' }];
      service.control.fault(({ method, path }) =>
        method === 'GET' && path.endsWith('/odd') ? { status: 200, body: JSON.stringify(rows[0]) } : undefined,
      );
      for (const id of ['copyStreamKey', 'copyIngestUrl', 'copyPlaybackId', 'copyPlaybackUrl', 'copyPlayerUrl']) {
        await run(id, 'odd');
      }
      assert.deepEqual(ui.seen.copied, []);
      assert.deepEqual([...new Set(ui.seen.messages)], ['"Odd" has no stream key.', '"Odd" has no playback ID.']);
    }),
  );

  it(
    'copies the ingest server without a key, and asks for no stream',
    withCommands({}, async ({ run, ui, service }) => {
      await run('copyIngestServer');
      assert.equal(`${ui.seen.copied[0]}/{streamKey}`, service.addresses.rtmp);
      assert.deepEqual(ui.seen.picks, []);
    }),
  );

  it(
    'names the connection where there are several',
    withCommands({}, async (fixture) => {
      fixture.context.store.setConnectionCount(2);
      const stream = live(fixture);
      await fixture.run('copyPlaybackId', row(stream));
      assert.deepEqual(fixture.ui.seen.flashes, [`Copied the playback ID for "${stream.name}" (Production)`]);
    }),
  );

  it(
    'copies one value a line of rows that were chosen together, each stream once',
    withCommands({ demo: { liveCount: 3 } }, async (fixture) => {
      const streams = fixture.service.control.streams().filter((stream) => stream.isActive);
      const rows = [...streams.map((stream) => row(stream)), ...streams.map((stream) => row(stream, 'recording'))];
      await fixture.run('copyStreamKey', rows[0], rows);
      assert.deepEqual(fixture.ui.seen.copied, [streams.map((stream) => stream.streamKey).join('\n')]);
      assert.deepEqual(fixture.ui.seen.flashes, ['Copied 3 stream keys']);
    }),
  );

  it(
    'takes an id or {id}, also of a stream that is not loaded, and the stream of a session’s row',
    withCommands({}, async (fixture) => {
      const added = fixture.service.control.addStream({ name: 'Not loaded' });
      await fixture.run('copyPlaybackId', added.id);
      await fixture.run('copyPlaybackId', { id: added.id });
      await fixture.run('copyPlaybackId', {
        kind: 'session',
        id: 'x',
        list: 'idle',
        streamId: added.id,
        sessionId: 's',
      });
      assert.deepEqual(fixture.ui.seen.copied, [added.playbackId, added.playbackId, added.playbackId]);
    }),
  );

  it(
    'refuses ids that could not be ids before any request',
    withCommands({}, async ({ run, ui, requests }) => {
      const bad = [
        '',
        '../x',
        'x'.repeat(10_000),
        7,
        { id: '' },
        { id: 'a/b' },
        {},
        { kind: 'stream', id: 'r', list: 'idle', streamId: '..' },
      ];
      for (const given of bad) await run('copyStreamKey', given);
      assert.deepEqual(requests(), []);
      assert.deepEqual(ui.seen.copied, []);
      assert.equal(ui.seen.said.length, bad.length);
      for (const { message } of ui.seen.said) assert.match(message, /isn't a valid stream or session ID/);
    }),
  );

  it(
    'says that a stream is gone, and its row goes',
    withCommands({}, async (fixture) => {
      const stream = live(fixture);
      fixture.service.control.deleteStream(stream.id);
      await fixture.run('copyPlaybackId', row(stream));
      assert.deepEqual(fixture.ui.seen.messages, [`"${stream.name}" no longer exists.`]);
      assert.equal(fixture.context.store.snapshot.streams.has(stream.id), false);
      await fixture.run('copyPlaybackId', stream.id);
      assert.match(fixture.ui.seen.said[1]?.message ?? '', /no longer exists/);
    }),
  );

  it(
    'does not keep lists from being believed afterwards',
    withCommands({}, async (fixture) => {
      const stream = live(fixture);
      await fixture.run('copyPlaybackId', row(stream));
      assert.equal(fixture.context.store.snapshot.recentChanges.size, 0);
    }),
  );

  it(
    'says where addresses are not known, and offers to set them',
    withCommands({ addresses: {}, demo: { face: 'strict' }, answers: { presses: ['Configure…'] } }, async (fixture) => {
      const stream = live(fixture);
      for (const id of [
        'copyIngestUrl',
        'copyIngestServer',
        'copyPlaybackUrl',
        'copyPlayerUrl',
        'openPlayerPage',
        'openDashboard',
      ]) {
        await fixture.run(id, row(stream));
      }
      const { said, copied, opened, settings, inputs } = fixture.ui.seen;
      const host = new URL(fixture.service.baseUrl).host;
      for (const { message, actions } of said) {
        assert.ok(message.includes(host) && /^No \S+ URL is configured for /.test(message), message);
        assert.deepEqual(actions, ['Configure…']);
      }
      assert.equal(said.length, 6);
      assert.deepEqual([copied, opened], [[], []]);
      assert.deepEqual([settings, inputs.length], [[], 1]);
    }),
  );

  it(
    'copies the playback URLs that the service itself tells where none is set',
    withCommands({ addresses: {}, demo: { saysAddresses: false } }, async (fixture) => {
      const { service, ui } = fixture;
      const streams = service.control.streams().filter(({ parentId }) => parentId === undefined);
      const [first, second] = streams;
      assert.ok(first && second);
      const urlOf = (playbackId = '') => `${new URL(service.baseUrl).origin}/hls/${playbackId}/index.m3u8`;
      await fixture.run('copyPlaybackUrl', row(first), [row(first), row(second)]);
      assert.deepEqual(ui.seen.copied, [[first, second].map(({ playbackId }) => urlOf(playbackId)).join('\n')]);
      const asked = service.control.requests.filter(({ path }) => path.startsWith('/api/playback/'));
      assert.equal(asked.length, 2);
      assert.ok(!asked.some(({ headers }) => 'authorization' in headers), 'no key is needed');
    }),
  );

  it(
    'opens the player without asking where the stream plays: the player asks, and says if it is not known',
    withCommands({ addresses: {}, demo: { saysAddresses: false } }, async (fixture) => {
      const stream = live(fixture);
      await fixture.run('watchStream', row(stream));
      assert.deepEqual([fixture.played, fixture.ui.seen.said], [[`stream ${stream.id}`], []]);
      assert.ok(!fixture.requests().some((request) => request.includes('/playback/')));
    }),
  );

  describe('a failed read of where a stream plays', () => {
    const failsFor = (isFailing: (path: string) => boolean) => (request: { readonly path: string }) =>
      request.path.includes('/playback/') && isFailing(request.path) ? { status: 500, body: '{}' } : undefined;

    it(
      'copies the other playback URLs, and says which could not be read',
      withCommands({ addresses: {}, demo: { saysAddresses: false }, isHurried: true }, async (fixture) => {
        const { service, ui } = fixture;
        const [first, failing, last] = service.control.streams().filter(({ parentId }) => parentId === undefined);
        assert.ok(first && failing && last);
        service.control.fault(failsFor((path) => path.endsWith(`/${failing.playbackId}`)));
        await fixture.run('copyPlaybackUrl', row(first), [row(first), row(failing), row(last)]);
        const copied = ui.seen.copied[0]?.split('\n').map((url) => url.split('/').at(-2));
        assert.deepEqual(copied, [first.playbackId, last.playbackId]);
        const [said] = ui.seen.said;
        const { host } = new URL(service.baseUrl);
        assert.deepEqual(said, {
          severity: 'warning',
          message: `Copied 2 of 3. "${failing.name}": ${host} is unavailable (500).`,
          actions: ['Retry'],
        });
        assert.deepEqual(ui.seen.flashes, []);
      }),
    );

    it(
      'fails if the service says where none of the streams plays',
      withCommands({ addresses: {}, demo: { saysAddresses: false }, isHurried: true }, async (fixture) => {
        const { service, ui } = fixture;
        const rows = service.control
          .streams()
          .flatMap((stream) => (stream.parentId === undefined ? [row(stream)] : []));
        service.control.fault(failsFor(() => true));
        await fixture.run('copyPlaybackUrl', rows[0], rows);
        assert.deepEqual(ui.seen.copied, []);
        assert.deepEqual(ui.seen.said[0]?.actions, ['Retry', 'Show Log']);
      }),
    );

    it(
      'asks for no more streams once the service cannot be reached',
      withCommands({ addresses: {}, demo: { saysAddresses: false, streamCount: 40 } }, async (fixture) => {
        const { service, ui } = fixture;
        const rows = service.control
          .streams()
          .flatMap((stream) => (stream.parentId === undefined ? [row(stream)] : []));
        const body = '{}';
        service.control.fault(({ path }) => (path.includes('/playback/') ? { status: 429, body } : undefined));
        await fixture.run('copyPlaybackUrl', rows[0], rows);
        assert.ok(fixture.requests().length <= 7, 'one for the addresses of all, and six at once');
        assert.deepEqual(ui.seen.copied, []);
      }),
    );
  });

  it(
    'copies none that the service tells and that may not be opened',
    withCommands({ addresses: {}, demo: { saysAddresses: false } }, async (fixture) => {
      const { service, ui } = fixture;
      const source = [{ type: 'html5/application/vnd.apple.mpegurl', url: 'javascript:alert(1)' }];
      const body = JSON.stringify({ meta: { source } });
      service.control.fault(({ path }) => (path.startsWith('/api/playback/') ? { status: 200, body } : undefined));
      await fixture.run('copyPlaybackUrl', row(live(fixture)));
      assert.deepEqual([ui.seen.copied, ui.seen.said[0]?.actions], [[], ['Configure…']]);
    }),
  );

  it(
    'copies the ids of sessions',
    withCommands({}, async (fixture) => {
      const [stream] = fixture.service.control.streams();
      assert.ok(stream);
      const session = fixture.service.control.addSession(stream.id);
      await fixture.run('copySessionId', session.id);
      await fixture.run('copySessionId', { id: '../x' });
      await fixture.run('copySessionId', 'nobody');
      assert.deepEqual(fixture.ui.seen.copied, [session.id]);
      assert.deepEqual(fixture.ui.seen.messages, [
        "This isn't a valid stream or session ID.",
        'This session no longer exists.',
      ]);
    }),
  );

  it(
    'says a short line if the stream’s name has marks and 10,000 characters',
    withCommands({}, async (fixture) => {
      const stream = fixture.service.control.addStream({ name: `a\n\u202eb ${'x'.repeat(10_000)}` });
      await fixture.run('copyStreamId', stream.id);
      const [flash = ''] = fixture.ui.seen.flashes;
      assert.ok(flash.length < 100);
      assert.doesNotMatch(flash, /[\n\u202e]/);
    }),
  );
});

describe('opening pages of a stream', () => {
  it(
    'opens the dashboard itself for an account without streams, where there is none to ask for',
    withCommands({ demo: { streamCount: 0 } }, async (fixture) => {
      const origin = new URL(fixture.service.baseUrl).origin;
      await fixture.run('openDashboard');
      assert.deepEqual(fixture.ui.seen.opened, [`${origin}/dashboard`]);
      assert.deepEqual([fixture.ui.seen.picks, fixture.ui.seen.said], [[], []]);
      const added = fixture.service.control.addStream({ name: 'First' });
      await fixture.run('openDashboard', added.id);
      assert.match(fixture.ui.seen.opened[1] ?? '', new RegExp(added.id));
    }),
  );

  it(
    'opens the player page and the dashboard',
    withCommands({ playIn: 'browser' }, async (fixture) => {
      const stream = live(fixture);
      await fixture.run('openPlayerPage', row(stream));
      await fixture.run('watchStream', stream.id);
      await fixture.run('openDashboard', row(stream));
      const player = fixture.service.addresses.player?.replace('{playbackId}', stream.playbackId ?? '');
      const [first, second, dashboard] = fixture.ui.seen.opened;
      assert.deepEqual([first, second], [player, player]);
      assert.ok(dashboard?.includes(stream.id));
    }),
  );

  it(
    'does not open a template of another scheme',
    withCommands({ addresses: { player: 'javascript:alert({playbackId})' } }, async (fixture) => {
      await fixture.run('openPlayerPage', row(live(fixture)));
      assert.match(
        fixture.ui.seen.said[0]?.message ?? '',
        /The URL in liveStreams.addresses is incomplete or doesn't start with https:\/\/\./,
      );
      assert.deepEqual(fixture.ui.seen.opened, []);
    }),
  );
});
