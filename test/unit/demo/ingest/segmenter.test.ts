import assert from 'node:assert/strict';
import type { Segment } from '../../../../src/demo/ingest/segmenter.ts';
import { MESSAGE, type RtmpMessage } from '../../../../src/media/chunks.ts';
import { isProtocolError } from '../../../../src/media/protocolError.ts';
import {
  audioMessage,
  type Clip,
  framesBetween,
  readClip,
  videoMessage,
} from '../../../support/service/clipMessages.ts';
import { cut, play } from './segments.ts';

let clip: Clip;
before(async () => {
  clip = await readClip();
});

const isVideo = ({ type }: RtmpMessage) => type === MESSAGE.video;
const isKeyFrame = ({ payload }: RtmpMessage) => payload[0] === 0x17;
const durations = (segments: readonly Segment[]) => segments.map(({ duration }) => Math.round(duration * 10) / 10);
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

  it('end after 4 s if no key frame comes, and lose no frame', async () => {
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

  it('accept a repeated format, and end the broadcast if it changes', () => {
    const [videoFormat] = clip.formats;
    assert.ok(videoFormat);
    const half = framesBetween(clip, 0, 4000);
    assert.equal(cut([...clip.formats, ...half, ...clip.formats, ...later(half, 4000)]).length, 4);
    const other = Buffer.from(videoFormat.payload);
    other[other.length - 1] = 0x7f;
    const changed = { ...videoFormat, payload: other };
    assert.throws(() => cut([...clip.formats, ...half, changed]), isProtocolError);
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
