import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import { canOpen, listRecordings } from '../../../../src/panels/player/broadcastRecording.ts';
import { findPlayback, goesOn, type PlayerContext, reconsider } from '../../../../src/panels/player/playerFinder.ts';
import type { Subject } from '../../../../src/panels/player/playerSubject.ts';
import type { DemoSession } from '../../../support/demo/demoService.ts';
import { aSession, aSnapshot, aStream } from '../../../support/model/builders.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type PlayerFixture, withPlayer } from './playerFixture.ts';

/** fakeSettings: how often is looked for what is waited for. */
const INTERVAL = 15_000;
const ENDED = { createdAt: Date.UTC(2026, 10, 20, 8, 0), lastSeen: Date.UTC(2026, 10, 20, 9, 0) };
const READY = {
  ...{ ...ENDED, sourceSegmentsDuration: 3600, record: true, recordingStatus: 'ready' },
  recordingUrl: 'https://media.example/a.m3u8',
} as const;

async function openRecording({ service, open }: PlayerFixture, fields: Partial<DemoSession> = READY) {
  const { id } = service.control.addStream({ name: 'Talk' });
  const session = service.control.addSession(id, fields);
  return { session, part: await open('session', session.id) };
}

async function openLive({ service, open }: PlayerFixture) {
  const { id } = service.control.addStream({ name: 'Talk' });
  service.control.startBroadcast(id);
  return { id, part: await open('stream', id) };
}

describe('A player whose connection is not open yet', () => {
  it('says that it opens', async () => {
    const context = {
      store: { snapshot: aSnapshot({ connection: { kind: 'starting' } }) },
      target: { connection: 'one', kind: 'stream', id: 's1' },
    } as unknown as PlayerContext;
    const { signal } = new AbortController();
    const options = { before: undefined, session: undefined, name: '', signal };
    const flags = { startsItself: true, prefersMp4: false, avoidsDvr: false };
    const found = await findPlayback(context, { ...options, ...flags });
    assert.deepEqual([found.problem, found.isPending, found.offers], [{ kind: 'opening' }, false, []]);
  });
});

describe('A player whose connection is closed while it finds out what to play', () => {
  it(
    'says that it stopped, and nothing about the service',
    withPlayer(async (fixture) => {
      const { service, context, open, requests, page } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.fault(() => 'hang');
      const opening = open('stream', id);
      await waitUntil(() => requests().includes(`GET /api/stream/${id}`));
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      await opening;
      assert.deepEqual(page().problem, { kind: 'stopped' });
    }),
  );
});

describe('A broadcast that may play without its beginning', () => {
  it('is one that the service calls live and that was not suspended', () => {
    const ofStream = (stream: Subject['stream']) => goesOn({ subject: { stream } as unknown as Subject });
    assert.equal(ofStream(aStream({ id: 's1', isActive: true })), true);
    assert.equal(ofStream(aStream({ id: 's1', isActive: true, suspended: false })), true);
    assert.equal(ofStream(aStream({ id: 's1', isActive: true, suspended: true })), false);
    assert.equal(ofStream(aStream({ id: 's1', isActive: false })), false);
    assert.equal(ofStream(undefined), false);
    assert.equal(goesOn({ subject: undefined }), false);
  });
});

describe('A broadcast of a stream that is not in the list', () => {
  it(
    'has ended if its playlist has, though the service calls it live',
    withPlayer(async ({ service, media, open, page }) => {
      media(200, '#EXTM3U\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n');
      const { id: parentId } = service.control.addStream({ name: 'Talk' });
      await open('stream', service.control.addStream({ name: 'Talk', parentId, isActive: true }).id);
      assert.equal(page().problem?.kind, 'ended');
    }),
  );
});

describe('The recordings of a stream', () => {
  const list = (error: Error) => {
    const log = fakeLog();
    const connection = { account: { listNewestRecorded: () => Promise.reject(error) } };
    return {
      log,
      listed: listRecordings({ connection, log } as unknown as Parameters<typeof listRecordings>[0], 's1'),
    };
  };

  it('are none if they cannot be listed, which the log says', async () => {
    const { log, listed } = list(new ApiError('network', 'No route'));
    assert.deepEqual(await listed, []);
    assert.deepEqual(log.lines, ["The sessions of a stream couldn't be listed (network)"]);
  });

  it('are asked for in vain, and that is not hidden, if nobody foresaw why', async () => {
    await assert.rejects(list(new TypeError('odd')).listed, TypeError);
  });
});

