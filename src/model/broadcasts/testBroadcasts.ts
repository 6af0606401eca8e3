import type { Stream } from '../../api/types.ts';
import type { BroadcastProgress, Ingest, MediaSource } from '../../broadcast/sender.ts';
import type { Clock, Log } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { TestBroadcast } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { isLiveIn, readBegun, readEnded, type SentBroadcast } from './broadcastReads.ts';

interface TestBroadcastsOptions {
  /** The window's own store, which has the broadcasts of all connections. */
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The path of the built-in video. */
  readonly testPattern: string;
}

export interface BroadcastPlan extends SentBroadcast {
  readonly ingest: Ingest;
  readonly source: MediaSource;
  /** `hasEnd` is false if it should run until stopped. `seconds` is only the limit then. */
  readonly seconds: number;
  readonly hasEnd: boolean;
}

/** The server that a stream key is sent to. */
export interface IngestHost {
  readonly host: string;
}

export interface PatternOptions {
  readonly seconds: number;
  /** Asks the user about the stream in its current state and about the server that its key is sent to. */
  readonly agree: (stream: Stream, ingest: IngestHost) => Promise<boolean>;
}

/** Follows a broadcast after the server has accepted it. */
export interface BroadcastListener {
  /** Called once the service reports the stream as live. */
  readonly onLive: () => void;
  /** Called with the error that ended it, unless the time was up or the user stopped it. */
  readonly onEnd: (last: BroadcastProgress | undefined, error: unknown) => void;
}

interface Running {
  readonly plan: BroadcastPlan;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

/** Rows and the Status Bar show the remaining time in steps of this many seconds. */
const STEP_SECONDS = 5;
/** The minimum time after the acceptance, because some servers accept a key before they reject it. */
const SAYS_LIVE_AFTER_MS = 2500;

/** The test broadcasts that this window sends, one per stream. They end with the window. */
export class TestBroadcasts implements Disposable {
  readonly #options: TestBroadcastsOptions;
  readonly #running = new Map<string, Running>();
  readonly #progress = new Map<string, BroadcastProgress>();
  readonly #owned = new DisposableStore();
  /** By stream ID: the reads for a broadcast that has begun or ended a moment ago. */
  readonly #reads = new Map<string, DisposableSlot>();

  constructor(options: TestBroadcastsOptions) {
    this.#options = options;
  }

  get testPattern(): string {
    return this.#options.testPattern;
  }

  get running(): readonly BroadcastPlan['stream'][] {
    return [...this.#running.values()].map(({ plan }) => plan.stream);
  }

  progressOf(streamId: string): BroadcastProgress | undefined {
    return this.#progress.get(streamId);
  }

  /**
   * Resolves to true once the server has accepted the broadcast, or to false if the signal aborts first. Rejects with
   * a BroadcastError if the server doesn't accept it; `listener` isn't called then.
   */
  start(plan: BroadcastPlan, listener: BroadcastListener, signal: AbortSignal): Promise<boolean> {
    const accepted = Promise.withResolvers<boolean>();
    const stopping = new AbortController();
    const abort = (): void => stopping.abort();
    signal.addEventListener('abort', abort, { once: true });
    const owned = new DisposableStore();
    let isAccepted = false;
    const onAccepted = (): void => {
      isAccepted = true;
      signal.removeEventListener('abort', abort);
      owned.add(this.#awaitLive(plan, listener.onLive));
      this.#readsOf(plan).set(readBegun(plan, this.#options));
      accepted.resolve(true);
    };
    const ended = this.#send(plan, { stopping: stopping.signal, onAccepted }).then(
      (last) => (isAccepted ? listener.onEnd(last, undefined) : accepted.resolve(false)),
      (error: unknown) => (isAccepted ? listener.onEnd(undefined, error) : accepted.reject(error)),
    );
    const done = ended.finally(() => {
      owned.dispose();
      signal.removeEventListener('abort', abort);
      this.#running.delete(plan.stream.id);
      this.#progress.delete(plan.stream.id);
      this.#options.store.testBroadcastChanged(plan.stream.id, undefined);
      if (isAccepted) this.#readsOf(plan).set(readEnded(plan, this.#options));
    });
    this.#running.set(plan.stream.id, { plan, stopping, ended: done });
    return accepted.promise;
  }

  /** Stops a broadcast. Resolves when its socket is closed. */
  async stop(streamId: string): Promise<void> {
    const running = this.#running.get(streamId);
    running?.stopping.abort();
    await running?.ended;
  }

  dispose(): void {
    for (const { stopping } of this.#running.values()) stopping.abort();
    this.#owned.dispose();
  }

  #readsOf({ stream }: BroadcastPlan): DisposableSlot {
    const reads = this.#reads.get(stream.id) ?? this.#owned.add(new DisposableSlot());
    this.#reads.set(stream.id, reads);
    return reads;
  }

  async #send(
    plan: BroadcastPlan,
    { stopping, onAccepted }: { readonly stopping: AbortSignal; readonly onAccepted: () => void },
  ): Promise<BroadcastProgress> {
    const { store, clock, log } = this.#options;
    const { ingest, source, seconds, stream } = plan;
    const { broadcast } = await import('../../broadcast/sender.ts');
    let endsAt: number | undefined;
    let wasLive = false;
    const last = await broadcast({
      ...{ ingest, source, seconds, clock, signal: stopping },
      onProgress: (progress) => {
        this.#progress.set(stream.id, progress);
        if (progress.state === 'live') endsAt ??= clock.elapsed() + seconds * 1000;
        const left = endsAt === undefined ? undefined : (endsAt - clock.elapsed()) / 1000;
        store.testBroadcastChanged(stream.id, shownBroadcast(plan, progress, left));
        if (progress.state !== 'live' || wasLive) return;
        wasLive = true;
        onAccepted();
      },
    });
    log.info(`A test broadcast ended after ${last.sentFrames} frames, ${last.droppedFrames} dropped`);
    return last;
  }

  #awaitLive(plan: BroadcastPlan, onLive: () => void): Disposable {
    const owned = new DisposableStore();
    // The connection may become the window's own in the meantime.
    const stores = [...new Set([plan.store, this.#options.store])];
    const look = (): void => {
      if (!stores.some((store) => isLiveIn(store, plan))) return;
      owned.dispose();
      onLive();
    };
    const begin = (): void => {
      for (const each of stores) owned.add(each.onDidChange(look));
      look();
    };
    owned.add(this.#options.clock.setTimeout(begin, SAYS_LIVE_AFTER_MS));
    return owned;
  }
}

function shownBroadcast(plan: BroadcastPlan, progress: BroadcastProgress, left: number | undefined): TestBroadcast {
  const { stream, connection, hasEnd } = plan;
  const { state } = progress;
  const inSteps =
    left === undefined || !hasEnd ? undefined : Math.max(0, Math.ceil(left / STEP_SECONDS) * STEP_SECONDS);
  const droppedPercent = droppedShare(progress);
  return { connectionId: connection.id, name: stream.name, state, secondsLeft: inSteps, droppedPercent };
}

/** Returns the share of dropped video frames in whole percent. */
export function droppedShare({ sentFrames, droppedFrames }: BroadcastProgress): number {
  return droppedFrames === 0 ? 0 : Math.ceil((100 * droppedFrames) / (sentFrames + droppedFrames));
}
