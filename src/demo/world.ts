import type { Clock } from '../services.ts';
import { makePlaybackId, makeStreamKey, makeUuid, type Random } from './random.ts';

/** Times in epoch ms, durations in seconds, rates in bytes per second. A type, so that it is assignable to Row. */
export type DemoStream = {
  id: string;
  name: string;
  createdAt: number;
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

export type DemoSession = {
  id: string;
  parentId: string;
  /** The media server's name for the session, meaningless to users. */
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

export interface Broadcast {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly before: Pick<DemoStream, 'sourceSegments' | 'sourceSegmentsDuration' | 'sourceBytes'>;
  /** Whether data has stopped arriving although the stream stays active. */
  isStalled: boolean;
  endsAt?: number;
}

/** A stream as readers of the replica still see it; undefined if they don't see it yet. */
export interface SeenBefore {
  readonly until: number;
  readonly stream: DemoStream | undefined;
}

export interface World {
  readonly clock: Clock;
  random: Random;
  readonly origin: string;
  readonly projectId: string;
  readonly streams: Map<string, DemoStream>;
  readonly sessions: Map<string, DemoSession>;
  /** By stream, newest first. Kept when the stream is deleted. */
  readonly sessionsOf: Map<string, DemoSession[]>;
  readonly broadcasts: Map<string, Broadcast>;
  /** When pending recordings become ready, by session. */
  readonly recordingsDue: Map<string, number>;
  readonly terminatedAt: Map<string, number>;
  /** The required query string of a recording, by session. */
  readonly signatures: Map<string, string>;
  /** Kept because their sessions still refer to them. */
  readonly deletedStreams: Map<string, DemoStream>;
  /** Inconsistent sessions: the stated request for the sessions of their stream fails. */
  readonly brokenSessions: Set<string>;
  replicaLagMs: number;
  readonly seenBefore: Map<string, SeenBefore>;
  /** Counts list responses. Rows that an order does not distinguish are in a different order in each. */
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

/** Adds a session at its place by createdAt. `record` defaults to the stream's. */
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

export function recordingAddress(world: World, sessionId: string, file: 'index.m3u8' | 'source.mp4'): string {
  const signature = world.signatures.get(sessionId);
  const query = signature === undefined ? '' : `?${signature}`;
  return `${world.origin}/recordings/${encodeURIComponent(sessionId)}/${file}${query}`;
}