describe('A recording that a player offers to open', () => {
  it('plays, or is still being processed', () => {
    const past = { id: 'x1', record: true, recordingStatus: 'ready' };
    const can = (fields: Partial<ReturnType<typeof aSession>>) => canOpen(aSession({ ...past, ...fields }));
    assert.equal(can({ recordingUrl: 'https://media.example/a.m3u8' }), true);
    assert.equal(can({ mp4Url: 'https://media.example/a.mp4' }), true);
    assert.equal(can({ recordingStatus: 'waiting' }), true);
    assert.equal(can({}), false);
    assert.equal(canOpen(undefined), false);
  });
});

describe('A player that cannot reach the service', () => {
  it(
    'says so, and of no connection that was lost: there was none',
    withPlayer(async ({ service, open, page }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.fault(() => 'reset');
      await open('stream', id);
      const { problem } = page();
      const said = problem !== undefined && 'sentence' in problem ? problem.sentence : undefined;
      assert.match(said ?? '', /^Couldn't reach /);
    }),
  );
});

describe('A player that cannot reach the server of the media', () => {
  const sentence = "Couldn't reach %. Check your network and proxy settings.";

  it(
    'tries again by itself and says so, if the media is a broadcast',
    withPlayer(async (fixture) => {
      fixture.media(0);
      await openLive(fixture);
      const { host } = new URL(fixture.asked[0] ?? '');
      const problem = { kind: 'unreachable', sentence: sentence.replace('%', host), isRetried: true };
      assert.deepEqual([fixture.page().problem, fixture.clock.timerCount], [problem, 1]);
    }),
  );

  it(
    'does so too, if it is a recording',
    withPlayer(async (fixture) => {
      fixture.media(0);
      await openRecording(fixture);
      const problem = { kind: 'unreachable', sentence: sentence.replace('%', 'media.example'), isRetried: true };
      assert.deepEqual([fixture.page().problem, fixture.clock.timerCount], [problem, 1]);
    }),
  );

  for (const [kind, isRetried] of [
    ['timeout', true],
    ['truncatedSegment', true],
    ['noHls', false],
    ['brokenSegment', false],
  ] as const) {
    it(
      `${isRetried ? 'tries again' : 'does not try again'} by itself after "${kind}" in a broadcast`,
      withPlayer(async (fixture) => {
        const { part } = await openLive(fixture);
        await part.receive({ kind: 'failed', problem: { kind }, serial: fixture.serial() });
        assert.equal(fixture.clock.timerCount, isRetried ? 1 : 0);
      }),
    );
  }

  for (const [status, isRetried] of [
    [429, true],
    [499, false],
    [500, true],
    [503, true],
  ] as const) {
    it(
      `${isRetried ? 'tries again' : 'does not try again'} by itself after the status ${status}`,
      withPlayer(async (fixture) => {
        fixture.media(status);
        await openLive(fixture);
        assert.equal(fixture.clock.timerCount, isRetried ? 1 : 0);
        assert.equal('isRetried' in (fixture.page().problem ?? {}), isRetried);
      }),
    );
  }
});

describe('A recording in a player', () => {
  it(
    'plays its playlist, which has an end',
    withPlayer(async (fixture) => {
      fixture.media(200, '#EXTM3U\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n');
      await openRecording(fixture);
      assert.deepEqual(fixture.page().source, {
        kind: 'hls',
        isLive: false,
        startsItself: true,
        beganAt: READY.createdAt,
      });
    }),
  );

  const withPolicy = ({ service }: PlayerFixture, status = 200) => {
    const meta = { live: 0, source: [], playbackPolicy: { type: 'jwt' } };
    service.control.fault(({ path }) =>
      path.includes('/playback/') ? { status, body: JSON.stringify({ meta }) } : undefined,
    );
  };

  it(
    'blames no policy for a recording that does not exist',
    withPlayer(async (fixture) => {
      withPolicy(fixture);
      fixture.media(404);
      await openRecording(fixture);
      assert.equal(fixture.page().problem?.kind, 'status');
      assert.ok(!fixture.requests().some((line) => line.includes('/playback/')));
    }),
  );

  it(
    'says what the server said where its policy cannot be read',
    withPlayer(async (fixture) => {
      withPolicy(fixture, 403);
      fixture.media(403);
      await openRecording(fixture);
      assert.equal(fixture.page().problem?.kind, 'status');
      assert.match(fixture.log.lines.join(), /A playback policy couldn't be read \(forbidden\)/);
    }),
  );

  it(
    'asks for no policy of one without a playback ID',
    withPlayer(async (fixture) => {
      withPolicy(fixture);
      fixture.media(403);
      const { part } = await openRecording(fixture);
      const session = aSession({ id: 'x1', ...READY, playbackId: undefined });
      fixture.service.control.clearRequests();
      await part.load({ startsItself: true, session });
      assert.equal(fixture.page().problem?.kind, 'status');
      assert.ok(!fixture.requests().some((line) => line.includes('/playback/')), fixture.requests().join());
    }),
  );

  it(
    'says that one is still being processed if it is not there yet',
    withPlayer(async (fixture) => {
      fixture.media(404);
      await openRecording(fixture, { ...READY, recordingStatus: 'waiting' });
      const { problem } = fixture.page();
      assert.deepEqual(problem, { kind: 'processing', looksAgain: true, since: ENDED.lastSeen });
      assert.equal(fixture.clock.timerCount, 1);
      Object.assign(fixture.context.settings, { refreshInterval: () => 0 });
      await openRecording(fixture, { ...READY, recordingStatus: 'waiting' });
      assert.deepEqual(fixture.page().problem, { ...problem, looksAgain: false });
    }),
  );

  it(
    'polls among the sessions of its stream where the service does not know it by its ID',
    withPlayer(async (fixture) => {
      const { service, requests, clock, untilProblem } = fixture;
      const { recordingUrl: _, ...waiting } = { ...READY, recordingStatus: 'waiting' };
      const { session } = await openRecording(fixture, waiting);
      await untilProblem('processing');
      const own = `/session/${session.id}`;
      service.control.fault(({ path }) => (path.endsWith(own) ? { status: 404, body: '{}' } : undefined));
      service.control.setSession(session.id, { recordingStatus: 'ready', recordingUrl: READY.recordingUrl });
      service.control.clearRequests();
      await clock.advance(INTERVAL);
      await untilProblem(undefined);
      const polls = requests().slice(0, 2);
      assert.deepEqual(polls, [`GET /api${own}`, `GET /api/stream/${session.parentId}/sessions?limit=1000`]);
    }),
  );
});

describe('A player of a stream that is not in the list, because another stream made it', () => {
  it(
    'says what the service reports about the stream, and does not take it for a new one',
    withPlayer(async ({ service, media, open, page, clock }) => {
      media(404);
      const { id: parentId } = service.control.addStream({ name: 'Talk' });
      const { id } = service.control.addStream({ name: 'Talk', parentId, isActive: true });
      service.control.setStream(id, { issues: ['The video is HEVC'] });
      await open('stream', id);
      const { problem } = page();
      assert.ok(problem?.kind === 'said', JSON.stringify(problem));
      assert.equal(problem.detail, 'The service reports: The video is HEVC.');
      assert.equal(clock.timerCount, 0);
    }),
  );
});

describe('A player of a stream without a playback ID', () => {
  it(
    'says that it cannot be watched, and waits for nothing',
    withPlayer(async ({ service, open, page, clock, asked }) => {
      const { id } = service.control.addStream({ name: 'Talk', isActive: true });
      service.control.fault(({ path }) =>
        path.endsWith(`/stream/${id}`)
          ? { status: 200, body: JSON.stringify({ id, name: 'Talk', isActive: true, lastSeen: Date.now() }) }
          : undefined,
      );
      await open('stream', id);
      const { problem, offers, source, heading } = page();
      assert.deepEqual(problem, {
        kind: 'said',
        sentence: '"Talk" has no playback ID, so you can\'t watch it.',
        actions: [],
      });
      assert.deepEqual([offers, source, heading.title], [[], undefined, 'Talk']);
      assert.deepEqual([clock.timerCount, asked], [0, []]);
    }),
  );
});

describe('A problem of a broadcast', () => {
  it(
    'is the API key where that is rejected, and the video is denied, too',
    withPlayer(async (fixture) => {
      const { service, page, serial, context } = fixture;
      const { part } = await openLive(fixture);
      service.control.fault(() => ({ status: 401 }));
      await context.loader.refresh();
      const problem = { kind: 'status', status: 401, host: 'x' } as const;
      await part.receive({ kind: 'failed', problem, serial: serial() });
      const sentence = 'The API key was rejected.';
      assert.deepEqual(page().problem, { kind: 'said', sentence, actions: ['setApiKey', 'retry'] });
    }),
  );

  it(
    'is what it was if the service cannot be asked what it means',
    withPlayer(async (fixture) => {
      const { service, page, serial } = fixture;
      const { part } = await openLive(fixture);
      service.control.fault(() => ({ status: 403, body: '{}' }));
      const problem = { kind: 'status', status: 404, host: 'x' } as const;
      await part.receive({ kind: 'failed', problem, serial: serial() });
      part.sendShown();
      assert.deepEqual([page().problem, fixture.clock.timerCount], [problem, 0]);
    }),
  );

  it('is not asked about where it says nothing about the broadcast', async () => {
    const target = { connection: 'one', kind: 'stream', id: 's1' };
    const subject = { isPending: true } as unknown as Subject;
    const problem = { kind: 'htmlPlaylist' } as const;
    const found = await reconsider({ target } as unknown as PlayerContext, subject, problem);
    assert.deepEqual(found, { problem, subject, isPending: false, retry: undefined });
  });
});
