import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SOUND_WASM } from '../../../../esbuild.mjs';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { inProject } from '../../../support/projectFolder.ts';
import { sampleOf } from '../../../support/runner/fuzzRuns.ts';
import { readPlayable } from '../../../support/service/playableMedia.ts';
import {
  EVERY,
  FIXTURES,
  type FixtureName,
  fixtureOf,
  readFixture,
  readReference,
} from '../../../support/sound/fixtures.ts';
import { readFlac } from '../../../support/sound/flacReader.ts';
import { splitFragments } from '../../../support/sound/fragments.ts';
import { limitMemory } from '../../../support/sound/limitedMemory.ts';
import { type NodeWorker, startNodeWorker } from '../../../support/sound/nodeWorker.ts';

/** Signal to noise in decibels, by channel, from the sample `from` to the last of `pcm`. */
function compare(name: FixtureName, pcm: readonly Int16Array[], from: number): number[] {
  const reference = readReference(name);
  const end = Math.min(reference.times, pcm[0]?.length ?? 0);
  return pcm.map((samples, channel) => {
    let [signal, noise] = [0, 0];
    for (let time = Math.ceil(from / EVERY) * EVERY; time < end; time += EVERY) {
      const wanted = reference.at(time, channel);
      signal += wanted ** 2;
      noise += (wanted - (samples[time] ?? 0) / 0x8000) ** 2;
    }
    return 10 * Math.log10(signal / noise);
  });
}

/** Frames of HE-AAC that are heard before the decoder has all that it needs. */
const HE_START = 4 * 2048;

