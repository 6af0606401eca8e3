import assert from 'node:assert/strict';
import { reportText } from '../../../src/model/inspection/report.ts';
import { checkStreamById } from '../../../src/texts/checks.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { PLAYLIST, playlistOf, readSegment, startMediaServer } from '../../support/service/mediaServer.ts';
import { type Fixture, openNextWhileWaiting, withCommands } from './fixture.ts';

/** The demo's playlists change with the time, which stands still in other tests. */
const clock = createTestClock(4);
const LIVING = { clock, demo: { clock } };

function liveStream({ service }: Fixture) {
  const found = service.control.streams().find(({ isActive, parentId }) => isActive && parentId === undefined);
  return found ?? assert.fail('No stream is live');
}

function idleStream({ service }: Fixture) {
  const streams = service.control.streams().filter(({ parentId, suspended }) => parentId === undefined && !suspended);
  return streams.find(({ isActive }) => !isActive) ?? assert.fail('No stream is idle');
}

function reportIn({ checked, context }: Fixture): string {
  const outcome = checked.at(-1)?.outcome;
  return outcome?.kind === 'report' ? reportText(outcome.report, context.drawing()) : '';
}

function failureIn({ checked }: Fixture) {
  const outcome = checked.at(-1)?.outcome;
  return outcome?.kind === 'failure' ? outcome : assert.fail('The check has not failed');
}

const markedIn = (report: string, mark: string) => report.split('\n').filter((line) => line.startsWith(`  ${mark} `));

