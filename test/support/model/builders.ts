import assert from 'node:assert/strict';
import { decodeSession, decodeStream } from '../../../src/api/decode.ts';
import { ApiError, type ApiErrorInit, type ApiErrorReason } from '../../../src/api/errors.ts';
import type { Session, Stream } from '../../../src/api/types.ts';
import {
  type ConnectionInfo,
  type ConnectionState,
  EMPTY_LIST,
  EMPTY_SNAPSHOT,
  EMPTY_SUB_LIST,
  type ListName,
  type ListState,
  type LoadFailure,
  type Snapshot,
  type StreamFact,
  type SubList,
} from '../../../src/model/store/snapshot.ts';

/** The moment of small snapshots: a Friday, 10:54 in UTC. */
export const NOW = Date.UTC(2026, 10, 20, 10, 54);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An idle stream that was never seen; its name is its id. */
export function aStream(given: Partial<Stream> & { readonly id: string }): Stream {
  const stream = decodeStream({ id: 'of-tests', createdAt: NOW - DAY, profiles: [] });
  assert.ok(stream);
  return { ...stream, name: given.id, ...given };
}

/** A stream that data arrives from. */
export function aLiveStream(given: Partial<Stream> & { readonly id: string }): Stream {
  return aStream({ isActive: true, lastSeen: NOW - 5 * SECOND, ...given });
}

/** A session that ended an hour ago and was not recorded. */
export function aSession(given: Partial<Session> & { readonly id: string }): Session {
  const session = decodeSession({ id: 'of-tests', createdAt: NOW - 2 * HOUR, lastSeen: NOW - HOUR, profiles: [] });
  assert.ok(session);
  return { ...session, ...given };
}

/** What an answer of this moment said of a stream. */
export function aFact(stream: Stream, given: Partial<Omit<StreamFact, 'stream'>> = {}): StreamFact {
  return { stream, requestSeq: 1, startedAt: NOW, serverDate: NOW, ...given };
}

/** A list that was loaded, with all its pages. */
function aList(given: Partial<ListState> = {}): ListState {
  return { ...EMPTY_LIST, isLoaded: true, revealed: 500, loadedAt: NOW, ...given };
}

/** Sessions or deprecated child streams that were loaded, all of them. */
export function aSubList<T>(items: readonly T[], given: Partial<SubList<T>> = {}): SubList<T> {
  return { ...EMPTY_SUB_LIST, items, isLoaded: true, revealed: 500, loadedAt: NOW, serverDate: NOW, ...given };
}

export function aConnection(given: Partial<ConnectionInfo> = {}): ConnectionInfo {
  return { id: 'one', name: 'Production', baseUrl: 'https://service.test/api', isDemo: false, ...given };
}

export function openConnection(given: Partial<ConnectionInfo> = {}): ConnectionState {
  return { kind: 'open', info: aConnection(given) };
}

export function aTrouble(
  reason: ApiErrorReason,
  given: ApiErrorInit & Partial<Pick<LoadFailure, 'at' | 'nextTryAt'>> = {},
): LoadFailure {
  const { at = NOW, nextTryAt, ...init } = given;
  return { error: new ApiError(reason, `A trouble of tests (${reason})`, init), at, nextTryAt };
}

/** What a small snapshot is made of; lists hold the streams that belong in them unless they are given. */
export interface SnapshotParts extends Partial<Omit<Snapshot, 'streams' | 'lists' | 'sessions' | 'children'>> {
  readonly streams?: readonly (Stream | StreamFact)[];
  readonly lists?: Partial<Record<ListName, Partial<ListState>>>;
  readonly sessions?: Readonly<Record<string, readonly Session[] | SubList<Session>>>;
  readonly children?: Readonly<Record<string, readonly Stream[] | SubList<Stream>>>;
}

/** An open connection whose three lists are loaded. */
export function aSnapshot(parts: SnapshotParts = {}): Snapshot {
  const { streams = [], lists = {}, sessions = {}, children = {}, ...rest } = parts;
  const facts = streams.map((each) => ('stream' in each ? each : aFact(each)));
  const idsWhere = (is: (stream: Stream) => boolean) =>
    facts
      .map((fact) => fact.stream)
      .filter(is)
      .map((each) => each.id);
  return {
    ...EMPTY_SNAPSHOT,
    generation: 1,
    connection: openConnection(),
    connectionCount: 1,
    streams: new Map(facts.map((fact) => [fact.stream.id, fact])),
    lists: {
      active: aList({ ids: idsWhere((stream) => stream.isActive), ...lists.active }),
      idle: aList({ ids: idsWhere((stream) => !stream.isActive), ...lists.idle }),
      recording: aList({ ids: idsWhere((stream) => stream.record), ...lists.recording }),
    },
    sessions: toSubLists(sessions),
    children: toSubLists(children),
    ...rest,
  };
}

function toSubLists<T>(lists: Readonly<Record<string, readonly T[] | SubList<T>>>): ReadonlyMap<string, SubList<T>> {
  const isSubList = (value: readonly T[] | SubList<T>): value is SubList<T> => 'items' in value;
  return new Map(Object.entries(lists).map(([id, value]) => [id, isSubList(value) ? value : aSubList(value)]));
}
