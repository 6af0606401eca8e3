import type { Excerpt } from '../media/mp4.ts';
import type { Clock } from '../services.ts';
import type { CutFile } from './ingest/excerpts.ts';
import { makePlaybackId, makeStreamKey, makeUuid, type Random } from './random.ts';

const NO_COUNTS = {
  sourceSegments: 0,
  transcodedSegments: 0,
  sourceSegmentsDuration: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0,
  ingestRate: 0,
  outgoingRate: 0,
};

type Counts = typeof NO_COUNTS;

/** Times in epoch ms, durations in seconds, rates in bytes per second. A type, so that it's assignable to Row. */
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
  isHealthy: boolean | null;
  issues?: string[];
  parentId?: string;
  profiles: unknown[];
  projectId?: string;
  createdByTokenName?: string;
  multistream?: { readonly targets: readonly DemoTargetUse[] };
  playbackPolicy?: DemoPolicy;
  pull?: unknown;
  userTags?: Record<string, unknown>;
  creatorId?: { readonly type: 'unverified'; readonly value: string };
  recordingSpec?: { readonly profiles?: readonly unknown[] };
} & Counts;

/** A target as listed in a stream: its ID and the rendition that it gets. */
export interface DemoTargetUse {
  readonly id: string;
  readonly profile: string;
  readonly videoOnly?: boolean;
}

/** A destination to which broadcasts are also sent. */
export interface DemoTarget {
  readonly id: string;
  name: string;
  /** Never sent to clients. */
  url: string;
  disabled: boolean;
  readonly userId: string;
  readonly createdAt: number;
  /** Whether nothing can be sent to it. Never sent to clients. */
  isFailing: boolean;
}

/** An asset that was cut from the recording of a session. A type, so that it's assignable to Row. */
export type DemoClip = {
  readonly id: string;
  readonly type: 'video';
  readonly name: string;
  readonly playbackId: string;
  readonly createdAt: number;
  readonly userId: string;
  readonly projectId: string;
  readonly source: { readonly type: 'clip'; readonly sessionId: string; readonly playbackId: string };
  status: {
    readonly phase: 'waiting' | 'processing' | 'ready' | 'failed' | 'deleted';
    readonly updatedAt: number;
    /** From 0 to 1. */
    readonly progress?: number;
    readonly errorMessage?: string;
  };
  size?: number;
  videoSpec?: { readonly format: string; readonly duration: number };
  downloadUrl?: string;
  playbackUrl?: string;
  /** The part that it shows, from the beginning of the session. Never sent to clients. */
  readonly excerpt: Excerpt;
  /** Never sent to clients. */
  file?: CutFile;
  /** Never sent to clients. */
  isDeleted?: boolean;
};

/** Who may play a stream: public, jwt, webhook, or another value. */
export interface DemoPolicy {
  readonly type: string;
  readonly webhookId?: string;
  readonly webhookContext?: Readonly<Record<string, unknown>>;
  readonly refreshInterval?: number;
  readonly allowedOrigins?: readonly string[];
}

/** A key for viewers' tokens, without its private half. `publicKey` is Base64-encoded PEM. */
export interface DemoSigningKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly publicKey: string;
}

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
  recordingStatus?: RecordingStatus | (string & {});
  recordingUrl?: string;
  mp4Url?: string;
  projectId?: string;
  profiles: unknown[];
} & Counts;

export type FeedFile =
  | { readonly type: 'playlist'; readonly body: string }
  | { readonly type: 'media'; readonly body: Uint8Array };

/** A broadcast from an encoder that replaces a simulated one. */
export interface Feed {
  /** The rate is that of the last segment. */
  readonly received: {
    readonly segments: number;
    readonly seconds: number;
    readonly bytes: number;
    readonly bytesPerSecond: number;
    readonly lastSeen: number;
  };
  readonly issues: readonly string[];
  /** Whether its recording has everything that it has received so far. */
  readonly isRecorded: boolean;
  /** Returns a playlist by name, or a file that a playlist names. Undefined if it doesn't exist, or not yet. */
  read(file: string): FeedFile | undefined;
  /** Disconnects the sender. */
  close(): void;
  /** Called when the session is over and waits for its recording. */
  keepRecording(): void;
}

export interface Broadcast {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly before: Pick<DemoStream, 'sourceSegments' | 'sourceSegmentsDuration' | 'sourceBytes'>;
  isStalled: boolean;
  feed?: Feed;
  watchedAt?: number;
  endsAt?: number;
}

/** The streams as readers see them. Tests have a replica that lags behind. */
export interface ReadReplica {
  /** Call before a change, or with undefined before a stream is created. */
  keep(id: string, stream: DemoStream | undefined): void;
  read(id: string): DemoStream | undefined;
  list(): readonly DemoStream[];
}

export type DemoWebhook = {
  readonly id: string;
  name: string;
  url: string;
  events: readonly string[];
  streamId?: string;
  createdAt: number;
  sharedSecret: string;
  status: {
    readonly lastTriggeredAt?: number;
    readonly lastFailure?: {
      readonly timestamp: number;
      readonly error?: string | undefined;
      readonly response?: string;
      readonly statusCode?: number | undefined;
    };
  };
};

/** A delivery in the log of a webhook. `duration` is in seconds, and the body of a response is Base64-encoded. */
export type DemoDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly createdAt: number;
  readonly duration: number;
  readonly success: boolean;
  readonly resourceId: string;
  readonly request?: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly response?: { readonly status: number; readonly statusText: string; readonly body: string };
  readonly errorMessage?: string;
};

