import { type PlaylistVariables, substitutedLines, type VariableSource } from '../playback/playlistVariables.ts';

/** The parts of playlists, named as in RFC 8216. Durations are seconds; URIs are as written. */
export interface Variant {
  readonly uri: string;
  /** Bits per second; undefined if missing or not a number. */
  readonly bandwidth: number | undefined;
  readonly codecs: string | undefined;
  readonly resolution: string | undefined;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface PlaylistSegment {
  readonly uri: string;
  readonly duration: number;
  readonly sequence: number;
  readonly isAfterDiscontinuity: boolean;
  readonly isGap: boolean;
  /** Unix time in milliseconds, only for segments that have the tag themselves. */
  readonly programDateTime: number | undefined;
  readonly byteRange: ByteRange | undefined;
}

export interface MasterPlaylist {
  readonly kind: 'master';
  readonly variants: readonly Variant[];
  /** Audio in separate playlists. */
  readonly audio: readonly { readonly name: string; readonly uri: string }[];
  readonly variables: PlaylistVariables;
}

export interface MediaPlaylist {
  readonly kind: 'media';
  readonly targetDuration: number | undefined;
  readonly discontinuitySequence: number | undefined;
  readonly segments: readonly PlaylistSegment[];
  readonly isEnded: boolean;
  /** The method of encrypted segments: AES-128, SAMPLE-AES, … */
  readonly encryption: string | undefined;
  /** The newest initialization segment. */
  readonly map: { readonly uri: string; readonly byteRange: ByteRange | undefined } | undefined;
  /** Set in low-latency playlists. */
  readonly partTarget: number | undefined;
}

export interface PlaylistFault {
  readonly kind: 'fault';
  readonly fault: 'empty' | 'html' | 'noHeader' | 'noEntries' | 'tooMany';
}

const MOST_ENTRIES = 250_000;

// For longer tags, a regular expression may overflow the stack. Seen once, with 10 MB in a process with many tests.
const LONGEST_TAG = 2_000_000;

const NO_VARIABLES: VariableSource = { url: '', imported: new Map() };

/** Parses a playlist without repairing it. Ignores unknown tags and those of several megabytes. Doesn't throw. */
export function parsePlaylist(text: string, source = NO_VARIABLES): MasterPlaylist | MediaPlaylist | PlaylistFault {
  const lines = linesOf(text);
  const first = lines.next();
  if (first.done === true) return { kind: 'fault', fault: 'empty' };
  if (first.value.startsWith('<')) return { kind: 'fault', fault: 'html' };
  if (!/^#EXTM3U\s*$/.test(first.value)) return { kind: 'fault', fault: 'noHeader' };
  const reader = new Reader();
  for (const line of substitutedLines(lines, reader.variables, source)) {
    if (reader.isFull) return { kind: 'fault', fault: 'tooMany' };
    if (line.startsWith('#')) reader.tag(line);
    else reader.uri(line);
  }
  return reader.result();
}

/** Yields trimmed lines that aren't empty. An array with all lines of a large playlist would take a lot of memory. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? undefined : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line !== '') yield line;
  }
}

class Reader {
  readonly variables = new Map<string, string>();
  readonly #variants: Variant[] = [];
  readonly #audio: { name: string; uri: string }[] = [];
  readonly #segments: PlaylistSegment[] = [];
  #variant: Omit<Variant, 'uri'> | undefined;
  #duration: number | undefined;
  #pending: { gap?: true; discontinuity?: true; time?: number | undefined; range?: ByteRange | undefined } = {};
  /** Where the previous range ended. A range without an offset continues there. */
  #rangeEnd = 0;
  #firstSequence = 0;
  #discontinuitySequence: number | undefined;
  #targetDuration: number | undefined;
  #partTarget: number | undefined;
  #encryption: string | undefined;
  #map: MediaPlaylist['map'];
  #isEnded = false;

  get isFull(): boolean {
    return this.#segments.length + this.#variants.length + this.#audio.length >= MOST_ENTRIES;
  }

  tag(line: string): void {
    if (line.length > LONGEST_TAG) return;
    const [, name = '', value = ''] = /^#(EXT[A-Z0-9-]*):?(.*)$/.exec(line) ?? [];
    if (Object.hasOwn(this.#tags, name)) this.#tags[name]?.(value);
  }

  readonly #tags: Readonly<Record<string, (value: string) => void>> = {
    'EXT-X-STREAM-INF': (value) => {
      const attributes = attributesOf(value);
      const bandwidth = numberOf(attributes.get('BANDWIDTH'));
      this.#variant = { bandwidth, codecs: attributes.get('CODECS'), resolution: attributes.get('RESOLUTION') };
    },
    'EXT-X-MEDIA': (value) => {
      const attributes = attributesOf(value);
      const uri = attributes.get('URI');
      if (attributes.get('TYPE') !== 'AUDIO' || uri === undefined) return;
      this.#audio.push({ name: attributes.get('NAME') ?? '', uri });
    },
    'EXT-X-TARGETDURATION': (value) => {
      this.#targetDuration = numberOf(value);
    },
    'EXT-X-MEDIA-SEQUENCE': (value) => {
      this.#firstSequence = numberOf(value) ?? 0;
    },
    'EXT-X-DISCONTINUITY-SEQUENCE': (value) => {
      this.#discontinuitySequence = numberOf(value);
    },
    'EXT-X-ENDLIST': () => {
      this.#isEnded = true;
    },
    'EXT-X-PART-INF': (value) => {
      this.#partTarget = numberOf(attributesOf(value).get('PART-TARGET'));
    },
    'EXT-X-KEY': (value) => {
      const method = attributesOf(value).get('METHOD');
      if (method !== 'NONE') this.#encryption ??= method;
    },
    'EXT-X-MAP': (value) => {
      const attributes = attributesOf(value);
      const uri = attributes.get('URI');
      if (uri !== undefined) this.#map = { uri, byteRange: byteRangeOf(attributes.get('BYTERANGE') ?? '', 0) };
    },
    EXTINF: (value) => {
      this.#duration = numberOf(/^[^,]*/.exec(value)?.[0]) ?? 0;
    },
    'EXT-X-DISCONTINUITY': () => {
      this.#pending.discontinuity = true;
    },
    'EXT-X-GAP': () => {
      this.#pending.gap = true;
    },
    'EXT-X-PROGRAM-DATE-TIME': (value) => {
      this.#pending.time = timeOf(value);
    },
    'EXT-X-BYTERANGE': (value) => {
      this.#pending.range = byteRangeOf(value, this.#rangeEnd);
    },
  };

  uri(uri: string): void {
    if (this.#variant !== undefined) this.#variants.push({ ...this.#variant, uri });
    else if (this.#duration !== undefined) this.#addSegment(uri, this.#duration);
    this.#variant = undefined;
    this.#duration = undefined;
  }

  #addSegment(uri: string, duration: number): void {
    const { gap, discontinuity, time, range } = this.#pending;
    this.#segments.push({
      uri,
      duration,
      sequence: this.#firstSequence + this.#segments.length,
      isAfterDiscontinuity: discontinuity === true,
      isGap: gap === true,
      programDateTime: time,
      byteRange: range,
    });
    this.#rangeEnd = range === undefined ? 0 : range.offset + range.length;
    this.#pending = {};
  }

  result(): MasterPlaylist | MediaPlaylist | PlaylistFault {
    if (this.#variants.length > 0) {
      return { kind: 'master', variants: this.#variants, audio: this.#audio, variables: this.variables };
    }
    if (this.#segments.length === 0 && this.#targetDuration === undefined) return { kind: 'fault', fault: 'noEntries' };
    return {
      kind: 'media',
      targetDuration: this.#targetDuration,
      discontinuitySequence: this.#discontinuitySequence,
      segments: this.#segments,
      isEnded: this.#isEnded,
      encryption: this.#encryption,
      map: this.#map,
      partTarget: this.#partTarget,
    };
  }
}

function attributesOf(value: string): ReadonlyMap<string, string> {
  // Sticky, and with only one way to match spaces, so that the time is linear in the length of the line.
  const found = value.matchAll(/\s*([A-Z0-9-]+)=(?:"([^"]*)"\s*|([^",]*))(?:,|$)/gy);
  return new Map([...found].map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain.trim()]));
}

/** Reads only decimals that aren't negative, as in RFC 8216. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,20}(\.\d*)?$/.test(text.trim()) ? Number(text) : undefined;
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** "LENGTH@OFFSET" */
function byteRangeOf(text: string, previousEnd: number): ByteRange | undefined {
  const [, length, offset] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(text.trim()) ?? [];
  if (length === undefined || Number(length) === 0) return undefined;
  return { length: Number(length), offset: offset === undefined ? previousEnd : Number(offset) };
}
