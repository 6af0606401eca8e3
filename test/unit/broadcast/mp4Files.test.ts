import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { isBroadcastError } from '../../../src/broadcast/errors.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { type Segment, Segmenter } from '../../../src/demo/ingest/segmenter.ts';
import type { MediaPacket } from '../../../src/media/flv.ts';
import { readAudio, readVideo } from '../../../src/media/flvPayload.ts';
import { initializationSegment } from '../../../src/media/mp4.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { boxesIn, mp4Box } from '../../support/service/mp4Boxes.ts';
import { readPlayable } from '../../support/service/playableMedia.ts';

const PATTERN = readFileSync(inProject('media/demo/source.mp4'));
const NEVER = new AbortController().signal;

let path: string;
before(() => {
  path = join(makeTemporaryFolder('mp4'), 'some.mp4');
});
after(() => rmSync(dirname(path), { recursive: true }));

/** The packets of a file up to a time, without the decoder settings. */
async function packetsOf(bytes: Uint8Array, until: number): Promise<readonly MediaPacket[]> {
  writeFileSync(path, bytes);
  const source = await openMp4Source(path);
  try {
    const packets: MediaPacket[] = [];
    for await (const packet of source.packets(0, NEVER)) {
      if (packet.time >= until) break;
      if (!packet.isHeader) packets.push(packet);
    }
    return packets;
  } finally {
    source.dispose();
  }
}

/** In units of the movie, which are milliseconds here, and of the track. -1 as `from` shows nothing. */
type Edit = readonly [duration: number, from: number, speed?: number];

function editBox(edits: readonly Edit[], isLong: boolean): Buffer {
  const head = Buffer.alloc(8);
  head[0] = isLong ? 1 : 0;
  head.writeUInt32BE(edits.length, 4);
  const entries = edits.map(([duration, from, speed = 1]) => {
    const entry = Buffer.alloc(isLong ? 20 : 12);
    if (isLong) entry.writeBigUInt64BE(BigInt(duration));
    else entry.writeUInt32BE(duration);
    if (isLong) entry.writeBigInt64BE(BigInt(from), 8);
    else entry.writeInt32BE(from, 4);
    entry.writeInt32BE(speed * 0x10000, isLong ? 16 : 8);
    return entry;
  });
  return mp4Box('edts', mp4Box('elst', head, ...entries));
}

interface Edits {
  readonly video?: readonly Edit[];
  readonly audio?: readonly Edit[];
  readonly isLong?: boolean;
}

/** The pattern (180 frames in 12 s, a key frame every 2 s, and sound) with these edit lists alone. */
function withEdits({ video = [], audio = [], isLong = false }: Edits): Buffer {
  const [head, movie, ...rest] = boxesIn(PATTERN).map(({ bytes }) => bytes);
  assert.ok(head && movie);
  const tracks = boxesIn(movie.subarray(8)).map(({ type, bytes }) => {
    if (type !== 'trak') return bytes;
    const edits = bytes.includes('vide') ? video : audio;
    const others = boxesIn(bytes.subarray(8)).filter((child) => child.type !== 'edts');
    return mp4Box('trak', editBox(edits, isLong), ...others.map((child) => child.bytes));
  });
  const changed = mp4Box('moov', ...tracks);
  for (let at = changed.indexOf('stco'); at > 0; at = changed.indexOf('stco', at + 4)) {
    for (let place = at + 12; place < at + 12 + 4 * changed.readUInt32BE(at + 8); place += 4) {
      changed.writeUInt32BE(changed.readUInt32BE(place) + changed.length - movie.length, place);
    }
  }
  return Buffer.concat([head, changed, ...rest]);
}

const FRAME = 1000 / 15;
const SOUND = (1000 * 1024) / 44_100;
const VIDEO_UNITS = 15_360;
const AUDIO_UNITS = 44_100;