/** An event for webhooks. */
export interface DemoEvent {
  readonly event: string;
  readonly stream: DemoStream;
  /** For events of recordings. */
  readonly session?: DemoSession;
  /** For events of multistreaming. */
  readonly target?: ReportedTarget;
}

/** A target, as it appears in webhooks and in the health of a stream. */
export interface ReportedTarget {
  readonly id: string;
  readonly name: string;
  readonly profile: string;
}

/** The footage of a simulated broadcast. */
export type Scene = 'stage' | 'studio' | 'nest';

export interface DemoState {
  readonly clock: Clock;
  random: Random;
  readonly origin: string;
  /** The URL for broadcasts, without the stream key. */
  rtmpServer: string;
  readonly projectId: string;
  readonly streams: Map<string, DemoStream>;
  readonly sessions: Map<string, DemoSession>;
  /** By stream, newest first. Kept when the stream is deleted. */
  readonly sessionsOf: Map<string, DemoSession[]>;
  readonly broadcasts: Map<string, Broadcast>;
  readonly alwaysLive: Set<string>;
  /** By stream. The others show the stage. */
  readonly scenes: Map<string, Scene>;
  /** When pending recordings become ready, by session. */
  readonly recordingsDue: Map<string, number>;
  readonly terminatedAt: Map<string, number>;
  /** The required query string of a recording, by session. */
  readonly signatures: Map<string, string>;
  /** Kept because their sessions still refer to them. */
  readonly deletedStreams: Map<string, DemoStream>;
  /** Inconsistent sessions: the documented request for the sessions of their stream fails. */
  readonly brokenSessions: Set<string>;
  readonly webhooks: Map<string, DemoWebhook>;
  /** By webhook, newest first. */
  readonly deliveries: Map<string, readonly DemoDelivery[]>;
  readonly signingKeys: Map<string, DemoSigningKey>;
  readonly targets: Map<string, DemoTarget>;
  readonly clips: Map<string, DemoClip>;
  /** Returns the file of a clip; undefined until all of it is recorded. Throws if it never will be. */
  cutClip: (clip: DemoClip) => CutFile | undefined;
  /** Does nothing until the server delivers events. */
  report: (event: DemoEvent) => void;
  resend: (webhook: DemoWebhook, delivery: DemoDelivery) => Promise<DemoDelivery | undefined>;
  replica: ReadReplica;
  /** Counts list responses. Rows that an order doesn't distinguish are in a different order in each. */
  listsAnswered: number;
}

export function createDemoState(clock: Clock, random: Random, origin: string): DemoState {
  const streams = new Map<string, DemoStream>();
  return {
    clock,
    random,
    origin,
    rtmpServer: '',
    projectId: makeUuid(random),
    streams,
    sessions: new Map(),
    sessionsOf: new Map(),
    broadcasts: new Map(),
    alwaysLive: new Set(),
    scenes: new Map(),
    recordingsDue: new Map(),
    terminatedAt: new Map(),
    signatures: new Map(),
    deletedStreams: new Map(),
    brokenSessions: new Set(),
    webhooks: new Map(),
    deliveries: new Map(),
    signingKeys: new Map(),
    targets: new Map(),
    clips: new Map(),
    cutClip: () => undefined,
    report: () => {},
    resend: () => Promise.resolve(undefined),
    replica: { keep: () => {}, read: (id) => streams.get(id), list: () => [...streams.values()] },
    listsAnswered: 0,
  };
}

export function addStream(state: DemoState, fields: Partial<DemoStream> = {}): DemoStream {
  const stream: DemoStream = {
    id: makeUuid(state.random),
    name: '',
    createdAt: state.clock.now(),
    streamKey: makeStreamKey(state.random),
    playbackId: makePlaybackId(state.random),
    isActive: false,
    lastSeen: 0,
    record: false,
    suspended: false,
    ...NO_COUNTS,
    isHealthy: null,
    profiles: [],
    multistream: { targets: [] },
    ...fields,
  };
  state.streams.set(stream.id, stream);
  return stream;
}

export function addSession(state: DemoState, streamId: string, fields: Partial<DemoSession> = {}): DemoSession {
  const stream = state.streams.get(streamId);
  const { id = makeUuid(state.random), playbackId = makePlaybackId(state.random) } = fields;
  const session: DemoSession = {
    id,
    parentId: streamId,
    name: `video+${stream?.playbackId ?? playbackId}`,
    createdAt: state.clock.now(),
    lastSeen: 0,
    playbackId,
    record: stream?.record ?? false,
    ...NO_COUNTS,
    ...(stream?.projectId === undefined ? {} : { projectId: stream.projectId }),
    profiles: stream?.profiles ?? [],
    ...fields,
  };
  const siblings = state.sessionsOf.get(streamId) ?? [];
  const older = siblings.findIndex((other) => other.createdAt <= session.createdAt);
  siblings.splice(older === -1 ? siblings.length : older, 0, session);
  state.sessionsOf.set(streamId, siblings);
  state.sessions.set(session.id, session);
  return session;
}

export function recordingAddress(state: DemoState, sessionId: string, file: 'index.m3u8' | 'source.mp4'): string {
  const signature = state.signatures.get(sessionId);
  const query = signature === undefined ? '' : `?${signature}`;
  return `${state.origin}/recordings/${encodeURIComponent(sessionId)}/${file}${query}`;
}
