/** AAC-LC, 48 kHz, stereo, in ADTS. */
const SILENT_FRAME = [0xff, 0xf1, 0x4c, 0x80, 0x01, 0xbf, 0xfc, 0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c];
const FRAMES = 4;

/**
 * Resolves with whether this browser can decode AAC. Desktop VS Code can't, although Media Source claims that it can:
 * the claim was fixed when Chromium was compiled, and VS Code's ffmpeg has fewer decoders.
 */
export async function canDecodeAac(): Promise<boolean> {
  const silence = new Uint8Array(Array.from({ length: FRAMES }, () => SILENT_FRAME).flat());
  try {
    await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(silence.buffer);
    return true;
  } catch (error) {
    // Any other error is caused by the context, not by the decoder.
    return !(error instanceof DOMException && error.name === 'EncodingError');
  }
}
