/** URL templates of a service that has one for each way to send and to play. */
export const STREAMING_TEMPLATES = {
  rtmp: 'rtmp://in.example/live/{streamKey}',
  srt: 'srt://in.example:2935?streamid={streamKey}',
  whip: 'https://in.example/webrtc/{streamKey}',
  hls: 'https://cdn.example/hls/{playbackId}/index.m3u8',
  player: 'https://play.example/?v={playbackId}',
};
