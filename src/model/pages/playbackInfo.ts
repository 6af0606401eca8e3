/**
 * The response of GET /playback/{playbackId} has sources under meta.source[] (src/api/README.md, Addresses). Addresses
 * are as sent: check them before opening.
 */

function sourceAddress(info: unknown, type: RegExp): string | undefined {
  const sources = read(read(info, 'meta'), 'source');
  if (!Array.isArray(sources)) return undefined;
  const found = sources.find((source) => type.test(textOf(read(source, 'type'))));
  const url = textOf(read(found, 'url'));
  return url === '' ? undefined : url;
}

export function hlsAddress(info: unknown): string | undefined {
  return sourceAddress(info, /\b(application\/(vnd\.apple\.mpegurl|x-mpegurl)|audio\/mpegurl)\b/i);
}

/** Returns the first image (src/api/README.md, Addresses: meta.source[]). */
export function imageAddress(info: unknown): string | undefined {
  return sourceAddress(info, /^image\/(jpeg|png|webp|gif)\b/i);
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
