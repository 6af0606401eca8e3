import assert from 'node:assert/strict';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type BroadcastOptions, type BroadcastProgress, broadcast } from '../../../src/broadcast/broadcast.ts';
import { type Ingest, parseIngest } from '../../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { openPublisher } from '../../../src/broadcast/publisher.ts';
import type { MediaSource } from '../../../src/broadcast/source.ts';
import { MESSAGE } from '../../../src/media/chunks.ts';
import { FlvReader, type MediaPacket, videoPacket } from '../../../src/media/flv.ts';
import { RtmpConnection, readCommand } from '../../../src/media/rtmpConnection.ts';
import { createClock } from '../../../src/util/clock.ts';
import { type HeldClock, heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { inProject } from '../../support/projectFolder.ts';
import { readClip } from '../../support/service/clipMessages.ts';
import { spreadOfDelays, type TimedFrame } from '../../support/service/frameTimes.ts';
import {
  answerPublishing,
  freePort,
  type MediaServer,
  reasonOf,
  startBareServer,
  startMediaServer,
} from '../../support/service/rtmpServer.ts';
import { makeTestCertificates } from '../../support/service/testCertificates.ts';
import { unknownHost } from '../../support/service/unknownHost.ts';

const PATTERN = inProject('media/demo/source.mp4');

function ingestAt(port: number, key = 'a-key'): Ingest {
  const parsed = parseIngest(`rtmp://127.0.0.1:${port}/live/{streamKey}`, key);
  assert.ok(parsed.ok);
  return parsed.ingest;
}

async function send(port: number, options: Partial<BroadcastOptions> = {}): Promise<BroadcastProgress> {
  const source = options.source ?? (await openMp4Source(PATTERN));
  const signal = new AbortController().signal;
  return broadcast({ ingest: ingestAt(port), seconds: 3, signal, ...options, source });
}

/** By a clock up to eight times as fast as time, which servers don't mind; on a busy machine slower, but never with a jump. */
async function withFastClock<T>(run: (clock: HeldClock) => Promise<T>): Promise<T> {
  const clock = heldClock();
  const over = new AbortController();
  const turn = async () => {
    while (!over.signal.aborted) {
      await clock.advance(16);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const turning = turn();
  try {
    return await run(clock);
  } finally {
    over.abort();
    await turning;
  }
}

/** Adds what a server passes on to the packets, until the signal aborts. */
async function receive(url: string, packets: MediaPacket[], signal: AbortSignal): Promise<void> {
  const reader = new FlvReader();
  try {
    const { body } = await fetch(url, { signal });
    for await (const bytes of body ?? []) packets.push(...reader.push(Buffer.from(bytes)));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

describe('A broadcast to node-media-server', () => {
  let server: MediaServer;
  before(async function () {
    this.timeout(60_000);
    server = await startMediaServer();
  });
  after(() => server.close());

  it('arrives complete, with audio and video together over the seams of the loop', async () => {
    const over = new AbortController();
    const packets: MediaPacket[] = [];
    const received = receive(server.flvUrl('seam'), packets, over.signal);
    await server.untilPlayed('seam');
    const options = { ingest: ingestAt(server.rtmpPort, 'seam'), seconds: 26 };
    const sent = await withFastClock((clock) => send(server.rtmpPort, { ...options, clock }));
    const ofKind = (wanted: MediaPacket['kind']) =>
      packets.filter(({ kind, isHeader }) => kind === wanted && !isHeader);
    await waitUntil(() => ofKind('video').length >= sent.sentFrames);
    over.abort();
    await received;
    const [frames, sounds] = [ofKind('video'), ofKind('audio')];
    assert.ok(frames.length >= 0.95 * 26 * 15, `${frames.length} frames`);
    assert.deepEqual([frames.length, sent.droppedFrames, sent.reconnects], [sent.sentFrames, 0, 0]);
    for (const track of [frames, sounds]) {
      const times = track.map(({ time }) => time);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    }
    const spread = spreadOfDelays([...frames, ...sounds].map(timedFrame), await readTimedClip(), 12_000);

    assert.ok(spread <= 50, `${spread} ms`);
    const steps = frames.slice(1).map((frame, index) => frame.time - (frames[index]?.time ?? 0));
    assert.ok(
      steps.every((step) => step >= 66 && step <= 67),
      String(steps),
    );
    assert.deepEqual(headersOf(packets), ['audio', 'video']);
  }).timeout(30_000);

  it('reports how far it is, and ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const progress: BroadcastProgress[] = [];
    const onProgress = (each: BroadcastProgress): void => {
      progress.push(each);
      if (each.sentFrames > 10) stop.abort();
    };
    const options = { ingest: ingestAt(server.rtmpPort, 'stopped'), seconds: 60, signal: stop.signal, onProgress };
    const last = await send(server.rtmpPort, options);
    assert.ok(last.sentFrames > 10 && last.sentFrames < 60, `${last.sentFrames} frames`);
    assert.deepEqual([...new Set(progress.map(({ state }) => state))], ['connecting', 'live']);
    assert.ok((last.acceptedAfter ?? 0) >= (last.connectedAfter ?? Number.POSITIVE_INFINITY));
  }).timeout(20_000);

  it('is told that its key was rejected, also by a server that accepts at first', async () => {
    const locked = await startMediaServer({ isLocked: true });
    try {
      assert.equal(await reasonOf(send(locked.rtmpPort)), 'keyRejected');
    } finally {
      await locked.close();
    }
  }).timeout(20_000);
});

function timedFrame({ kind, time, body }: Pick<MediaPacket, 'kind' | 'time' | 'body'>): TimedFrame {
  return { kind, time, hash: body.toString('base64') };
}

/** The test pattern by another reader than the one that sends it. */
async function readTimedClip(): Promise<readonly TimedFrame[]> {
  const { frames } = await readClip();
  return frames.map(({ type, timestamp, payload }) => {
    const kind = type === MESSAGE.video ? 'video' : 'audio';
    return timedFrame({ kind, time: timestamp, body: payload });
  });
}

function headersOf(packets: readonly MediaPacket[]): readonly string[] {
  return [...new Set(packets.filter(({ isHeader }) => isHeader).map(({ kind }) => kind))].sort();
}

describe('A broadcast', () => {
  it('says that nobody listens', async () => {
    assert.equal(await reasonOf(send(await freePort())), 'refused');
  });

  it('says that there is no such host', async () => {
    const ingest = { ...ingestAt(1), host: unknownHost('no-such-host') };
    assert.equal(await reasonOf(send(1, { ingest })), 'nameNotFound');
  });

  it('says that the server is silent, whatever it is silent about', async () => {
    const steps: Readonly<Record<string, (socket: Socket) => void>> = {
      'the handshake': (socket) => void socket.resume(),
      'the commands': (socket) => {
        const connection = new RtmpConnection({ side: 'server', write: (bytes) => void socket.write(bytes) });
        socket.on('data', (bytes) => void connection.push(bytes));
      },
    };
    for (const [what, onSocket] of Object.entries(steps)) {
      const server = await startBareServer(onSocket);
      const { signal } = new AbortController();
      const opening = openPublisher(ingestAt(server.port), { signal, deadlineMs: 100 });
      assert.equal(await reasonOf(opening), 'timeout', what);
      await waitUntil(() => server.sockets.every(({ destroyed }) => destroyed));
      await server.close();
    }
  });

  it('says what the server answered', async () => {
    const refusal = (code: string, description: string) =>
      ({ publish: ['onStatus', { level: 'error', code: `NetStream.${code}`, description }] }) as const;
    const answers = [
      ['appRejected', { connect: ['_error', { description: 'No such application' }] }],
      ['protocol', { createStream: ['_result', 'no number'] }],
      ['keyInUse', { publish: ['onStatus', { level: 'error', description: 'Stream already publishing' }] }],
      ['keyInUse', refusal('Publish.BadName', 'Already publishing')],
      ['keyInUse', refusal('Publish.Denied', 'The stream is already being broadcast')],
      ['keyInUse', refusal('Publish.BadName', 'Stream name is in use')],
      ['keyRejected', refusal('Publish.BadName', '')],
      ['keyRejected', refusal('Publish.Denied', 'Invalid stream key')],
      ['keyRejected', refusal('Publish.Rejected', 'Authentication Failed.')],
      ['keyRejected', refusal('Publish.Unauthorized', '')],
      ['keyRejected', refusal('Play.StreamNotFound', '')],
      ['publishDenied', refusal('Publish.Denied', '')],
      ['publishDenied', refusal('Publish.Denied', 'The stream is suspended')],
      ['publishDenied', refusal('Publish.Failed', 'Not allowed to publish')],
      ['publishFailed', refusal('Publish.Failed', 'The publication service is unavailable')],
      ['publishFailed', refusal('Failed', '')],
      ['publishFailed', { publish: ['_error', undefined] }],
    ] as const;
    for (const [reason, answer] of answers) {
      const server = await startBareServer((socket) => void answerPublishing(socket, answer));
      assert.equal(await reasonOf(send(server.port)), reason, JSON.stringify(answer));
      await server.close();
    }
  });

  it('says at what a server closed the connection without a word', async () => {
    const closed = { connect: 'appRejected', publish: 'keyRejected' } as const;
    for (const [name, reason] of Object.entries(closed)) {
      const server = await startBareServer((socket) => {
        answerPublishing(socket, {}, (message) => {
          if (readCommand(message)?.name === name) socket.destroy();
        });
      });
      assert.equal(await reasonOf(send(server.port)), reason);
      await server.close();
    }
  });

  it('is opened three times again when the server closes it, and then fails', async () => {
    await withFastClock(async (clock) => {
      const server = await startBareServer((socket) => {
        answerPublishing(socket, {});
        clock.setTimeout(() => socket.destroy(), 5600);
      });
      const states: string[] = [];
      const onProgress = ({ state }: BroadcastProgress): void => void states.push(state);
      const sending = send(server.port, { seconds: 60, clock, onProgress });
      assert.equal(await reasonOf(sending), 'closed');
      assert.equal(server.sockets.length, 4);
      assert.equal(states.filter((state) => state === 'reconnecting').length > 0, true);
      await server.close();
    });
  }).timeout(20_000);

  it('is over when its time is, even if the timer is a little early', async () => {
    const server = await startBareServer((socket) => void answerPublishing(socket, {}));
    const clock = createClock();
    const setTimeout = (run: () => void, ms: number) => clock.setTimeout(run, Math.max(0, ms - 50));
    await send(server.port, { seconds: 1, clock: { ...clock, setTimeout } });
    assert.equal(server.sockets.length, 1);
    await server.close();
  }).timeout(20_000);

  it('leaves out frames up to a key frame when the network is slower than the picture', async () => {
    const times: number[] = [];
    const afterGaps: number[] = [];
    const stop = new AbortController();
    const server = await startBareServer((socket) => {
      answerPublishing(socket, {}, ({ type, timestamp }) => {
        if (type !== MESSAGE.video) return;
        if (times.length === 10) socket.pause();
        if (timestamp - (times.at(-1) ?? 0) > 20) afterGaps.push(timestamp);
        if (afterGaps.length > 0) stop.abort();
        times.push(timestamp);
      });
    });
    const source: MediaSource = {
      metadata: {},
      dispose: () => undefined,
      async *packets() {
        const body = Buffer.alloc(400_000);
        for (let time = 0; ; time += 20) yield videoPacket(body, { time, delay: 0, isKeyFrame: time % 500 === 0 });
      },
    };
    const onProgress = ({ droppedFrames }: BroadcastProgress): void => {
      if (droppedFrames > 0) for (const socket of server.sockets) socket.resume();
    };
    const last = await send(server.port, { source, seconds: 60, signal: stop.signal, onProgress });
    assert.ok(last.droppedFrames > 0);
    assert.deepEqual(
      afterGaps.filter((time) => time % 500 !== 0),
      [],
      'after a gap comes a key frame',
    );
    assert.ok(afterGaps.length > 0);
    await server.close();
  }).timeout(60_000);

  it('closes its socket soon, even if the server takes nothing any more', async () => {
    const sockets: Socket[] = [];
    const server = await startBareServer((socket) => {
      sockets.push(socket);
      answerPublishing(socket, {});
    });
    const { signal } = new AbortController();
    const publisher = await openPublisher(ingestAt(server.port), { signal });
    for (const socket of sockets) socket.pause();
    const body = Buffer.alloc(1_000_000);
    while (publisher.waitingBytes < 3_000_000) {
      publisher.sendPacket({ kind: 'audio', time: 0, isHeader: false, isKeyFrame: true, body }, 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await publisher.finish();
    await server.close();
  }).timeout(20_000);

  it('is sent over TLS only to a server whose certificate is valid', async function () {
    this.timeout(20_000);
    const { key, cert, remove } = makeTestCertificates();
    const server = createTlsServer({ key, cert }, (socket) => answerPublishing(socket, {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ingest = { ...ingestAt(port), isEncrypted: true };
    assert.equal(await reasonOf(send(port, { ingest })), 'certificate');
    server.close();
    remove();
  });

  it('says that the peer is not an RTMP server', async () => {
    const server = await startBareServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    assert.equal(await reasonOf(send(server.port)), 'protocol');
    await server.close();
  });
});
