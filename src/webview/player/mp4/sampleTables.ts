/** Boxes that mediabunny opens, and that tables of samples are in. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'sinf', 'schi', 'moof', 'traf']);
const MOST_SAMPLES = 10_000_000;

/**
 * Throws if tables in these bytes promise more samples than there can be. mediabunny makes an object for each, and walks
 * over all samples of a chunk, so that one damaged count would take all memory or hours.
 */
export function checkSampleTables(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const counts = new Map<string, number>();
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const isLong = view.getUint32(at) === 1 && at + 16 <= bytes.length;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : view.getUint32(at);
    const content = bytes.subarray(at + (isLong ? 16 : 8), at + size);
    if (CONTAINERS.has(type)) checkSampleTables(content);
    else counts.set(type, countSamples(type, content));
    if (size < 8) break;
    at += size;
  }
  const samples = Math.min(MOST_SAMPLES, counts.get('stsz') ?? MOST_SAMPLES, counts.get('stz2') ?? MOST_SAMPLES);
  const isPossible =
    (counts.get('stsc') ?? 0) <= samples &&
    (!counts.has('ctts') || (counts.get('stts') ?? 0) <= samples) &&
    Math.max(counts.get('ctts') ?? 0, counts.get('trun') ?? 0) <= MOST_SAMPLES;
  if (!isPossible) throw new Error('The tables of samples are damaged.');
}

function countSamples(type: string, content: Uint8Array): number {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const read = (at: number) => (at + 4 <= content.length ? view.getUint32(at) : 0);
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