describe('Checking a stream', () => {
  it(
    'ends with its signal while the stream is read',
    withCommands(LIVING, async (fixture) => {
      const { context, service } = fixture;
      service.control.fault(() => 'hang');
      const aborting = new AbortController();
      const checking = checkStreamById(context, liveStream(fixture).id, aborting.signal);
      await waitUntil(() => service.control.requests.length > 0);
      aborting.abort();
      await assert.rejects(checking, { name: 'AbortError' });
    }),
  );

  it(
    'reports on a live one without anything bad, and without its key',
    withCommands(LIVING, async (fixture) => {
      const { id, name, streamKey = '' } = liveStream(fixture);
      await fixture.run('checkStream', id);
      const report = reportIn(fixture);
      assert.deepEqual(markedIn(report, '✗'), [], report);
      const [title, url = ''] = report.split('\n');
      assert.equal(title, `Check results for "${name}"`);
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/hls\/\w+\/index\.m3u8$/);
      assert.match(report, /\n {2}· Recording: O(n|ff)\n/);
      for (const words of ['State: Live', 'Receiving data: Yes, since ', 'Updates: Changed after ']) {
        assert.ok(report.includes(`  ✓ ${words}`), `${words} in\n${report}`);
      }
      assert.ok(!report.includes(streamKey));
      const { check } = fixture.checked[0] ?? assert.fail();
      const connection = fixture.context.connection.info?.id;
      assert.deepEqual({ ...check, run: undefined }, { kind: 'stream', connection, id, name, run: undefined });
      assert.deepEqual(fixture.ui.seen.said, []);
    }),
  );

  it(
    'does not doubt that one is live if the service says so, but has no playlist',
    withCommands(LIVING, async (fixture) => {
      const { id } = liveStream(fixture);
      fixture.service.control.fault(({ path }) => (path.endsWith('.m3u8') ? { status: 404 } : undefined));
      await fixture.run('checkStream', id);
      const report = reportIn(fixture);
      assert.match(
        report,
        /returned 404\n +The service reports the stream as live, but there's no playlist yet\. .+\n +Check again in/,
      );
      assert.doesNotMatch(report, /may not be live|the URL/);
    }),
  );

  it(
    'says of an idle one that it is not live, and plays nothing, unless a broadcast is wanted first',
    withCommands({ answers: { picks: ['Check Without Broadcasting'] } }, async (fixture) => {
      await fixture.run('checkStream', { id: idleStream(fixture).id });
      const report = reportIn(fixture);
      assert.deepEqual(markedIn(report, '!'), ['  ! State: Idle']);
      assert.match(report, /be checked only while the stream is live/);
      assert.deepEqual(
        fixture.requests().filter((line) => line.includes('/hls/') || line.includes('/data/')),
        [],
      );
    }),
  );

  it(
    'broadcasts to an idle one first, after a question, and reports how it was taken',
    withCommands(
      { ...LIVING, answers: { picks: ['Start Test Broadcast and Check'], confirms: [true] } },
      async (fixture) => {
        const stream = idleStream(fixture);
        await fixture.run('checkStream', stream.id);
        const report = reportIn(fixture);
        assert.match(fixture.ui.seen.questions[0]?.detail ?? '', /will see the test pattern/);
        assert.deepEqual(markedIn(report, '✗'), [], report);
        for (const words of ['State: Live', 'Time to Connect: ', 'Dropped Frames: 0%', 'Time to First Segment: ']) {
          assert.ok(report.includes(`  ✓ ${words}`), `${words} in\n${report}`);
        }
        assert.ok(stream.streamKey && !report.includes(stream.streamKey));
        await fixture.run('stopTestBroadcast', stream.id);
      },
    ),
  ).timeout(60_000);

  it(
    'starts and reports nothing if the question is dismissed',
    withCommands({ answers: { picks: ['Start Test Broadcast and Check'] } }, async (fixture) => {
      await fixture.run('checkStream', idleStream(fixture).id);
      await fixture.run('checkStream', idleStream(fixture).id);
      assert.equal(fixture.ui.seen.questions.length, 1);
      assert.deepEqual(fixture.checked, []);
    }),
  );

  it(
    "shows the service's conditions and issues, and the words of one that has no health",
    withCommands(LIVING, async (fixture) => {
      const { service, context, run } = fixture;
      const { id } = liveStream(fixture);
      const profiles = [{ name: '720p' }];
      service.control.setStream(id, { isHealthy: false, issues: ['Keyframes are rare'], profiles });
      await run('checkStream', id);
      assert.ok(
        markedIn(reportIn(fixture), '✗').some((line) => line.startsWith('  ✗ Transcoding in real time: No, since ')),
      );
      assert.deepEqual(markedIn(reportIn(fixture), '!').slice(0, 1), [
        '  ! Reported by the Service: Keyframes are rare',
      ]);
      assert.ok(
        context.store.snapshot.health.get(id)?.some(({ isMet }) => isMet === false),
        'its row says so, too',
      );
      service.control.fault(({ path }) => (path.endsWith('/health') ? { status: 501 } : undefined));
      await run('checkStream', id);
      await run('checkStream', id);
      assert.ok(markedIn(reportIn(fixture), '✗').includes('  ✗ Health: Unhealthy'));
      assert.equal(fixture.requests().filter((line) => line.endsWith('/health')).length, 2);
    }),
  );

  it(
    'goes on where the health cannot be read, and says so',
    withCommands(LIVING, async (fixture) => {
      fixture.service.control.fault(({ path }) => (path.endsWith('/health') ? { status: 500 } : undefined));
      await fixture.run('checkStream', liveStream(fixture).id);
      const { host } = new URL(fixture.service.baseUrl);
      assert.deepEqual(markedIn(reportIn(fixture), '!').slice(0, 1), [`  ! Health: ${host} is unavailable (500).`]);
      assert.ok(reportIn(fixture).includes('✓ Time to First Segment'));
    }),
  );

  it(
    'reports one whose playlist is broken, and refuses one that is gone',
    withCommands(LIVING, async (fixture) => {
      const { service, run, ui } = fixture;
      const { id } = liveStream(fixture);
      service.control.fault(({ path }) => (path.startsWith('/hls/') ? { status: 500 } : undefined));
      await run('checkStream', id);
      assert.match(
        reportIn(fixture),
        / {2}✗ Playlist: 127\.0\.0\.1:\d+ returned 500\n {4}Players can't start playback\.\n {4}Check the server and its logs\./,
      );
      service.control.deleteStream(id);
      await run('checkStream', id);
      assert.match(ui.seen.said[0]?.message ?? '', /no longer exists/);
      assert.equal(fixture.checked.length, 1);
    }),
  );

  it(
    'offers to set the HLS URL of a service whose playback is unknown',
    withCommands({ addresses: {}, demo: { face: 'strict' } }, async (fixture) => {
      await fixture.run('checkStream', liveStream(fixture).id);
      const { sentence, actions, canRetry } = failureIn(fixture);
      assert.match(sentence, /No HLS URL is configured/);
      assert.deepEqual([actions.map(({ label }) => label), canRetry], [['Configure…'], true]);
      assert.deepEqual(fixture.ui.seen.said, []);
    }),
  );

  it(
    'says on its page why the service cannot be asked, and what helps',
    withCommands(LIVING, async (fixture) => {
      const { id } = idleStream(fixture);
      fixture.service.control.fault(() => ({ status: 401 }));
      await fixture.run('checkStream', id);
      const { sentence, actions, canRetry } = failureIn(fixture);
      assert.match(sentence, /key/);
      assert.deepEqual([actions.map(({ label }) => label), canRetry], [['Set API Key…', 'Show Log'], true]);
      assert.deepEqual(fixture.ui.seen.said, []);
    }),
  );

  it(
    'can be run again, which offers nothing if the stream is gone meanwhile',
    withCommands(LIVING, async ({ run, checked, service, ...fixture }) => {
      const { id } = liveStream({ run, checked, service, ...fixture });
      await run('checkStream', id);
      service.control.deleteStream(id);
      const outcome = await checked[0]?.check.run(new AbortController().signal, () => {});
      assert.ok(outcome?.kind === 'failure');
      assert.match(outcome.sentence, /no longer exists/);
      assert.deepEqual([outcome.actions, outcome.canRetry], [[], false]);
    }),
  );

  it(
    'ends if another connection is opened while it waits for the test broadcast, and asks that for nothing',
    withCommands({ answers: { picks: ['Start Test Broadcast and Check'] } }, async (fixture) => {
      const { context, service, run, ui, checked } = fixture;
      const { id } = idleStream(fixture);
      openNextWhileWaiting(fixture, id);
      await run('checkStream', id);
      assert.equal(context.connection.info?.id, 'next');
      const reads = service.control.requests.filter(({ path }) => path.endsWith(`/stream/${id}`));
      assert.deepEqual([reads.length, checked], [2, []]);
      assert.deepEqual(ui.seen.messages, ['The command was canceled because you switched connections.']);
    }),
  );

  it(
    'ends when its page is closed, and reports its progress to the page before',
    withCommands(LIVING, async (fixture) => {
      await fixture.run('checkStream', liveStream(fixture).id);
      const { check } = fixture.checked[0] ?? assert.fail();
      const closing = new AbortController();
      const steps: string[] = [];
      const checking = check.run(closing.signal, ({ kind }) => {
        steps.push(kind);
        closing.abort();
      });
      await assert.rejects(checking, { name: 'AbortError' });
      assert.equal(steps[0], 'playlist');
    }),
  );
});

