import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MESSAGE, type RtmpMessage } from '../../../../src/broadcast/chunks.ts';
import { isBroadcastError } from '../../../../src/broadcast/errors.ts';
import { readAudio, readVideo } from '../../../../src/demo/ingest/flvMedia.ts';
import { initializationSegment, type Run } from '../../../../src/demo/ingest/mp4.ts';
import { type Segment, Segmenter } from '../../../../src/demo/ingest/segmenter.ts';
import { FUZZ_RUNS } from '../../../support/runner/fuzzRuns.ts';
import {
  audioMessage,
  type Clip,
  framesBetween,
  readClip,
  videoMessage,
} from '../../../support/service/clipMessages.ts';
import { readPlayable } from '../../../support/service/playableMedia.ts';

let clip: Clip;
before(async () => {
  clip = await readClip();
});

/** The segments of these messages, and of what is left at their end. */
function cut(messages: readonly RtmpMessage[]): readonly Segment[] {
  const segments: Segment[] = [];
  const segmenter = new Segmenter((segment) => segments.push(segment));
  for (const { type, timestamp, payload } of messages) {
    const part = type === MESSAGE.video ? readVideo(payload) : readAudio(payload);
    if (part !== undefined) segmenter.add(timestamp, part);
  }
  segmenter.end();
  return segments;
}

function play(segments: readonly Segment[]) {
  const [first] = segments;
  assert.ok(first);
  return readPlayable(
    initializationSegment(first.formats),
    ...segments.map(({ head, samples }) => Buffer.concat([head, samples])),
  );
}

const isVideo = ({ type }: RtmpMessage) => type === MESSAGE.video;
const isKeyFrame = ({ payload }: RtmpMessage) => payload[0] === 0x17;
const durations = (segments: readonly Segment[]) => segments.map(({ duration }) => Math.round(duration * 10) / 10);
const runOf = (kind: 'video' | 'audio') => (segment: Segment) =>
  segment.runs.find(({ format }) => format.kind === kind);
const later = (messages: readonly RtmpMessage[], ms: number) =>
  messages.map((message) => ({ ...message, timestamp: (message.timestamp + ms) % 2 ** 32 }));

describe('Segments of a broadcast', () => {
  it('begin at key frames, and hold every frame that was sent, in time', async () => {
    const sent = framesBetween(clip, 0, 30_000);
    const segments = cut([...clip.formats, ...sent]);
    assert.deepEqual(durations(segments), Array(15).fill(2));
    const { video, audio } = await play(segments);
    assert.equal(video?.codec, 'avc1.4d401e');
    assert.equal(audio?.codec, 'mp4a.40.2');
    const frames = sent.filter(isVideo);
    assert.deepEqual(
      video?.packets.map(({ time, bytes }) => [Math.round(time * 1000), bytes]),
      frames.map(({ timestamp, payload }) => [timestamp, payload.length - 5]),
    );
    const sounds = sent.length - frames.length;
    assert.ok(audio.packets.length >= sounds - 4 && audio.packets.length <= sounds, `${audio.packets.length}`);
    const [last] = audio.packets.slice(-1);
    assert.ok(Math.abs((last?.time ?? 0) - 30) < 0.05, `${last?.time}`);
  });

  it('end after 4 s if no key frame comes, and lose nothing by it', async () => {
    const [first, ...others] = framesBetween(clip, 0, 12_000);
    assert.ok(first);
    const oneKey = [first, ...others.filter((message) => !isKeyFrame(message))];
    const segments = cut([...clip.formats, ...oneKey]);
    assert.deepEqual(durations(segments), [4, 4, 4]);
    const { video } = await play(segments);
    assert.equal(video?.packets.length, oneKey.filter(isVideo).length);
    assert.equal(video.packets.filter(({ isKey }) => isKey).length, 1);
  });

  it('begin with the first key frame: what comes before it, and its sound, are left out', () => {
    const frames = framesBetween(clip, 1000, 6000);
    const segments = cut([...clip.formats, ...frames]);
    assert.deepEqual(durations(segments), [2, 2]);
    assert.equal(segments[0]?.start, 0);
    assert.deepEqual(cut([...clip.formats, ...frames.filter((frame) => !isKeyFrame(frame))]), []);
  });

  it('have sound alone if that is all that is sent', async () => {
    const [, audioFormat] = clip.formats;
    assert.ok(audioFormat);
    const sounds = framesBetween(clip, 0, 5000).filter((message) => !isVideo(message));
    const segments = cut([audioFormat, ...sounds]);
    assert.equal(segments.length, 5);
    const { video, audio } = await play(segments);
    assert.equal(video, undefined);
    assert.equal(audio?.packets.length, sounds.length);
  });

  it('have all of the sound if it comes a little before the picture', async () => {
    const [videoFormat, audioFormat] = clip.formats;
    assert.ok(videoFormat && audioFormat);
    const frames = framesBetween(clip, 0, 6000);
    const sounds = frames.filter((message) => !isVideo(message) && message.timestamp < 900);
    const segments = cut([audioFormat, ...sounds, videoFormat, ...later(frames, 900)]);
    const { video, audio } = await play(segments);
    assert.deepEqual([video?.packets[0]?.time, audio?.packets[0]?.time], [0, 0]);
    assert.ok((audio?.packets.length ?? 0) >= frames.length - 90 - 4, `${audio?.packets.length}`);
  });

  it('have the picture alone if that is all that is sent', async () => {
    const [videoFormat] = clip.formats;
    assert.ok(videoFormat);
    const { video, audio } = await play(cut([videoFormat, ...framesBetween(clip, 0, 4000).filter(isVideo)]));
    assert.equal(audio, undefined);
    assert.equal(video?.packets.length, 60);
  });

  const jumps = { 'back to 0': 0, 'an hour ahead': 3_600_000, 'to the end of 32 bits, and over it': 2 ** 32 - 1000 };
  for (const [where, to] of Object.entries(jumps)) {
    it(`go on without a gap where timestamps jump ${where}`, async () => {
      const frames = framesBetween(clip, 0, 8000);
      const segments = cut([...clip.formats, ...later(frames, 50_000), ...later(frames, to)]);
      assert.equal(Math.round(durations(segments).reduce((sum, duration) => sum + duration, 0)), 16);
      const { video, audio } = await play(segments);
      for (const track of [video, audio]) {
        const end = track?.packets.at(-1)?.time ?? 0;
        assert.ok(Math.abs(end - 16) < 0.2, `${end}`);
      }
    });
  }

  it('take a format that is said again, and end the broadcast if it changes', () => {
    const [videoFormat] = clip.formats;
    assert.ok(videoFormat);
    const half = framesBetween(clip, 0, 4000);
    assert.equal(cut([...clip.formats, ...half, ...clip.formats, ...later(half, 4000)]).length, 4);
    const other = Buffer.from(videoFormat.payload);
    other[other.length - 1] = 0x7f;
    const changed = { ...videoFormat, payload: other };
    assert.throws(() => cut([...clip.formats, ...half, changed]), isBroadcastError);
  });

  it('are cut at 8 MB, whatever the timestamps say', () => {
    const big = Buffer.alloc(900_000);
    const frames = Array.from({ length: 40 }, (_, index) =>
      videoMessage(0, { isKey: index === 0, packetType: 1, data: big }),
    );
    const segments = cut([...clip.formats, ...frames]);
    const sizes = segments.map(({ samples }) => samples.length);
    assert.ok(Math.max(...sizes) <= 9_900_000, sizes.join());
    const sounds = Array.from({ length: 40 }, () => audioMessage(0, 1, big));
    assert.ok(
      Math.max(...cut([...clip.formats.slice(1), ...sounds]).map(({ samples }) => samples.length)) <= 9_900_000,
    );
  });
});

