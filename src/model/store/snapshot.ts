import type { Clip } from '../../api/clips.ts';
import type { ApiError } from '../../api/errors.ts';
import type { MultistreamTarget } from '../../api/multistream.ts';
import {
  type Abilities,
  ALL_ABILITIES,
  type AnswerMeta,
  type HealthCondition,
  type Session,
  type Stream,
} from '../../api/types.ts';
import { DEFAULT_SETTINGS, type SettingValues } from '../settingValues.ts';

/** The service's three filters. A stream can be in two of them. */
export type ListName = 'active' | 'idle' | 'recording';
export const LIST_NAMES: readonly ListName[] = ['active', 'idle', 'recording'];

export type SortKey = 'lastSeen' | 'name' | 'createdAt';

/** A connection without its key, which stays in SecretStorage and in the API client. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly isDemo: boolean;
}

export type ConnectionState =
  /** Storage hasn't been read yet. `isWaiting`: the secret storage is slow to respond or never responds. */
  | { readonly kind: 'starting'; readonly isWaiting?: boolean }
  | { readonly kind: 'none' }
  /** A known connection whose secret is gone (no keyring). */
  | { readonly kind: 'keyless'; readonly info: ConnectionInfo }
  /** The service rejected the key with 401. Loaded data stays. */
  | { readonly kind: 'refused'; readonly info: ConnectionInfo }
  | { readonly kind: 'open'; readonly info: ConnectionInfo };

/** Why the last attempt failed. Times are local, Unix time in milliseconds. */
export interface LoadFailure {
  readonly error: ApiError;
  readonly at: number;
  readonly nextTryAt: number | undefined;
}

/** Whether a failed list may load once the account responds again. A key that was rejected may have been restored. */
export function mayPass(trouble: LoadFailure | undefined): boolean {
  return trouble?.error.isTransient === true || trouble?.error.reason === 'unauthorized';
}

/** Whether the service responds again. */
export function hasRecovered(previous: Snapshot, current: Snapshot): boolean {
  return previous.trouble !== undefined && current.trouble === undefined;
}

export function withNextTry(trouble: LoadFailure | undefined, nextTryAt?: number): LoadFailure | undefined {
  return trouble?.nextTryAt === nextTryAt ? trouble : trouble && { ...trouble, nextTryAt };
}

/** The newest data about a stream, which an earlier request never overwrites. Staleness is measured by `serverDate`. */
export interface StreamFact extends AnswerMeta {
  readonly stream: Stream;
  /** When the service last reported the stream as idle, by its clock. Undefined if not since this window opened. */
  readonly idleAt?: number | undefined;
}

/** Facts about a list from the pages that were read. */
export interface PagesFacts {
  readonly hasNextPage: boolean;
  /** How many rows the service has in total, even if none are loaded. Undefined if the service doesn't say. */
  readonly total: number | undefined;
  /** Rows that were left out because they couldn't be decoded. */
  readonly unreadable: number;
  /** Whether the service filtered all pages by name; if not, only loaded rows are filtered. Undefined until known. */
  readonly isFiltered: boolean | undefined;
}

export interface ListState extends PagesFacts {
  /** In order of arrival, without duplicates. `shownIds` returns the ones that are shown. */
  readonly ids: readonly string[];
  /** Rows that were loaded without the filter, or with another one. They're among `ids` again once the filter changes. */
  readonly aside: readonly string[];
  /** Loaded at least once in this connection. Stays true if a reload fails. */
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Maximum number of shown rows; Load More raises it by a page. */
  readonly revealed: number;
  /** How many rows all pages lack compared to `total`. */
  readonly missing: number;
  /** Whether the service sorted all pages in the order of the rows; if not, only the loaded rows are sorted. */
  readonly isSorted: boolean;
  readonly trouble: LoadFailure | undefined;
  /** Turn of the last successful call (AnswerMeta); 0 before the first. */
  readonly requestSeq: number;
  /** Local time at which the last successful request started. */
  readonly loadedAt: number | undefined;
  /** Whether it's known to be outdated (too many streams left Active at once). */
  readonly isStale: boolean;
}

export interface SubList<T> {
  /** Newest first. */
  readonly items: readonly T[];
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly trouble: LoadFailure | undefined;
  readonly loadedAt: number | undefined;
  readonly serverDate: number;
}

export interface Recordings extends SubList<Session> {
  readonly isLoadingMore: boolean;
  readonly requestSeq: number;
  /** How far back the loaded pages go, Unix time in milliseconds; undefined if the service provided no times. */
  readonly listedBackTo: number | undefined;
  /** Names read by ID because sessions had none; undefined if the stream is gone. Kept while the connection is open. */
  readonly parents: ReadonlyMap<string, string | undefined>;
  readonly lastNames: ReadonlyMap<string, string>;
  /** Whether the view is visible. Nothing is requested for it otherwise. */
  readonly isShown: boolean;
}

export type Operation =
  | 'renaming'
  | 'turningRecordingOn'
  | 'turningRecordingOff'
  | 'suspending'
  | 'resuming'
  | 'settingPolicy'
  | 'settingTags'
  | 'settingRenditions'
  | 'endingBroadcast'
  | 'deleting';

/** A test broadcast that this window sends. Continues if another connection is opened. */
export interface TestBroadcast {
  readonly connectionId: string;
  readonly name: string;
  readonly state: 'connecting' | 'live' | 'reconnecting';
  /** In steps, so that rows aren't drawn each second. Undefined until it's live or if it has no end. */
  readonly secondsLeft: number | undefined;
  /** The share of video frames that the network was too slow for, in percent. */
  readonly droppedPercent: number;
}

