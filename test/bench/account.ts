import { createHash } from 'node:crypto';

export const API_KEY = 'key-of-benchmarks';

/** What of a stream changes while it is measured. */
export interface Fields {
  readonly isActive?: boolean;
  readonly name?: string;
  readonly lastSeen?: number;
}

export interface AccountOptions {
  readonly streams: number;
  /** How many of them are live: those from `liveFrom` on, by age. The newest is 0. */
  readonly live: number;
  readonly liveFrom: number;
  /** False: limit and cursor are ignored, everything is sent at once. */
  readonly isPaged?: boolean;
  /** In the names, so that accounts can be told apart on screen. */
  readonly title: string;
}

interface ListAnswer {
  readonly body: string;
  readonly etag: string;
  readonly nextCursor: string | undefined;
  readonly total: number;
}

interface Entry {
  readonly fields: Readonly<Record<string, unknown>> & { readonly id: string; readonly isActive: boolean };
  readonly json: string;
}

/** An account with so many streams as the public service describes them, answered from memory: the service's time is nobody's figure. */
export class Account {
  readonly #isPaged: boolean;
  /** Newest first. */
  readonly #entries: Entry[];
  readonly #at = new Map<string, number>();
  /** Which streams there are by the filters that were asked for. */
  readonly #views = new Map<string, readonly number[]>();
  readonly #answers = new Map<string, ListAnswer>();

  constructor({ streams, live, liveFrom, isPaged = true, title }: AccountOptions) {
    this.#isPaged = isPaged;
    this.#entries = Array.from({ length: streams }, (_, index) =>
      entryOf(streamFields(title, index, index >= liveFrom && index < liveFrom + live)),
    );
    for (const [index, { fields }] of this.#entries.entries()) this.#at.set(fields.id, index);
  }

  /** The stream of this age; 0 is the newest. */
  id(index: number): string {
    const entry = this.#entries[index];
    if (entry === undefined) throw new Error(`There is no stream ${index}`);
    return entry.fields.id;
  }

  json(id: string): string | undefined {
    return this.#entries[this.#at.get(id) ?? -1]?.json;
  }

  change(index: number, fields: Fields): void {
    const entry = this.#entries[index];
    if (entry === undefined) throw new Error(`There is no stream ${index}`);
    this.#entries[index] = entryOf({ ...entry.fields, ...fields });
    if (fields.isActive !== undefined || fields.name !== undefined) this.#views.clear();
    this.#answers.clear();
  }

  list(query: URLSearchParams): ListAnswer {
    const key = query.toString();
    const answer = this.#answers.get(key) ?? this.#makeAnswer(query);
    this.#answers.set(key, answer);
    return answer;
  }

  #makeAnswer(query: URLSearchParams): ListAnswer {
    const rows = this.#view(query.get('filters') ?? '[]');
    const limit = this.#isPaged ? Number(query.get('limit') ?? 20) : rows.length;
    const from = this.#isPaged ? Number(/^skip(\d+)$/.exec(query.get('cursor') ?? 'skip0')?.[1]) : 0;
    const page = rows.slice(from, from + limit);
    const body = `[${page.map((index) => this.#entries[index]?.json).join(',')}]`;
    const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`;
    const isFull = this.#isPaged && page.length === limit;
    return { body, etag, nextCursor: isFull ? `skip${from + limit}` : undefined, total: rows.length };
  }

  #view(filters: string): readonly number[] {
    const known = this.#views.get(filters);
    if (known !== undefined) return known;
    const wanted: readonly { id: string; value: unknown }[] = JSON.parse(filters);
    const isWanted = ({ fields }: Entry) => wanted.every(({ id, value }) => fields[id] === value);
    const rows = this.#entries.flatMap((entry, index) => (isWanted(entry) ? [index] : []));
    this.#views.set(filters, rows);
    return rows;
  }
}

function entryOf(fields: Entry['fields']): Entry {
  return { fields, json: JSON.stringify(fields) };
}

/** By the service's clock, which stands still, so that each run sends the same bytes. */
export const NOW = Date.UTC(2026, 10, 20, 10, 0);
const PROFILES = [
  { name: '240p0', fps: 0, width: 426, height: 240, bitrate: 250_000 },
  { name: '360p0', fps: 0, width: 640, height: 360, bitrate: 800_000 },
  { name: '480p0', fps: 0, width: 854, height: 480, bitrate: 1_600_000 },
  { name: '720p0', fps: 0, width: 1280, height: 720, bitrate: 3_000_000 },
];

function streamFields(title: string, index: number, isActive: boolean): Entry['fields'] {
  const hex = createHash('sha1').update(`${title} ${index}`).digest('hex');
  const uuid = (from: number) =>
    [8, 4, 4, 4, 12].map((length, part) => hex.slice(from + part, from + part + length)).join('-');
  const token = (from: number) => hex.slice(from, from + 16).replace(/(.{4})(?=.)/g, '$1-');
  const segments = index % 3 === 0 ? 0 : 150 + (index % 997);
  return {
    id: uuid(0),
    name: `${title} ${String(index).padStart(6, '0')}`,
    kind: 'stream',
    userId: '6f2e2a7d-2d3c-4d4e-9a1f-0c9d8e7f6a5b',
    projectId: 'b7d1c2e3-4f50-4a61-8b72-93c4d5e6f708',
    createdByTokenName: 'ci',
    createdAt: NOW - 86_400_000 - index * 61_000,
    lastSeen: isActive ? NOW - 4_000 : segments === 0 ? 0 : NOW - 7_200_000 - index * 47_000,
    isActive,
    isHealthy: isActive ? true : null,
    issues: isActive ? [] : null,
    record: index % 5 === 0,
    suspended: false,
    streamKey: token(0),
    playbackId: hex.slice(8, 24),
    sourceBytes: segments * 1_234_567,
    transcodedBytes: segments * 2_345_678,
    sourceSegments: segments,
    transcodedSegments: segments * 4,
    sourceSegmentsDuration: segments * 2.0020000000000002,
    transcodedSegmentsDuration: segments * 8.008000000000001,
    ingestRate: isActive ? 612_345.67 : 0,
    outgoingRate: isActive ? 1_512_345.25 : 0,
    profiles: PROFILES,
    playbackPolicy: { type: 'public' },
    multistream: { targets: [] },
  };
}
