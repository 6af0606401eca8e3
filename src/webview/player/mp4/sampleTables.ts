import { type Box, boxesIn, read32 } from '../../../media/boxes.ts';

/** Boxes that mediabunny opens and that contain tables of samples. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'sinf', 'schi', 'moof', 'traf']);
const MOST_SAMPLES = 10_000_000;

/**
 * Throws if tables in these bytes promise more samples than there can be. mediabunny makes an object for each and walks
 * over all samples of a chunk, so that one damaged count would use up all memory or take hours.
 */
export function checkSampleTables(bytes: Uint8Array, parent?: Box): void {
  const counts = new Map<string, number>();
  for (const box of boxesIn(bytes, parent)) {
    if (CONTAINERS.has(box.type)) checkSampleTables(bytes, box);
    else counts.set(box.type, countSamples(box.type, bytes.subarray(box.from, box.to)));
  }
  const samples = Math.min(MOST_SAMPLES, counts.get('stsz') ?? MOST_SAMPLES, counts.get('stz2') ?? MOST_SAMPLES);
  const isPossible =
    (counts.get('stsc') ?? 0) <= samples &&
    (!counts.has('ctts') || (counts.get('stts') ?? 0) <= samples) &&
    Math.max(counts.get('ctts') ?? 0, counts.get('trun') ?? 0) <= MOST_SAMPLES;
  if (!isPossible) throw new Error('The tables of samples are damaged.');
}

function countSamples(type: string, content: Uint8Array): number {
  const read = (at: number) => (at + 4 <= content.length ? read32(content, at) : 0);
  const rows = (bytes: number) =>
    Array.from({ length: Math.ceil((content.length - 8) / bytes) }, (_, row) => 8 + row * bytes);
  switch (type) {
    case 'stts':
    case 'ctts':
      return rows(8).reduce((sum, at) => sum + read(at), 0);
    case 'stsc':
      return rows(12).reduce((most, at) => Math.max(most, read(at + 4)), 0);
    case 'stsz':
    case 'stz2':
      return read(8);
    case 'trun':
      return read(4);
    default:
      return 0;
  }
}
