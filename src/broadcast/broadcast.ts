import { uptime } from 'node:os';
import type { MediaPacket } from '../media/flv.ts';
import { createClock, delay } from '../util/clock.ts';
import { BroadcastError, type BroadcastErrorReason, isBroadcastError } from './errors.ts';
import type { Ingest } from './ingest.ts';
import { openPublisher, type Publisher } from './publisher.ts';
import type { MediaSource } from './source.ts';

export interface BroadcastProgress {
  readonly state: 'connecting' | 'live' | 'reconnecting';
  /** Times of the last connection, in milliseconds from its beginning: of TCP and TLS, and of the publish response. */
  readonly connectedAfter: number | undefined;
  readonly acceptedAfter: number | undefined;
  readonly sentFrames: number;
  /** Video frames dropped because the network was too slow. */
  readonly droppedFrames: number;
  readonly sentBytes: number;
  readonly reconnects: number;
}

export interface BroadcastOptions {
  readonly ingest: Ingest;
  /** Disposed when the broadcast ends. */
  readonly source: MediaSource;
  /** Counted from when the server first accepts. */
  readonly seconds: number;
  /** Ends the broadcast successfully. */
  readonly signal: AbortSignal;
  /** Called when the state changes, and once a second while live. */
  readonly onProgress?: (progress: BroadcastProgress) => void;
  readonly clock?: Clock;
  /** Seconds since the computer was started, including sleep. Default: the system's. */
  readonly uptime?: () => number;
}

type Clock = ReturnType<typeof createClock>;

const RECONNECT_AFTER_MS = [1000, 2000, 4000];
/** Some servers accept every key at first, look it up, and then close the connection. */
const LOOKUP_MS = 2000;
/** A connection that lasted this long was good: its loss resets the count of reconnects. */
const GOOD_CONNECTION_MS = 60_000;
/** After a sleep, the server has abandoned this connection, even if it hasn't closed it. */
const GAP_MS = 10_000;
const STALLED_MS = 10_000;
/** Shorter waits aren't worth a timer. Packets are sent at most this early. */
const EARLY_MS = 5;
const PROGRESS_MS = 1000;
const CONGESTED_BYTES = 1024 * 1024;
const DRAINED_BYTES = 128 * 1024;
const MOST_WAITING_BYTES = 2 * 1024 * 1024;
const LASTING: ReadonlySet<BroadcastErrorReason> = new Set<BroadcastErrorReason>([
  ...(['keyRejected', 'publishDenied', 'appRejected', 'protocol', 'certificate', 'ffmpeg'] as const),
  ...(['fileMissing', 'fileUnreadable', 'fileIncomplete', 'fileNotMp4', 'fileNotVideo', 'fileUnsupported'] as const),
]);

/**
 * Publishes a source until the time is up or the signal aborts, and resolves with the last progress. Reopens a lost
 * connection up to three times. Rejects with a BroadcastError.
 */
export async function broadcast(options: BroadcastOptions): Promise<BroadcastProgress> {
  const run = new Broadcast(options);
  try {
    return await run.send();
  } finally {
    options.source.dispose();
  }
}

