export function canDecodeAac(): boolean {
  return typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported('audio/mp4; codecs="mp4a.40.2"');
}
