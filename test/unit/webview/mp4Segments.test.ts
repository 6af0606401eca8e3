import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  Conversion,
  EncodedPacketSink,
  Input,
  type InputTrack,
  Logging,
  LogLevel,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { numberedUrl } from '../../../src/util/numberedUrl.ts';
import { INIT_NUMBER, Mp4Error, type Mp4Segments, openMp4 } from '../../../src/webview/player/mp4/mp4Segments.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { inProject } from '../../support/projectFolder.ts';
import { FUZZ_RUNS, forAllAsync } from '../../support/runner/fuzzRuns.ts';
import { makeLongMp4 } from '../../support/service/longMp4.ts';
import { boxesIn, mp4Box } from '../../support/service/mp4Boxes.ts';

const PATTERN = readFileSync(inProject('media/demo/source.mp4'));
const fixture = (name: string) => readFileSync(inProject(`test/unit/webview/mp4/${name}.mp4`));
/** Pictures are shown before the key frame that they follow in the file, sound is primed by an edit list, tables are last. */
const OPEN_GOP = fixture('openGop');
const FRAGMENTED = fixture('fragmented');

/** The bytes of a file, and what was read of them. */
function sourceOf(bytes: Uint8Array) {
  const ranges: (readonly [start: number, end: number])[] = [];
  return {
    ranges,
    size: async () => bytes.length,
    read: async (start: number, end: number) => {
      ranges.push([start, end]);
      assert.ok(start < end && end <= bytes.length, `${start} to ${end} of ${bytes.length}`);
      return bytes.slice(start, end);
    },
  };
}

const open = (bytes: Uint8Array) => openMp4(sourceOf(bytes), () => true);

interface Listed {
  readonly text: string;
  /** Of the segments, in seconds. */
  readonly durations: readonly number[];
}

/** The playlist once it is complete. */
async function listOf(file: Mp4Segments): Promise<Listed> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const text = await file.playlist();
    if (!text.includes('#EXT-X-ENDLIST')) continue;
    return { text, durations: [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds)) };
  }
  throw new Error('The playlist does not end.');
}

interface Packet {
  readonly time: number;
  readonly isKey: boolean;
  readonly hash: string;
}

const isPicture = (track: InputTrack) => track.type === 'video';

/** The packets of the first picture or sound in an MP4 file, in its order. */
async function packetsIn(kind: 'video' | 'audio', ...parts: readonly (Uint8Array | ArrayBuffer)[]): Promise<Packet[]> {
  const bytes = Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : new Uint8Array(part))));
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const track = (await input.getTracks()).find((candidate) => isPicture(candidate) === (kind === 'video'));
  if (track === undefined) return [];
  return Array.fromAsync(new EncodedPacketSink(track).packets(), ({ timestamp, type, data }) => ({
    time: timestamp,
    isKey: type === 'key',
    hash: createHash('sha256').update(data).digest('base64'),
  }));
}

interface Played {
  readonly video: readonly (readonly Packet[])[];
  readonly audio: readonly (readonly Packet[])[];
}

/** What is in the segments, one after the other. */
async function playAll(file: Mp4Segments): Promise<Played> {
  const { durations } = await listOf(file);
  const init = await file.init();
  const segments = [];
  for (const index of durations.keys()) segments.push(await file.segment(index));
  return {
    video: await Promise.all(segments.map((segment) => packetsIn('video', init, segment))),
    audio: await Promise.all(segments.map((segment) => packetsIn('audio', init, segment))),
  };
}

/** Times are rounded to the units of the segments. */
function assertSame(played: readonly (readonly Packet[])[], expected: readonly Packet[], shift = 0): void {
  const packets = played.flat();
  assert.deepEqual(fieldsOf(packets, 'hash', 'isKey'), fieldsOf(expected, 'hash', 'isKey'));
  for (const [index, { time }] of packets.entries()) {
    const own = (expected[index]?.time ?? Number.NaN) + shift;
    assert.ok(Math.abs(time - own) < 0.000_03, `packet ${index} is at ${time}, not at ${own}`);
  }
}

/** Sound before 0 only prepares the decoder for what follows. */
async function assertPlaysAll(bytes: Buffer): Promise<Played> {
  const played = await playAll(await open(bytes));
  assertSame(played.video, await packetsIn('video', bytes));
  assertSame(
    played.audio,
    (await packetsIn('audio', bytes)).filter(({ time }) => time >= 0),
  );
  return played;
}

