import { isAacCodec } from '../leftOutSound.ts';

/** The contents of one source buffer. */
export interface BufferKind {
  readonly container: string;
  readonly picture: readonly string[];
  /** Codecs of sound. */
  readonly sound: readonly string[];
}

const SOUND = /^(mp4a|ac-3|ec-3|ac-4|mp3|opus|flac|alac|vorbis)\b/i;

/** Reads a MIME type as hls.js writes it: with codecs that may lack their quotes. */
export function readMimeType(type: string): BufferKind {
  const [container = '', ...parameters] = type.split(';');
  const list = /codecs\s*=\s*"?([^"]*)/i.exec(parameters.join(';'))?.[1] ?? '';
  const codecs = list.split(',').flatMap((codec) => codec.trim() || []);
  return {
    container: container.trim().toLowerCase(),
    picture: codecs.filter((codec) => !SOUND.test(codec)),
    sound: codecs.filter((codec) => SOUND.test(codec)),
  };
}

export function isAac({ container, sound }: BufferKind): boolean {
  return container.endsWith('/mp4') && sound.length > 0 && sound.every(isAacCodec);
}

/** Returns the type without its sound; undefined if there is only sound. */
export function writePictureType({ container, picture }: BufferKind): string | undefined {
  return picture.length === 0 ? undefined : `${container}; codecs="${picture.join(',')}"`;
}
