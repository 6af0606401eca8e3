import assert from 'node:assert/strict';
import { createPlayerSound } from '../../../../src/panels/player/playerPart.ts';
import { settle } from '../../../support/model/heldClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { PLAYLIST, type PlayerFixture, withPlayer } from './playerFixture.ts';

const MP4 = 'https://media.example/a.mp4';
const READY = {
  ...{ createdAt: Date.UTC(2026, 10, 20, 8, 0), sourceSegmentsDuration: 3600, record: true, recordingStatus: 'ready' },
  recordingUrl: 'https://media.example/a.m3u8',
} as const;

async function openRecording({ service, open }: PlayerFixture, mp4Url?: string) {
  const { id } = service.control.addStream({ name: 'Talk' });
  return open('session', service.control.addSession(id, { ...READY, ...(mp4Url !== undefined && { mp4Url }) }).id);
}

function openLive({ service, open }: PlayerFixture) {
  const { id } = service.control.addStream({ name: 'Talk' });
  service.control.startBroadcast(id);
  return open('stream', id);
}

describe('A frame that is saved', () => {
  const png = Uint8Array.of(1, 2, 3);

  it(
    'is named after its stream',
    withPlayer(async (fixture) => {
      const part = await openLive(fixture);
      await part.receive({ kind: 'frame', png, position: 7 });
      const { saved } = fixture.ui.seen;
      assert.deepEqual(saved, [{ fileName: 'Talk.png', bytes: png, filters: { Image: ['png'] } }]);
    }),
  );

  it(
    'is named after its recording and its time in it, which may be hours',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture);
      for (const position of [0.9, 7384.5]) await part.receive({ kind: 'frame', png, position });
      const names = fixture.ui.seen.saved.map(({ fileName }) => fileName);
      assert.deepEqual(names, ['Talk 00-00-00.png', 'Talk 02-03-04.png']);
    }),
  );
});

describe('A recording that is there as MP4 too', () => {
  it(
    'is played from the MP4 if the user asks for the MP4',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture, MP4);
      assert.equal(fixture.page().source?.kind, 'hls');
      await part.receive({ kind: 'act', action: 'playMp4' });
      assert.deepEqual(fixture.page().source, {
        kind: 'mp4',
        isLive: false,
        startsItself: true,
        beganAt: READY.createdAt,
      });
      assert.equal(fixture.asked.at(-1), MP4);
    }),
  );

  it(
    'is offered for download',
    withPlayer(async (fixture) => {
      await openRecording(fixture, MP4);
      assert.deepEqual(fixture.page().offers, ['copyAddress', 'openInBrowser', 'downloadMp4', 'createClip']);
    }),
  );

  it(
    'is not offered for download where that is impossible',
    withPlayer(
      async (fixture) => {
        await openRecording(fixture, MP4);
        assert.deepEqual(fixture.page().offers, ['copyAddress', 'openInBrowser', 'createClip']);
      },
      { canDownload: async () => false },
    ),
  );
});

