import type Hls from 'hls.js';
import { Events, type MediaAttachedData } from 'hls.js';
import { isAac, readMimeType } from './mimeTypes.ts';
import { SoundBuffer, type SoundBufferOptions } from './soundBuffer.ts';
import { type SoundParts, SoundWorker } from './soundWorker.ts';

export type { SoundParts } from './soundWorker.ts';

/**
 * The maximum amount of FLAC to load ahead: half of the 12 MB that Chromium gives a page's sound, because the segment
 * being loaded and the sound that was just played need room, too.
 */
const BYTES_AHEAD = 6_000_000;

export interface SoundEvents {
  /**
   * Called at most once: the video keeps playing, and hls.js has to be restarted without sound. The reason is for a log;
   * undefined if the parts could not be read.
   */
  readonly onFailed: (reason: string | undefined) => void;
}

/**
 * Plays the AAC of an hls.js instance in a browser that can't decode it. Must be called before hls.js is attached to
 * its media element and disposed after hls.js is destroyed. `parts` resolves with undefined if they could not be read.
 */
export function attachSound(
  hls: Hls,
  parts: Promise<SoundParts | undefined>,
  events: SoundEvents,
): { dispose(): void } {
  const worker = new SoundWorker(parts, events.onFailed);
  const limitAhead = (bytesPerSecond: number): void => {
    const seconds = Math.floor(BYTES_AHEAD / bytesPerSecond);
    hls.config.maxBufferLength = Math.min(hls.config.maxBufferLength, seconds);
    hls.config.maxMaxBufferLength = Math.min(hls.config.maxMaxBufferLength, seconds);
  };
  let buffers: { dispose(): void } | undefined;
  const attach = (_: Events.MEDIA_ATTACHED, { media, mediaSource }: MediaAttachedData): void => {
    buffers = mediaSource && replaceSoundBuffers(mediaSource, { worker, media, onBytesPerSecond: limitAhead });
  };
  const detach = (): void => {
    buffers?.dispose();
    buffers = undefined;
  };
  hls.on(Events.MEDIA_ATTACHED, attach);
  hls.on(Events.MEDIA_DETACHING, detach);
  return {
    dispose() {
      hls.off(Events.MEDIA_ATTACHED, attach);
      hls.off(Events.MEDIA_DETACHING, detach);
      detach();
      worker.dispose();
    },
  };
}

type Options = Pick<SoundBufferOptions<SourceBuffer>, 'worker' | 'media' | 'onBytesPerSecond'>;

/** Makes a MediaSource return SoundBuffers for sound, which may become AAC later, and for AAC with video. */
function replaceSoundBuffers(mediaSource: MediaSource, options: Options): { dispose(): void } {
  const shown = new Map<unknown, SoundBuffer<SourceBuffer>>();
  const add = mediaSource.addSourceBuffer.bind(mediaSource);
  const remove = mediaSource.removeSourceBuffer.bind(mediaSource);
  const own = {
    addSourceBuffer(type: string): SourceBuffer | SoundBuffer<SourceBuffer> {
      const kind = readMimeType(type);
      const isSoundAlone = kind.picture.length === 0 && kind.container.startsWith('audio/');
      if (!isSoundAlone && !isAac(kind)) return add(type);
      const buffer = new SoundBuffer({ ...options, addSourceBuffer: add }, type);
      shown.set(buffer, buffer);
      return buffer;
    },
    removeSourceBuffer(given: SourceBuffer): void {
      const buffer = shown.get(given);
      if (buffer === undefined) {
        remove(given);
        return;
      }
      shown.delete(given);
      buffer.dispose();
      for (const real of buffer.buffers) remove(real);
    },
  };
  Object.assign(mediaSource, own);
  return {
    dispose() {
      for (const buffer of shown.values()) buffer.dispose();
    },
  };
}
