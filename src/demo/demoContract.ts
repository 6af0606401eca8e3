import type { IncomingHttpHeaders } from 'node:http';
import type { AddressTemplates, Clock } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import type { DemoSession, DemoStream } from './world.ts';

/**
 * full: everything that was seen of the public service. strict: what is stated and nothing else. indifferent: ignores every
 * parameter that is not stated (src/api/README.md, Stated and seen).
 */
export type DemoFace = 'full' | 'strict' | 'indifferent';

/** What the extension gives it. */
export interface EmbeddedOptions {
  readonly clock: Clock;
  /** The folder with the media files, media/demo. */
  readonly mediaRoot: string;
  /** The same seed and clock give the same data; at another time, what is there then has the same ids. Default: random. */
  readonly seed?: number;
  /** Decides all that happens after the start, and the ids of what is made then. Default: goes with the seed. */
  readonly chance?: number;
}

export interface DemoOptions extends EmbeddedOptions {
  /** Default: full. */
  readonly face?: DemoFace;
  /** Broadcasts start and end, recordings get ready. When false, the clock moves only what the caller has set going. Default: true. */
  readonly isLively?: boolean;
  /** Default: 60. Historic child streams are added to it when it is at least 10. */
  readonly streamCount?: number;
  /** Default: a tenth of the streams, at most 5, the third of them stale. When given, none is stale. */
  readonly liveCount?: number;
  /** Default: random, UUID-like. */
  readonly apiKey?: string;
}

/** A request as it came. */
export interface DemoRequest {
  readonly method: string;
  /** As sent, without the query: '/api/stream'. */
  readonly path: string;
  /** As sent, without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** As sent; empty when there is none. */
  readonly body: string;
}

/** A request that was seen, and the status it was answered; 0 while it is unanswered, or when it was never answered. */
export interface SeenRequest extends DemoRequest {
  readonly status: number;
}

/** What a fault answers instead: an answer, a connection that is reset, or silence. */
export type FaultAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Parts are sent as they come, without a length. */
      readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
    }
  | 'reset'
  | 'hang';

/** Sees every request whose Host is right; `undefined` lets it through, a promise keeps it waiting. */
export type FaultRule = (request: DemoRequest) => FaultAnswer | undefined | Promise<FaultAnswer | undefined>;

/** The service from behind, for tests and pictures. Ids that are not there throw. */
export interface DemoControl {
  /** The last 10,000 requests in the order in which they came. */
  readonly requests: readonly SeenRequest[];
  clearRequests(): void;
  /** Copies of all streams as of now, historic child streams among them. */
  streams(): readonly DemoStream[];
  /** Copies of the sessions of a stream, newest first. */
  sessions(streamId: string): readonly DemoSession[];
  addStream(fields?: Partial<DemoStream>): DemoStream;
  /** Makes the stream live, with a new session, which is returned. A stream that is live goes on with its session. */
  startBroadcast(streamId: string): DemoSession;
  endBroadcast(streamId: string): void;
  /** Changes fields as they are. isActive false ends a broadcast; lastSeen of a live stream holds it there, so it gets stale. */
  setStream(streamId: string, fields: Partial<DemoStream>): void;
  deleteStream(streamId: string): void;
  addSession(streamId: string, fields?: Partial<DemoSession>): DemoSession;
  setSession(sessionId: string, fields: Partial<DemoSession>): void;
  /** From now on the key is answered 401. */
  revokeKey(): void;
  restoreKey(): void;
  /** A key for browsers, which the API answers 403. */
  acceptBrowserKey(key: string): void;
  /** From now on the sessions of its stream cannot be listed by the stated request: 500. */
  breakSession(sessionId: string): void;
  /** What is changed through the API is read back and listed so many milliseconds later, by the clock. */
  lagBehind(ms: number): void;
  /** One rule at a time; `undefined` takes it away. */
  fault(rule: FaultRule | undefined): void;
}

/** The service as the extension knows it. */
export interface EmbeddedDemo extends Disposable {
  /** 'http://127.0.0.1:PORT/api' */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** All on the service's own origin. */
  readonly addresses: AddressTemplates;
  /** Media and pages, never the API, are answered under this Host (host[:port]) too. Generated addresses stay on 127.0.0.1. */
  allowHost(host: string): void;
}

export interface DemoService extends EmbeddedDemo {
  readonly control: DemoControl;
}
