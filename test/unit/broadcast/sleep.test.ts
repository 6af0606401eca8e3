import assert from 'node:assert/strict';
import { type BroadcastOptions, type BroadcastProgress, broadcast } from '../../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../../src/broadcast/ingest.ts';
import type { MediaSource } from '../../../src/broadcast/source.ts';
import { MESSAGE } from '../../../src/media/chunks.ts';
import { videoPacket } from '../../../src/media/flv.ts';
import { TestBroadcasts } from '../../../src/model/broadcasts/testBroadcasts.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { createClock } from '../../../src/util/clock.ts';
import { aConnection } from '../../support/model/builders.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type RtmpServer, startRtmpServer } from '../../support/service/rtmpServer.ts';

const STEP = 20;
const HOUR = 3_600_000;

/** Fifty small frames a second, each with its number; `before` is called before each is handed out. */
function numbered(before: (frame: number) => void = () => {}): MediaSource {
  return {
    metadata: {},
    dispose: () => undefined,
    async *packets(from) {
      for (let frame = Math.ceil(from / STEP); ; frame++) {
        before(frame);
        const data = Buffer.alloc(4);
        data.writeUInt32BE(frame);
        yield videoPacket(data, { time: frame * STEP, delay: 0, isKeyFrame: frame % 25 === 0 });
      }
    },
  };
}

describe('A computer that sleeps during a broadcast', () => {
  let server: RtmpServer;
  beforeEach(async () => {
    server = await startRtmpServer();
  });
  afterEach(() => server.close());

  const ingest = () => {
    const parsed = parseIngest(`rtmp://127.0.0.1:${server.port}/live/{streamKey}`, 'a-key');
    assert.ok(parsed.ok);
    return parsed.ingest;
  };
  const framesSent = () =>
    server
      .received()
      .filter(({ type }) => type === MESSAGE.video)
      .map(({ payload }) => payload.readUInt32BE(5));

  /** Broadcasts until frame 60 has come; what `sleep` says happens at frame 30. */
  const send = async (
    sleep: (jump: (ms: number) => void) => Partial<Pick<BroadcastOptions, 'source' | 'uptime' | 'seconds'>>,
  ): Promise<{ readonly last: BroadcastProgress; readonly states: readonly string[] }> => {
    let slept = 0;
    const clock = { ...createClock(), elapsed: () => performance.now() + slept };
    const stop = new AbortController();
    const states: string[] = [];
    const onProgress = ({ state }: BroadcastProgress): void => {
      if (states.at(-1) !== state) states.push(state);
      if (framesSent().some((frame) => frame >= 60)) stop.abort();
    };
    const jump = (ms: number): void => {
      slept += ms;
    };
    const options = { ingest: ingest(), source: numbered(), seconds: 600, signal: stop.signal, clock, onProgress };
    const last = await broadcast({ ...options, ...sleep(jump) });
    return { last, states };
  };
  const onceAt = (number: number, act: () => void) => {
    let isDone = false;
    return numbered((frame) => {
      if (frame !== number || isDone) return;
      isDone = true;
      act();
    });
  };
  const RECONNECTED = ['connecting', 'live', 'reconnecting', 'live'];

  it('connects again after more than ten seconds, and goes on where it was', async () => {
    const { last, states } = await send((jump) => ({ source: onceAt(30, () => jump(11_000)) }));
    assert.deepEqual([states, last.reconnects, server.sockets.length], [RECONNECTED, 1, 2]);
    const frames = framesSent();
    const again = frames.slice(30);
    assert.deepEqual(
      [frames.slice(0, 30), again],
      [Array.from({ length: 30 }, (_, index) => index), again.map((_, index) => 29 + index)],
    );
  }).timeout(20_000);

  it('connects again if it slept while a frame was waited for', async () => {
    // The frame before was sent: this one is due in a step.
    const { last } = await send((jump) => ({ source: onceAt(31, () => setTimeout(() => jump(11_000), STEP / 2)) }));
    assert.equal(last.reconnects, 1);
  }).timeout(20_000);

  it('connects again where the clock stands still meanwhile', async () => {
    let uptime = 5000;
    const { last, states } = await send(() => ({
      source: onceAt(30, () => {
        uptime += 60;
      }),
      uptime: () => uptime,
    }));
    assert.deepEqual([states, last.reconnects], [RECONNECTED, 1]);
  }).timeout(20_000);

  it('catches up after less, on the same connection and with every frame', async () => {
    const { last } = await send((jump) => ({ source: onceAt(30, () => jump(9000)) }));
    assert.deepEqual([last.reconnects, last.droppedFrames, server.sockets.length], [0, 0, 1]);
    const frames = framesSent();
    assert.deepEqual(
      frames,
      frames.map((_, index) => index),
    );
  }).timeout(20_000);

  it('has ended when it wakes after its time', async () => {
    const { last } = await send((jump) => ({ source: onceAt(30, () => jump(HOUR)) }));
    assert.deepEqual([last.reconnects, last.sentFrames, server.sockets.length], [0, 30, 1]);
  }).timeout(20_000);
});

describe('A clock that is set during a broadcast', () => {
  it('changes nothing: neither the time left nor what is sent', async () => {
    const server = await startRtmpServer();
    const clock = heldClock();
    const store = new StreamStore({ clock });
    const loader = { pollSessions: async () => {}, readHealth: async () => {} };
    const account = { isClosed: false, readStream: async () => undefined };
    const broadcasts = new TestBroadcasts({ store, clock, log: fakeLog(), testPattern: '' });
    const parsed = parseIngest(`rtmp://127.0.0.1:${server.port}/live/{streamKey}`, 'a-key');
    assert.ok(parsed.ok);
    const about = { stream: { id: 'a', name: 'Keynote' }, connection: aConnection(), store, loader, account };
    const plan = { ...about, ingest: parsed.ingest, source: numbered(), seconds: 60, hasEnd: true };
    const ended = Promise.withResolvers<BroadcastProgress | undefined>();
    const onEnd = (last: BroadcastProgress | undefined, error: unknown): void =>
      error === undefined ? ended.resolve(last) : ended.reject(error);
    assert.ok(await broadcasts.start(plan, { onLive: () => {}, onEnd }, new AbortController().signal));
    const shown = () => store.snapshot.testBroadcasts.get('a');
    for (const jump of [2 * HOUR, -4 * HOUR, 2 * HOUR]) {
      const left = shown()?.secondsLeft ?? 0;
      clock.jump(jump);
      for (let step = 0; step < 10; step++) await clock.advance(1000);
      assert.deepEqual([shown()?.state, shown()?.secondsLeft, server.sockets.length], ['live', left - 10, 1]);
    }
    for (let step = 0; step < 31; step++) await clock.advance(1000);
    const last = await ended.promise;
    assert.deepEqual([last?.reconnects, last?.droppedFrames], [0, 0]);
    assert.ok(Math.abs((last?.sentFrames ?? 0) - 60 * 50) <= 1, `${last?.sentFrames}`);
    await waitUntil(() => server.received().length === last?.sentFrames);
    const times = server.received().map(({ timestamp }) => timestamp);
    assert.deepEqual(
      times,
      times.map((_, index) => index * STEP),
    );
    await server.close();
  }).timeout(20_000);
});
