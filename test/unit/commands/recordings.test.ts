import assert from 'node:assert/strict';
import { decodeSession } from '../../../src/api/decode.ts';
import type { DemoSession } from '../../../src/demo/demoState.ts';
import { type Fixture, withCommands } from './fixture.ts';

const CDN = 'https://cdn.example/recordings/1';

/** A session of an idle stream with just these fields of a recording. */
function addSession({ service }: Fixture, fields: Partial<DemoSession>): DemoSession {
  const stream = service.control.streams().find((each) => !each.isActive && each.parentId === undefined);
  assert.ok(stream);
  return service.control.addSession(stream.id, { record: true, ...fields });
}

describe('opening a recording in the browser', () => {
  it(
    'opens the MP4 when there is one, as it was sent',
    withCommands({ playIn: 'browser' }, async (fixture) => {
      const mp4Url = `${CDN}/source.mp4?Signature=a%2Fb%3D+c`;
      const session = addSession(fixture, { recordingStatus: 'ready', recordingUrl: `${CDN}/index.m3u8`, mp4Url });
      for (const id of ['openRecording', 'openRecordingInBrowser', 'copyMp4Url']) {
        await fixture.run(id, session.id);
      }
      assert.deepEqual(fixture.ui.seen.opened, [mp4Url, mp4Url]);
      assert.deepEqual(fixture.ui.seen.copied, [mp4Url]);
      assert.deepEqual(fixture.ui.seen.flashes, ['Copied the MP4 URL']);
    }),
  );

  it(
    'else opens the player page with the recording’s address, whatever the status',
    withCommands(
      { playIn: 'browser', addresses: { recordingPlayer: 'https://p.example/?url={recordingUrl}' } },
      async (fixture) => {
        const session = addSession(fixture, { recordingStatus: 'waiting', recordingUrl: `${CDN}/index.m3u8?s=1` });
        await fixture.run('openRecording', { id: session.id });
        assert.deepEqual(fixture.ui.seen.opened, [
          `https://p.example/?url=${encodeURIComponent(`${CDN}/index.m3u8?s=1`)}`,
        ]);
      },
    ),
  );

  it(
    'else opens or copies the playlist after a warning',
    withCommands({ addresses: {}, answers: { presses: ['Open', 'Copy URL'] } }, async (fixture) => {
      const recordingUrl = `${CDN}/index.m3u8`;
      const session = addSession(fixture, { recordingStatus: 'ready', recordingUrl });
      for (let turn = 0; turn < 3; turn++) await fixture.run('openRecordingInBrowser', session.id);
      assert.deepEqual(fixture.ui.seen.opened, [recordingUrl]);
      assert.deepEqual(fixture.ui.seen.copied, [recordingUrl]);
      assert.deepEqual(fixture.ui.seen.said[0], {
        severity: 'warning',
        message: 'Some browsers download the playlist instead of playing it.',
        actions: ['Open', 'Copy URL'],
      });
    }),
  );

  it(
    'says why there is none',
    withCommands({ playIn: 'browser' }, async (fixture) => {
      const reasons: readonly [Partial<DemoSession>, RegExp][] = [
        [{ record: false }, /wasn't recorded/],
        [{ recordingStatus: 'waiting' }, /still being processed/],
        [{ recordingStatus: 'failed' }, /failed/],
        [{ recordingStatus: 'deleted' }, /deleted/],
        [{ recordingStatus: 'none' }, /This session has no recording\./],
        [{ recordingStatus: 'ready' }, /didn't return a URL/],
        [{ recordingStatus: 'uploading' }, /Its status is "uploading"/],
      ];
      for (const [fields, reason] of reasons) {
        const { id } = addSession(fixture, fields);
        fixture.ui.seen.said.splice(0);
        for (const command of ['openRecording', 'copyRecordingUrl', 'copyMp4Url']) await fixture.run(command, id);
        assert.equal(fixture.ui.seen.said.length, 3);
        for (const { message, severity } of fixture.ui.seen.said) {
          assert.match(message, reason);
          assert.equal(severity, 'info');
        }
      }
      assert.deepEqual([fixture.ui.seen.opened, fixture.ui.seen.copied], [[], []]);
    }),
  );

  it(
    'does not open addresses that are empty, relative or of another scheme, and says why',
    withCommands({ playIn: 'browser', addresses: {} }, async (fixture) => {
      for (const recordingUrl of [
        '/r/index.m3u8',
        'javascript:alert(1)',
        'file:///x',
        'command:x',
        'vscode://x',
        'http://cdn.example/x',
      ]) {
        const { id } = addSession(fixture, { recordingStatus: 'ready', recordingUrl });
        await fixture.run('openRecording', id);
      }
      // The service of this test is http itself, so http alone is opened (after the warning about playlists).
      const said = fixture.ui.seen.messages;
      assert.equal(said.length, 6);
      assert.match(said[0] ?? '', /incomplete/);
      for (const [index, scheme] of ['javascript:', 'file:', 'command:', 'vscode:'].entries()) {
        assert.ok(said[index + 1]?.includes(`"${scheme}"`), said[index + 1]);
      }
      assert.match(said[5] ?? '', /playlist/);
      assert.deepEqual(fixture.ui.seen.opened, []);
    }),
  );

  it(
    'offers to watch a broadcast that isn’t recorded instead',
    withCommands({}, async (fixture) => {
      const { loader, store } = fixture.context;
      const live = fixture.service.control.streams().find(({ isActive, record }) => isActive && record !== true);
      const id = live?.id ?? assert.fail();
      await loader.refreshActive();
      await loader.ensureSessions(id);
      const [session = assert.fail()] = store.snapshot.sessions.get(id)?.items ?? [];
      await fixture.run('openRecording', session.id);
      assert.deepEqual(fixture.ui.seen.said, [
        { severity: 'info', message: "This session isn't being recorded.", actions: ['Watch', 'Show Details'] },
      ]);
    }),
  );

  it(
    'asks for the recorded sessions once before it says that there is no MP4, and never for what was not recorded',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const session = addSession(fixture, {
        recordingStatus: 'ready',
        recordingUrl: `${CDN}/index.m3u8`,
        mp4Url: `${CDN}/1.mp4`,
      });
      const other = addSession(fixture, { recordingStatus: 'ready', recordingUrl: `${CDN}/2/index.m3u8` });
      const plain = addSession(fixture, { record: false });
      await fixture.context.loader.ensureSessions(session.parentId);
      const row = (id: string) => ({
        kind: 'session',
        id: `idle/${id}`,
        list: 'idle',
        streamId: session.parentId,
        sessionId: id,
      });
      fixture.service.control.clearRequests();
      await fixture.run('copyMp4Url', row(session.id));
      await fixture.run('copyMp4Url', row(other.id));
      await fixture.run('copyMp4Url', row(plain.id));
      assert.deepEqual(fixture.requests(), [
        `GET /api/stream/${session.parentId}/sessions?record=1`,
        `GET /api/stream/${session.parentId}/sessions?record=1`,
      ]);
      assert.deepEqual(fixture.ui.seen.copied, [`${CDN}/1.mp4`]);
      assert.match(fixture.ui.seen.messages[0] ?? '', /available as an MP4 file/);
      assert.match(fixture.ui.seen.messages[1] ?? '', /wasn't recorded/);
    }),
  );

  for (const [count, what] of [
    [60, 'behind more than a service sends unasked'],
    [1100, 'behind more than one answer holds'],
  ] as const) {
    it(
      `finds the MP4 of a session that is ${what}`,
      withCommands({}, async (fixture) => {
        const { service, ui, run } = fixture;
        const stream = service.control.addStream({ name: 'Daily' });
        const [oldest] = Array.from({ length: count }, (_, n) =>
          service.control.addSession(stream.id, {
            createdAt: stream.createdAt + n * 1000,
            ...{ lastSeen: stream.createdAt + n * 1000 + 500, sourceSegments: 1, sourceSegmentsDuration: 2 },
            ...{
              record: true,
              recordingStatus: 'ready',
              recordingUrl: `${CDN}/${n}/index.m3u8`,
              mp4Url: `${CDN}/${n}.mp4`,
            },
          }),
        );
        assert.ok(oldest);
        // As it was known while the MP4 was still being made.
        const known = decodeSession({ ...oldest, recordingStatus: 'waiting', mp4Url: undefined });
        assert.ok(known && known.mp4Url === undefined);
        const found = await fixture.context.connection.account.withAddress(known, 'mp4Url');
        assert.equal(found.mp4Url, `${CDN}/0.mp4`);
        assert.equal(found.recordingStatus, 'ready');
        await run('copyMp4Url', oldest.id);
        assert.deepEqual([ui.seen.copied, ui.seen.said], [[`${CDN}/0.mp4`], []]);
      }),
    );
  }

  it(
    'copies the addresses of several rows, one a line',
    withCommands({}, async (fixture) => {
      const sessions = [1, 2].map((n) =>
        addSession(fixture, { recordingStatus: 'ready', recordingUrl: `${CDN}/${n}.m3u8` }),
      );
      const rows = sessions.map(({ id, parentId }) => ({
        kind: 'session',
        id: `r${id}`,
        list: 'idle',
        streamId: parentId,
        sessionId: id,
      }));
      await fixture.run('copyRecordingUrl', rows[0], rows);
      assert.deepEqual(fixture.ui.seen.copied, [`${CDN}/1.m3u8\n${CDN}/2.m3u8`]);
      assert.deepEqual(fixture.ui.seen.flashes, ['Copied 2 recording URLs']);
    }),
  );

  it(
    'reads the addresses of many, a few at a time, and copies them in their order',
    withCommands({}, async (fixture) => {
      const { service } = fixture;
      const { id: streamId } = service.control.addStream({ name: 'Many' });
      const ready = { record: true, recordingStatus: 'ready', sourceSegmentsDuration: 60, lastSeen: 60_000 } as const;
      const ids = Array.from({ length: 30 }, (_, n) => {
        return service.control.addSession(streamId, { ...ready, createdAt: n + 1, recordingUrl: `${CDN}/${n}.m3u8` })
          .id;
      });
      // Rows without addresses, as a service may list them.
      const without = { ...ready, parentId: streamId, recordingUrl: undefined, mp4Url: undefined };
      const { writer } = fixture.context.connection.account;
      const items = service.control.sessions(streamId).map((session) => ({ ...session, ...without }) as never);
      const list = { revealed: 30, hasNextPage: false, loadedAt: 0, serverDate: 0 };
      writer.sessionsListed(streamId, { ...list, items });
      let running = 0;
      let most = 0;
      service.control.fault(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return undefined;
      });
      const rows = ids.map((id) => ({ kind: 'session', id: `r${id}`, list: 'idle', streamId, sessionId: id }));
      await fixture.run('copyRecordingUrl', rows[0], rows);
      assert.deepEqual(
        fixture.ui.seen.copied[0]?.split('\n'),
        ids.map((_, n) => `${CDN}/${n}.m3u8`),
      );
      assert.ok(most > 1 && most <= 4, `${most} requests at a time`);
    }),
  );

  it(
    'asks which session with a picker, newest first: stream, time, state',
    withCommands({ demo: { streamCount: 3 } }, async (fixture) => {
      const newest = addSession(fixture, {
        createdAt: Date.UTC(2026, 10, 20, 9, 59),
        recordingStatus: 'ready',
        recordingUrl: `${CDN}/n.m3u8`,
      });
      const stream = fixture.service.control.streams().find((each) => each.id === newest.parentId);
      fixture.ui.answers.picks.push(stream?.name ?? '');
      await fixture.run('copyRecordingUrl');
      const [first] = fixture.ui.seen.picks[0]?.items ?? [];
      assert.equal(first?.label, stream?.name);
      assert.equal(first?.description, 'Today 09:59 · ready');
      assert.deepEqual(fixture.ui.seen.copied, [`${CDN}/n.m3u8`]);
    }),
  );
});

