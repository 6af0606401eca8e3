import type { decodeSession, decodeStream, JsonObject, TargetUse } from './decode.ts';

type Decoded<Decode extends (value: unknown) => unknown> = Readonly<NonNullable<ReturnType<Decode>>>;

/** A live stream of the account. Its fields are declared where they are decoded. */
export interface Stream extends Decoded<typeof decodeStream> {}

/** Who may play a stream. Its fields are declared where they are decoded. */
export interface PlaybackPolicy extends NonNullable<Stream['playbackPolicy']> {}

/** An object with an ID and a name, which may be empty. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The ID and name of a stream, which may be gone. */
export interface NamedStream extends Named {}

/** The part of a stream that says who may play it. */
export type PlayableStream = Pick<Stream, 'playbackPolicy'>;

/** One broadcast on a stream, its parent. Its fields are declared where they are decoded. */
export interface Session extends Decoded<typeof decodeSession> {}

/** One of the regular checks of a live stream. */
export interface HealthCondition {
  /** Active, Transcoding, TranscodeRealTime, TranscodeNoErrors, Multistreaming, or any other value. */
  readonly type: string;
  /** undefined: not checked yet. */
  readonly isMet: boolean | undefined;
  /** When the condition last changed, and when it was last checked. */
  readonly since: number | undefined;
  readonly checkedAt: number | undefined;
  /** Set for the connection to one multistream target. */
  readonly target?: TargetUse & { readonly name: string };
}

export interface Filter {
  readonly id: string;
  readonly value: boolean | number | string | Readonly<Record<string, number>>;
}

/** Each ends with the ID: equal rows may be ordered differently on each page, and paging would lose some. */
export type ListOrder = 'createdAt-true,id-true' | 'lastSeen-true,createdAt-true,id-true' | 'name-false,id-true';

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The query of GET /stream. All but `parentsOnly` and filters on isActive and record is undocumented (src/api/README.md,
 * Lists), so only tried. Default order of paged requests: newest first.
 */
export interface StreamQuery extends Paging {
  /** Excludes child streams (streamsonly=1). */
  readonly parentsOnly: boolean;
  readonly filters?: readonly Filter[] | undefined;
  readonly order?: ListOrder | undefined;
  readonly count?: boolean | undefined;
}

export interface SessionQuery extends Paging {
  readonly recordedOnly?: boolean | undefined;
}

/** The query of GET /session, undocumented, so only tried. Default order of paged requests: newest first. */
export interface UserSessionQuery extends Paging {
  readonly parentId?: string | undefined;
  readonly order?: ListOrder | undefined;
  readonly filters?: readonly Filter[] | undefined;
}

/**
 * The age of a response. `requestSeq` is the number of the call within its client, from 1: a later request has a higher
 * number, no matter what the clocks do. `startedAt` is by the local clock, `serverDate` by the clock of the service:
 * the Date header, or the result of inferServerDate. Both are Unix times in milliseconds.
 */
export interface AnswerMeta {
  readonly requestSeq: number;
  readonly startedAt: number;
  readonly serverDate: number;
}

/** `next`: cursor of the next page. `total`: X-Total-Count, if sent. `unreadable`: rows that were left out. */
export interface Page<T> extends AnswerMeta {
  readonly items: readonly T[];
  readonly next: string | undefined;
  readonly total: number | undefined;
  readonly unreadable: number;
  /** Whether the service applied all filters; if not, the caller filters the rows. */
  readonly isFiltered: boolean;
}

export interface Read<T> extends AnswerMeta {
  readonly value: T;
}

/**
 * Undocumented features, true until a request for one is rejected. `listExtras` are limit, cursor, order, and count;
 * `listFilters` are filters other than isActive and record, which need `listExtras` too.
 */
export interface Abilities {
  readonly listExtras: boolean;
  readonly listFilters: boolean;
  readonly create: boolean;
  readonly patch: boolean;
  readonly suspend: boolean;
  readonly endBroadcast: boolean;
  readonly delete: boolean;
  readonly health: boolean;
  readonly playbackPolicy: boolean;
  readonly signingKeys: boolean;
  readonly multistream: boolean;
  readonly clips: boolean;
}

export const ALL_ABILITIES: Abilities = {
  listExtras: true,
  listFilters: true,
  create: true,
  patch: true,
  suspend: true,
  endBroadcast: true,
  delete: true,
  health: true,
  playbackPolicy: true,
  signingKeys: true,
  multistream: true,
  clips: true,
};

export interface NewStream {
  readonly name: string;
  readonly record?: boolean;
  readonly profiles?: readonly unknown[];
  /** Services may ignore it. */
  readonly playbackPolicy?: PlaybackPolicy;
}

export interface StreamPatch {
  readonly name?: string;
  readonly record?: boolean;
  readonly suspended?: boolean;
  /** Replaces all tags. */
  readonly userTags?: JsonObject;
  /** Replaces all renditions. */
  readonly profiles?: readonly unknown[];
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