describe('Whatever is sent', () => {
  const aStep = fc.oneof(fc.nat(60), fc.integer({ min: -4000, max: 4000 }), fc.nat(2 ** 32 - 1));
  const aFrame = fc.record({
    isAudio: fc.boolean(),
    isKey: fc.boolean(),
    step: aStep,
    size: fc.integer({ min: 1, max: 9 }),
  });

  it('becomes segments whose times only go forward, and which another reader can read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aFrame, { maxLength: 80 }), async (frames) => {
        let time = 0;
        const messages = frames.map(({ isAudio, isKey, step, size }) => {
          time = (((time + step) % 2 ** 32) + 2 ** 32) % 2 ** 32;
          const data = Buffer.alloc(size, 1);
          return isAudio ? audioMessage(time, 1, data) : videoMessage(time, { isKey, packetType: 1, data });
        });
        const segments = cut([...clip.formats, ...messages]);
        for (const kind of ['video', 'audio'] as const) assertForward(segments.map(runOf(kind)));
        assert.ok(segments.every(({ duration }) => duration > 0 && duration < 8));
        if (segments.length > 0) await play(segments);
      }),
      { numRuns: FUZZ_RUNS },
    );
  });

  it('is read, or is a fault of the protocol', () => {
    const payloads = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.nat(1).chain((which) => mutationsOf(which)),
    );
    fc.assert(
      fc.property(payloads, (bytes) => {
        for (const read of [readVideo, readAudio]) {
          try {
            read(Buffer.from(bytes));
          } catch (error) {
            assert.ok(isBroadcastError(error), String(error));
          }
        }
      }),
      { numRuns: FUZZ_RUNS },
    );
  });

  function mutationsOf(which: number) {
    const payload = clip.formats[which]?.payload ?? Buffer.alloc(0);
    const changes = fc.array(fc.tuple(fc.nat(payload.length - 1), fc.nat(255)), { maxLength: 4 });
    return fc.tuple(changes, fc.nat(payload.length)).map(([edits, length]) => {
      const bytes = Buffer.from(payload);
      for (const [at, value] of edits) bytes[at] = value;
      return bytes.subarray(0, length);
    });
  }
});

/** Decode times within and between runs; two runs may overlap by what was sent ahead, but not start earlier. */
function assertForward(runs: readonly (Run | undefined)[]): void {
  const known = runs.filter((run) => run !== undefined);
  for (const [index, run] of known.entries()) {
    const before = known[index - 1];
    assert.ok(before === undefined || run.start > before.start, `${before?.start}, ${run.start}`);
    for (let at = 0; at < run.entries.length; at += 16) assert.ok(run.entries.readUInt32BE(at) < 10 * 96_000);
  }
}
