import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { isBroadcastError } from '../../../src/broadcast/errors.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { FlvReader, type MediaPacket } from '../../../src/media/flv.ts';
import { isProtocolError } from '../../../src/media/protocolError.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { forAll, forAllAsync } from '../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../support/runner/largeBuffers.ts';
import { mp4Box } from '../../support/service/mp4Boxes.ts';

const PATTERN = readFileSync(inProject('media/demo/source.mp4'));
const NEVER = new AbortController().signal;

function boxAt(bytes: Buffer, type: string): { start: number; end: number } {
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return { start: at, end: at + bytes.readUInt32BE(at) };
}

const moov = boxAt(PATTERN, 'moov');
const mdat = boxAt(PATTERN, 'mdat');

/** The pattern with each `from` in its moov box replaced. */
function withCodes(from: string, to: string): Buffer {
  const text = PATTERN.toString('latin1', moov.start, moov.end).replaceAll(from, to);
  return Buffer.concat([PATTERN.subarray(0, moov.start), Buffer.from(text, 'latin1'), PATTERN.subarray(moov.end)]);
}

function withNumber(after: string, offset: number, value: number): Buffer {
  const bytes = Buffer.from(PATTERN);
  bytes.writeUInt32BE(value >>> 0, bytes.indexOf(after, moov.start, 'latin1') + 4 + offset);
  return bytes;
}

/** One size for 4 billion samples. */
function withBothNumbers(): Buffer {
  const bytes = Buffer.from(PATTERN);
  const at = bytes.indexOf('stsz', moov.start, 'latin1') + 4;
  bytes.writeUInt32BE(1, at + 4);
  bytes.writeUInt32BE(0xffffffff, at + 8);
  return bytes;
}

async function take(path: string, count: number, from = 0): Promise<readonly MediaPacket[]> {
  const source = await openMp4Source(path);
  const packets: MediaPacket[] = [];
  try {
    for await (const packet of source.packets(from, NEVER)) if (packets.push(packet) >= count) break;
    return packets;
  } finally {
    source.dispose();
  }
}

/** Changes to a file: bytes, numbers of tables and sizes, and where it ends. */
const aDamage = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
  numbers: fc.array(
    fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 7, 0xffff, 0x10000, 0x3ffffff, 0x7fffffff, 0xfffffff0, 0xffffffff)),
    { maxLength: 4 },
  ),
  end: fc.option(fc.nat(), { freq: 4 }),
});

/** Damages a file between two places; the end may be anywhere. */
function damage(
  file: Buffer,
  [from, to]: readonly [number, number],
  { bytes, numbers, end }: { bytes: [number, number][]; numbers: [number, number][]; end: number | null },
): Buffer {
  const damaged = Buffer.from(file);
  for (const [at, value] of bytes) damaged[from + (at % (to - from))] = value;
  for (const [at, value] of numbers) damaged.writeUInt32BE(value, from + (at % (to - from - 4)));
  return end === null ? damaged : damaged.subarray(0, end % (file.length + 1));
}