describe('The edit list of an MP4 file', () => {
  /** Of each track: which of its samples comes first and when, and which comes last in the first pass. */
  const placesIn = async (edits: Edits, length = 12_000) => {
    const plain = await packetsOf(withEdits({}), 12_000);
    const packets = await packetsOf(withEdits(edits), length);
    return Object.fromEntries(
      (['video', 'audio'] as const).map((kind) => {
        const all = plain.filter((packet) => packet.kind === kind);
        const sent = packets.filter((packet) => packet.kind === kind);
        const numberOf = (packet: MediaPacket | undefined) => all.findIndex(({ body }) => packet?.body.equals(body));
        return [kind, [numberOf(sent[0]), sent[0]?.time, numberOf(sent.at(-1))]];
      }),
    );
  };
  const lastSound = (ms: number) => Math.ceil(ms / SOUND) - 1;

  it('may be empty', async () => {
    assert.deepEqual(await placesIn({}), { video: [0, 0, 179], audio: [0, 0, lastSound(12_000)] });
  });

  it('may skip the priming of the sound', async () => {
    const { audio } = await placesIn({ video: [[12_000, 0]], audio: [[12_000, 1024]] });
    assert.deepEqual(audio?.slice(0, 2), [1, 0]);
  });

  for (const isLong of [false, true]) {
    it(`may delay the sound, in ${isLong ? 64 : 32} bits`, async () => {
      const edits: Edits = {
        audio: [
          [1500, -1],
          [500, -1],
          [12_000, 0],
        ],
        isLong,
      };
      assert.deepEqual(await placesIn(edits), { video: [0, 0, 179], audio: [0, 2000, lastSound(10_000)] });
    });
  }

  it('may delay the picture, as each time that the file begins anew', async () => {
    const edits: Edits = {
      video: [
        [1000, -1],
        [12_000, 0],
      ],
    };
    assert.deepEqual((await placesIn(edits, 13_000)).video, [0, 1000, 179]);
    const again = (await packetsOf(withEdits(edits), 15_000)).filter(({ time }) => time >= 13_000);
    assert.equal(again.find(({ kind }) => kind === 'video')?.time, 14_000);
  });

  it('may cut the beginning: what is sent begins at the key frame before, with the sound of that time', async () => {
    const edits: Edits = { video: [[4000, 5 * VIDEO_UNITS]], audio: [[4000, 5 * AUDIO_UNITS]] };
    const first = Math.ceil(4000 / SOUND);
    const places = await placesIn(edits, 5000);
    assert.deepEqual(places, {
      video: [60, 0, 134],
      audio: [first, Math.round(first * SOUND - 4000), lastSound(9000)],
    });
    const again = (await packetsOf(withEdits(edits), 6000)).filter(({ time }) => time >= 5000);
    assert.deepEqual([again[0]?.kind, again[0]?.time, again[0]?.isKeyFrame], ['video', 5000, true]);
  });

  it('may cut the end of the picture, and with it of the sound, or of the sound alone', async () => {
    const both = await placesIn({ video: [[9000, 0]], audio: [[12_000, 0]] }, 9000);
    assert.deepEqual(both, { video: [0, 0, 134], audio: [0, 0, lastSound(9000)] });
    const sound = await placesIn({ video: [[12_000, 0]], audio: [[5000, 0]] });
    assert.deepEqual(sound, { video: [0, 0, 179], audio: [0, 0, lastSound(5000)] });
  });

  it('shows all if it says no duration, and nothing later for an empty edit at its end', async () => {
    const all = { video: [0, 0, 179], audio: [0, 0, lastSound(12_000)] };
    assert.deepEqual(await placesIn({ video: [[0, 0]], audio: [[0, 0]] }), all);
    const padded: readonly Edit[] = [
      [12_000, 0],
      [2000, -1],
    ];
    assert.deepEqual(await placesIn({ video: padded, audio: padded }), all);
  });

  const refused: readonly (readonly [what: string, edits: readonly Edit[], detail: string])[] = [
    [
      'repeats or leaves out a part',
      [
        [1000, 0],
        [1000, 5 * VIDEO_UNITS],
      ],
      'Several edits',
    ],
    ['has no end', Array.from({ length: 100_000 }, () => [1, -1] as const), 'Several edits'],
    ['changes the speed', [[12_000, 0, 2]], 'Changed speed'],
    ['stands still', [[12_000, 0, 0]], 'Changed speed'],
    ['shows nothing', [[12_000, -1]], 'No samples'],
  ];
  for (const [what, edits, detail] of refused) {
    it(`is a reason to refuse the file if it ${what}`, async () => {
      for (const kind of ['video', 'audio'] as const) {
        const error = await packetsOf(withEdits({ [kind]: edits }), 1000).catch((failure: unknown) => failure);
        assert.ok(isBroadcastError(error), String(error));
        assert.deepEqual([error.reason, error.detail], ['fileUnsupported', detail]);
      }
    });
  }
});

/** One frame of silence in six channels, and its AudioSpecificConfig, by ffmpeg's encoder. */
const SURROUND = {
  description: Buffer.from('11b056e500', 'hex'),
  silence: Buffer.from('011820010880230460231004608c0c230000e0', 'hex'),
  sampleRate: 48_000,
};

