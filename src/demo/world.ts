import type { Clock } from '../services.ts';
import { makePlaybackId, makeStreamKey, makeUuid, type Random } from './random.ts';

/** A stream as it is sent: times in epoch ms, durations in seconds, rates in bytes a second. (A type, so that it is a Row.) */
export type DemoStream = {
  id: string;
  name: string;
  createdAt: number;
  /** Historic child streams have none. */
  streamKey?: string;
  playbackId?: string;
  isActive: boolean;
  /** 0: never seen. */
  lastSeen: number;
  record: boolean;
  suspended: boolean;
  sourceSegments: number;
  transcodedSegments: number;
  sourceSegmentsDuration: number;
  transcodedSegmentsDuration: number;
  sourceBytes: number;
  ingestRate: number;
  outgoingRate: number;
  isHealthy: boolean | null;
  issues?: string[];
  /** Historic child streams only. */
  parentId?: string;
  profiles: unknown[];
  projectId?: string;
  createdByTokenName?: string;
  multistream?: unknown;
  playbackPolicy?: unknown;
  pull?: unknown;
  userTags?: Record<string, unknown>;
};

export type RecordingStatus = 'waiting' | 'ready' | 'failed' | 'deleted' | 'none';

/** A session as it is sent. */
export type DemoSession = {
  id: string;
  parentId: string;
  /** The media server's name for it, which means nothing to people. */
  name: string;
  createdAt: number;
  lastSeen: number;
  playbackId: string;
  record: boolean;
  sourceSegments: number;
  transcodedSegments: number;
  sourceSegmentsDuration: number;
  transcodedSegmentsDuration: number;
  sourceBytes: number;
  ingestRate: number;
  outgoingRate: number;
  recordingStatus?: RecordingStatus | (string & {});
  recordingUrl?: string;
  mp4Url?: string;
  projectId?: string;
  profiles: unknown[];
};

/** What is known of a broadcast under way beyond what is sent of it. */
export interface Broadcast {
  readonly sessionId: string;
  readonly startedAt: number;
  /** The stream's counts before it. */
  readonly before: Pick<DemoStream, 'sourceSegments' | 'sourceSegmentsDuration' | 'sourceBytes'>;
  /** Nothing arrives any more although it is still called active. */
  isStalled: boolean;
  /** A suspended broadcast ends a little later. */
  endsAt?: number;
}

/** A stream as readers of the replica still see it; `undefined` for one that they don't see yet. */
export interface SeenBefore {
  readonly until: number;
  readonly stream: DemoStream | undefined;
}

/** All that the service knows. Functions over it live beside this file. */
export interface World {
  readonly clock: Clock;
  /** Of what happens from now on. */
  random: Random;
  /** 'http://127.0.0.1:PORT' */
  readonly origin: string;
  readonly projectId: string;
  readonly streams: Map<string, DemoStream>;
  readonly sessions: Map<string, DemoSession>;
  /** By stream, newest first. Stays when the stream is deleted. */
  readonly sessionsOf: Map<string, DemoSession[]>;
  readonly broadcasts: Map<string, Broadcast>;
  /** When recordings that are being made get ready, by session. */
  readonly recordingsDue: Map<string, number>;
  /** When streams were last terminated. */
  readonly terminatedAt: Map<string, number>;
  /** What a recording's query string must be, by session. */
  readonly signatures: Map<string, string>;
  /** Streams that were deleted: their sessions go on naming them. */
  readonly deletedStreams: Map<string, DemoStream>;
  /** Sessions that have lost what belongs to them: their streams' sessions cannot be listed by the stated request. */
  readonly brokenSessions: Set<string>;
  /** How long the replica that is read from lags behind changes, in milliseconds. */
  replicaLagMs: number;
  /** What readers see of streams that were just changed. */
  readonly seenBefore: Map<string, SeenBefore>;
  /** Lists answered so far: rows that an order does not tell apart come in another order with each. */
  listsAnswered: number;
}

export function createWorld(clock: Clock, random: Random, origin: string): World {
  return {
    clock,
    random,
    origin,
    projectId: makeUuid(random),
    streams: new Map(),
    sessions: new Map(),
    sessionsOf: new Map(),
    broadcasts: new Map(),
    recordingsDue: new Map(),
    terminatedAt: new Map(),
    signatures: new Map(),
    deletedStreams: new Map(),
    brokenSessions: new Set(),
    replicaLagMs: 0,
    seenBefore: new Map(),
    listsAnswered: 0,
  };
}

/** Adds a stream that was made just now and never seen, but for what the fields say. */
export function addStream(world: World, fields: Partial<DemoStream> = {}): DemoStream {
  const stream: DemoStream = {
    id: makeUuid(world.random),
    name: '',
    createdAt: world.clock.now(),
    streamKey: makeStreamKey(world.random),
    playbackId: makePlaybackId(world.random),
    isActive: false,
    lastSeen: 0,
    record: false,
    suspended: false,
    sourceSegments: 0,
    transcodedSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegmentsDuration: 0,
    sourceBytes: 0,
    ingestRate: 0,
    outgoingRate: 0,
    isHealthy: null,
    profiles: [],
    ...fields,
  };
  world.streams.set(stream.id, stream);
  return stream;
}

/** Adds a session of a stream, newest first by createdAt; `record` is the stream's unless given. */
export function addSession(world: World, streamId: string, fields: Partial<DemoSession> = {}): DemoSession {
  const stream = world.streams.get(streamId);
  const { id = makeUuid(world.random), playbackId = makePlaybackId(world.random) } = fields;
  const session: DemoSession = {
    id,
    parentId: streamId,
    name: `video+${stream?.playbackId ?? playbackId}`,
    createdAt: world.clock.now(),
    lastSeen: 0,
    playbackId,
    record: stream?.record ?? false,
    sourceSegments: 0,
    transcodedSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegmentsDuration: 0,
    sourceBytes: 0,
    ingestRate: 0,
    outgoingRate: 0,
    ...(stream?.projectId === undefined ? {} : { projectId: stream.projectId }),
    profiles: stream?.profiles ?? [],
    ...fields,
  };
  const siblings = world.sessionsOf.get(streamId) ?? [];
  const older = siblings.findIndex((other) => other.createdAt <= session.createdAt);
  siblings.splice(older === -1 ? siblings.length : older, 0, session);
  world.sessionsOf.set(streamId, siblings);
  world.sessions.set(session.id, session);
  return session;
}

/** Where the recording of a session is, with its signature where it has one. */
export function recordingAddress(world: World, sessionId: string, file: 'index.m3u8' | 'source.mp4'): string {
  const signature = world.signatures.get(sessionId);
  const query = signature === undefined ? '' : `?${signature}`;
  return `${world.origin}/recordings/${encodeURIComponent(sessionId)}/${file}${query}`;
}
