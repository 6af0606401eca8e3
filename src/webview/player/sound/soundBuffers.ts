import { isAac, readMimeType } from './mimeTypes.ts';
import { SoundBuffer, type SoundBufferOptions } from './soundBuffer.ts';

type Options = Pick<SoundBufferOptions<SourceBuffer>, 'worker' | 'media' | 'onBytesPerSecond'>;

/** Makes a MediaSource give SoundBuffers for sound, which may become AAC later, and for AAC with a picture. */
export function replaceSoundBuffers(mediaSource: MediaSource, options: Options): { dispose(): void } {
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
