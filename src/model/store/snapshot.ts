import type { ApiError } from '../../api/errors.ts';
import type { Abilities, AnswerAge, Session, Stream } from '../../api/types.ts';

/** The service's three filters. A stream can stand in two of them. */
export type ListName = 'active' | 'idle' | 'recording';
export const LIST_NAMES: readonly ListName[] = ['active', 'idle', 'recording'];

export type SortKey = 'lastSeen' | 'name' | 'createdAt';

/** A connection without its key: the key stays in SecretStorage and in the API client. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly isDemo: boolean;
}

export type ConnectionState =
  /** Storage has not been read yet. */
  /** `isWaiting`: the secret storage, which holds the keys, is slow to answer, or never does. */
  | { readonly kind: 'starting'; readonly isWaiting?: boolean }
  | { readonly kind: 'none' }
  /** Known from last time, but its secret is gone (no keyring). */
  | { readonly kind: 'keyless'; readonly info: ConnectionInfo }
  /** The service answered 401 to its key; what was loaded stays. */
  | { readonly kind: 'refused'; readonly info: ConnectionInfo }
  | { readonly kind: 'open'; readonly info: ConnectionInfo };

/** Why the last try failed. Local clock, epoch ms. */
export interface Trouble {
  readonly error: ApiError;
  readonly at: number;
  /** When it is tried again by itself. */
  readonly nextTryAt: number | undefined;
}

/** What the newest request that told of a stream said. */
export interface StreamFact extends AnswerAge {
  /** What was asked for earlier never overwrites what was asked for later. The answer's own clock judges staleness. */
  readonly stream: Stream;
}

export interface ListState {
  /** In the order of arrival, without duplicates; which of them are shown is for `shownIds` to say. */
  readonly ids: readonly string[];
  /** Was it loaded at least once in this connection? What was loaded stays through failures. */
  readonly isLoaded: boolean;
  /** A first load or a refresh is under way. */
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Rows shown at most; Load more raises it by a page. */
  readonly revealed: number;
  /** Is there another page at the service? */
  readonly hasNextPage: boolean;
  /** How many there are at the service, where it told. */
  readonly total: number | undefined;
  /** Rows that could not be read and were left out. */
  readonly dropped: number;
  /** All pages were read, and held so many fewer rows than the service's total. */
  readonly missing: number;
  /** The last try failed; ids are those of the last good one. */
  readonly trouble: Trouble | undefined;
  /** Which call the last good answer was to (AnswerAge); 0 before there was one. */
  readonly turn: number;
  /** Local clock: when the last good answer's request started. */
  readonly loadedAt: number | undefined;
  /** Known to be out of date (too many streams left Active at once). */
  readonly isStale: boolean;
}

/** The sessions of one stream, or its historic child streams. */
export interface SubList<T> {
  /** Newest first. */
  readonly items: readonly T[];
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly trouble: Trouble | undefined;
  readonly loadedAt: number | undefined;
  /** The answer's own clock. */
  readonly serverDate: number;
}

/** The newest sessions over all streams of the account, as the Recordings view has them; recorded or not. */
export interface Recordings extends SubList<Session> {
  readonly isLoadingMore: boolean;
  /** Which call the last good answer was to (AnswerAge); 0 before there was one. */
  readonly turn: number;
  /** The pages read so far go back to there, epoch ms; undefined where the service gave no times. */
  readonly lookedBackTo: number | undefined;
  /**
   * Of streams that were asked for by id because their sessions came without a name: the name, or undefined where the
   * stream is gone. Kept for as long as the connection.
   */
  readonly parents: ReadonlyMap<string, string | undefined>;
  /** The names that streams had before they were gone. */
  readonly lastNames: ReadonlyMap<string, string>;
  /** Is the view on screen? Nothing is asked for it otherwise. */
  readonly isShown: boolean;
}

export type Operation =
  | 'renaming'
  | 'turningRecordingOn'
  | 'turningRecordingOff'
  | 'suspending'
  | 'resuming'
  | 'endingBroadcast'
  | 'deleting';

/** After a change was read back: list facts about that stream are ignored until then, or until a list agrees. */
export interface Settled {
  readonly until: number;
  readonly isGone: boolean;
}

/** All that is known, at one moment; never changed, only replaced, and only by the store. */
export interface Snapshot {
  /** Raised by a change of connection; answers from an older one are dropped. */
  readonly generation: number;
  readonly connection: ConnectionState;
  /** How many connections are stored (the demo is not). Messages name the connection when there are several. */
  readonly connectionCount: number;
  readonly abilities: Abilities;
  /** The last look at the active streams failed; cleared by the next that succeeds. */
  readonly trouble: Trouble | undefined;
  /** By id; historic child streams are not among them. */
  readonly streams: ReadonlyMap<string, StreamFact>;
  readonly lists: Readonly<Record<ListName, ListState>>;
  /** Streams that left Active in this window: shown under Idle whether or not their page is loaded. */
  readonly left: ReadonlySet<string>;
  /** Streams read by id to be revealed, created here, or opened by a link: shown though their page is not loaded. */
  readonly pinned: ReadonlySet<string>;
  readonly settled: ReadonlyMap<string, Settled>;
  readonly sessions: ReadonlyMap<string, SubList<Session>>;
  /** Historic child streams by parent id; only with the setting showHistoricChildStreams. */
  readonly children: ReadonlyMap<string, SubList<Stream>>;
  /** Historic child streams without a known parent. */
  readonly orphans: SubList<Stream>;
  /** `revealed` counts the rows that are shown at most, of those that `recordingsRecordedOnly` leaves. */
  readonly recordings: Recordings;
  readonly showsHistoricChildStreams: boolean;
  /** Lower case is not applied; '' = none. */
  readonly filter: string;
  readonly sort: SortKey;
  /** The editor's display language, in whose order names are sorted. */
  readonly locale: string;
  /** Of the Streams view: sessions are asked for with record=1. */
  readonly recordedOnly: boolean;
  /** Of the Recordings view: what was not recorded is left out. */
  readonly recordingsRecordedOnly: boolean;
  readonly operations: ReadonlyMap<string, Operation>;
}