/** Another muxer's file: the pattern's frames, shown at other times if `shownAt` says so, and sound in six channels. */
async function muxSurround(shownAt = (frame: number) => frame): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(PATTERN), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  assert.ok(track && config);
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const [video, audio] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')];
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  const { description, silence, sampleRate } = SURROUND;
  const decoderConfig = { codec: 'mp4a.40.2', numberOfChannels: 6, sampleRate, description };
  const seconds = 1024 / sampleRate;
  for (let index = 0; index * seconds < 12; index++) {
    await audio.add(new EncodedPacket(silence, 'key', index * seconds, seconds), { decoderConfig });
  }
  let frame = 0;
  for await (const { data, type } of new EncodedPacketSink(track).packets()) {
    await video.add(new EncodedPacket(data, type, shownAt(frame) / 15, 1 / 15, frame), { decoderConfig: config });
    frame += 1;
  }
  await output.finalize();
  const { buffer } = output.target;
  assert.ok(buffer);
  return Buffer.from(buffer);
}

describe('An MP4 file of another muxer', () => {
  it('is sent as it is if it has 5.1 sound, and plays with six channels', async () => {
    writeFileSync(path, await muxSurround());
    const source = await openMp4Source(path);
    const segments: Segment[] = [];
    const segmenter = new Segmenter((segment) => segments.push(segment));
    for await (const { kind, time, body } of source.packets(0, NEVER)) {
      if (time > 6000) break;
      const part = kind === 'video' ? readVideo(body) : readAudio(body);
      assert.ok(part);
      segmenter.add(time, part);
    }
    source.dispose();
    segmenter.end();
    const [first] = segments;
    const format = first?.formats.find(({ kind }) => kind === 'audio');
    assert.ok(first && format?.kind === 'audio');
    assert.deepEqual([format.channels, format.configuration], [6, SURROUND.description]);
    const parts = segments.map(({ head, samples }) => Buffer.concat([head, samples]));
    const { audio } = await readPlayable(initializationSegment(first.formats), ...parts);
    assert.equal(audio?.codec, 'mp4a.40.2');
    assert.ok(audio.packets.length > 270 && audio.packets.every(({ bytes }) => bytes === SURROUND.silence.length));
  });

  it('keeps sound and picture together where frames are shown in another order than decoded', async () => {
    // Of each two seconds: 0, 3 1 2, 6 4 5, …, 27 25 26, 28 29.
    const shownAt = (frame: number) => {
      const place = frame % 30;
      if (place === 0 || place > 27) return frame;
      return place % 3 === 1 ? frame + 2 : frame - 1;
    };
    const packets = await packetsOf(await muxSurround(shownAt), 11_000);
    const frames = packets.filter(({ kind }) => kind === 'video');
    const sounds = packets.filter(({ kind }) => kind === 'audio');
    const shown = frames.map(({ time, body }) => time + body.readIntBE(2, 3));
    const start = shown[0] ?? 0;
    for (const [frame, time] of shown.entries()) {
      assert.ok(Math.abs(time - start - shownAt(frame) * FRAME) <= 1.5, `frame ${frame} at ${time}`);
    }
    assert.ok(Math.abs((sounds[0]?.time ?? 0) - start) <= 1024 / 48, `${sounds[0]?.time} and ${start}`);
    assert.deepEqual(
      fieldsOf(packets, 'time'),
      packets.map(({ time }) => time).toSorted((a, b) => a - b),
    );
  });
});

describe('An MP4 file that changes while it is sent', () => {
  it('is sent on, over and over, after it was deleted', async () => {
    writeFileSync(path, PATTERN);
    const source = await openMp4Source(path);
    let frames = 0;
    for await (const { kind, time } of source.packets(0, NEVER)) {
      if (frames === 0) rmSync(path);
      if (kind === 'video') frames += 1;
      if (time > 30_000) break;
    }
    source.dispose();
    assert.ok(frames > 450, `${frames}`);
  });

  it('ends as an incomplete file if it becomes shorter, and as unreadable if it cannot be read', async () => {
    writeFileSync(path, PATTERN);
    for (const reason of ['fileIncomplete', 'fileUnreadable']) {
      const source = await openMp4Source(path);
      const sending = (async () => {
        for await (const { time } of source.packets(0, NEVER)) {
          if (time < 1000) continue;
          if (reason === 'fileIncomplete') truncateSync(path, 20_000);
          else source.dispose();
        }
      })();
      const error = await sending.catch((failure: unknown) => failure);
      source.dispose();
      assert.ok(isBroadcastError(error), String(error));
      assert.equal(error.reason, reason);
    }
  });
});
