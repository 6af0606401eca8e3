import assert from 'node:assert/strict';
import { createPlayerSound, type PlayerPart } from '../../../../src/panels/player/playerPart.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { PLAYLIST, type PlayerFixture, withPlayer } from './playerFixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** fakeSettings: how often is looked for what is waited for. */
const INTERVAL = 15_000;

/** Opens a stream that is broadcast and recorded. */
function watchRecorded(fixture: PlayerFixture, name: string) {
  return watch(fixture, { name, record: true });
}

async function watch({ service, open }: PlayerFixture, fields: { readonly name: string; readonly record?: boolean }) {
  const stream = service.control.addStream(fields);
  const running = service.control.startBroadcast(stream.id);
  const part = await open('stream', stream.id);
  return { stream, running, part };
}

/** A service lists no session that nothing was sent in. */
const sent = ({ createdAt }: { readonly createdAt: number }) => ({ lastSeen: createdAt, sourceSegmentsDuration: 60 });

const OLDER = {
  sourceSegmentsDuration: 3600,
  record: true,
  recordingStatus: 'ready',
  recordingUrl: 'https://media.example/old.m3u8',
} as const;

describe('A player whose broadcast has ended', () => {
  it(
    'knows the session that it has read, and no session of a stream',
    withPlayer(async ({ service, open }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      const ended = {
        record: true,
        recordingStatus: 'ready',
        recordingUrl: 'https://cdn.example/1/index.m3u8',
      } as const;
      const session = service.control.addSession(id, ended);
      const { read } = await open('session', session.id);
      assert.deepEqual([read.session?.id, read.session?.parentId], [session.id, id]);
      assert.equal((await open('stream', id)).read.session, undefined);
    }),
  );

  it(
    'offers the recording of that broadcast, which is still being made',
    withPlayer(async (fixture) => {
      const { service, serial, untilProblem, acted } = fixture;
      const { stream, running, part } = await watchRecorded(fixture, 'Talk');
      await untilProblem(undefined);
      service.control.endBroadcast(stream.id);
      service.control.setSession(running.id, { recordingStatus: 'waiting', ...sent(running) });
      await part.receive({ kind: 'ended', serial: serial(), hasPlayed: true });
      assert.deepEqual((await untilProblem('ended')).problem, { kind: 'ended', looksAgain: true, hasRecording: true });
      await part.receive({ kind: 'act', action: 'openRecording' });
      assert.deepEqual(acted, [`openRecording ${running.id}`]);
    }),
  );

  it(
    'does not offer an older broadcast’s',
    withPlayer(async (fixture) => {
      const { service, serial, untilProblem, clock } = fixture;
      const { stream, running, part } = await watchRecorded(fixture, 'Talk');
      const { createdAt } = running;
      service.control.addSession(stream.id, { ...OLDER, createdAt: createdAt - 2 * HOUR, lastSeen: createdAt - HOUR });
      service.control.setSession(running.id, { record: false });
      service.control.endBroadcast(stream.id);
      await part.receive({ kind: 'ended', serial: serial(), hasPlayed: true });
      assert.deepEqual((await untilProblem('ended')).problem, { kind: 'ended', looksAgain: true, hasRecording: false });
      const before = service.control.requests.length;
      await clock.advance(INTERVAL);
      await waitUntil(async () => service.control.requests.length >= before + 2);
      assert.deepEqual((await untilProblem('ended')).problem, { kind: 'ended', looksAgain: true, hasRecording: false });
    }),
  );

  it(
    'goes on looking for its recording, which is listed late',
    withPlayer(async (fixture) => {
      const { service, serial, untilProblem, clock, page, acted } = fixture;
      const { stream, running, part } = await watchRecorded(fixture, 'Talk');
      service.control.setSession(running.id, { record: false });
      service.control.endBroadcast(stream.id);
      await part.receive({ kind: 'ended', serial: serial(), hasPlayed: true });
      assert.deepEqual((await untilProblem('ended')).problem, { kind: 'ended', looksAgain: true, hasRecording: false });
      service.control.setSession(running.id, { record: true, recordingStatus: 'waiting', ...sent(running) });
      await clock.advance(INTERVAL);
      await waitUntil(async () => JSON.stringify(page().problem).includes('"hasRecording":true'));
      await part.receive({ kind: 'act', action: 'openRecording' });
      assert.deepEqual(acted, [`openRecording ${running.id}`]);
    }),
  );

  it(
    'plays the next broadcast, but not the one again that the service still calls active',
    withPlayer(async (fixture) => {
      const { service, serial, untilProblem, clock, asked } = fixture;
      const { stream, part } = await watchRecorded(fixture, 'Talk');
      await untilProblem(undefined);
      const looks = () => service.control.requests.filter(({ path }) => path.endsWith(`/stream/${stream.id}`)).length;
      const look = async () => {
        const before = looks();
        await clock.advance(INTERVAL);
        await waitUntil(async () => looks() > before);
        await clock.advance(0);
      };
      await part.receive({ kind: 'ended', serial: serial(), hasPlayed: true });
      await untilProblem('ended');
      const before = asked.length;
      await look();
      assert.equal(asked.length, before, 'nothing is loaded');
      service.control.endBroadcast(stream.id);
      await look();
      await waitUntil(async () => clock.timerCount > 0);
      service.control.startBroadcast(stream.id);
      await clock.advance(INTERVAL);
      await untilProblem(undefined);
      assert.equal(asked.length, before + 1);
    }),
  );
});