/** Set after a change was read back: lists are ignored for that stream until `until` or until a list agrees. */
export interface RecentChange {
  readonly until: number;
  readonly isGone: boolean;
}

/** The service's names for a connection's account and for its key's project. */
export interface AccountNames {
  readonly project: string | undefined;
  readonly email: string | undefined;
}

export interface Snapshot {
  /** Incremented when the connection changes; responses of older generations are dropped. */
  readonly generation: number;
  readonly connection: ConnectionState;
  /** Stored connections, without the demo. Messages name the connection if there are several. */
  readonly connectionCount: number;
  /** The names of the stored connections by their IDs, as far as they have been read. */
  readonly connectionNames: ReadonlyMap<string, string>;
  /** Empty until they are requested. */
  readonly accountNames: AccountNames;
  readonly abilities: Abilities;
  /** Why the last poll of the active streams failed; cleared by the next success. */
  readonly trouble: LoadFailure | undefined;
  /** By ID, without child streams. */
  readonly streams: ReadonlyMap<string, StreamFact>;
  readonly lists: Readonly<Record<ListName, ListState>>;
  /** How many streams the service has, regardless of the filter and without child streams. Undefined if unknown. */
  readonly streamCount: number | undefined;
  /** Streams that left Active while this window was open. Shown under Idle even if their page isn't loaded. */
  readonly leftActive: ReadonlySet<string>;
  /** Streams read by ID to reveal them, created here, or opened by a link. Shown even if their page isn't loaded. */
  readonly pinnedIds: ReadonlySet<string>;
  /** Streams created in this window. They come first among those that were never live. */
  readonly createdIds: ReadonlySet<string>;
  readonly recentChanges: ReadonlyMap<string, RecentChange>;
  readonly sessions: ReadonlyMap<string, SubList<Session>>;
  /** Clips by stream, newest first, as far as they were listed or made here. Has no empty lists. */
  readonly clips: ReadonlyMap<string, readonly Clip[]>;
  /** Child streams by parent ID; only if they are shown. */
  readonly children: ReadonlyMap<string, SubList<Stream>>;
  readonly orphans: SubList<Stream>;
  /** `revealed` limits the rows that remain after `recordingsRecordedOnly`. */
  readonly recordings: Recordings;
  readonly settings: SettingValues;
  /** Not lowercased; '' = none. */
  readonly filter: string;
  readonly sort: SortKey;
  readonly locale: string;
  readonly recordingsRecordedOnly: boolean;
  /** Whether the Streams view shows all connections side by side. */
  readonly showsAllConnections: boolean;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly targets: ReadonlyMap<string, MultistreamTarget>;
  /** By stream ID, for active streams whose health was read. */
  readonly health: ReadonlyMap<string, readonly HealthCondition[]>;
  /** Whether the service is known to have multistream targets. */
  readonly hasTargets: boolean;
  /** By stream ID, for all connections. */
  readonly testBroadcasts: ReadonlyMap<string, TestBroadcast>;
}

export interface SnapshotChange {
  readonly previous: Snapshot;
  readonly current: Snapshot;
}

export const EMPTY_LIST: ListState = {
  ids: [],
  aside: [],
  isLoaded: false,
  isLoading: false,
  isLoadingMore: false,
  revealed: 0,
  hasNextPage: false,
  total: undefined,
  unreadable: 0,
  isFiltered: true,
  isSorted: true,
  missing: 0,
  trouble: undefined,
  requestSeq: 0,
  loadedAt: undefined,
  isStale: false,
};

export const EMPTY_SUB_LIST: SubList<never> = {
  items: [],
  isLoaded: false,
  isLoading: false,
  revealed: 0,
  hasNextPage: false,
  trouble: undefined,
  loadedAt: undefined,
  serverDate: 0,
};

export const EMPTY_RECORDINGS: Recordings = {
  ...EMPTY_SUB_LIST,
  isLoadingMore: false,
  requestSeq: 0,
  listedBackTo: undefined,
  parents: new Map(),
  lastNames: new Map(),
  isShown: false,
};

export const EMPTY_SNAPSHOT: Snapshot = {
  generation: 0,
  connection: { kind: 'starting' },
  connectionCount: 0,
  connectionNames: new Map(),
  abilities: ALL_ABILITIES,
  trouble: undefined,
  streams: new Map(),
  lists: { active: EMPTY_LIST, idle: EMPTY_LIST, recording: EMPTY_LIST },
  streamCount: undefined,
  leftActive: new Set(),
  pinnedIds: new Set(),
  createdIds: new Set(),
  recentChanges: new Map(),
  sessions: new Map(),
  clips: new Map(),
  children: new Map(),
  orphans: EMPTY_SUB_LIST,
  recordings: EMPTY_RECORDINGS,
  settings: DEFAULT_SETTINGS,
  filter: '',
  sort: 'lastSeen',
  locale: 'en',
  recordingsRecordedOnly: true,
  showsAllConnections: false,
  operations: new Map(),
  accountNames: { project: undefined, email: undefined },
  targets: new Map(),
  health: new Map(),
  hasTargets: false,
  testBroadcasts: new Map(),
};

/** Returns undefined if no connection is chosen. */
export function connectionIdOf({ connection }: Pick<Snapshot, 'connection'>): string | undefined {
  return 'info' in connection ? connection.info.id : undefined;
}
