// The code that is loaded when the first test broadcast starts.
export { type BroadcastProgress, broadcast } from './broadcast.ts';
export { ffmpegSource, isFfmpeg } from './ffmpeg.ts';
export { type Ingest, parseIngest } from './ingest.ts';
export { openMp4Source } from './mp4Source.ts';
export type { MediaSource } from './source.ts';
export { requireVideoFile } from './videoFile.ts';
