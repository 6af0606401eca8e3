/** The first boxes of MP4 (ISO/IEC 14496-12) and QuickTime files. */
const FIRST_BOX = /^(ftyp|moov|mdat|free|skip|wide|pnot|uuid|styp|sidx|moof|pdin)$/;

/** @param head at least the first 8 bytes of a file, if it has that many */
export function beginsLikeMp4(head: Uint8Array): boolean {
  return FIRST_BOX.test(new TextDecoder('latin1').decode(head.subarray(4, 8)));
}