interface Remake {
  readonly without?: 'video' | 'audio';
  readonly fastStart?: 'fragmented' | 'in-memory' | false;
}

/** The same packets in another file. */
async function remake(bytes: Buffer, { without, fastStart = false }: Remake): Promise<Buffer> {
  const target = new BufferTarget();
  const conversion = await Conversion.init({
    input: new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS }),
    output: new Output({ format: new Mp4OutputFormat({ fastStart }), target }),
    video: { discard: without === 'video' },
    audio: { discard: without === 'audio' },
  });
  await conversion.execute();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

/** Returns the file with its last samples so far from the others that they aren't read together. */
function spread(bytes: Buffer): Buffer {
  const gap = 200_000;
  const copy = Buffer.from(bytes);
  const offsets: number[] = [];
  for (let at = copy.indexOf('stco'); at !== -1; at = copy.indexOf('stco', at + 4)) {
    const count = copy.readUInt32BE(at + 8);
    for (let row = 0; row < count; row++) offsets.push(at + 12 + 4 * row);
  }
  const gapAt = copy.readUInt32BE(offsets.at(-6));
  for (const at of offsets) {
    const offset = copy.readUInt32BE(at);
    if (offset >= gapAt) copy.writeUInt32BE(offset + gap, at);
  }
  const media = copy.indexOf('mdat') - 4;
  copy.writeUInt32BE(copy.readUInt32BE(media) + gap, media);
  return Buffer.concat([copy.subarray(0, gapAt), Buffer.alloc(gap), copy.subarray(gapAt)]);
}

function typesIn(bytes: Buffer): readonly string[] {
  return boxesIn(bytes).map(({ type }) => type);
}