describe('A clip that is cut in the player', () => {
  const openOther = ({ connection }: PlayerFixture['context']) =>
    connection.open({ id: 'other', name: 'Other', baseUrl: 'https://b.test', apiKey: 'k', insecureAccepted: false });
  const clip = { order: 7, startTime: READY.createdAt + 1000, endTime: READY.createdAt + 2000, name: 'Goal' };
  const outcomes = ({ told }: PlayerFixture) => told.filter(({ kind }) => kind === 'clip');

  it(
    'is said to be as far as the service says',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture);
      await part.receive({ kind: 'createClip', clip });
      assert.deepEqual(fixture.told.at(-2), { kind: 'clipProgress', order: 7, progress: 0.5 });
    }),
  );

  for (const createsClips of [true, false]) {
    it(
      `is created, and the page is told that it was${createsClips ? '' : "n't"}`,
      withPlayer(
        async (fixture) => {
          const part = await openRecording(fixture);
          await part.receive({ kind: 'createClip', clip });
          assert.match(fixture.acted.join(), /^createClip Goal \S+$/);
          assert.deepEqual(outcomes(fixture), [
            { kind: 'clip', order: 7, isMade: createsClips, ...(createsClips && { name: 'Goal' }) },
          ]);
        },
        { createsClips },
      ),
    );
  }

  it(
    'closes the bar of the page when it is created after all, by a retry',
    withPlayer(
      async (fixture) => {
        const part = await openRecording(fixture);
        await part.receive({ kind: 'createClip', clip });
        assert.equal(fixture.later[0]?.(), true);
        assert.deepEqual(outcomes(fixture), [
          { kind: 'clip', order: 7, isMade: false },
          { kind: 'clip', order: 7, isMade: true, name: 'Goal' },
        ]);
      },
      { createsClips: false },
    ),
  );

  it(
    'is left to a message if the page is hidden or closed when it is created',
    withPlayer(
      async (fixture) => {
        const { see, later, close } = fixture;
        const part = await openRecording(fixture);
        await part.receive({ kind: 'createClip', clip });
        see(false);
        assert.equal(later[0]?.(), false);
        assert.deepEqual(outcomes(fixture).at(-1), { kind: 'clip', order: 7, isMade: true });
        see(true);
        close();
        assert.equal(later[0]?.(), false);
      },
      { createsClips: false },
    ),
  );

  it(
    'is refused in the words of the page if that is visible, and in a message otherwise',
    withPlayer(
      async (fixture) => {
        const { see, failing } = fixture;
        const part = await openRecording(fixture);
        await part.receive({ kind: 'createClip', clip });
        const problem = { sentence: 'The service is full.', needsKey: false };
        assert.equal(failing[0]?.(problem), true);
        assert.deepEqual(outcomes(fixture).at(-1), { kind: 'clip', order: 7, isMade: false, problem });
        see(false);
        const before = outcomes(fixture).length;
        assert.equal(failing[0]?.(problem), false);
        assert.equal(outcomes(fixture).length, before);
      },
      { createsClips: false },
    ),
  );

  it(
    'is what the page acts on from then on, where it says that it was created',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture);
      await part.receive({ kind: 'actOnMade', action: 'copyClipUrl' });
      await part.receive({ kind: 'createClip', clip });
      await part.receive({ kind: 'actOnMade', action: 'copyClipUrl' });
      assert.deepEqual(fixture.acted.slice(1), ['copyClipUrl clip-Goal']);
    }),
  );

  it(
    'is shown to its end once its connection is open again, if that was closed meanwhile',
    withPlayer(
      async (fixture) => {
        const { context, acted } = fixture;
        const part = await openRecording(fixture);
        const [own] = await context.connections.readAll();
        context.store.setConnectionNames([{ id: own?.id ?? '', name: 'Production' }]);
        await part.receive({ kind: 'createClip', clip });
        part.followConnection();
        assert.deepEqual(outcomes(fixture), [], 'the page goes on showing that it is being created');
        context.connection.open(own?.stored ?? assert.fail());
        part.followConnection();
        await waitUntil(async () => outcomes(fixture).length > 0);
        assert.match(acted.join(), /^createClip Goal \S+,goOn Goal \S+$/);
        assert.deepEqual(outcomes(fixture), [{ kind: 'clip', order: 7, isMade: true, name: 'Goal' }]);
      },
      { leave: openOther },
    ),
  );

  it(
    'is shown to its end at once if its connection was opened again with another key',
    withPlayer(
      async (fixture) => {
        const part = await openRecording(fixture);
        await part.receive({ kind: 'createClip', clip });
        await waitUntil(async () => outcomes(fixture).length > 0);
        assert.deepEqual(outcomes(fixture), [{ kind: 'clip', order: 7, isMade: true, name: 'Goal' }]);
      },
      { leave: () => {} },
    ),
  );

  it(
    'is no longer shown once its connection was removed',
    withPlayer(
      async (fixture) => {
        const part = await openRecording(fixture);
        await part.receive({ kind: 'createClip', clip });
        fixture.context.store.setConnectionNames([]);
        part.followConnection();
        assert.deepEqual(outcomes(fixture), [{ kind: 'clip', order: 7, isMade: false }]);
      },
      { leave: openOther },
    ),
  );

  it(
    'is not created on another connection',
    withPlayer(async (fixture) => {
      const { context, service, acted } = fixture;
      const part = await openLive(fixture);
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      await part.receive({ kind: 'createClip', clip });
      assert.deepEqual([acted, outcomes(fixture)], [[], [{ kind: 'clip', order: 7, isMade: false }]]);
    }),
  );
});

