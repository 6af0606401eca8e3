import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { broadcast } from '../../../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../../../src/broadcast/mp4Source.ts';
import type { DemoStream } from '../../../../src/demo/demoState.ts';
import { encodeMessage, type RtmpMessage } from '../../../../src/media/chunks.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { inProject } from '../../../support/projectFolder.ts';
import { type Clip, framesBetween, readClip, videoMessage } from '../../../support/service/clipMessages.ts';
import { readPlayable } from '../../../support/service/playableMedia.ts';
import { connectPublisher, publishTo, type RtmpPublisher } from '../../../support/service/rtmpPublisher.ts';
import { type Fixture, send, withDemo } from '../demoFixture.ts';

const START = 'NetStream.Publish.Start';
const BAD_NAME = 'NetStream.Publish.BadName';
const DENIED = 'NetStream.Publish.Denied';

let clip: Clip;
let folder = '';

before(async () => {
  clip = await readClip();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingest-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface IngestFixture extends Fixture {
  readonly stream: DemoStream;
  readonly log: readonly string[];
  /** Where to publish to a stream: to `stream`, if none is given. */
  address(stream?: DemoStream): string;
  /** The state of `stream` by the API. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /** Waits until so many segments of `stream` have come. */
  untilSegments(count: number): Promise<void>;
  /** What the playlist names, of the live broadcast. */
  playlist(): Promise<string>;
}

/** A demo with an idle stream to publish to, and a folder for its recordings. */
function withIngest(
  test: (fixture: IngestFixture) => Promise<void>,
  fields: Partial<DemoStream> = {},
  most: { readonly bytes?: number; readonly segments?: number; readonly frames?: number } = {},
) {
  return () => {
    const log = fakeLog();
    const recordings = { folder, most };
    return withDemo({ streamCount: 3, liveCount: 0, log, recordings }, async (fixture) => {
      const stream = fixture.demo.control.addStream({ name: 'Sent', ...fields });
      const read = () => fixture.row(`/stream/${stream.id}`);
      const { addresses } = fixture.demo;
      await test({
        ...fixture,
        ...{ stream, read, log: log.lines },
        address: ({ streamKey = '' } = stream) => addresses.rtmp?.replace('{streamKey}', streamKey) ?? '',
        untilSegments: async (count) => {
          await waitUntil(async () => Number((await read()).sourceSegments) >= count);
        },
        playlist: async () => (await send(liveAddress(fixture, stream, 'source.m3u8'))).text,
      });
    })();
  };
}

function liveAddress({ demo }: Fixture, { playbackId = '' }: DemoStream, file: string): string {
  return (demo.addresses.hls ?? '').replace('{playbackId}', playbackId).replace('index.m3u8', file);
}

/** Plays a playlist to its end, as it is now. */
async function readPlaylist(address: string) {
  const text = (await send(address)).text;
  const names = [...text.matchAll(/URI="([^"]+)"|^([^#\n].*)$/gm)].map(([, map, segment]) => map ?? segment ?? '');
  const parts = await Promise.all(names.map((name) => send(new URL(name, address).href)));
  assert.ok(parts.every(({ status }) => status === 200));
  return { text, media: await readPlayable(...parts.map(({ body }) => body)) };
}

function sendClip(publisher: RtmpPublisher, to: number, from = 0): void {
  publisher.send([...(from === 0 ? clip.formats : []), ...framesBetween(clip, from, to)]);
}

const isVideo = ({ type }: RtmpMessage) => type === 9;

describe('The ingest of the demo', () => {
  it(
    'makes a stream live, plays what is sent, and ends with its sender',
    withIngest(async (fixture) => {
      const { stream, address, read, untilSegments } = fixture;
      const publisher = await publishTo(address());
      assert.deepEqual(publisher.codes, ['NetConnection.Connect.Success', START]);
      assert.deepEqual(
        [String((await read()).isActive), (await send(liveAddress(fixture, stream, 'index.m3u8'))).status],
        ['true', 404],
      );
      sendClip(publisher, 8100);
      await untilSegments(4);
      const master = (await send(liveAddress(fixture, stream, 'index.m3u8'))).text;
      assert.match(
        master,
        /#EXT-X-STREAM-INF:BANDWIDTH=\d+,RESOLUTION=640x360,CODECS="avc1\.4d401e,mp4a\.40\.2"\nsource\.m3u8\n$/,
      );
      const { text, media } = await readPlaylist(liveAddress(fixture, stream, 'source.m3u8'));
      assert.ok(!text.includes('ENDLIST'));
      assert.match(text, /#EXT-X-PROGRAM-DATE-TIME:2026-11-20T10:00:00\.000Z\n/);
      const sent = framesBetween(clip, 0, 8000);
      assert.equal(media.video?.packets.length, sent.filter(isVideo).length);
      const seen = await read();
      assert.equal(seen.sourceSegmentsDuration, 8);
      assert.ok(Number(seen.ingestRate) > 4000 && Number(seen.sourceBytes) > 30_000);
      publisher.command('FCUnpublish', null, stream.streamKey);
      publisher.command('deleteStream', null, 1);
      await waitUntil(async () => String((await read()).isActive) === 'false');
      await publisher.untilClosed();
      assert.equal((await send(liveAddress(fixture, stream, 'source.m3u8'))).status, 404);
      const [session] = fixture.demo.control.sessions(stream.id);
      assert.deepEqual([session?.sourceSegments, session?.recordingStatus], [5, undefined]);
    }),
  );

  it(
    'records where recording is on: a playlist, and an MP4 with every frame',
    withIngest(
      async (fixture) => {
        const { clock, stream, address, untilSegments, row } = fixture;
        const publisher = await publishTo(address());
        sendClip(publisher, 12_000);
        await untilSegments(5);
        publisher.socket.destroy();
        const sessionPath = `/session/${fixture.demo.control.sessions(stream.id)[0]?.id}`;
        await waitUntil(async () => (await row(sessionPath)).recordingUrl !== undefined);
        const waiting = await row(sessionPath);
        assert.deepEqual([waiting.recordingStatus, waiting.mp4Url], ['waiting', undefined]);
        await waitUntil(async () => {
          await clock.advance(10_000);
          return (await row(sessionPath)).recordingStatus === 'ready';
        });
        const { recordingUrl, mp4Url } = await row(sessionPath);
        const { text, media } = await readPlaylist(String(recordingUrl).replace('index', 'source'));
        assert.match(text, /#EXT-X-PLAYLIST-TYPE:VOD\n/);
        assert.match(text, /#EXT-X-ENDLIST\n$/);
        const mp4 = await send(String(mp4Url));
        const whole = await readPlayable(mp4.body);
        const frames = framesBetween(clip, 0, 12_000).filter(isVideo);
        for (const { video, audio, duration } of [media, whole]) {
          const times = video?.packets.map(({ time }) => Math.round(time * 1000));
          assert.deepEqual(times, fieldsOf(frames, 'timestamp'));
          assert.equal(video?.packets.filter(({ isKey }) => isKey).length, 6);
          assert.ok(Math.abs((audio?.packets.at(-1)?.time ?? 0) - (video?.packets.at(-1)?.time ?? 0)) < 0.1);
          assert.ok(Math.abs(duration - 12) < 0.1, `${duration}`);
        }
        const range = await send(String(mp4Url), { headers: { range: 'bytes=1000-1999' } });
        assert.deepEqual([range.status, range.body.equals(mp4.body.subarray(1000, 2000))], [206, true]);
        const head = await send(String(mp4Url), { method: 'HEAD' });
        assert.deepEqual([head.headers['content-length'], head.body.length], [`${mp4.body.length}`, 0]);
      },
      { record: true },
    ),
  );

  it(
    'plays a broadcast that is recorded from its beginning, while it grows and when it has ended',
    withIngest(
      async (fixture) => {
        const { stream, address, untilSegments, demo, row } = fixture;
        const publisher = await publishTo(address());
        const dvr = async () => {
          const { meta } = await row(`/playback/${stream.playbackId}?recordings=true`);
          const [{ url = '' } = {}] =
            (meta as { readonly dvrPlayback?: readonly { readonly url: string }[] }).dvrPlayback ?? [];
          return url.replace('index.m3u8', 'source.m3u8');
        };
        const list = await dvr();
        assert.equal((await send(list)).status, 404, 'nothing has come yet');
        sendClip(publisher, 8100);
        await untilSegments(4);
        await waitUntil(async () => (await send(list)).text.includes('\n3.m4s'));
        const first = await readPlaylist(list);
        assert.match(first.text, /#EXT-X-PLAYLIST-TYPE:EVENT/);
        assert.doesNotMatch(first.text, /ENDLIST/);
        sendClip(publisher, 12_000, 8100);
        await untilSegments(5);
        await waitUntil(async () => (await send(list)).text.includes('\n4.m4s'));
        const second = await readPlaylist(list);
        assert.ok(second.text.startsWith(first.text.trimEnd()), 'nothing that was listed changes');
        assert.ok((second.media.video?.packets.length ?? 0) > (first.media.video?.packets.length ?? 0));
        publisher.socket.destroy();
        await waitUntil(async () => (await send(list)).text.includes('#EXT-X-ENDLIST'));
        assert.equal(await dvr(), '', 'it is over');
        assert.equal(demo.control.sessions(stream.id).length, 1);
      },
      { record: true },
    ),
  );

  it(
    'takes what test broadcasts send',
    withIngest(async (fixture) => {
      const { demo, stream } = fixture;
      const parsed = parseIngest(demo.addresses.rtmp ?? '', stream.streamKey ?? '');
      assert.ok(parsed.ok);
      const source = await openMp4Source(inProject('media/demo/source.mp4'));
      const { ingest } = parsed;
      const sending = broadcast({ ingest, source, seconds: 4, signal: new AbortController().signal });
      await fixture.untilSegments(1);
      const { media } = await readPlaylist(liveAddress(fixture, stream, 'source.m3u8'));
      assert.deepEqual([media.video?.packets.length, media.video?.codec], [30, 'avc1.4d401e']);
      const { sentFrames } = await sending;
      assert.ok(sentFrames > 30, `${sentFrames}`);
      await waitUntil(async () => String((await fixture.read()).isActive) === 'false');
      const { sourceSegmentsDuration = 0 } = demo.control.sessions(stream.id)[0] ?? {};
      // At 15 frames a second; as many as a busy machine sent in its four.
      assert.ok(Math.abs(sourceSegmentsDuration - sentFrames / 15) < 0.3, `${sentFrames}, ${sourceSegmentsDuration}`);
    }),
  ).timeout(20_000);

  it(
    'plays sound alone',
    withIngest(async (fixture) => {
      const { stream, address, read, untilSegments } = fixture;
      const publisher = await publishTo(address());
      const sounds = framesBetween(clip, 0, 6000).filter((message) => !isVideo(message));
      publisher.send([...clip.formats.slice(1), ...sounds]);
      await untilSegments(5);
      assert.deepEqual([(await read()).issues, (await read()).isHealthy], [undefined, true]);
      const master = (await send(liveAddress(fixture, stream, 'index.m3u8'))).text;
      assert.match(master, /#EXT-X-STREAM-INF:BANDWIDTH=\d+,CODECS="mp4a\.40\.2"\n/);
      const { media } = await readPlaylist(liveAddress(fixture, stream, 'source.m3u8'));
      assert.deepEqual([media.video, Math.round(media.duration)], [undefined, 5]);
    }),
  );

  it(
    'goes on where timestamps jump, ahead and back, with all frames in one recording',
    withIngest(
      async ({ demo, clock, stream, address, read, untilSegments, row }) => {
        const publisher = await publishTo(address());
        const part = framesBetween(clip, 0, 4000);
        publisher.send(clip.formats);
        for (const start of [5000, 3_600_000, 2 ** 32 - 2000, 60_000]) {
          publisher.send(part.map((frame) => ({ ...frame, timestamp: (frame.timestamp + start) % 2 ** 32 })));
        }
        await untilSegments(7);
        assert.deepEqual([String((await read()).isActive), (await read()).issues], ['true', undefined]);
        publisher.socket.destroy();
        const path = `/session/${demo.control.sessions(stream.id)[0]?.id}`;
        await waitUntil(async () => {
          await clock.advance(10_000);
          return (await row(path)).recordingStatus === 'ready';
        });
        const { video, duration } = await readPlayable((await send(String((await row(path)).mp4Url))).body);
        assert.equal(video?.packets.length, 4 * part.filter(isVideo).length);
        assert.ok(Math.abs(duration - 16) < 0.5, `${duration}`);
      },
      { record: true },
    ),
  );

  it(
    'takes the place of a simulated broadcast, and is not ended by the simulation',
    withIngest(async ({ demo, clock, stream, address, read, untilSegments }) => {
      const simulated = demo.control.startBroadcast(stream.id);
      const publisher = await publishTo(address());
      const [own] = demo.control.sessions(stream.id);
      assert.notEqual(own?.id, simulated.id);
      sendClip(publisher, 4100);
      await untilSegments(2);
      assert.equal((await read()).lastSeen, clock.now());
      assert.equal(demo.control.sessions(stream.id).length, 2);
    }),
  );

  const refused: Readonly<Record<string, readonly [code: string, fields: Partial<DemoStream>, key?: string]>> = {
    'a key that no stream has': [BAD_NAME, {}, 'aaaa-bbbb-cccc-dddd'],
    'no key': [BAD_NAME, {}, ''],
    'a suspended stream': [DENIED, { suspended: true }],
  };
  for (const [what, [code, fields, key]] of Object.entries(refused)) {
    it(
      `refuses ${what}, closes the connection, and logs no key`,
      withIngest(async ({ stream, address, read, log }) => {
        const publisher = await publishTo(address({ ...stream, ...(key === undefined ? {} : { streamKey: key }) }));
        await publisher.untilClosed();
        assert.deepEqual(publisher.codes, ['NetConnection.Connect.Success', code]);
        assert.equal(String((await read()).isActive), 'false');
        assert.match(log.join('\n'), /a sender was refused/);
        assert.ok(!/\w{4}-\w{4}-\w{4}-\w{4}/.test(log.join('\n').replaceAll(stream.id, '')));
      }, fields),
    );
  }

  it(
    'refuses a second sender of the same stream, and the first goes on',
    withIngest(async ({ address, untilSegments }) => {
      const first = await publishTo(address());
      const second = await publishTo(address());
      await second.untilClosed();
      assert.ok(second.codes.includes(DENIED));
      sendClip(first, 4100);
      await untilSegments(2);
    }),
  );

  it(
    'takes four broadcasts at once',
    withIngest(async ({ demo, address }) => {
      const streams = Array.from({ length: 5 }, () => demo.control.addStream());
      const publishers: RtmpPublisher[] = [];
      for (const stream of streams) publishers.push(await publishTo(address(stream)));
      assert.deepEqual(
        publishers.map(({ codes }) => codes.at(-1)),
        [START, START, START, START, DENIED],
      );
    }),
  );

  const ended: Readonly<Record<string, (fixture: IngestFixture) => unknown>> = {
    'the broadcast is ended': ({ call, stream }) => call(`/stream/${stream.id}/terminate`, { method: 'DELETE' }),
    'the stream is deleted': ({ call, stream }) => call(`/stream/${stream.id}`, { method: 'DELETE' }),
    'the stream is suspended': ({ call, stream }) =>
      call(`/stream/${stream.id}`, { method: 'PATCH', body: '{"suspended":true}' }),
    'the demo stops': ({ demo }) => demo.dispose(),
  };
  for (const [when, act] of Object.entries(ended)) {
    it(
      `disconnects the sender when ${when}`,
      withIngest(async (fixture) => {
        const publisher = await publishTo(fixture.address());
        sendClip(publisher, 2100);
        await fixture.untilSegments(1);
        await act(fixture);
        await publisher.untilClosed();
      }),
    );
  }

  it(
    'shows only the last 20 s, and keeps what a slow player may still ask for',
    withIngest(async (fixture) => {
      const { stream, address, untilSegments, playlist } = fixture;
      const publisher = await publishTo(address());
      sendClip(publisher, 60_100);
      await untilSegments(30);
      const list = await playlist();
      assert.match(list, /#EXT-X-MEDIA-SEQUENCE:20\n/);
      const [first = ''] = list.match(/^.*\/20\.m4s$/m) ?? [];
      const at = (number: number) => liveAddress(fixture, stream, first.replace('20.', `${number}.`));
      assert.deepEqual([(await send(at(10))).status, (await send(at(9))).status], [200, 404]);
    }),
  );

  it(
    'keeps no more than 64 MB of a broadcast',
    withIngest(async (fixture) => {
      const { stream, address, untilSegments, playlist } = fixture;
      const publisher = await publishTo(address());
      const big = { isKey: true, packetType: 1, data: Buffer.alloc(1_000_000) };
      const frames = Array.from({ length: 100 }, (_, index) => videoMessage(index * 250, big));
      publisher.send([...clip.formats, ...frames]);
      await untilSegments(24);
      const list = await playlist();
      assert.equal(list.match(/\.m4s$/gm)?.length, 16);
      const [name = ''] = list.match(/^.*\.m4s$/m) ?? [];
      assert.equal((await send(liveAddress(fixture, stream, name))).body.length > 4_000_000, true);
    }),
  );
});

describe('What the demo cannot play', () => {
  const hevc = (timestamp: number): RtmpMessage => ({
    ...videoMessage(timestamp, { isKey: true, packetType: 1, data: Buffer.alloc(100) }),
    payload: Buffer.concat([Buffer.of(0x90 | 1), Buffer.from('hvc1'), Buffer.alloc(100)]),
  });

  it(
    'is named in the stream’s issues and in the log, and its sound plays',
    withIngest(async (fixture) => {
      const { stream, address, read, untilSegments, log } = fixture;
      const publisher = await publishTo(address());
      const sounds = framesBetween(clip, 0, 5000).filter((message) => !isVideo(message));
      publisher.send([...clip.formats.slice(1), hevc(0), ...sounds]);
      await untilSegments(1);
      const seen = await read();
      assert.deepEqual(seen.issues, ["The video is HEVC, which can't be played; send H.264"]);
      assert.equal(seen.isHealthy, false);
      assert.match(log.join('\n'), /The video is HEVC/);
      const { media } = await readPlaylist(liveAddress(fixture, stream, 'source.m3u8'));
      assert.deepEqual([media.video, (media.audio?.packets.length ?? 0) > 30], [undefined, true]);
    }),
  );

  it(
    'is a broadcast without a key frame, which is live all the same, until one comes',
    withIngest(async ({ address, read, playlist, untilSegments }) => {
      const publisher = await publishTo(address());
      const frames = framesBetween(clip, 0, 60_000).filter(({ payload }) => payload[0] !== 0x17);
      publisher.send([...clip.formats, ...frames]);
      await waitUntil(async () => (await read()).issues !== undefined);
      assert.deepEqual((await read()).issues, ['Nothing can be played: there was no key frame in 10 s']);
      assert.equal(String((await read()).isActive), 'true');
      assert.doesNotMatch(await playlist(), /EXTM3U/);
      publisher.send(framesBetween(clip, 60_000, 63_000));
      await untilSegments(1);
      assert.deepEqual([(await read()).issues, (await read()).isHealthy], [undefined, true]);
    }),
  );

  it(
    'is no reason to stop where key frames are far apart, but is said',
    withIngest(async ({ address, read, untilSegments }) => {
      const publisher = await publishTo(address());
      const [first, ...others] = framesBetween(clip, 0, 12_000);
      publisher.send([
        ...clip.formats,
        ...(first ? [first] : []),
        ...others.filter(({ payload }) => payload[0] !== 0x17),
      ]);
      await untilSegments(2);
      assert.deepEqual((await read()).issues, ['Keyframe interval is over 4 s; 2 s is recommended.']);
    }),
  );
});

describe('Hostile senders', () => {
  const CHUNK_HEADER = [0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0];
  const attacks: Readonly<Record<string, readonly number[]>> = {
    'a chunk size of 0': [...CHUNK_HEADER, 0, 0, 0, 0],
    'a chunk size of 2³¹': [...CHUNK_HEADER, 0x80, 0, 0, 0],
    'a message of 16 MB': [0x03, 0, 0, 0, 0xff, 0xff, 0xff, 20, 0, 0, 0, 0],
    'a chunk stream without a header': [0xc9],
    'AMF3 in place of AMF0': [0x03, 0, 0, 0, 0, 0, 2, 20, 0, 0, 0, 0, 0x11, 0x06],
    'a command without a name': [0x03, 0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 5],
  };
  for (const [what, bytes] of Object.entries(attacks)) {
    it(
      `are disconnected at once: ${what}`,
      withIngest(async ({ address, log }) => {
        const publisher = await connectPublisher(address());
        publisher.socket.write(Buffer.from(bytes));
        await publisher.untilClosed();
        assert.equal(log.length, 1, log.join());
      }),
    );
  }

  it(
    'are disconnected in the middle of a broadcast, which ends',
    withIngest(async ({ address, read, untilSegments }) => {
      const publisher = await publishTo(address());
      sendClip(publisher, 2100);
      await untilSegments(1);
      publisher.socket.write(Buffer.from([0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
      await publisher.untilClosed();
      await waitUntil(async () => String((await read()).isActive) === 'false');
    }),
  );

  it(
    'get no further with HTTP, or by publishing before they connect, or to another application',
    withIngest(async ({ address }) => {
      const http = await connectPublisher(address());
      http.socket.write('GET / HTTP/1.1\r\n\r\n');
      const hasty = await connectPublisher(address());
      hasty.command('publish', null, 'key', 'live');
      const other = await publishTo(address().replace('/live/', '/other/'));
      for (const publisher of [http, hasty, other]) await publisher.untilClosed();
      assert.deepEqual([hasty.codes, other.codes], [[], ['NetConnection.Connect.Rejected']]);
    }),
  );

  it(
    'have ten seconds to begin, and ten to go on',
    withIngest(async ({ clock, address, read }) => {
      const silent = await connectPublisher(address());
      await clock.advance(10_000);
      await silent.untilClosed();
      const publisher = await publishTo(address());
      await clock.advance(10_000);
      assert.equal(String((await read()).isActive), 'true');
      await clock.advance(10_000);
      await publisher.untilClosed();
      assert.equal(String((await read()).isActive), 'false');
      assert.equal(clock.timerCount, 0);
    }),
  );

  it(
    'gain no time by sending a byte now and then',
    withIngest(async ({ clock, address, read, log }) => {
      const { hostname, port } = new URL(address().replace('rtmp:', 'http:'));
      const shaking = connect(Number(port), hostname);
      const closed = new Promise((resolve) => shaking.once('close', resolve));
      shaking.on('error', () => {});
      shaking.write(Buffer.of(3));
      const publisher = await publishTo(address());
      const [frame] = framesBetween(clip, 0, 100).filter(isVideo);
      assert.ok(frame);
      const slow = encodeMessage({ ...frame, payload: Buffer.alloc(60_000) }, 6, 65_536);
      const log0 = log.length;
      for (let second = 0; second < 20 && !publisher.isClosed; second++) {
        shaking.write(Buffer.of(0));
        publisher.socket.write(slow.subarray(second, second + 1));
        await clock.advance(1000);
      }
      await closed;
      await publisher.untilClosed();
      assert.equal(String((await read()).isActive), 'false');
      assert.match(log.slice(log0).join('\n'), /took too long to begin[\s\S]*sent nothing to play for 10 seconds/);
    }),
  );

  it(
    'may send messages that nobody knows, which are ignored',
    withIngest(async ({ address, untilSegments }) => {
      const publisher = await publishTo(address());
      const payload = Buffer.from('whatever');
      const unknown = [7, 16, 19, 22, 99].map((type) => ({ type, streamId: 1, timestamp: 0, payload }));
      publisher.send(unknown);
      publisher.command('getStreamLength', null, 'a');
      publisher.command('_error', null);
      sendClip(publisher, 4100);
      publisher.send(unknown);
      await untilSegments(2);
      assert.equal(publisher.isClosed, false);
    }),
  );

  it(
    'are eight at most, and leave room when they go',
    withIngest(async ({ clock, address }) => {
      const many = await Promise.all(Array.from({ length: 100 }, () => connectPublisher(address())));
      await waitUntil(() => many.filter(({ isClosed }) => isClosed).length === 92);
      await clock.advance(10_000);
      await Promise.all(many.map((publisher) => publisher.untilClosed()));
      assert.ok((await publishTo(address())).codes.includes(START));
    }),
  );

  it(
    'are disconnected if they ask and never read the answers',
    withIngest(async ({ address, log }) => {
      const publisher = await connectPublisher(address());
      publisher.socket.pause();
      publisher.socket.cork();
      for (let asked = 0; asked < 40_000; asked++) publisher.command('connect', { app: 'live' });
      publisher.socket.uncork();
      await waitUntil(() => log.length > 0);
      publisher.socket.resume();
      await publisher.untilClosed();
    }),
  );
});

describe('The folder of recordings', () => {
  const recorded = { record: true };

  it(
    'is gone with the demo, and is of this process',
    withIngest(async ({ demo, address, untilSegments }) => {
      assert.deepEqual(readdirSync(folder), []);
      const publisher = await publishTo(address());
      sendClip(publisher, 4100);
      await untilSegments(2);
      assert.match(readdirSync(folder).join(), new RegExp(`^${process.pid}-\\d+-\\w+$`));
      demo.dispose();
      assert.deepEqual(readdirSync(folder), []);
    }, recorded),
  );

  it('is created where there is none yet, for this user alone', async () => {
    const before = folder;
    folder = join(before, 'new', 'demo');
    await withIngest(async ({ address }) => {
      await publishTo(address());
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(readdirSync(folder).length, 1);
    }, recorded)();
    folder = before;
  });

  it('loses what killed processes left as soon as a demo starts, and nothing else', async () => {
    const ended = ['999999999-1700000000000-aBc123', `${process.pid}-1700000000000-aBc123`];
    const kept = [`${process.ppid}-1700000000000-aBc123`, 'other', '999999999', 'live-streams-demo-999999999-a'];
    for (const name of [...ended, ...kept]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'session.mp4'), 'a recording');
    }
    await withIngest(async () => {
      assert.deepEqual(readdirSync(folder).sort(), kept.sort());
    })();
  });

  it('is said in the log if it can’t be cleaned, and the demo starts', async () => {
    writeFileSync(join(folder, 'file'), '');
    const before = folder;
    folder = join(before, 'file');
    await withIngest(async ({ log, read }) => {
      assert.match(log.join('\n'), /earlier recordings could not be removed: Error: ENOTDIR/);
      assert.equal(String((await read()).isActive), 'false');
    })();
    folder = before;
  });

  const files = () => readdirSync(join(folder, readdirSync(folder)[0] ?? ''));

  it(
    'keeps no file of a sender that sent nothing',
    withIngest(async ({ demo, stream, address, read }) => {
      const publisher = await publishTo(address());
      await waitUntil(() => files().length === 1);
      publisher.socket.destroy();
      await waitUntil(async () => String((await read()).isActive) === 'false');
      assert.equal(demo.control.sessions(stream.id)[0]?.recordingStatus, 'none');
      await waitUntil(() => files().length === 0);
    }, recorded),
  );

  it(
    'keeps no file of a recording that failed on a full disk',
    withIngest(async ({ demo, stream, address, untilSegments, log }) => {
      const publisher = await publishTo(address());
      sendClip(publisher, 4100);
      await untilSegments(2);
      const path = join(folder, readdirSync(folder)[0] ?? '', files()[0] ?? '');
      // At once: the recording creates its file anew if it is missing.
      symlinkSync('/dev/full', `${folder}.full`);
      renameSync(`${folder}.full`, path);
      sendClip(publisher, 8100, 4100);
      await untilSegments(4);
      await waitUntil(() => files().length === 0);
      publisher.socket.destroy();
      await waitUntil(() => demo.control.sessions(stream.id)[0]?.recordingStatus === 'failed');
      assert.match(log.join('\n'), /couldn't be written: Error: ENOSPC/);
    }, recorded),
  );

  it(
    'fails the recording if it vanishes, says so in the log, and lets the broadcast go on',
    withIngest(async ({ demo, stream, address, untilSegments, row, log }) => {
      const publisher = await publishTo(address());
      sendClip(publisher, 4100);
      await untilSegments(2);
      rmSync(join(folder, readdirSync(folder)[0] ?? ''), { recursive: true });
      sendClip(publisher, 8100, 4100);
      await untilSegments(4);
      publisher.socket.destroy();
      const path = `/session/${demo.control.sessions(stream.id)[0]?.id}`;
      await waitUntil(async () => (await row(path)).recordingStatus === 'failed');
      assert.equal((await row(path)).recordingUrl, undefined);
      assert.match(log.join('\n'), /recording \S+ couldn't be written: Error: ENOENT/);
    }, recorded),
  );

  it(
    'is missed by the recording alone if it can’t be created',
    withIngest(async ({ demo, stream, address, untilSegments, log }) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
      const publisher = await publishTo(address());
      sendClip(publisher, 4100);
      await untilSegments(2);
      publisher.socket.destroy();
      await waitUntil(() => demo.control.sessions(stream.id)[0]?.recordingStatus === 'failed');
      assert.match(log.join('\n'), /couldn't be started: Error: EEXIST/);
    }, recorded),
  );

  it(
    'has no more than it may: the oldest recordings go, and their sessions say so',
    withIngest(
      async ({ demo, clock, stream, address, untilSegments, row }) => {
        const record = async () => {
          const publisher = await publishTo(address());
          sendClip(publisher, 4100);
          await waitUntil(() => demo.control.sessions(stream.id)[0]?.sourceSegments === 2);
          publisher.socket.destroy();
          await waitUntil(() => demo.control.sessions(stream.id)[0]?.recordingUrl !== undefined);
          await waitUntil(async () => {
            await clock.advance(10_000);
            return demo.control.sessions(stream.id)[0]?.recordingStatus === 'ready';
          });
        };
        for (let count = 0; count < 5; count++) await record();
        await untilSegments(10);
        const sessions = demo.control.sessions(stream.id);
        assert.deepEqual(fieldsOf(sessions, 'recordingStatus'), ['ready', 'ready', 'ready', 'ready', 'deleted']);
        const gone = await row(`/session/${sessions[4]?.id}`);
        assert.deepEqual([gone.recordingUrl, gone.mp4Url], [undefined, undefined]);
        assert.equal(files().length, 4);
      },
      recorded,
      { bytes: 117_000 },
    ),
  );

  const limits = {
    'a quarter of the bytes': { bytes: 4 * 20_000 },
    segments: { segments: 8 },
    frames: { frames: 4 * 250 },
  };
  for (const [what, most] of Object.entries(limits)) {
    it(
      `lets each recording have its share of what all may take: ${what}`,
      withIngest(
        async ({ demo, clock, stream, address, untilSegments, row, log }) => {
          const publisher = await publishTo(address());
          sendClip(publisher, 12_100);
          await untilSegments(6);
          assert.match(log.join('\n'), /is not recorded any further/);
          publisher.socket.destroy();
          const path = `/session/${demo.control.sessions(stream.id)[0]?.id}`;
          await waitUntil(async () => {
            await clock.advance(10_000);
            return (await row(path)).recordingStatus === 'ready';
          });
          const { duration } = await readPlayable((await send(String((await row(path)).mp4Url))).body);
          assert.ok(duration >= 1.9 && duration < 6.1, `${duration}`);
        },
        recorded,
        most,
      ),
    );
  }

  it(
    'takes no more than four recordings at their largest, and the oldest make room for new ones',
    withIngest(
      async ({ demo, address }) => {
        const streams = Array.from({ length: 3 }, () => demo.control.addStream({ record: true }));
        for (const stream of streams) await publishTo(address(stream));
        const last = await publishTo(address());
        assert.equal(last.codes.at(-1), START);
        await waitUntil(() => files().length === 4);
        last.socket.destroy();
        await waitUntil(() => files().length === 3);
      },
      recorded,
      { segments: 4 },
    ),
  );
});
