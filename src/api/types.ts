/**
 * A live stream of the account. Times are Unix times in milliseconds, durations seconds, rates bytes per second;
 * undefined means that the service sent no value.
 */
export interface Stream {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number | undefined;
  /** The ingest secret. Never put it in logs, labels, tooltips, ids or messages. */
  readonly streamKey: string | undefined;
  readonly playbackId: string | undefined;
  readonly isActive: boolean;
  /** When data last arrived; undefined if never. */
  readonly lastSeen: number | undefined;
  /** Whether the next broadcast is recorded. A recording is in progress if `isActive` and `record` are true. */
  readonly record: boolean;
  readonly sourceSegments: number | undefined;
  readonly transcodedSegments: number | undefined;
  readonly sourceSegmentsDuration: number | undefined;
  readonly transcodedSegmentsDuration: number | undefined;
  /** Set only on historic child streams. */
  readonly parentId: string | undefined;
  readonly profiles: readonly unknown[];
  readonly suspended: boolean | undefined;
  readonly isHealthy: boolean | undefined;
  readonly issues: readonly string[];
  readonly ingestRate: number | undefined;
  readonly outgoingRate: number | undefined;
  readonly projectId: string | undefined;
  readonly createdByTokenName: string | undefined;
}

/** One broadcast on a stream, its parent. Times are Unix times in milliseconds, durations seconds. */
export interface Session {
  readonly id: string;
  readonly parentId: string | undefined;
  /** The name of the stream, if the service included it in the row. */
  readonly parentName: string | undefined;
  readonly createdAt: number | undefined;
  readonly lastSeen: number | undefined;
  readonly record: boolean;
  readonly sourceSegments: number | undefined;
  readonly transcodedSegments: number | undefined;
  readonly sourceSegmentsDuration: number | undefined;
  readonly transcodedSegmentsDuration: number | undefined;
  /** waiting, ready, failed, deleted, none, or any other word; undefined if not recorded or not sent. */
  readonly recordingStatus: string | undefined;
  /** HLS playlist, as sent by the service. Check it with model/addresses before opening. */
  readonly recordingUrl: string | undefined;
  readonly mp4Url: string | undefined;
  readonly playbackId: string | undefined;
  readonly projectId: string | undefined;
  readonly profiles: readonly unknown[];
}

export interface Filter {
  readonly id: string;
  readonly value: boolean | number | string | Readonly<Record<string, number>>;
}

/**
 * Orders of lists. Each ends with the id to be unique: otherwise a service may order equal rows differently on each
 * page, and paging loses rows.
 */
export type ListOrder = 'createdAt-true,id-true' | 'lastSeen-true,id-true';

/**
 * The query of GET /stream. `limit` (1 to 1000), `order`, `count` (for the total) and all filters but those on isActive
 * and record are unstated (src/api/README.md, Lists), so only tried. Default order of paged requests: newest first.
 */
export interface StreamQuery {
  /** Excludes historic child streams (streamsonly=1). */
  readonly parentsOnly: boolean;
  readonly filters?: readonly Filter[];
  readonly limit?: number;
  readonly cursor?: string;
  readonly order?: ListOrder;
  readonly count?: boolean;
}

export interface SessionQuery {
  /** Sends record=1, the stated request for recorded sessions. */
  readonly recordedOnly?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

/** The query of GET /session, unstated, so only tried. Default order of paged requests: newest first. */
export interface UserSessionQuery {
  readonly parentId?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly order?: ListOrder;
  readonly filters?: readonly Filter[];
}

/**
 * The age of a response. `turn` is the number of the call within its client, from 1: a later request has a higher
 * number, whatever the clocks do. `startedAt` is by the local clock, `serverDate` by the clock of the service: the Date
 * header, or the result of judgeServerDate. Both are Unix times in milliseconds.
 */
export interface AnswerAge {
  readonly turn: number;
  readonly startedAt: number;
  readonly serverDate: number;
}

/**
 * One page of a list. `next` is the cursor of the next page, undefined on the last one. `total` is the X-Total-Count
 * header, if sent. `dropped` counts rows omitted as unreadable.
 */
export interface Page<T> extends AnswerAge {
  readonly items: readonly T[];
  readonly next: string | undefined;
  readonly total: number | undefined;
  readonly dropped: number;
  /** Whether the service applied all filters; if not, the caller filters the rows. */
  readonly isFiltered: boolean;
}

export interface Read<T> extends AnswerAge {
  readonly value: T;
}

/**
 * Unstated features that the service supports; true until the service refuses one. `listExtras` are limit, cursor,
 * order and count; `listFilters` are filters other than isActive and record, which need `listExtras` too.
 */
export interface Abilities {
  readonly listExtras: boolean;
  readonly listFilters: boolean;
  readonly create: boolean;
  readonly patch: boolean;
  readonly suspend: boolean;
  readonly endBroadcast: boolean;
  readonly delete: boolean;
}

export const ALL_ABILITIES: Abilities = {
  listExtras: true,
  listFilters: true,
  create: true,
  patch: true,
  suspend: true,
  endBroadcast: true,
  delete: true,
};

export interface NewStream {
  readonly name: string;
  readonly record?: boolean;
  readonly profiles?: readonly unknown[];
}

export interface StreamPatch {
  readonly name?: string;
  readonly record?: boolean;
  readonly suspended?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}
