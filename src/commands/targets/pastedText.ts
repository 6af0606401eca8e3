import { isId, STREAM_KEY_SHAPE } from '../../api/ids.ts';
import type { Stream } from '../../api/types.ts';

const STREAM_KEY = new RegExp(`^${STREAM_KEY_SHAPE}$`);
const ORIGIN = /^\w[\w+.-]*:\/\/[^/?#]*/;
/** Shorter parts could be a word in a URL. */
const SHORTEST_PART = 4;

/** Whether the input may contain a stream key, so that it isn't sent to a service as a name. */
export function isUrlOrKey(text: string): boolean {
  return isUrl(text) || STREAM_KEY.test(text);
}

/** Whether the input is a stream's key, or a URL with its key, ID, or playback ID. Compares whole parts of the URL. */
export function isNamedIn({ id, playbackId, streamKey }: Stream, text: string): boolean {
  if (!isUrl(text)) return text.length >= SHORTEST_PART && text === streamKey;
  const parts = partsOf(text);
  return [id, playbackId, streamKey].some((each = '') => each.length >= SHORTEST_PART && parts.includes(each));
}

/** Returns the part of a URL that is most likely an ID; undefined if it has a stream key. */
export function idInUrl(text: string): string | undefined {
  const parts = partsOf(text);
  if (!isUrl(text) || parts.some((part) => STREAM_KEY.test(part))) return undefined;
  return parts
    .filter(isId)
    .toReversed()
    .sort((a, b) => b.length - a.length)[0];
}

function isUrl(text: string): boolean {
  return text.includes('/');
}

function partsOf(url: string): readonly string[] {
  return url.replace(ORIGIN, '').split(/[^\w-]+/);
}