describe('A player of a broadcast that has just begun', () => {
  it(
    'tries again for the playlist, which comes a little later',
    withPlayer(async (fixture) => {
      const { media, untilProblem, clock, asked, page } = fixture;
      media(404);
      await watch(fixture, { name: 'Dawn' });
      await untilProblem('opening');
      for (const [times, seconds] of [2, 4].entries()) {
        await clock.advance(seconds * 1000);
        await waitUntil(async () => asked.length === times + 2 && clock.timerCount === 1);
        assert.equal(page().problem?.kind, ['opening', 'unpublished'][times]);
      }
      media(200, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
      await clock.advance(8000);
      const { source } = await untilProblem(undefined);
      assert.equal(source?.startsItself, true, 'it was to begin by itself');
    }),
  );

  for (const [what, status, text] of [
    ['is not there', 404, ''],
    ['is empty', 200, ''],
  ] as const) {
    it(
      `says in the end that its playlist ${what}, and tries no more`,
      withPlayer(async (fixture) => {
        const { media, untilProblem, clock, asked } = fixture;
        media(status, text);
        const { part } = await watch(fixture, { name: 'Dawn' });
        for (let tries = 0; tries < 5; tries++) {
          await untilProblem(tries < 2 ? 'opening' : 'unpublished');
          await clock.advance(2000 * 2 ** tries);
          await waitUntil(async () => asked.length === tries + 2);
        }
        await untilProblem(status === 404 ? 'status' : 'emptyPlaylist');
        assert.equal(clock.timerCount, 0);
        await part.receive({ kind: 'act', action: 'retry' });
        await untilProblem('opening');
        assert.equal(clock.timerCount, 1, 'who asks for it gets more tries');
      }),
    );
  }

  it(
    'says what the service reports about the stream, and keeps trying',
    withPlayer(async (fixture) => {
      const { service, media, untilProblem, clock, asked, page, open } = fixture;
      media(404);
      const stream = service.control.addStream({ name: 'Odd', isActive: true });
      service.control.setStream(stream.id, { issues: ['The video is HEVC'] });
      await open('stream', stream.id);
      await untilProblem('said');
      const { problem } = page();
      assert.ok(problem?.kind === 'said');
      assert.deepEqual(
        [problem.sentence, problem.detail],
        ["There's nothing to play.", 'The service reports: The video is HEVC.'],
      );
      assert.deepEqual(problem.actions, ['retry', 'showDetails']);
      await clock.advance(2000);
      await waitUntil(async () => asked.length === 2 && clock.timerCount === 1);
      assert.equal(page().problem?.kind, 'said');
      media(200, PLAYLIST);
      await clock.advance(4000);
      await untilProblem(undefined);
    }),
  );

  it(
    'does not take a refusal for a beginning, nor a stream that was not seen lately',
    withPlayer(async (fixture) => {
      const { service, media, untilProblem, clock, open } = fixture;
      media(403);
      await watch(fixture, { name: 'Dawn' });
      await untilProblem('status');
      assert.equal(clock.timerCount, 0);
      media(404);
      const stale = service.control.addStream({ name: 'Stale', isActive: true });
      service.control.setStream(stale.id, { lastSeen: Date.UTC(2026, 10, 20, 9, 0) });
      await open('stream', stale.id);
      await untilProblem('status');
      assert.equal(clock.timerCount, 0);
    }),
  );

  it(
    'waits while nobody sees the player',
    withPlayer(async (fixture) => {
      const { media, untilProblem, clock, see, asked } = fixture;
      media(404);
      await watch(fixture, { name: 'Dawn' });
      await untilProblem('opening');
      see(false);
      await clock.advance(MINUTE);
      assert.equal(asked.length, 1);
      see(true);
      await clock.advance(2000);
      await waitUntil(async () => asked.length === 2);
    }),
  );
});

describe('A player of a stream that is not live', () => {
  it(
    'says that the stream is not live, whatever becomes of its last recording',
    withPlayer(async ({ service, open, untilProblem, clock, page }) => {
      const stream = service.control.addStream({ name: 'Rest', record: true });
      const createdAt = Date.UTC(2026, 10, 20, 8, 0);
      service.control.addSession(stream.id, { ...OLDER, createdAt, lastSeen: createdAt + HOUR });
      await open('stream', stream.id);
      const { serial } = await untilProblem('notLive');
      const before = service.control.requests.length;
      await clock.advance(INTERVAL);
      await waitUntil(async () => service.control.requests.length > before && clock.timerCount === 1);
      assert.deepEqual(page().problem, { kind: 'notLive', looksAgain: true, hasRecording: true });
      assert.equal(page().serial, serial, 'it was not loaded again');
    }),
  );

  it(
    'says so, too, if it is shown again while it is being opened again, and looks again',
    withPlayer(async ({ service, open, untilProblem, clock, page, see }) => {
      const stream = service.control.addStream({ name: 'Rest' });
      const part = await open('stream', stream.id);
      await untilProblem('notLive');
      see(false);
      const reads: PromiseWithResolvers<undefined>[] = [];
      service.control.fault(({ path }) => {
        if (!path.endsWith(stream.id)) return undefined;
        const read = Promise.withResolvers<undefined>();
        reads.push(read);
        return read.promise;
      });
      const opened = part.load({ startsItself: true });
      await waitUntil(async () => reads.length === 1);
      see(true);
      reads[0]?.resolve(undefined);
      await opened;
      service.control.fault(undefined);
      for (const read of reads) read.resolve(undefined);
      const before = service.control.requests.length;
      await clock.advance(INTERVAL);
      await waitUntil(async () => service.control.requests.length > before && clock.timerCount === 1);
      assert.equal(page().problem?.kind, 'notLive');
    }),
  );
});

describe('A player of a live stream whose service rejects the API key by now', () => {
  it(
    'says so and offers to set the key, instead of a URL that only the service knows',
    withPlayer(async ({ context, service, open, untilProblem }) => {
      const stream = service.control.addStream({ name: 'Known', isActive: true });
      await context.connection.account.readStream(stream.id);
      Object.assign(context.settings, { addresses: () => ({}) });
      service.control.fault(() => ({ status: 401 }));
      await open('stream', stream.id);
      const { problem } = await untilProblem('said');
      assert.deepEqual(problem, { kind: 'said', sentence: 'The API key was rejected.', actions: ['setApiKey'] });
    }),
  );
});

describe('A player whose address in the settings asks for the stream key', () => {
  it(
    'asks nobody, and tells no page',
    withPlayer(async ({ context, service, open, untilProblem, asked, page, clock }) => {
      const { origin } = new URL(service.baseUrl);
      const addresses = { [origin]: { hls: `${origin}/{playbackId}/{streamKey}.m3u8` } };
      Object.assign(context.settings, { addresses: () => addresses });
      const stream = service.control.addStream({ name: 'Secret', isActive: true });
      await open('stream', stream.id);
      const { problem } = await untilProblem('said');
      assert.deepEqual(problem?.kind === 'said' && problem.actions, ['setAddress', 'openInBrowser']);
      assert.deepEqual([asked, page().offers, clock.timerCount], [[], [], 0]);
      assert.ok(!JSON.stringify(page()).includes(stream.streamKey ?? 'no key'));
    }),
  );
});

describe('A player in which something plays', () => {
  it(
    'says that it plays until it is paused, over, hidden with its page, or loaded again',
    withPlayer(async ({ service, open, untilProblem, serial, steps }) => {
      const part = await open('stream', service.control.addStream({ name: 'Talk', isActive: true }).id);
      await untilProblem(undefined);
      assert.equal(part.isPlaying, false, 'its page has not begun');
      const play = (isPlaying: boolean) => part.receive({ kind: 'playing', isPlaying });
      await play(true);
      assert.equal(part.isPlaying, true);
      await play(false);
      assert.equal(part.isPlaying, false);
      await play(true);
      part.rest();
      assert.equal(part.isPlaying, false);
      await play(true);
      await part.receive({ kind: 'failed', problem: { kind: 'stopped' }, serial: serial() });
      assert.equal(part.isPlaying, false);
      await play(true);
      assert.equal(part.isPlaying, false, 'nothing is there to play');
      await part.load({ startsItself: true });
      await play(true);
      const loading = part.load({ startsItself: true });
      assert.equal(part.isPlaying, false);
      await loading;
      assert.deepEqual(steps, [], 'of the walkthrough: it is no recording');
    }),
  );
});

describe('A player in which something has played', () => {
  const open = async ({ service, open: openPlayer, untilProblem }: PlayerFixture, kind: 'stream' | 'session') => {
    const { id } = service.control.addStream({ name: 'Talk', isActive: true });
    const session = service.control.addSession(id, OLDER);
    const part = await openPlayer(kind, kind === 'stream' ? id : session.id);
    await untilProblem(undefined);
    assert.equal(part.isInUse, false, 'nothing has played yet');
    for (const isPlaying of [true, false]) await part.receive({ kind: 'playing', isPlaying });
    assert.equal(part.isInUse, true, 'it is paused');
    return part;
  };
  const fail = (fixture: PlayerFixture, part: PlayerPart, kind: 'stopped' | 'timeout') =>
    part.receive({ kind: 'failed', problem: { kind }, serial: fixture.serial() });

  for (const kind of ['stream', 'session'] as const) {
    it(
      `is in use until it fails, and while it is retried: ${kind}`,
      withPlayer(async (fixture) => {
        const { media, clock, untilProblem } = fixture;
        const part = await open(fixture, kind);
        await fail(fixture, part, 'timeout');
        assert.equal(part.isInUse, true);
        media(200, PLAYLIST);
        await clock.advance(5000);
        await untilProblem(undefined);
        assert.equal(part.isInUse, true, 'it is paused again');
        await fail(fixture, part, 'stopped');
        assert.equal(part.isInUse, false);
      }),
    );
  }

  it(
    'is in use until a recording has ended, and again when that is played again',
    withPlayer(async (fixture) => {
      const part = await open(fixture, 'session');
      await part.receive({ kind: 'ended', serial: fixture.serial() - 1, hasPlayed: true });
      assert.equal(part.isInUse, true, 'that was about the source before');
      await part.receive({ kind: 'ended', serial: fixture.serial(), hasPlayed: true });
      assert.deepEqual([part.isInUse, part.hasSource], [false, true]);
      await part.receive({ kind: 'playing', isPlaying: true });
      assert.equal(part.isInUse, true);
    }),
  );

  it(
    'is in use until a broadcast has ended',
    withPlayer(async (fixture) => {
      const part = await open(fixture, 'stream');
      for (const { id, isActive } of fixture.service.control.streams()) {
        if (isActive) fixture.service.control.endBroadcast(id);
      }
      await part.receive({ kind: 'ended', serial: fixture.serial(), hasPlayed: true });
      assert.equal(part.isInUse, false);
    }),
  );
});

describe('A frame that cannot be saved', () => {
  it(
    'is said with its name',
    withPlayer(async ({ context, service, open, untilProblem }) => {
      const readOnly = async () => {
        throw new Error('EROFS: read-only file system');
      };
      Object.assign(context.ui, { saveFile: readOnly });
      const part = await open('stream', service.control.addStream({ name: 'Talk', isActive: true }).id);
      await untilProblem(undefined);
      const saving = part.receive({ kind: 'frame', png: new Uint8Array(), position: 1 });
      await assert.rejects(saving, { sentence: /^Couldn't save "Talk.*\.png"\. Try again, or select another/ });
    }),
  );
});

describe('A player of a recording', () => {
  it(
    'tells its page whether there is an MP4',
    withPlayer(async ({ service, open, untilProblem }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      const add = (fields: { readonly mp4Url?: string }) =>
        service.control.addSession(id, { ...OLDER, createdAt: Date.UTC(2026, 10, 20, 8, 0), ...fields });
      await open('session', add({ mp4Url: 'https://media.example/a.mp4' }).id);
      assert.equal((await untilProblem(undefined)).hasFile, true);
      await open('session', add({}).id);
      assert.equal((await untilProblem(undefined)).hasFile, false);
      const { recordingUrl: _, ...alone } = { ...OLDER, mp4Url: 'https://media.example/a.mp4' };
      await open('session', service.control.addSession(id, alone).id);
      assert.equal((await untilProblem(undefined)).hasFile, false, 'it is what plays');
    }),
  );

  it(
    'offers nothing that would not help if the recording or the stream is gone',
    withPlayer(async ({ service, open, untilProblem }) => {
      await open('session', 'gone');
      const session = (await untilProblem('said')).problem;
      assert.deepEqual(session, { kind: 'said', sentence: 'This session no longer exists.', actions: [] });
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.deleteStream(id);
      await open('stream', id);
      const { problem } = await untilProblem('said');
      assert.ok(problem?.kind === 'said');
      assert.match(problem.sentence, /no longer exists/);
      assert.deepEqual(problem.actions, []);
    }),
  );

  it(
    'knows when nothing plays and nothing is looked for',
    withPlayer(async ({ service, open, untilProblem, serial, media }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      const session = service.control.addSession(id, { ...OLDER, createdAt: Date.UTC(2026, 10, 20, 8, 0) });
      const part = await open('session', session.id);
      await untilProblem(undefined);
      assert.equal(part.hasStopped, false);
      await part.receive({ kind: 'failed', problem: { kind: 'stopped' }, serial: serial() });
      assert.equal(part.hasStopped, true, 'what the page said of itself counts');
      media(404);
      const loading = part.load({ startsItself: true });
      assert.equal(part.hasStopped, false);
      await loading;
      assert.equal(part.hasStopped, true);
    }),
  );
});

describe('A player of a session without a recording', () => {
  const problemOf = async ({ service, open, untilProblem }: PlayerFixture, recordingStatus: string) => {
    const stream = service.control.addStream({ name: 'Talk' });
    const session = service.control.addSession(stream.id, { record: true, lastSeen: Date.now(), recordingStatus });
    await open('session', session.id);
    return (await untilProblem('said')).problem;
  };

  for (const status of ['failed', 'deleted', 'none']) {
    it(
      `does not offer to try again what cannot come: ${status}`,
      withPlayer(async (fixture) => {
        const problem = await problemOf(fixture, status);
        assert.ok(problem?.kind === 'said');
        assert.deepEqual(problem.actions, ['showDetails']);
        assert.deepEqual(fixture.page().offers, []);
      }),
    );
  }

  it(
    'offers it where the service may yet tell the address',
    withPlayer(async (fixture) => {
      const problem = await problemOf(fixture, 'ready');
      assert.ok(problem?.kind === 'said');
      assert.deepEqual(problem.actions, ['retry', 'showDetails']);
    }),
  );
});

describe('The sound of several players', () => {
  it('is with the one that took it last, and asks nothing of one that was closed', () => {
    const told: string[] = [];
    const sound = createPlayerSound();
    const player = (name: string) => ({ yieldSound: () => void told.push(name) }) as unknown as PlayerPart;
    const [first, second, closed] = [player('first'), player('second'), player('closed')];
    for (const each of [first, second]) sound.add(each);
    sound.add(closed).dispose();
    sound.take(first);
    sound.take(second);
    assert.deepEqual(told, ['second', 'first']);
  });

  const players = (...states: readonly { isSeen: boolean; isPlaying: boolean }[]) => {
    const told: number[] = [];
    const sound = createPlayerSound();
    const all = states.map((state, index) => {
      const acts = { yieldSound: () => undefined, takeSound: () => void told.push(index) };
      return Object.assign(state, acts) as unknown as PlayerPart;
    });
    return { sound, told, all, close: all.map((player) => sound.add(player)) };
  };

  it('is offered to one that is shown again, unless what has it is seen and plays', () => {
    const owner = { isSeen: true, isPlaying: true };
    const { sound, told, all } = players({ isSeen: true, isPlaying: true }, owner);
    const [shown, other] = all;
    assert.ok(shown && other);
    sound.offer(shown);
    assert.deepEqual(told, [0], 'nothing has it');
    sound.take(other);
    sound.offer(shown);
    assert.deepEqual(told, [0], 'side by side');
    owner.isSeen = false;
    sound.offer(shown);
    assert.deepEqual(told, [0, 0], 'hidden');
    Object.assign(owner, { isSeen: true, isPlaying: false });
    sound.offer(shown);
    assert.deepEqual(told, [0, 0, 0], 'paused');
  });

  it('goes to the one that was shown last if the one that has it is closed while it plays', () => {
    const seen = { isSeen: true, isPlaying: true };
    const owner = { isSeen: false, isPlaying: true };
    const hidden = { isSeen: false, isPlaying: true };
    const { sound, told, all, close } = players({ ...seen }, { ...seen }, owner, hidden, { ...seen });
    const [first, , third, , last] = all;
    assert.ok(first && third && last);
    sound.take(third);
    sound.offer(first);
    told.length = 0;
    close[4]?.dispose();
    assert.deepEqual(told, [], 'it did not have the sound');
    close[2]?.dispose();
    assert.deepEqual(told, [0]);
    sound.take(first);
    Object.assign(first, { isPlaying: false });
    close[0]?.dispose();
    assert.deepEqual(told, [0], 'it was paused');
  });
});

describe('A player that asks the host for media', () => {
  const request = (resource: number, id = 1) => ({ id, resource });

  async function watchLive({ service, open }: PlayerFixture) {
    const stream = service.control.addStream({ name: 'Talk' });
    service.control.startBroadcast(stream.id);
    return open('stream', stream.id);
  }

  it(
    'gets what its source names, and nothing for an older source',
    withPlayer(async (fixture) => {
      const part = await watchLive(fixture);
      const { serial, told } = fixture;
      await part.receive({ kind: 'requestMedia', serial: serial() - 1, request: request(0) });
      assert.equal(told.length, 0);
      await part.receive({ kind: 'requestMedia', serial: serial(), request: request(0) });
      const [reply] = told;
      assert.ok(reply?.kind === 'media' && reply.reply.kind === 'loaded');
      assert.match(String(reply.reply.body), /#EXTM3U/);
    }),
  );

  it(
    'gets code of its own that it loads late',
    withPlayer(async (fixture) => {
      const part = await watchLive(fixture);
      await part.receive({ kind: 'requestPart', part: 'mp4' });
      assert.deepEqual(fixture.told, [{ kind: 'part', part: 'mp4', script: 'code of mp4' }]);
    }),
  );

  it(
    'is told whether it is visible',
    withPlayer(async (fixture) => {
      const part = await watchLive(fixture);
      part.sendVisibility();
      fixture.see(false);
      assert.deepEqual(fixture.told, [
        { kind: 'visible', isVisible: true },
        { kind: 'visible', isVisible: false },
      ]);
    }),
  );

  it(
    'cannot make the host say what it never said',
    withPlayer(async (fixture) => {
      const part = await watchLive(fixture);
      const problem = { kind: 'unreachable', sentence: 'Type your key here' } as const;
      await part.receive({ kind: 'failed', problem, serial: fixture.serial() });
      assert.doesNotMatch(JSON.stringify(fixture.page()), /Type your key/);
    }),
  );

  it(
    'resumes a broadcast by itself when the network is back, however long that takes, and also while it is hidden',
    withPlayer(async (fixture) => {
      const part = await watchLive(fixture);
      const { asked, clock, media, page, see, serial, untilProblem } = fixture;
      await untilProblem(undefined);
      media(503);
      await part.receive({
        kind: 'failed',
        problem: { kind: 'segmentStatus', status: 503, host: 'x' },
        serial: serial(),
      });
      see(false);
      for (let tries = asked.length; asked.length < tries + 12; ) {
        const before = asked.length;
        await clock.advance(10_000);
        await waitUntil(async () => asked.length > before && page().problem?.kind === 'status');
      }
      media(200, PLAYLIST);
      await clock.advance(10_000);
      const { source } = await untilProblem(undefined);
      assert.deepEqual(source, { kind: 'hls', isLive: true, startsItself: true });
    }),
  );
});