describe('A player that cannot be opened for a reason that nobody foresaw', () => {
  it(
    'says that it stopped, and logs why',
    withPlayer(
      async (fixture) => {
        const part = await openRecording(fixture, MP4);
        assert.deepEqual(fixture.page().problem, { kind: 'stopped' });
        assert.match(fixture.log.lines.join('\n'), /Opening the player failed.*No download folder/);
        assert.equal(part.hasStopped, true);
      },
      { canDownload: () => Promise.reject(new Error('No download folder')) },
    ),
  );
});

describe('The page of a player', () => {
  it(
    'may repeat what the host said of media that could not be loaded',
    withPlayer(async (fixture) => {
      const { media, serial, told } = fixture;
      const part = await openRecording(fixture);
      await part.receive({ kind: 'requestMedia', serial: serial(), request: { id: 1, resource: 0 } });
      media(0, '', /720p/);
      await part.receive({ kind: 'requestMedia', serial: serial(), request: { id: 2, resource: 1 } });
      const [reply] = told.flatMap((said) =>
        said.kind === 'media' && said.reply.kind === 'failed' ? [said.reply] : [],
      );
      assert.deepEqual(reply?.problem, {
        kind: 'unreachable',
        sentence: "Couldn't reach media.example. Check your network and proxy settings.",
      });
      const { problem } = reply;
      await part.receive({ kind: 'failed', problem, serial: serial() });
      part.sendShown();
      assert.deepEqual(fixture.page().problem, { ...problem, isRetried: true });
      await part.load({ startsItself: true });
      await part.receive({ kind: 'failed', problem, serial: serial() });
      part.sendShown();
      assert.deepEqual(fixture.page().problem, { kind: 'stopped' }, 'that was about the source before');
    }),
  );

  it('gives the sound up only to another player that takes it', async () => {
    const sound = createPlayerSound();
    await withPlayer(
      async (first) => {
        const part = await openLive(first);
        await withPlayer(
          async (second) => {
            const other = await openLive(second);
            await other.receive({ kind: 'tookSound' });
            assert.deepEqual([first.told, second.told], [[{ kind: 'yieldSound' }], []]);
            other.dispose();
            await part.receive({ kind: 'tookSound' });
            assert.deepEqual(second.told, []);
          },
          { sound },
        )();
      },
      { sound },
    )();
  });

  it('takes the sound when it is shown again, from another player that is hidden and not in Picture in Picture', async () => {
    const sound = createPlayerSound();
    await withPlayer(
      async (first) => {
        const part = await openLive(first);
        const takesIt = () => {
          const before = first.told.length;
          first.see(false);
          first.see(true);
          first.see(true);
          return first.told.slice(before).filter(({ kind }) => kind === 'takeSound').length === 1;
        };
        await withPlayer(
          async (second) => {
            const other = await openLive(second);
            await other.receive({ kind: 'playing', isPlaying: true });
            await other.receive({ kind: 'tookSound' });
            assert.equal(takesIt(), false, 'it stands beside');
            second.see(false);
            assert.equal(takesIt(), true);
            await other.receive({ kind: 'enterpictureinpicture' });
            assert.equal(takesIt(), false);
            await other.receive({ kind: 'leavepictureinpicture' });
            assert.equal(takesIt(), true);
            await part.receive({ kind: 'playing', isPlaying: true });
            await part.receive({ kind: 'tookSound' });
            assert.equal(takesIt(), false, 'it has it');
          },
          { sound },
        )();
      },
      { sound },
    )();
  });

  it(
    'has its failures logged, in one line each',
    withPlayer(async (fixture) => {
      const part = await openLive(fixture);
      await part.receive({ kind: 'soundFailed', reason: `no\nmemory ${'x'.repeat(1000)}` });
      await part.receive({ kind: 'failed', problem: { kind: 'noHls' }, serial: fixture.serial() });
      const lines = fixture.log.lines.join('\n');
      assert.match(lines, /The player has no sound: no memory x{250,300}…?$/m);
      assert.match(lines, /The player stopped: noHls/);
    }),
  );

  it(
    'is not told again what it reported itself',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture);
      const before = fixture.serial();
      await part.receive({ kind: 'failed', problem: { kind: 'noHls' }, serial: before });
      assert.deepEqual([fixture.serial(), part.hasSource], [before, false]);
    }),
  );

  it(
    'acts on no other connection than its own',
    withPlayer(async (fixture) => {
      const { context, service, acted, page } = fixture;
      const part = await openLive(fixture);
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      await part.receive({ kind: 'act', action: 'copyAddress' });
      assert.deepEqual([acted, page().problem?.kind, page().source], [[], 'said', undefined]);
    }),
  );

  it(
    'is told nothing where nothing plays',
    withPlayer(async (fixture) => {
      const { open, told, page, serial } = fixture;
      const part = await open('session', 'gone');
      const before = serial();
      await part.receive({ kind: 'requestMedia', serial: before, request: { id: 1, resource: 0 } });
      await part.receive({ kind: 'cancelMedia', id: 1 });
      await part.receive({ kind: 'failed', problem: { kind: 'noHls' }, serial: before });
      for (const hasPlayed of [true, false]) await part.receive({ kind: 'ended', serial: before, hasPlayed });
      await part.receive({ kind: 'act', action: 'copyAddress' });
      assert.deepEqual(fixture.acted, ['copyAddress']);
      part.sendShown();
      assert.deepEqual([told, serial(), page().problem?.kind], [[], before, 'said']);
    }),
  );

  it(
    'is told nothing about an older source',
    withPlayer(async (fixture) => {
      const part = await openLive(fixture);
      const { serial, page } = fixture;
      const old = serial() - 1;
      await part.receive({ kind: 'failed', problem: { kind: 'noHls' }, serial: old });
      await part.receive({ kind: 'ended', serial: old, hasPlayed: true });
      part.sendShown();
      assert.deepEqual([page().problem, serial()], [undefined, old + 1]);
    }),
  );
});