describe('An MP4 file as HLS', () => {
  it('is a playlist of all segments, which begin at key frames', async () => {
    const file = await open(PATTERN);
    const { text, durations } = await listOf(file);
    assert.deepEqual(durations, [4, 4, 2, 2]);
    assert.match(text, /^#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n/);
    assert.ok(text.includes(`#EXT-X-MAP:URI="${numberedUrl(INIT_NUMBER)}"\n#EXTINF:4.000000,\n${numberedUrl(1)}\n`));
    assert.ok(text.endsWith(`${numberedUrl(4)}\n#EXT-X-ENDLIST`));
    const { video } = await playAll(file);
    assert.deepEqual(
      video.map(([first]) => [first?.isKey, first?.time]),
      [0, 4, 8, 10].map((time) => [true, time]),
    );
  });

  it('says which types of source buffers it needs', async () => {
    assert.deepEqual((await open(PATTERN)).types, ['video/mp4; codecs="avc1.4d401e"', 'audio/mp4; codecs="mp4a.40.2"']);
  });

  it('plays every packet once, with its own time', async () => {
    await assertPlaysAll(PATTERN);
  });

  it('puts frames that are shown before the key frame that they follow into that key frame’s segment', async () => {
    const { video } = await assertPlaysAll(OPEN_GOP);
    const { durations } = await listOf(await open(OPEN_GOP));
    const starts = video.map((packets) => Math.min(...packets.map(({ time }) => time)));
    let start = 0;
    for (const [index, seconds] of durations.entries()) {
      assert.ok(Math.abs((starts[index] ?? 0) - start) < 0.000_03, `segment ${index} begins at ${starts[index]}`);
      start += seconds;
    }
    assert.ok(video.some(([first], index) => (first?.time ?? 0) > (starts[index] ?? 0)));
  });

  it('begins where the tables say that sound begins, after what only prepares the decoder', async () => {
    const sounds = await packetsIn('audio', OPEN_GOP);
    assert.ok((sounds[0]?.time ?? 0) < 0, 'the sound is not primed');
    const { audio } = await playAll(await open(OPEN_GOP));
    assert.equal(audio[0]?.[0]?.time, 0);
  });

  it('shows for no time what an edit list cuts off, though its first pictures need it', async () => {
    const trimmed = fixture('trimmed');
    const own = await packetsIn('video', trimmed);
    assert.ok(own.filter(({ time }) => time < 0).length > 5);
    const segments = await open(trimmed);
    const { video, audio } = await playAll(segments);
    const packets = video.flat();
    assert.deepEqual(fieldsOf(packets, 'hash', 'isKey'), fieldsOf(own, 'hash', 'isKey'));
    const brief = packets.filter((_, index) => (own[index]?.time ?? 0) < 0);
    assert.ok(brief.every(({ time }) => time >= 0 && time < 0.005));
    assert.equal(new Set(brief.map(({ time }) => time)).size, brief.length);
    for (const [index, { time }] of packets.entries()) {
      const at = Math.max(0, own[index]?.time ?? Number.NaN);
      assert.ok(Math.abs(time - at) < 0.005, `packet ${index} is at ${time}, not at ${at}`);
    }
    const sounds = (await packetsIn('audio', trimmed)).filter(({ time }) => time >= 0);
    assert.deepEqual(fieldsOf(audio.flat(), 'hash'), fieldsOf(sounds, 'hash'));
    const { durations } = await listOf(segments);
    const last = own.at(-1)?.time ?? 0;
    const total = durations.reduce((sum, duration) => sum + duration, 0);
    assert.ok(total > last && total < last + 0.2, `${total} s`);
  });

  it('gives the same bytes for a segment in any order', async () => {
    const [forward, back] = [await open(OPEN_GOP), await open(OPEN_GOP)];
    const { durations } = await listOf(forward);
    await listOf(back);
    const inOrder: Buffer[] = [];
    for (const index of durations.keys()) inOrder.push(Buffer.from(await forward.segment(index)));
    for (const index of [...durations.keys()].reverse()) {
      assert.deepEqual(Buffer.from(await back.segment(index)), inOrder[index], `segment ${index}`);
    }
  });

  it('plays the picture alone, and the sound alone in segments of its own', async () => {
    const silent = await remake(PATTERN, { without: 'audio' });
    assertSame((await playAll(await open(silent))).video, await packetsIn('video', silent));
    const sound = await remake(PATTERN, { without: 'video' });
    const { audio } = await playAll(await open(sound));
    assertSame(
      audio,
      (await packetsIn('audio', sound)).filter(({ time }) => time >= 0),
    );
    const { durations } = await listOf(await open(sound));
    assert.equal(durations.length, 3);
    assert.ok(
      durations.slice(0, -1).every((seconds) => seconds > 4.9 && seconds <= 5.03),
      durations.join(', '),
    );
  });

  it('plays a file with its tables first, last, or in fragments with or without a list of them', async () => {
    const [first, last] = [await remake(PATTERN, { fastStart: 'in-memory' }), await remake(PATTERN, {})];
    assert.deepEqual(typesIn(first).slice(0, 2), ['ftyp', 'moov']);
    assert.equal(typesIn(last).at(-1), 'moov');
    const listed = await remake(PATTERN, { fastStart: 'fragmented' });
    assert.equal(typesIn(listed).at(-1), 'mfra');
    assert.deepEqual([...new Set(typesIn(FRAGMENTED))], ['ftyp', 'moov', 'moof', 'mdat']);
    for (const file of [first, last, listed, FRAGMENTED]) await assertPlaysAll(file);
  });

  it('lists fragments as they are found, so that a long file plays at once', async () => {
    const repeats = 200;
    const bytes = manyFragments(repeats);
    const source = sourceOf(bytes);
    const file = await openMp4(source, () => true);
    const first = await file.playlist();
    assert.match(first, /#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0\n/);
    assert.ok(!first.includes('#EXT-X-ENDLIST'));
    const requested = source.ranges.reduce((sum, [start, end]) => sum + end - start, 0);
    assert.ok(requested < 6_000_000, `${requested} of ${bytes.length} bytes`);
    assert.ok((await file.segment(0)).byteLength > 0);
    const { durations, text } = await listOf(file);
    assert.ok(text.startsWith(first.slice(first.indexOf('#EXTINF')).split('\n')[0] ?? '', text.indexOf('#EXTINF')));
    const whole = durations.reduce((sum, seconds) => sum + seconds, 0);
    assert.ok(Math.abs(whole - repeats * 6) < 1, `${whole} s`);
  });

  for (const [name, codecs] of [
    ['vp9Opus', /vp09.*opus/],
    ['hevcFlac', /hev1.*flac/],
    ['av1Mp3', /av01.*mp3/],
  ] as const) {
    it(`plays what ${name} has`, async () => {
      const bytes = fixture(name);
      assert.match((await open(bytes)).types.join(), codecs);
      await assertPlaysAll(bytes);
    });
  }

  it('leaves out sound that cannot be played, and names a picture that cannot', async () => {
    const silent = await openMp4(sourceOf(PATTERN), (type) => !type.startsWith('audio/'));
    assert.deepEqual(silent.types, ['video/mp4; codecs="avc1.4d401e"']);
    assert.equal(silent.leftOut, 'mp4a.40.2');
    assert.equal((await open(PATTERN)).leftOut, undefined);
    const { video, audio } = await playAll(silent);
    assertSame(video, await packetsIn('video', PATTERN));
    assert.deepEqual(audio.flat(), []);
    const isFault = (fault: string) => (error: unknown) => error instanceof Mp4Error && error.fault === fault;
    const blind = openMp4(sourceOf(PATTERN), (type) => !type.startsWith('video/'));
    await assert.rejects(blind, isFault('pictureFormat'));
    const sound = await remake(PATTERN, { without: 'video' });
    await assert.rejects(
      openMp4(sourceOf(sound), () => false),
      isFault('soundFormat'),
    );
  });

  it('fails with the error of the source, and works as soon as the source does', async () => {
    const source = sourceOf(spread(PATTERN));
    let fails = false;
    const read = async (start: number, end: number) => {
      if (fails) throw new Error('no network');
      return source.read(start, end);
    };
    const file = await openMp4({ size: source.size, read }, () => true);
    await listOf(file);
    fails = true;
    await assert.rejects(file.segment(3), /no network/);
    fails = false;
    const again = await openMp4(sourceOf(spread(PATTERN)), () => true);
    await listOf(again);
    assert.deepEqual(Buffer.from(await file.segment(3)), Buffer.from(await again.segment(3)));
  });

  it('does not take a failure of the source for the end of a file of fragments', async () => {
    const source = sourceOf(manyFragments(20));
    let fails = false;
    const read = async (start: number, end: number) => {
      if (fails) throw new Error('no network');
      return source.read(start, end);
    };
    const file = await openMp4({ size: source.size, read }, () => true);
    fails = true;
    await assert.rejects(file.playlist(), /no network/);
    fails = false;
    const { durations } = await listOf(file);
    assert.ok(Math.abs(durations.reduce((sum, seconds) => sum + seconds, 0) - 20 * 6) < 1);
  });
});

/** The fragments again and again, far from each other in the file. */
function manyFragments(repeats: number): Buffer {
  const boxes = boxesIn(FRAGMENTED);
  const again = Array.from({ length: repeats }, (_, repeat) =>
    boxes
      .slice(2)
      .flatMap(({ type, bytes }) =>
        type === 'moof' ? [laterBy(bytes, repeat * 6)] : [bytes, mp4Box('free', Buffer.alloc(50_000))],
      ),
  );
  return Buffer.concat([...boxes.slice(0, 2).map(({ bytes }) => bytes), ...again.flat()]);
}

/** Moves a fragment in time. */
function laterBy(fragment: Buffer, seconds: number): Buffer {
  const moved = Buffer.from(fragment);
  const scales = boxesIn(boxesIn(FRAGMENTED)[1]?.bytes.subarray(8) ?? Buffer.alloc(0)).flatMap(({ type, bytes }) => {
    const header = bytes.indexOf('mdhd');
    return type === 'trak' ? [bytes.readUInt32BE(header + 16)] : [];
  });
  for (const [index, scale] of scales.entries()) {
    let at = -1;
    for (let track = 0; track <= index; track += 1) at = moved.indexOf('tfdt', at + 1);
    if (at < 0) continue;
    moved.writeBigUInt64BE(moved.readBigUInt64BE(at + 8) + BigInt(Math.round(seconds * scale)), at + 8);
  }
  return moved;
}

describe('A recording of 10 hours', () => {
  const SECONDS = 36_000;

  it('opens after its tables, plays from anywhere, and keeps little', async function () {
    this.timeout(120_000);
    const long = makeLongMp4(PATTERN, SECONDS);
    const ranges: number[] = [];
    const read = async (start: number, end: number) => {
      ranges.push(end - start);
      return long.read(start, end);
    };
    const before = process.memoryUsage();
    const file = await openMp4({ size: async () => long.size, read }, () => true);
    const { durations } = await listOf(file);
    const whole = durations.reduce((sum, seconds) => sum + seconds, 0);
    assert.deepEqual([durations.length, Math.round(whole)], [SECONDS / 4 + 1, SECONDS]);
    assert.ok(Math.max(...ranges) <= 4 * 1024 * 1024);
    assert.ok(ranges.length < 20, `${ranges.length} ranges`);
    const segmentBytes = 4 * 113_000;
    for (const index of [0, 1, 2, 4500, 4501, 8998]) {
      const soFar = ranges.length;
      assert.ok((await file.segment(index)).byteLength > segmentBytes * 0.9);
      assert.ok(ranges.length - soFar <= 4, `${ranges.length - soFar} ranges for segment ${index}`);
    }
    const after = process.memoryUsage();
    const grown = (after.heapUsed + after.external - before.heapUsed - before.external) / 1e6;
    assert.ok(grown < 500, `${grown} MB`);
  });
});

describe('A damaged MP4 file', () => {
  const SAMPLES = [PATTERN, OPEN_GOP, FRAGMENTED];

  it('fails with an error, or plays what can be read', async function () {
    this.timeout(60_000 + FUZZ_RUNS * 200);
    Logging.level = LogLevel.Silent;
    const part = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((millionths) => millionths / 1_000_000);
    const change = fc.record({ where: part, value: fc.nat(255), isInTables: fc.boolean() });
    const damage = fc.record({
      sample: fc.nat(SAMPLES.length - 1),
      changes: fc.array(change, { maxLength: 4 }),
      length: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, part),
    });
    await forAllAsync(damage, async ({ sample, changes, length }) => {
      const bytes = Buffer.from(SAMPLES[sample] ?? PATTERN);
      const tables = bytes.indexOf('moov');
      const tablesLength = bytes.readUInt32BE(tables - 4);
      for (const { where, value, isInTables } of changes) {
        bytes[isInTables ? tables + Math.floor(where * tablesLength) : Math.floor(where * bytes.length)] = value;
      }
      const source = sourceOf(bytes.subarray(0, Math.max(1, Math.floor(bytes.length * length))));
      const outcome = await outcomeOf(source);
      assert.ok(outcome.every((part) => part instanceof Error || part.byteLength > 0));
      assert.ok(source.ranges.length < 200, `${source.ranges.length} ranges`);
    });
  });

  it('is refused if its tables promise more than it can hold', async () => {
    for (const table of ['stts', 'ctts', 'stsc'] as const) {
      const bytes = Buffer.from(OPEN_GOP);
      bytes.writeUInt32BE(0x7fff_ffff, bytes.indexOf(table) + (table === 'stsc' ? 16 : 12));
      await assert.rejects(open(bytes), table);
    }
    const bytes = Buffer.from(FRAGMENTED);
    bytes.writeUInt32BE(0x7fff_ffff, bytes.indexOf('trun') + 8);
    await assert.rejects(open(bytes));
  });

  it('says that a segment is missing at its end', async () => {
    const file = await open((await remake(PATTERN, { fastStart: 'in-memory' })).subarray(0, 40_000));
    const { durations } = await listOf(file);
    assert.ok((await file.segment(0)).byteLength > 0);
    await assert.rejects(
      file.segment(durations.length - 1),
      (error) => error instanceof Mp4Error && error.fault === 'truncatedSegment',
    );
  });
});

/** The segments of what a source holds, or why there are none. */
async function outcomeOf(source: ReturnType<typeof sourceOf>): Promise<readonly (Error | ArrayBuffer)[]> {
  const orError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
  const file = await openMp4(source, () => true).catch(orError);
  if (file instanceof Error) return [file];
  const list = await file.playlist().catch(orError);
  if (list instanceof Error) return [list];
  const segments = [];
  for (let index = 0; index < Math.min(20, list.split('#EXTINF').length - 1); index += 1) {
    segments.push(await file.segment(index).catch(orError));
  }
  return segments;
}
