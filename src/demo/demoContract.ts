import type { IncomingHttpHeaders } from 'node:http';
import type { AddressTemplates, Clock } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import type { DemoSession, DemoStream } from './world.ts';

/**
 * full: the public service as observed. strict: only what is stated. indifferent: ignores all parameters that are not
 * stated (src/api/README.md, Stated and seen).
 */
export type DemoFace = 'full' | 'strict' | 'indifferent';

export interface EmbeddedOptions {
  readonly clock: Clock;
  /** The folder of the media files, media/demo. */
  readonly mediaRoot: string;
  /**
   * The same seed and clock give the same data. With another start time, data that exists in both has the same ids.
   * Default: random.
   */
  readonly seed?: number;
  /** Seed for everything after the start, including new ids. Default: continues from `seed`. */
  readonly chance?: number;
}

export interface DemoOptions extends EmbeddedOptions {
  /** Default: full. */
  readonly face?: DemoFace;
  /**
   * Whether broadcasts start and end and recordings become ready by themselves. If false, only what the caller started
   * proceeds with the clock. Default: true.
   */
  readonly isLively?: boolean;
  /** Default: 60. If at least 10, historic child streams are added to them. */
  readonly streamCount?: number;
  /** Default: a tenth of the streams, at most 5, of which the third is stale. If given, none is stale. */
  readonly liveCount?: number;
  /** Default: a random UUID. */
  readonly apiKey?: string;
}

export interface DemoRequest {
  readonly method: string;
  /** As sent, without the query: '/api/stream'. */
  readonly path: string;
  /** As sent, without the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** `status` is 0 until there is a response, and stays 0 if there never is one. */
export interface SeenRequest extends DemoRequest {
  readonly status: number;
}

/** What a fault does instead: send a response, reset the connection, or never respond. */
export type FaultAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Parts are sent as they arrive, without a content length. */
      readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
    }
  | 'reset'
  | 'hang';

/** Called for each request with an allowed Host. Undefined lets the request through; a promise delays it. */
export type FaultRule = (request: DemoRequest) => FaultAnswer | undefined | Promise<FaultAnswer | undefined>;

/** Controls the service from tests and screenshot scripts. Methods that change an unknown stream or session throw. */
export interface DemoControl {
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  clearRequests(): void;
  /** Returns copies of all streams, including historic child streams. */
  streams(): readonly DemoStream[];
  /** Returns copies, newest first. */
  sessions(streamId: string): readonly DemoSession[];
  addStream(fields?: Partial<DemoStream>): DemoStream;
  /** Makes the stream live and returns its new session. Returns the running session if it is live already. */
  startBroadcast(streamId: string): DemoSession;
  endBroadcast(streamId: string): void;
  /** `isActive: false` also ends a broadcast. `lastSeen` of a live stream stays as set, so the stream becomes stale. */
  setStream(streamId: string, fields: Partial<DemoStream>): void;
  deleteStream(streamId: string): void;
  addSession(streamId: string, fields?: Partial<DemoSession>): DemoSession;
  setSession(sessionId: string, fields: Partial<DemoSession>): void;
  revokeKey(): void;
  restoreKey(): void;
  /** Sets a key for browsers only, for which the API responds 403. */
  acceptBrowserKey(key: string): void;
  /** Listing the sessions of its stream (GET /stream/{id}/sessions) fails with 500 from now on. */
  breakSession(sessionId: string): void;
  /** Delays the effect of changes through the API on reads and lists, by the clock. */
  lagBehind(ms: number): void;
  /** Replaces the current rule; undefined removes it. */
  fault(rule: FaultRule | undefined): void;
}

export interface EmbeddedDemo extends Disposable {
  /** 'http://127.0.0.1:PORT/api' */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly addresses: AddressTemplates;
  /** Serves media and pages, never the API, under this Host (host[:port]) too. Generated addresses keep 127.0.0.1. */
  allowHost(host: string): void;
}

export interface DemoService extends EmbeddedDemo {
  readonly control: DemoControl;
}