describe('Inspecting HLS playback by command', () => {
  async function withMedia(test: (url: string) => Promise<void>): Promise<void> {
    const server = await startMediaServer({ hasCors: true });
    server.serve('/index.m3u8', { body: playlistOf(['0.ts']), type: PLAYLIST });
    server.serve('/0.ts', { body: await readSegment(0), type: 'video/mp2t' });
    try {
      await test(`${server.origin}/index.m3u8`);
    } finally {
      server.close();
    }
  }

  it(
    'needs no connection, takes a URL, and asks without one',
    withCommands({ isConnected: false, answers: { inputs: [] } }, async (fixture) =>
      withMedia(async (url) => {
        const { run, ui } = fixture;
        await run('inspectPlayback', `${url}?token=secret-token`);
        const report = reportIn(fixture);
        assert.deepEqual(markedIn(report, '✗'), [], report);
        assert.match(report, /^HLS playback on 127\.0\.0\.1:\d+\nhttp:\/\/127\.0\.0\.1:\d+\/index\.m3u8\?…\n/);
        const { check } = fixture.checked[0] ?? assert.fail();
        assert.deepEqual([check.kind, check.connection, check.id], ['playback', '', url]);
        await run('inspectPlayback');
        assert.deepEqual([fixture.checked.length, ui.seen.said], [1, []]);
      }),
    ),
  );

  it(
    'takes the playback ID of a stream of the open connection',
    withCommands(LIVING, async (fixture) => {
      const { playbackId } = liveStream(fixture);
      await fixture.run('inspectPlayback', { playbackId });
      assert.deepEqual(markedIn(reportIn(fixture), '✗'), [], reportIn(fixture));
    }),
  );

  it(
    'refuses what is neither a URL with encryption nor a playback ID, before any request',
    withCommands({}, async ({ run, ui, checked }) => {
      for (const given of [
        'http://video.example/index.m3u8',
        'ftp://video.example',
        'a b',
        'https://a:b@video.example/',
      ]) {
        await run('inspectPlayback', given);
      }
      const notUrl = 'Enter a URL that starts with https://, or a playback ID.';
      assert.deepEqual(ui.seen.messages, [
        "video.example isn't on this computer, so its URL must start with https://.",
        ...[notUrl, notUrl],
        "The URL can't contain a user name or password.",
      ]);
      assert.deepEqual(checked, []);
    }),
  );
});