describe('The worker that decodes sound', function () {
  this.timeout(60_000);
  let worker: NodeWorker;
  let track = 0;
  before(async () => {
    worker = await startNodeWorker();
  });
  after(() => worker.end());
  beforeEach(() => {
    track += 1;
  });
  const convert = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const answer = await worker.convert(track, bytes);
    assert.equal(answer.kind, 'converted', JSON.stringify(answer));
    return answer.kind === 'converted' ? answer.bytes : new Uint8Array();
  };

  for (const name of sampleOf(['stereo48', 'mono44', 'mono8', 'stereo96', 'surround48', 'muxed48'] as const, 3)) {
    it(`decodes as ffmpeg does, from the first frame to the last: ${name}`, async () => {
      const flac = readFlac(await convert(readFixture(name)));
      const { rate, channels } = fixtureOf(name);
      assert.deepEqual([flac.rate, flac.pcm.length], [rate, channels]);
      assert.deepEqual(fieldsOf(flac.pcm, 'length'), Array(channels).fill(readReference(name).times));
      for (const decibels of compare(name, flac.pcm, 0)) assert.ok(decibels >= 50, `${decibels} dB`);
    });
  }

  it('decodes a hundred segments one by one without a gap or a shift', async () => {
    const [init, ...segments] = splitFragments(readFixture('hundred16'));
    assert.ok(init !== undefined && segments.length >= 100, `${segments.length} segments`);
    const parts = [await convert(init)];
    for (const segment of segments) parts.push(await convert(segment));
    const flac = readFlac(Buffer.concat(parts));
    assert.equal(flac.pcm[0]?.length, readReference('hundred16').times);
    for (const decibels of compare('hundred16', flac.pcm, 0)) assert.ok(decibels >= 50, `${decibels} dB`);
  });

  for (const name of ['he44', 'heV244'] as const) {
    it(`decodes the whole width and both channels of ${name}`, async () => {
      const flac = readFlac(await convert(readFixture(name)));
      assert.deepEqual([flac.rate, flac.pcm.length], [44100, 2]);
      assert.equal(flac.pcm[0]?.length, readReference(name).times);
      // What SBR makes of noise depends on what came before, and PS's stereo on more than the pieces overlap.
      const least = name === 'he44' ? 30 : 10;
      for (const decibels of compare(name, flac.pcm, HE_START)) assert.ok(decibels >= least, `${decibels} dB`);
    });
  }

  it('keeps the times of what it replaces', async () => {
    for (const { name } of sampleOf(FIXTURES, 4)) {
      track += 1;
      const aac = readFixture(name);
      const [before, after] = [await readPlayable(aac), await readPlayable(await convert(aac))];
      assert.equal(after.audio?.codec, 'flac');
      const timesOf = ({ audio }: typeof before) => audio?.packets.map(({ time, duration }) => ({ time, duration }));
      assert.deepEqual(timesOf(after), timesOf(before), name);
    }
  });

  it('continues where a segment is loaded again, and starts anew elsewhere, without a click', async () => {
    const [init, ...segments] = splitFragments(readFixture('stereo48'));
    const [first, second, third] = segments;
    assert.ok(init !== undefined && first !== undefined && second !== undefined && third !== undefined);
    await convert(init);
    const inOrder = [await convert(first), await convert(second), await convert(third)];
    const again = await convert(second);
    // The frame before the second segment is not the last that was seen: its first frame fades in.
    const samples = (bytes: Uint8Array) => readFlac(Buffer.concat([inOrder[0] ?? init, bytes])).pcm[0] ?? [];
    const [one, other] = [samples(inOrder[1] ?? init), samples(again)];
    assert.equal(one.length, other.length);
    const frames = readFlac(inOrder[0] ?? init).frames.length;
    const faded = { from: frames * 1024, to: (frames + 1) * 1024 };
    assert.deepEqual(other.slice(faded.to), one.slice(faded.to));
    assert.notDeepEqual(other.slice(faded.from, faded.to), one.slice(faded.from, faded.to));
    assert.ok(Math.abs(other[faded.from] ?? 0) < 300, 'it starts from silence');
  });

  it('follows a stream whose rate and channels change', async () => {
    const parts = [await convert(readFixture('stereo48')), await convert(readFixture('mono44'))];
    const found = parts.map((part) => readFlac(part));
    assert.deepEqual(
      found.map(({ rate, pcm }) => [rate, pcm.length]),
      [
        [48000, 2],
        [44100, 1],
      ],
    );
    for (const decibels of compare('mono44', found[1]?.pcm ?? [], 0)) assert.ok(decibels >= 50, `${decibels} dB`);
  });

  it('gives nothing for what comes before an initialization segment, and goes on', async () => {
    const [init, ...segments] = splitFragments(readFixture('mono8'));
    assert.equal((await convert(segments[0] ?? new Uint8Array())).length, 0);
    assert.equal((await convert(new Uint8Array())).length, 0);
    const flac = readFlac(await convert(Buffer.concat([init ?? new Uint8Array(), ...segments])));
    assert.equal(flac.pcm[0]?.length, readReference('mono8').times);
  });

  it('keeps the streams of two buffers apart', async () => {
    const [stereo, mono] = [splitFragments(readFixture('stereo48')), splitFragments(readFixture('mono44'))];
    const parts: Record<number, Uint8Array[]> = { [-1]: [], [-2]: [] };
    for (let at = 0; at < 4; at++) {
      for (const [number, segments] of [
        [-1, stereo],
        [-2, mono],
      ] as const) {
        const answer = await worker.convert(number, segments[at] ?? new Uint8Array());
        if (answer.kind === 'converted') parts[number]?.push(answer.bytes);
      }
    }
    const whole = (number: number) => readFlac(Buffer.concat(parts[number] ?? [])).pcm;
    assert.deepEqual([whole(-1).length, whole(-2).length], [2, 1]);
    for (const decibels of compare('stereo48', whole(-1), 0)) assert.ok(decibels >= 50, `${decibels} dB`);
  });

  for (const count of sampleOf([300, 900], 1)) {
    it(`holds no more after ${count} further segments than after a hundred`, async () => {
      const [init = assert.fail(), ...segments] = splitFragments(readFixture('hundred16'));
      await convert(init);
      const play = async (rounds: number) => {
        for (let round = 0; round < rounds; round++) {
          for (const segment of segments.slice(0, 50)) await convert(segment);
        }
        return worker.measureMemory();
      };
      const [early, late] = [await play(2), await play(count / 50)];
      assert.ok(late < early + 1_000_000, `${early} bytes, then ${late}`);
    });
  }

  it('says what sound it can do nothing with', async () => {
    const encrypted = Buffer.from(readFixture('mono8'));
    encrypted.write('enca', encrypted.indexOf('mp4a', encrypted.indexOf('stsd')));
    const newer = Buffer.from(readFixture('mono8'));
    const config = newer.indexOf('0580808002', newer.indexOf('esds'), 'hex') + 5;
    newer[config] = 0xf8;
    const answers = [await worker.convert(track, encrypted), await worker.convert(track, newer)];
    assert.deepEqual(
      answers.map((answer) => (answer.kind === 'failed' ? answer : answer.kind)),
      [
        { kind: 'failed', reason: 'No decoder for the sound (no AAC, or encrypted)' },
        { kind: 'failed', reason: 'No decoder for the sound (f8 88)' },
      ],
    );
  });
});

describe('A worker that gets no decoder', () => {
  const whole = readFileSync(inProject(SOUND_WASM));
  for (const [what, wasm] of [
    ['is cut', whole.subarray(0, 500_000)],
    ['has no memory to start', limitMemory(whole, 100)],
    ['is empty', new Uint8Array()],
    ['has other functions', Buffer.from('0061736d01000000', 'hex')],
  ] as const) {
    it(`says so if the module ${what}`, async () => {
      const worker = await startNodeWorker(wasm);
      const answer = await worker.convert(1, readFixture('mono8'));
      assert.equal(answer.kind, 'failed');
      assert.ok(answer.kind === 'failed' && answer.reason.length > 0);
      await worker.end();
    });
  }

  it('says so once it had no memory to decode anything for ten seconds', async () => {
    const worker = await startNodeWorker(limitMemory(whole, 121));
    const second = readFixture('surround48');
    for (let seconds = 1; seconds <= 9; seconds++) assert.equal((await worker.convert(1, second)).kind, 'converted');
    await worker.convert(1, second);
    const answer = await worker.convert(1, second);
    assert.deepEqual(answer, { kind: 'failed', reason: 'Nothing could be decoded for 10 seconds' });
    await worker.end();
  }).timeout(60_000);
});
