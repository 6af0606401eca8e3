import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hideSound, readFragments, readInit } from '../../../../src/webview/player/sound/soundFragments.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { FUZZ_RUNS, forAll } from '../../../support/runner/fuzzRuns.ts';
import { readFixture } from '../../../support/sound/fixtures.ts';
import { readFlac } from '../../../support/sound/flacReader.ts';
import { splitFragments } from '../../../support/sound/fragments.ts';
import { type NodeWorker, startNodeWorker } from '../../../support/sound/nodeWorker.ts';

/** Each decodes seconds of sound. */
const DECODER_RUNS = Math.ceil(FUZZ_RUNS / 4);

/** What may happen to bytes between the encoder and here. */
const damage = fc.record({
  flips: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.nat(255) }), { maxLength: 12 }),
  /** What hostile boxes are made of: sizes and counts at their limits. */
  words: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      value: fc.constantFrom(0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff),
    }),
    { maxLength: 4 },
  ),
  end: fc.oneof(
    { arbitrary: fc.constant(1), weight: 3 },
    { arbitrary: fc.double({ min: 0, max: 1, noNaN: true }), weight: 1 },
  ),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** Damages a share of the bytes that starts at `from`. */
function apply(bytes: Uint8Array, { flips, words, end }: Damage, from = 0): Uint8Array {
  const copy = new Uint8Array(bytes);
  const view = new DataView(copy.buffer);
  const place = (at: number, size: number) =>
    Math.min(copy.length - size, from + Math.floor(at * (copy.length - from)));
  for (const { at, value } of flips) copy[place(at, 1)] = value;
  for (const { at, value } of words) view.setUint32(place(at, 4), value);
  return copy.subarray(0, from + Math.ceil(end * (copy.length - from)));
}

describe('Damaged boxes', () => {
  const muxed = readFixture('muxed48');
  const info = readInit(muxed)?.sound;

  it('are read as far as they can be, within what was given', () => {
    forAll(damage, fc.boolean(), (damaged, isHead) => {
      // Nearly all boxes are within the first kilobytes; the rest is data.
      const given = apply(isHead ? muxed.subarray(0, 3000) : muxed, damaged);
      const found = readInit(given)?.sound ?? info;
      assert.ok(found !== undefined);
      const samples = readFragments(given, found).flatMap((fragment) => fragment.samples);
      assert.ok(samples.length <= 6000, `${samples.length} samples`);
      for (const { data, duration } of samples) assert.ok(data.length <= given.length && duration >= 0);
      assert.equal(hideSound(given, found.trackId).length, given.length);
    });
  });

  it('are read in the same way if they are not even boxes', () => {
    forAll(fc.uint8Array({ maxLength: 300 }), (given) => {
      assert.ok(info !== undefined);
      readInit(given);
      assert.deepEqual([...hideSound(given, 1)].length, given.length);
      assert.ok(readFragments(given, info).length <= given.length / 8);
    });
  });
});

describe('Damaged sound', function () {
  this.timeout(Math.max(60_000, DECODER_RUNS * 100));
  let worker: NodeWorker;
  let track = 0;
  before(async () => {
    worker = await startNodeWorker();
  });
  after(() => worker.end());

  const streams = (['mono8', 'hundred16', 'mono44'] as const).map((name) => {
    const [init = new Uint8Array(), ...segments] = splitFragments(readFixture(name));
    const [first = init, second = init] = segments;
    return { init, first: new Uint8Array(first), second: new Uint8Array(second) };
  });
  /** By number, as a report would show all its bytes. */
  const stream = fc.nat(streams.length - 1);
  const streamOf = (at: number) => streams[at] ?? assert.fail();

  it('becomes silence of its length', async () => {
    await fc.assert(
      fc.asyncProperty(stream, damage, async (number, damaged) => {
        const { init, second } = streamOf(number);
        track += 1;
        const data = Buffer.from(second).indexOf('mdat') + 4;
        const damagedSecond = apply(second, { ...damaged, end: 1 }, data);
        const answer = await worker.convert(track, Buffer.concat([init, damagedSecond]));
        worker.forget(track);
        assert.ok(answer.kind === 'converted', JSON.stringify(answer));
        const info = readInit(init)?.sound ?? assert.fail();
        const samples = readFragments(second, info).flatMap((fragment) => fragment.samples);
        assert.deepEqual(fieldsOf(readFlac(answer.bytes).frames, 'duration'), fieldsOf(samples, 'duration'));
      }),
      { numRuns: DECODER_RUNS },
    );
  });

  it('neither ends nor blocks the worker, wherever the damage is', async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.option(damage, { freq: 1 }), damage, async (number, damagedInit, damaged) => {
        const { init, first, second } = streamOf(number);
        track += 1;
        const answers = [
          await worker.convert(track, damagedInit === null ? init : apply(init, damagedInit)),
          await worker.convert(track, apply(first, damaged)),
          await worker.convert(track, second),
        ];
        worker.forget(track);
        for (const answer of answers) {
          if (answer.kind === 'failed') assert.match(answer.reason, /^(No decoder for the sound|There is no sound)/);
          // A segment of FLAC takes 4 kB a frame and channel at the most.
          else assert.ok(answer.bytes.length <= 6000 * 8 * 4200, `${answer.bytes.length} bytes`);
        }
      }),
      { numRuns: DECODER_RUNS },
    );
    const good = streamOf(0);
    track += 1;
    await worker.convert(track, good.init);
    const answer = await worker.convert(track, good.first);
    assert.ok(answer.kind === 'converted' && readFlac(answer.bytes).frames.length > 0);
  });
});
