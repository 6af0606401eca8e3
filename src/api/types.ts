/** A live stream of the account. Times are epoch ms, durations seconds; `undefined` means that the service did not say. */
export interface Stream {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number | undefined;
  /** The ingest secret. Never logged, never in labels, tooltips, ids or messages. */
  readonly streamKey: string | undefined;
  readonly playbackId: string | undefined;
  readonly isActive: boolean;
  /** When data last arrived; `undefined` for 0 or missing: never seen. */
  readonly lastSeen: number | undefined;
  /** Will the next broadcast be recorded? Being recorded now is isActive and record. */
  readonly record: boolean;
  readonly sourceSegments: number | undefined;
  readonly transcodedSegments: number | undefined;
  readonly sourceSegmentsDuration: number | undefined;
  readonly transcodedSegmentsDuration: number | undefined;
  /** Set only on historic child streams. */
  readonly parentId: string | undefined;
  /** Transcoding profiles; their shape is not stated. */
  readonly profiles: readonly unknown[];
  readonly suspended: boolean | undefined;
  readonly isHealthy: boolean | undefined;
  readonly issues: readonly string[];
  /** Bytes per second. */
  readonly ingestRate: number | undefined;
  /** Bytes per second. */
  readonly outgoingRate: number | undefined;
  readonly projectId: string | undefined;
  readonly createdByTokenName: string | undefined;
}

/** One broadcast on a stream. Times are epoch ms, durations seconds. */
export interface Session {
  readonly id: string;
  /** The stream's id. */
  readonly parentId: string | undefined;
  /** The parent's name, where the service sent the parent along; of the parent only its name is kept. */
  readonly parentName: string | undefined;
  readonly createdAt: number | undefined;
  readonly lastSeen: number | undefined;
  readonly record: boolean;
  readonly sourceSegments: number | undefined;
  readonly transcodedSegments: number | undefined;
  readonly sourceSegmentsDuration: number | undefined;
  readonly transcodedSegmentsDuration: number | undefined;
  /** waiting, ready, failed, deleted, none, or any other word; `undefined` when not recorded or not said. */
  readonly recordingStatus: string | undefined;
  /** HLS playlist. As sent: check with model/addresses before opening. */
  readonly recordingUrl: string | undefined;
  readonly mp4Url: string | undefined;
  readonly playbackId: string | undefined;
  readonly projectId: string | undefined;
  readonly profiles: readonly unknown[];
}

/** The stated filters, and the ones that are only seen (src/api/README.md, Lists). */
export interface Filter {
  readonly id: string;
  readonly value: boolean | number | string | Readonly<Record<string, number>>;
}

/**
 * The orders that lists are asked for in. Each ends with the id, so that it is unique: a service is free to order equal rows
 * differently for each page, and rows are lost over pages then.
 */
export type ListOrder = 'createdAt-true,id-true' | 'lastSeen-true,id-true';

export interface StreamQuery {
  /** Leaves historic child streams out (streamsonly=1). */
  readonly parentsOnly: boolean;
  readonly filters?: readonly Filter[];
  /** Rows a page, 1 to 1000. Only seen, so tried. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Default of a paged request: newest first. Only seen, so tried. */
  readonly order?: ListOrder;
  /** Asks for the total (count=1). Only seen, so tried. */
  readonly count?: boolean;
}

export interface SessionQuery {
  /** Sends record=1, the stated request for recorded sessions. */
  readonly recordedOnly?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface UserSessionQuery {
  /** Of one stream. Only seen, so tried. */
  readonly parentId?: string;
  readonly limit?: number;
  readonly cursor?: string;
  /** Default of a paged request: newest first. */
  readonly order?: ListOrder;
  readonly filters?: readonly Filter[];
}

/** How old an answer is. */
export interface AnswerAge {
  /** Which call of its client it answers, counted from 1: what was asked for later has a higher one, whatever clocks do. */
  readonly turn: number;
  /** Local clock, epoch ms, when the request was started. */
  readonly startedAt: number;
  /** When it was answered by the service's own clock, epoch ms: its Date header, or what judgeServerDate makes of it. */
  readonly serverDate: number;
}

/** One page of a list, and what is known of its age. */
export interface Page<T> extends AnswerAge {
  readonly items: readonly T[];
  /** The cursor of the next page; `undefined` when this was the last. */
  readonly next: string | undefined;
  /** X-Total-Count, where it was sent. */
  readonly total: number | undefined;
  /** Rows that could not be read and were left out. */
  readonly dropped: number;
}

/** One thing read by id, and what is known of its age. */
export interface Read<T> extends AnswerAge {
  readonly value: T;
}

/** What of the seen layer this service was found to refuse. `true` until it was refused. */
export interface Abilities {
  /** limit, cursor, order and count. */
  readonly listExtras: boolean;
  /** Filters beyond isActive and record; none without `listExtras` either. */
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
