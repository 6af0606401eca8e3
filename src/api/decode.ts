import { truncate } from '../util/text.ts';
import { isId } from './ids.ts';

/** The maximum number of loaded rows, so that an endless list doesn't exhaust memory: 200 full pages. */
export const MAX_ROWS = 200_000;

/** The first row of each ID. `unreadable` counts the unreadable rows and those beyond MAX_ROWS. */
export interface Rows<T> {
  readonly items: readonly T[];
  readonly unreadable: number;
}

export function decodeRows<T extends { readonly id: string }>(
  rows: readonly unknown[],
  decode: (row: unknown) => T | undefined,
): Rows<T> {
  const items: T[] = [];
  const ids = new Set<string>();
  let unreadable = Math.max(0, rows.length - MAX_ROWS);
  for (const row of rows.slice(0, MAX_ROWS)) {
    const item = decode(row);
    if (item === undefined) unreadable += 1;
    // There can be many IDs, so this does a single lookup for each.
    else if (ids.size < ids.add(item.id).size) items.push(item);
  }
  return { items, unreadable };
}

/** A row as sent by the service, secrets included. */
export interface RawRow {
  readonly id: string | undefined;
  readonly row: unknown;
}

export function keepRows(rows: readonly unknown[]): Rows<RawRow> {
  const items = rows.slice(0, MAX_ROWS).map((row) => ({ id: tokenOf(toRow(row)?.id), row }));
  return { items, unreadable: rows.length - items.length };
}

/**
 * Returns undefined if the ID isn't valid. The return type is the type of a stream, so a field is a single line here.
 * Times are Unix times in milliseconds, durations are in seconds, rates in bytes per second; undefined if absent. One
 * literal takes two thirds of the time of spreading the fields shared with sessions.
 */
export function decodeStream(value: unknown) {
  const row = toRow(value);
  const id = row && tokenOf(row.id);
  if (row === undefined || !isId(id)) return undefined;
  return {
    id,
    name: textOf(row.name) ?? '',
    /** The ingest secret. Never put it in logs, labels, tooltips, IDs, or messages. */
    streamKey: tokenOf(row.streamKey),
    isActive: booleanOf(row.isActive) ?? false,
    suspended: booleanOf(row.suspended),
    isHealthy: booleanOf(row.isHealthy),
    issues: textsOf(row.issues),
    ingestRate: countOf(row.ingestRate),
    outgoingRate: countOf(row.outgoingRate),
    createdByTokenName: textOf(row.createdByTokenName),
    playbackPolicy: decodePlaybackPolicy(row),
    /** The targets that its broadcasts are also sent to; undefined if the service doesn't say. */
    targets: decodeTargetUses(row.multistream),
    /** The customer's own names and values. */
    tags: toRow(row.userTags),
    /** The creator, as set by the customer. */
    creatorId: textOf(toRow(row.creatorId)?.value ?? row.creatorId),
    parentId: idOf(row.parentId),
    createdAt: timeOf(row.createdAt),
    /** When data last arrived; undefined if never. */
    lastSeen: timeOf(row.lastSeen),
    /** Whether the next broadcast is recorded. A recording is in progress if `isActive` and `record` are true. */
    record: booleanOf(row.record) ?? false,
    playbackId: tokenOf(row.playbackId),
    projectId: tokenOf(row.projectId),
    sourceSegments: countOf(row.sourceSegments),
    transcodedSegments: countOf(row.transcodedSegments),
    sourceBytes: countOf(row.sourceBytes),
    sourceSegmentsDuration: countOf(row.sourceSegmentsDuration),
    transcodedSegmentsDuration: countOf(row.transcodedSegmentsDuration),
    /** Empty if nothing is transcoded; undefined if the service doesn't say. */
    profiles: listOf(row.profiles),
    /** The renditions of its recordings, if they differ. */
    recordingProfiles: listOf(toRow(row.recordingSpec)?.profiles),
  };
}

