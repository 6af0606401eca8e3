import { isAac, readMimeType } from './mimeTypes.ts';
import { SoundBuffer, type SoundBufferOptions } from './soundBuffer.ts';

type Options = Pick<SoundBufferOptions, 'worker' | 'media' | 'onBytesPerSecond'>;

/** Makes a MediaSource give SoundBuffers for sound, and for sound with a picture if the sound is AAC. */
export function replaceSoundBuffers(mediaSource: MediaSource, options: Options): { dispose(): void } {
  const shown = new Map<unknown, SoundBuffer>();
  const add = mediaSource.addSourceBuffer.bind(mediaSource);
  const remove = mediaSource.removeSourceBuffer.bind(mediaSource);
  const own = {
    addSourceBuffer(type: string): SourceBuffer | SoundBuffer {
      const kind = readMimeType(type);
      if (kind.sound.length === 0 || (kind.picture.length > 0 && !isAac(kind))) return add(type);
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
