import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hideFragmentsOf, hideSoundTracks } from '../../../src/webview/player/soundInBoxes.ts';
import { hideSoundStreams } from '../../../src/webview/player/soundInTransportStream.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';
import { forAll } from '../../support/runner/fuzzRuns.ts';
import { fragmentClip } from '../../support/service/fragmentedMedia.ts';
import { readSegment } from '../../support/service/mediaServer.ts';

const ALL_IDS: ReadonlySet<number> = new Set([1, 2]);
const LARGE_BYTES = 1024 * 1024;
/** For what takes some 100 ms on an idle machine. */
const SOON_MS = 5000;

/** Bytes of a file that are other than they were, and where it ends. */
const damages = fc.record({
  changes: fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 8, 0x7f, 0x80, 0xff), fc.nat(255))), {
    maxLength: 30,
  }),
  length: fc.option(fc.nat()),
});

type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never;

function damaged(file: Uint8Array, { changes, length }: Damage): Uint8Array<ArrayBuffer> {
  const copy = file.slice(0, length === null ? file.length : length % (file.length + 1));
  if (copy.length > 0) for (const [at, byte] of changes) copy[at % copy.length] = byte;
  return copy;
}

function hideAll(file: Uint8Array): void {
  const { trackIds } = hideSoundTracks(file, () => false);
  hideFragmentsOf(file, new Set([...trackIds, ...ALL_IDS]));
  hideSoundStreams(file, () => false);
}

/** A file of boxes that have a header and nothing more. */
function emptyBoxes(type: string, bytes: number): Buffer {
  const box = Buffer.from(`\0\0\0\x08${type}`, 'latin1');
  return Buffer.alloc(bytes, box);
}

function boxWith(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
  head.writeUInt32BE(content.length + 8);
  return Buffer.concat([head, content]);
}

describe('Hiding sound in damaged segments', () => {
  it('changes a few bytes at most, and never their number', async () => {
    const { init, segments } = await fragmentClip(['video', 'audio']);
    // The boxes before the samples are what is read.
    const files = [init, ...segments.slice(0, 1).map((segment) => segment.slice(0, 2000)), await readSegment(0)];
    forAll(fc.constantFrom(...files), damages, (file, damage) => {
      const before = damaged(file, damage);
      const after = before.slice();
      hideAll(after);
      assert.equal(after.length, before.length);
      const changed = after.reduce((count, byte, at) => count + (byte === before[at] ? 0 : 1), 0);
      assert.ok(changed <= before.length / 8 + 4, `${changed} of ${before.length}`);
    });
  });

  it('reads any bytes without an exception', () => {
    forAll(fc.uint8Array({ maxLength: 4000 }), (bytes) => {
      hideAll(bytes);
    });
  });

  it('takes time in proportion to the size, however the boxes are nested', () => {
    const path = ['stsd', 'stbl', 'minf', 'mdia', 'trak', 'moov'];
    const hostile = [
      emptyBoxes('moov', LARGE_BYTES),
      emptyBoxes('moof', LARGE_BYTES),
      boxWith('moov', emptyBoxes('trak', LARGE_BYTES)),
      boxWith('moov', emptyBoxes('mvex', LARGE_BYTES)),
      boxWith('moof', emptyBoxes('traf', LARGE_BYTES)),
      path.reduce((content, type) => boxWith(type, content), emptyBoxes('mp4a', LARGE_BYTES)),
      path.reduce((content, type) => boxWith(type, content), boxWith('mp4a', emptyBoxes('sinf', LARGE_BYTES))),
    ];
    for (const file of hostile) {
      assertCpuTime(SOON_MS, () => void hideAll(file));
    }
  });
});
