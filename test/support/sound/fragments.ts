/** Splits fragmented MP4 into its initialization segment and, for each movie fragment, that with its data. */
export function splitFragments(bytes: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at + 8 <= bytes.length; at += view.getUint32(at)) {
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
    if (type === 'mfra') {
      parts.push(bytes.subarray(from, at));
      return parts;
    }
    if (type !== 'moof') continue;
    parts.push(bytes.subarray(from, at));
    from = at;
  }
  parts.push(bytes.subarray(from));
  return parts;
}