describe('An MP4 file', () => {
  forbidLargeBuffers();
  let folder: string;
  let path: string;
  before(() => {
    folder = makeTemporaryFolder('mp4');
    path = join(folder, 'some.mp4');
  });
  after(() => rmSync(folder, { recursive: true }));

  const taken = (bytes: Buffer, count = 60): Promise<readonly MediaPacket[]> => {
    writeFileSync(path, bytes);
    return take(path, count);
  };

  const faultOf = async (bytes: Buffer | string): Promise<readonly (string | undefined)[]> => {
    if (typeof bytes !== 'string') writeFileSync(path, bytes);
    const error = await take(typeof bytes === 'string' ? bytes : path, 2000).catch((failure: unknown) => failure);
    assert.ok(isBroadcastError(error), String(error));
    return [error.reason, error.detail].filter((part) => part !== undefined);
  };

  it('is sent as H.264 and AAC in the order of time, settings first, and begins anew at its end', async () => {
    const packets = await taken(PATTERN, 2200);
    assert.deepEqual(fieldsOf(packets.slice(0, 3), 'kind', 'isHeader', 'isKeyFrame'), [
      ['video', true, true],
      ['audio', true, true],
      ['video', false, true],
    ]);
    const times = packets.slice(2).map(({ time }) => time);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const frames = packets.slice(2).filter(({ kind }) => kind === 'video');
    assert.equal(frames[180]?.time, 12_000);
    assert.deepEqual(frames[180]?.body, frames[0]?.body);
    const audioLag = (packets.filter(({ kind }) => kind === 'audio').at(-1)?.time ?? 0) - (frames.at(-1)?.time ?? 0);
    assert.ok(Math.abs(audioLag) < 70, `${audioLag} ms after three passes`);
  });

  it('continues from the last key frame before a time', async () => {
    writeFileSync(path, PATTERN);
    const [, , first] = await take(path, 3, 12_000 + 5_100);
    assert.deepEqual([first?.kind, first?.isKeyFrame, first?.time], ['video', true, 16_000]);
  });

  it('may have its moov box at the end, boxes of 64 bits, and no audio', async () => {
    const usual = await taken(PATTERN);
    const shifted = -(moov.end - moov.start);
    const movie = Buffer.from(PATTERN.subarray(moov.start, moov.end));
    for (let at = movie.indexOf('stco'); at > 0; at = movie.indexOf('stco', at + 4)) {
      for (let i = 0; i < movie.readUInt32BE(at + 8); i++) {
        const place = at + 12 + i * 4;
        movie.writeUInt32BE(movie.readUInt32BE(place) + shifted + 8, place);
      }
    }
    const large = Buffer.alloc(16);
    large.writeUInt32BE(1);
    large.write('mdat', 4);
    large.writeBigUInt64BE(BigInt(mdat.end - mdat.start + 8), 8);
    const between = PATTERN.subarray(moov.end, mdat.start);
    const data = PATTERN.subarray(mdat.start + 8, mdat.end);
    const atEnd = Buffer.concat([PATTERN.subarray(0, moov.start), between, large, data, movie]);
    assert.deepEqual(await taken(atEnd), usual);
    const silent = await taken(withCodes('soun', 'text'), 20);
    assert.deepEqual(new Set(silent.map(({ kind }) => kind)), new Set(['video']));
  });

  it('is read in pieces if it has 20 GB', async () => {
    const head = Buffer.alloc(16);
    head.writeUInt32BE(1);
    head.write('free', 4);
    head.writeBigUInt64BE(20_000_000_000n, 8);
    writeFileSync(path, head);
    truncateSync(path, 20_000_000_000);
    const file = await open(path, 'r+');
    const movie = Buffer.from(PATTERN.subarray(moov.start, moov.end));
    await file.write(movie, 0, movie.length, 20_000_000_000);
    await file.close();
    const before = process.memoryUsage().arrayBuffers;
    assert.ok((await take(path, 3)).length === 3);
    assert.ok(process.memoryUsage().arrayBuffers - before < 4_000_000);
  });

  it('is refused by the name of its codec or feature if it cannot be sent', async () => {
    const cases: readonly (readonly [Buffer, readonly string[]])[] = [
      [withCodes('avc1', 'hvc1'), ['fileUnsupported', 'HEVC']],
      [withCodes('avc1', 'vp09'), ['fileUnsupported', 'VP9']],
      [withCodes('avc1', 'av01'), ['fileUnsupported', 'AV1']],
      [withCodes('mp4a', 'Opus'), ['fileUnsupported', 'Opus']],
      [withCodes('udta', 'mvex'), ['fileUnsupported', 'Fragmented MP4']],
      [withCodes('vide', 'text'), ['fileUnsupported', 'No video']],
      [withNumber('stsz', 8, 0), ['fileUnsupported', 'No samples']],
    ];
    for (const [bytes, fault] of cases) assert.deepEqual(await faultOf(bytes), fault, fault[1]);
  });

  it('is refused if it is no MP4, incomplete, or lies about its sizes', async () => {
    const endless = Buffer.alloc(16);
    endless.writeUInt32BE(1);
    endless.write('moov', 4);
    endless.writeBigUInt64BE(2n ** 62n, 8);
    const cases: readonly (readonly [string, Buffer, string])[] = [
      ['a text', Buffer.from('Not a video at all, but some words.'), 'fileNotMp4'],
      ['nothing', Buffer.alloc(0), 'fileNotMp4'],
      [
        'a box of no size',
        Buffer.concat([mp4Box('ftyp', Buffer.alloc(8)), Buffer.from('\0\0\0\x04free')]),
        'fileIncomplete',
      ],
      ['no movie', mp4Box('ftyp', Buffer.alloc(8)), 'fileNotMp4'],
      ['only its beginning', PATTERN.subarray(0, moov.end - 100), 'fileIncomplete'],
      ['no end', PATTERN.subarray(0, mdat.start + 5000), 'fileIncomplete'],
      ['a movie of 2^62 bytes', endless, 'fileNotMp4'],
      ['5,000 boxes', Buffer.alloc(8 * 5000, mp4Box('free')), 'fileNotMp4'],
      ['a sample of 4 GB', withNumber('stsz', 12, 0xfffffff0), 'fileNotMp4'],
      ['4 billion samples of one size', withBothNumbers(), 'fileNotMp4'],
      ['no timescale', withNumber('mdhd', 12, 0), 'fileNotMp4'],
      ['no duration', withNumber('stts', 12, 0), 'fileNotMp4'],
    ];
    for (const [what, bytes, fault] of cases) assert.equal((await faultOf(bytes))[0], fault, what);
  });

  it('is refused without a wait if it is a folder, a FIFO, a device, missing, or not permitted', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo.mp4')]);
    for (const path of [folder, join(folder, 'fifo.mp4'), '/dev/zero']) {
      assert.equal((await faultOf(path))[0], 'fileNotVideo', path);
    }
    assert.equal((await faultOf(join(folder, 'none.mp4')))[0], 'fileMissing');
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    await chmod(closed, 0);
    const isAllowedAll = process.getuid?.() === 0;
    assert.equal((await faultOf(join(closed, 'some.mp4')))[0], isAllowedAll ? 'fileMissing' : 'fileUnreadable');
    await chmod(closed, 0o700);
  });

  it('ends in nothing but a BroadcastError, whatever its tables say', async () => {
    await forAllAsync(aDamage, async (changes) => {
      const bytes = damage(PATTERN, [0, mdat.start + 8], changes);
      await taken(bytes, 20).catch((error: unknown) => assert.ok(isBroadcastError(error), String(error)));
    });
  }).timeout(600_000);
});