/** Like `decodeStream`, for a session. */
export function decodeSession(value: unknown) {
  const row = toRow(value);
  const id = row && tokenOf(row.id);
  if (row === undefined || !isId(id)) return undefined;
  const parent = toRow(row.parentStream);
  return {
    id,
    // Only the name is kept: the parent comes with its stream key.
    parentName: parent && textOf(parent.name),
    /** waiting, ready, failed, deleted, none, or any other value; undefined if not recorded or not sent. */
    recordingStatus: textOf(row.recordingStatus) || undefined,
    /** An HLS playlist, as sent by the service. Check it with model/addresses before opening. */
    recordingUrl: wholeOf(row.recordingUrl),
    // Documented as mp4URL, seen as mp4Url.
    mp4Url: wholeOf(row.mp4Url) ?? wholeOf(row.mp4URL),
    parentId: idOf(row.parentId),
    createdAt: timeOf(row.createdAt),
    lastSeen: timeOf(row.lastSeen),
    record: booleanOf(row.record) ?? false,
    playbackId: tokenOf(row.playbackId),
    projectId: tokenOf(row.projectId),
    sourceSegments: countOf(row.sourceSegments),
    transcodedSegments: countOf(row.transcodedSegments),
    sourceBytes: countOf(row.sourceBytes),
    sourceSegmentsDuration: countOf(row.sourceSegmentsDuration),
    transcodedSegmentsDuration: countOf(row.transcodedSegmentsDuration),
    profiles: listOf(row.profiles),
  };
}

/** A target of a stream: its ID, and the name of the rendition that is sent to it, or "source". */
export interface TargetUse {
  readonly id: string;
  readonly profile: string;
}

// Returns at most 100. Their URLs, which a service may send too, are dropped.
function decodeTargetUses(multistream: unknown): readonly TargetUse[] | undefined {
  const targets = toRow(multistream)?.targets;
  if (!Array.isArray(targets)) return undefined;
  return targets.length === 0 ? NONE : targets.slice(0, 100).flatMap(decodeTargetUse);
}

export function decodeTargetUse(value: unknown): readonly TargetUse[] {
  const row = toRow(value);
  const id = idOf(row?.id);
  return id === undefined ? [] : [{ id, profile: textOf(row?.profile) ?? '' }];
}

/**
 * Returns the playback policy of a stream, or of the `meta` of a playback info. Drops a policy's context: it's the
 * customer's own data, which may be secret.
 */
export function decodePlaybackPolicy(value: unknown) {
  const row = toRow(toRow(value)?.playbackPolicy);
  const type = row?.type;
  if (row === undefined || typeof type !== 'string' || !/^\w{1,64}$/.test(type)) return undefined;
  return {
    /** Who may play it: public, jwt, webhook, or any other value. */
    type,
    /** The webhook that admits viewers. */
    webhookId: idOf(row.webhookId),
    /** Origins of the pages that may play it; empty: all. */
    allowedOrigins: textsOf(row.allowedOrigins),
  };
}

/** Returns the HLS URL in a playback info that plays the running broadcast from its beginning. */
export function decodeDvrUrl(info: unknown): string | undefined {
  const sources = toRow(toRow(info)?.meta)?.dvrPlayback;
  if (!Array.isArray(sources)) return undefined;
  const rows = sources.slice(0, 50).map(toRow);
  return wholeOf(rows.find((row) => row !== undefined && HLS_TYPE.test(textOf(row.type) ?? ''))?.url);
}

/** The types of sources in a playback info that are HLS. */
export const HLS_TYPE = /\b(application\/(vnd\.apple\.mpegurl|x-mpegurl)|audio\/mpegurl)\b/i;

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function idOf(value: unknown): string | undefined {
  return isId(value) ? value : undefined;
}

/** A JSON object from the service. The decoders here return undefined if a field is missing, null, or unusable. */
export type JsonObject = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 10_000;
const LONGEST_TOKEN = 16_384;
const NONE: readonly never[] = [];
const LAST_TIME = 8.64e15;

/** Returns the value if it's a plain object, as in JSON: all its fields are its own. Arrays aren't. */
export function toRow(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as JsonObject) : undefined;
}

/** Returns text to display. Converts numbers to text; cuts text after 10,000 characters. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? truncate(value, LONGEST_TEXT) : undefined;
}

// Returns an ID or key: printable ASCII without spaces. A line break in one would run as a command when pasted.
function tokenOf(value: unknown): string | undefined {
  const text = wholeOf(value);
  return text !== undefined && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

/** Returns a URL or secret unchanged, or undefined if it's too long: a part of one is useless. */
export function wholeOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TOKEN ? value : undefined;
}

/** Accepts "true" and "false" too: retrieving a stream may render booleans this way (src/api/README.md, Streams). */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

export function countOf(value: unknown): number | undefined {
  const number = parseNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** Returns a Unix time in milliseconds; 0 means never and becomes undefined. */
export function timeOf(value: unknown): number | undefined {
  const number = countOf(value);
  return number !== undefined && number > 0 && number <= LAST_TIME ? number : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NONE;
  const list = Array.isArray(value) ? value : [value];
  return list
    .slice(0, 100)
    .filter((item): item is string => typeof item === 'string' && item !== '')
    .map((item) => truncate(item, LONGEST_TEXT));
}

function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