describe('opening a recording in the editor', () => {
  it(
    'plays it in a tab, whatever its address, and opens no browser',
    withCommands({}, async (fixture) => {
      const { run, ui, played } = fixture;
      const playlist = addSession(fixture, { recordingStatus: 'ready', recordingUrl: `${CDN}/index.m3u8` });
      const file = addSession(fixture, { recordingStatus: 'ready', mp4Url: `${CDN}/source.mp4` });
      for (const { id } of [playlist, file]) await run('openRecording', id);
      assert.deepEqual(played, [`session ${playlist.id}`, `session ${file.id}`]);
      assert.deepEqual([ui.seen.opened, ui.seen.said], [[], []]);
    }),
  );

  it(
    'waits there for one that is still being processed',
    withCommands({}, async (fixture) => {
      const { id } = addSession(fixture, { recordingStatus: 'waiting' });
      await fixture.run('openRecording', id);
      assert.deepEqual([fixture.played, fixture.ui.seen.said], [[`session ${id}`], []]);
    }),
  );

  it(
    'says why there is none, and opens no player',
    withCommands({}, async (fixture) => {
      const { id } = addSession(fixture, { recordingStatus: 'failed' });
      await fixture.run('openRecording', id);
      assert.match(fixture.ui.seen.messages[0] ?? '', /failed/);
      assert.deepEqual(fixture.played, []);
    }),
  );
});