describe('A player of which the page is hidden', () => {
  it(
    'does not start by itself in the new page when the player is shown again',
    withPlayer(async (fixture) => {
      const part = await openRecording(fixture);
      const { source, ...rest } = fixture.page();
      assert.deepEqual(source, { kind: 'hls', isLive: false, startsItself: true, beganAt: READY.createdAt });
      part.rest();
      part.sendShown();
      assert.deepEqual(fixture.page(), { ...rest, source: { ...source, startsItself: false } });
    }),
  );

  it(
    'does not say for how long a recording is being processed, which it may no longer be',
    withPlayer(async ({ service, open, page }) => {
      const { recordingUrl: _, ...fields } = { ...READY, recordingStatus: 'waiting', lastSeen: Date.now() };
      const { id } = service.control.addStream({ name: 'Talk' });
      const part = await open('session', service.control.addSession(id, fields).id);
      assert.deepEqual(page().problem, { kind: 'processing', looksAgain: true, since: fields.lastSeen });
      part.rest();
      part.sendShown();
      assert.deepEqual(page().problem, { kind: 'processing', looksAgain: true, since: undefined });
    }),
  );

  it(
    'polls for nothing',
    withPlayer(async ({ service, open, see, requests, clock }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      await open('stream', id);
      see(false);
      service.control.clearRequests();
      await clock.advance(60_000);
      assert.deepEqual(requests(), []);
    }),
  );
});

