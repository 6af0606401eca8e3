import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Segment } from '../../../../src/demo/ingest/segmenter.ts';
import { readAudio, readVideo } from '../../../../src/media/flvPayload.ts';
import type { Run } from '../../../../src/media/mp4.ts';
import { isProtocolError } from '../../../../src/media/protocolError.ts';
import { forAll, forAllAsync } from '../../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../../support/runner/largeBuffers.ts';
import { audioMessage, type Clip, readClip, videoMessage } from '../../../support/service/clipMessages.ts';
import { cut, play } from './segments.ts';

let clip: Clip;
before(async () => {
  clip = await readClip();
});

const runOf = (kind: 'video' | 'audio') => (segment: Segment) =>
  segment.runs.find(({ format }) => format.kind === kind);

describe('Whatever is sent', () => {
  forbidLargeBuffers();
  const aStep = fc.oneof(fc.nat(60), fc.integer({ min: -4000, max: 4000 }), fc.nat(2 ** 32 - 1));
  const aFrame = fc.record({
    isAudio: fc.boolean(),
    isKey: fc.boolean(),
    step: aStep,
    size: fc.integer({ min: 1, max: 9 }),
  });

  it('becomes segments whose times only go forward, and which another reader can read', async () => {
    await forAllAsync(fc.array(aFrame, { maxLength: 80 }), async (frames) => {
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
    });
  });

  it('is read, or is a fault of the protocol', () => {
    const payloads = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.nat(1).chain((which) => mutationsOf(which)),
    );
    forAll(payloads, (bytes) => {
      for (const read of [readVideo, readAudio]) {
        try {
          read(Buffer.from(bytes));
        } catch (error) {
          assert.ok(isProtocolError(error), String(error));
        }
      }
    });
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
    const entries = Buffer.from(run.entries);
    for (let at = 0; at < entries.length; at += 16) assert.ok(entries.readUInt32BE(at) < 10 * 96_000);
  }
}
