import { booleanOf, countOf, listOf, textOf, textsOf, timeOf, tokenOf, toRow, wholeOf } from './decodeValues.ts';
import { isId } from './ids.ts';
import { MAX_ROWS } from './paging.ts';
import type { Session, Stream } from './types.ts';

/** A list of rows as far as they could be read. */
export interface Rows<T> {
  /** Without duplicates: of two rows with one id the first is kept. */
  readonly items: readonly T[];
  /** Rows left out because they could not be read, or are more than a list may have. */
  readonly dropped: number;
}

/** Reads each row by itself, so that a bad one costs nobody else; of more rows than a list may have, the first. */
export function decodeRows<T extends { readonly id: string }>(
  rows: readonly unknown[],
  decode: (row: unknown) => T | undefined,
): Rows<T> {
  const items: T[] = [];
  const ids = new Set<string>();
  let dropped = Math.max(0, rows.length - MAX_ROWS);
  for (const row of rows.slice(0, MAX_ROWS)) {
    const item = decode(row);
    if (item === undefined) dropped += 1;
    // Ids are many: each is looked up once.
    else if (ids.size < ids.add(item.id).size) items.push(item);
  }
  return { items, dropped };
}

/** A row as it was sent, with its secrets. */
export interface RawRow {
  readonly id: string | undefined;
  readonly row: unknown;
}

/** The rows as they are, for JSON documents. */
export function keepRows(rows: readonly unknown[]): Rows<RawRow> {
  const items = rows.slice(0, MAX_ROWS).map((row) => ({ id: tokenOf(toRow(row)?.id), row }));
  return { items, dropped: rows.length - items.length };
}

/**
 * One stream; `undefined` for what is no object or has no usable id. Lists are long, and one literal
 * is made in two thirds of the time, and held in a tenth less memory, than what fields shared with sessions are spread into.
 */
export function decodeStream(value: unknown): Stream | undefined {
  const row = toRow(value);
  const id = row && tokenOf(row.id);
  if (row === undefined || !isId(id)) return undefined;
  return {
    id,
    name: textOf(row.name) ?? '',
    streamKey: tokenOf(row.streamKey),
    isActive: booleanOf(row.isActive) ?? false,
    suspended: booleanOf(row.suspended),
    isHealthy: booleanOf(row.isHealthy),
    issues: textsOf(row.issues),
    ingestRate: countOf(row.ingestRate),
    outgoingRate: countOf(row.outgoingRate),
    createdByTokenName: textOf(row.createdByTokenName),
    parentId: idOf(row.parentId),
    createdAt: timeOf(row.createdAt),
    lastSeen: timeOf(row.lastSeen),
    record: booleanOf(row.record) ?? false,
    playbackId: tokenOf(row.playbackId),
    projectId: tokenOf(row.projectId),
    sourceSegments: countOf(row.sourceSegments),
    transcodedSegments: countOf(row.transcodedSegments),
    sourceSegmentsDuration: countOf(row.sourceSegmentsDuration),
    transcodedSegmentsDuration: countOf(row.transcodedSegmentsDuration),
    profiles: listOf(row.profiles),
  };
}

/** One session; `undefined` for what is no object or has no usable id. */
export function decodeSession(value: unknown): Session | undefined {
  const row = toRow(value);
  const id = row && tokenOf(row.id);
  if (row === undefined || !isId(id)) return undefined;
  const parent = toRow(row.parentStream);
  return {
    id,
    // Nothing else of the parent: it comes with its stream key.
    parentName: parent && textOf(parent.name),
    recordingStatus: textOf(row.recordingStatus) || undefined,
    recordingUrl: wholeOf(row.recordingUrl),
    // Stated as mp4URL, seen as mp4Url.
    mp4Url: wholeOf(row.mp4Url) ?? wholeOf(row.mp4URL),
    parentId: idOf(row.parentId),
    createdAt: timeOf(row.createdAt),
    lastSeen: timeOf(row.lastSeen),
    record: booleanOf(row.record) ?? false,
    playbackId: tokenOf(row.playbackId),
    projectId: tokenOf(row.projectId),
    sourceSegments: countOf(row.sourceSegments),
    transcodedSegments: countOf(row.transcodedSegments),
    sourceSegmentsDuration: countOf(row.sourceSegmentsDuration),
    transcodedSegmentsDuration: countOf(row.transcodedSegmentsDuration),
    profiles: listOf(row.profiles),
  };
}

function idOf(value: unknown): string | undefined {
  return isId(value) ? value : undefined;
}