describe('a session that only the Recordings view knows', () => {
  it(
    'is found by its id alone, and not asked for again',
    withCommands({}, async (fixture) => {
      const { run, context, ui, requests, service } = fixture;
      const { id } = addSession(fixture, { recordingStatus: 'ready', mp4Url: `${CDN}/source.mp4` });
      await context.loader.ensureRecordings();
      assert.equal(context.store.snapshot.sessions.size, 0);
      service.control.clearRequests();
      await run('copyMp4Url', id);
      assert.deepEqual(ui.seen.copied, [`${CDN}/source.mp4`]);
      assert.deepEqual(requests(), []);
    }),
  );
});

describe('the address that a session lacks', () => {
  it(
    'is read without losing those that the answer leaves out',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const known = decodeSession({ id: 's', parentId: 'p', record: true });
      assert.ok(known);
      const [list, file] = [`${CDN}/index.m3u8`, `${CDN}/source.mp4`];
      const answer = (row: object) =>
        service.control.fault(() => ({ status: 200, body: JSON.stringify([{ id: 's', record: true, ...row }]) }));
      answer({ mp4Url: file });
      const found = await context.connection.account.withAddress({ ...known, recordingUrl: list }, 'mp4Url');
      assert.deepEqual([found.recordingUrl, found.mp4Url, found.parentId], [list, file, 'p']);
      answer({ recordingUrl: list });
      const other = await context.connection.account.withAddress({ ...known, mp4Url: file }, 'recordingUrl');
      assert.deepEqual([other.recordingUrl, other.mp4Url], [list, file]);
    }),
  );
});