class Broadcast {
  readonly #options: BroadcastOptions;
  readonly #clock: Clock;
  #progress: BroadcastProgress = {
    ...{ state: 'connecting', connectedAfter: undefined, acceptedAfter: undefined },
    ...{ sentFrames: 0, droppedFrames: 0, sentBytes: 0, reconnects: 0 },
  };
  /** By the clock; set when the server first accepts. */
  #endsAt: number | undefined;
  #acceptedAt = 0;
  #position = 0;
  #reportedAt = 0;

  constructor(options: BroadcastOptions) {
    this.#options = options;
    this.#clock = options.clock ?? createClock();
  }

  async send(): Promise<BroadcastProgress> {
    let losses = 0;
    while (!this.#isOver()) {
      try {
        // Real time, because timers can fire early.
        await this.#connectAndSend();
        break;
      } catch (failure) {
        if (this.#isOver()) break;
        const error = this.#explain(failure);
        if (this.#clock.elapsed() - this.#acceptedAt > GOOD_CONNECTION_MS) losses = 0;
        const wait = RECONNECT_AFTER_MS[losses];
        if (this.#endsAt === undefined || wait === undefined || isLasting(error)) throw error;
        losses += 1;
        this.#report({ state: 'reconnecting', reconnects: this.#progress.reconnects + 1 });
        await delay(this.#clock, wait, this.#options.signal).catch(() => undefined);
      }
    }
    return this.#progress;
  }

  #explain(error: unknown): unknown {
    const isFirst = this.#endsAt !== undefined && this.#progress.reconnects === 0;
    const isClosed = isBroadcastError(error) && error.reason === 'closed';
    if (!isFirst || !isClosed || this.#clock.elapsed() - this.#acceptedAt > LOOKUP_MS) return error;
    return new BroadcastError('keyRejected', 'The server closed the connection after accepting', { cause: error });
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || this.#clock.elapsed() >= (this.#endsAt ?? Number.POSITIVE_INFINITY);
  }

  async #connectAndSend(): Promise<void> {
    const began = this.#clock.elapsed();
    const since = () => this.#clock.elapsed() - began;
    this.#report({ connectedAfter: undefined, acceptedAfter: undefined });
    const publisher = await openPublisher(this.#options.ingest, {
      signal: this.#options.signal,
      onStep: (step) => {
        this.#report(step === 'connected' ? { connectedAfter: since() } : { acceptedAfter: since() });
      },
    });
    this.#acceptedAt = this.#clock.elapsed();
    this.#endsAt ??= this.#acceptedAt + this.#options.seconds * 1000;
    const bytesBefore = this.#progress.sentBytes;
    const count = () => ({ sentBytes: bytesBefore + publisher.sentBytes });
    try {
      this.#report({ state: 'live', ...count() });
      await this.#sendPackets(publisher, count);
      await publisher.finish();
    } finally {
      this.#progress = { ...this.#progress, ...count() };
      publisher.dispose();
    }
  }

  /** Resolves when the broadcast is over. Rejects if the connection or the source ends. */
  async #sendPackets(publisher: Publisher, count: () => { readonly sentBytes: number }): Promise<void> {
    const over = new AbortController();
    const timer = this.#clock.setTimeout(() => over.abort(), (this.#endsAt ?? 0) - this.#clock.elapsed());
    const signal = AbortSignal.any([over.signal, this.#options.signal, publisher.ended]);
    const pace = new Pace(this.#clock, publisher, this.#options.uptime ?? uptime);
    const congestion = new Congestion(publisher);
    publisher.sendMetadata(this.#options.source.metadata);
    try {
      for await (const packet of this.#options.source.packets(this.#position, signal)) {
        await pace.waitFor(packet, signal);
        const isSent = congestion.accepts(packet);
        if (isSent) publisher.sendPacket(packet, pace.timestampOf(packet));
        this.#count(packet, isSent);
        if (this.#clock.elapsed() - this.#reportedAt >= PROGRESS_MS) this.#report(count());
      }
      publisher.ended.throwIfAborted();
    } catch (error) {
      if (!over.signal.aborted && !this.#options.signal.aborted) throw error;
    } finally {
      timer.dispose();
    }
  }

  #count({ kind, isHeader, time }: MediaPacket, isSent: boolean): void {
    if (isHeader) return;
    this.#position = time;
    if (kind === 'audio') return;
    const { sentFrames, droppedFrames } = this.#progress;
    this.#progress = isSent
      ? { ...this.#progress, sentFrames: sentFrames + 1 }
      : { ...this.#progress, droppedFrames: droppedFrames + 1 };
  }

  #report(change: Partial<BroadcastProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#reportedAt = this.#clock.elapsed();
    this.#options.onProgress?.(this.#progress);
  }
}

function isLasting(error: unknown): boolean {
  return !isBroadcastError(error) || LASTING.has(error.reason);
}

/** Releases each packet of one connection when it's due, by a monotonic clock. */
class Pace {
  readonly #clock: Clock;
  readonly #publisher: Publisher;
  readonly #uptime: () => number;
  #first: { readonly time: number; readonly at: number } | undefined;
  #progressed: { readonly bytes: number; readonly at: number };
  /** The next check, by both clocks. On Linux, the pacing clock stops while the computer sleeps. */
  #due: { readonly elapsed: number; readonly uptime: number };

  constructor(clock: Clock, publisher: Publisher, uptimeSeconds: () => number) {
    this.#clock = clock;
    this.#publisher = publisher;
    this.#uptime = () => uptimeSeconds() * 1000;
    this.#progressed = { bytes: publisher.sentBytes, at: clock.elapsed() };
    this.#due = { elapsed: clock.elapsed(), uptime: this.#uptime() };
  }

  timestampOf({ time }: MediaPacket): number {
    return Math.max(0, time - (this.#first?.time ?? time));
  }

  /** Rejects with the reason of the signal, or with the reason why the connection can no longer be used. */
  async waitFor(packet: MediaPacket, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkProgress();
    this.#checkGap();
    if (packet.isHeader) return;
    const now = this.#clock.elapsed();
    this.#first ??= { time: packet.time, at: now };
    const wait = this.#first.at + packet.time - this.#first.time - now;
    if (wait <= EARLY_MS) return;
    this.#due = { elapsed: this.#due.elapsed + wait, uptime: this.#due.uptime + wait };
    await delay(this.#clock, wait, signal);
    this.#checkGap();
  }

  #checkGap(): void {
    const { elapsed, uptime } = this.#due;
    this.#due = { elapsed: this.#clock.elapsed(), uptime: this.#uptime() };
    if (Math.max(this.#due.elapsed - elapsed, this.#due.uptime - uptime) > GAP_MS) {
      throw new BroadcastError('stalled', 'The computer was asleep');
    }
  }

  #checkProgress(): void {
    const now = this.#clock.elapsed();
    const bytes = this.#publisher.sentBytes;
    if (bytes !== this.#progressed.bytes || this.#publisher.waitingBytes === 0) this.#progressed = { bytes, at: now };
    else if (now - this.#progressed.at > STALLED_MS)
      throw new BroadcastError('stalled', 'The server takes no more data');
  }
}

/** Drops video from the moment the network falls behind to the first key frame after it has caught up. */
class Congestion {
  readonly #publisher: Publisher;
  #isBehind = false;

  constructor(publisher: Publisher) {
    this.#publisher = publisher;
  }

  accepts({ kind, isHeader, isKeyFrame, body }: MediaPacket): boolean {
    const waiting = this.#publisher.waitingBytes;
    if (waiting + body.length > MOST_WAITING_BYTES) {
      this.#isBehind ||= kind === 'video';
      return false;
    }
    if (kind === 'audio' || isHeader) return true;
    if (waiting > CONGESTED_BYTES) this.#isBehind = true;
    else if (isKeyFrame && waiting <= DRAINED_BYTES) this.#isBehind = false;
    return !this.#isBehind;
  }
}