describe('The tab of a player', () => {
  it(
    'is named after what it plays',
    withPlayer(async (fixture) => {
      await openLive(fixture);
      await openRecording(fixture);
      assert.deepEqual(fixture.tabs, ['Talk', 'Talk · Today 08:00']);
    }),
  );
});

describe('A player that polls while it is loaded again', () => {
  for (const answered of [undefined, { status: 403, body: '{}' }]) {
    it(
      `shows what was loaded, though the poll ${answered === undefined ? 'finds it too' : 'fails'}`,
      withPlayer(async ({ service, open, clock, requests, untilProblem, page }) => {
        const { id } = service.control.addStream({ name: 'Talk' });
        const part = await open('stream', id);
        const answer = Promise.withResolvers<typeof answered>();
        service.control.fault(() => answer.promise);
        service.control.clearRequests();
        await clock.advance(15_000);
        await waitUntil(() => requests().length > 0);
        service.control.fault(undefined);
        service.control.startBroadcast(id);
        await part.load({ startsItself: true });
        const { serial } = await untilProblem(undefined);
        answer.resolve(answered);
        await settle();
        await settle();
        assert.deepEqual([page().problem, page().serial], [undefined, serial]);
      }),
    );
  }
});

describe('A player that was closed', () => {
  it(
    'shows nothing of what it was loading',
    withPlayer(async ({ service, open, close, requests, page, serial }) => {
      const answer = Promise.withResolvers<undefined>();
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.fault(() => answer.promise);
      // Returned once the load ends.
      const opening = open('stream', id);
      await waitUntil(() => requests().includes(`GET /api/stream/${id}`));
      assert.deepEqual([page().problem, page().hasFile], [{ kind: 'opening' }, false]);
      const before = serial();
      close();
      answer.resolve(undefined);
      await opening;
      assert.equal(serial(), before);
    }),
  );

  it(
    'asks for nothing more, and its page is told nothing more',
    withPlayer(async (fixture) => {
      const { service, media, clock, asked, requests, serial } = fixture;
      media(404);
      const part = await openLive(fixture);
      part.dispose();
      const before = [asked.length, serial()];
      service.control.clearRequests();
      await clock.advance(60_000);
      await part.load({ startsItself: true });
      assert.deepEqual([asked.length, serial()], before);
      assert.deepEqual([requests(), clock.timerCount], [[], 0]);
    }),
  );
});

describe('A player of a broadcast that the network interrupted', () => {
  it(
    'tries again after pauses that grow to ten seconds',
    withPlayer(async (fixture) => {
      const { media, asked, clock, serial, page } = fixture;
      const part = await openLive(fixture);
      media(503);
      await part.receive({ kind: 'failed', problem: { kind: 'timeout' }, serial: serial() });
      for (const seconds of [2, 4, 8, 10, 10]) {
        await waitUntil(() => clock.timerCount > 0);
        const before = asked.length;
        await clock.advance(seconds * 1000 - 1);
        assert.equal(asked.length, before, `${seconds} s`);
        await clock.advance(1);
        await waitUntil(() => asked.length > before && page().problem?.kind === 'status');
      }
    }),
  );

  it(
    'gets as many tries again if that happens more than five minutes later, and none before',
    withPlayer(async (fixture) => {
      const { media, clock, untilProblem, asked } = fixture;
      media(404);
      const part = await openLive(fixture);
      for (const seconds of [2, 4, 8, 16]) {
        const before = asked.length;
        await clock.advance(seconds * 1000);
        await waitUntil(() => asked.length > before && clock.timerCount > 0);
      }
      media(200, PLAYLIST);
      await clock.advance(32_000);
      await untilProblem(undefined);
      media(404);
      const problem = { kind: 'status', status: 404, host: 'media.example' } as const;
      const fail = async () => {
        await part.receive({ kind: 'failed', problem, serial: fixture.serial() });
        part.sendShown();
        return fixture.page().problem?.kind;
      };
      await clock.advance(300_000);
      assert.equal(await fail(), 'status');
      await clock.advance(1);
      assert.equal(await fail(), 'opening');
    }),
  );
});