describe('The FLV reader', () => {
  forbidLargeBuffers();
  const header = Buffer.from('464c5601050000000900000000', 'hex');
  const tag = (type: number, body: Buffer, time = 0): Buffer => {
    const bytes = Buffer.alloc(11 + body.length + 4);
    bytes[0] = type;
    bytes.writeUIntBE(body.length, 1, 3);
    bytes.writeUIntBE(time & 0xffffff, 4, 3);
    bytes[7] = time >>> 24;
    body.copy(bytes, 11);
    return bytes;
  };

  it('reads H.264 and AAC in every split, and leaves out the rest', () => {
    const tags = [
      tag(18, Buffer.from('data')),
      tag(9, Buffer.of(0x17, 1, 0, 0, 0, 9), 0x1000001),
      tag(8, Buffer.of(0xaf, 0, 1)),
    ];
    const bytes = Buffer.concat([header, ...tags, tag(9, Buffer.of(0x12, 1, 0, 0, 0))]);
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new FlvReader();
      const packets = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at))];
      assert.deepEqual(
        packets.map(({ kind, time, isHeader, isKeyFrame }) => ({ kind, time, isHeader, isKeyFrame })),
        [
          { kind: 'video', time: 0x1000001, isHeader: false, isKeyFrame: true },
          { kind: 'audio', time: 0, isHeader: true, isKeyFrame: true },
        ],
      );
    }
  });

  it('refuses what is not FLV, and tags over 4 MiB', () => {
    assert.throws(() => new FlvReader().push(Buffer.from('RIFF....WAVEfmt ')), isProtocolError);
    assert.throws(
      () => new FlvReader().push(Buffer.concat([header, Buffer.of(9, 0xff, 0xff, 0xff), Buffer.alloc(7)])),
      isProtocolError,
    );
  });

  const read = (pieces: readonly Uint8Array[]): number => {
    const reader = new FlvReader();
    let packets = 0;
    try {
      for (const piece of pieces) packets += reader.push(Buffer.from(piece)).length;
    } catch (error) {
      assert.ok(isProtocolError(error), String(error));
    }
    return packets;
  };

  it('throws nothing but its own error, whatever it reads', () => {
    forAll(fc.array(fc.uint8Array({ maxLength: 100 })), (pieces) => void read([header, ...pieces]));
  });

  it('throws nothing but its own error for what ffmpeg wrote, damaged and in any split', async () => {
    const packets = await take(inProject('media/demo/source.mp4'), 120);
    const tags = packets.map(({ kind, body, time }) => tag(kind === 'video' ? 9 : 8, body, time));
    const whole = Buffer.concat([header, ...tags]);
    assert.equal(read([whole]), 120);
    forAll(aDamage, fc.array(fc.nat(whole.length), { maxLength: 6 }), (changes, places) => {
      const bytes = damage(whole, [0, whole.length], changes);
      const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length];
      read(cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end)));
    });
  });
});
