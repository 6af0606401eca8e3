import type { Stream } from '../../api/types.ts';
import type { NotificationKind } from '../../services.ts';
import type { Snapshot, StreamFact } from '../store/snapshot.ts';
import { isLive } from '../store/streams.ts';

/** A stream of which the person was told is left alone for so long, twice as long after each further time. */
const QUIET_MS = 60_000;
const QUIET_AT_MOST_MS = 30 * 60_000;
/** Without a word for so long, a stream counts as never told of. */
const FORGET_AFTER_MS = 60 * 60_000;
/** A stream that is called active while no data comes is neither live nor ended; after so long it has ended. */
const ENDED_AFTER_MS = 5 * 60_000;

interface Followed {
  stream: Stream;
  isLive: boolean;
  /** What the person knows: by what was told, or by what was so at the beginning. */
  isKnownLive: boolean;
  toldAt: number;
  timesTold: number;
  /** When data was last known to arrive; the service's clock. */
  dataAt: number;
}

/** A stream went live, or its broadcast ended. */
export interface LiveChange {
  readonly stream: Stream;
  readonly isLive: boolean;
}

/** A broadcast that ended. */
export interface EndedBroadcast {
  /** As it was while it was live. */
  readonly stream: Stream;
  /** When data last arrived; the service's clock, epoch ms. */
  readonly dataAt: number;
}

/**
 * What of going live and ending the person has not been told yet. It is what is so now against what was told last: a stream
 * that comes back before its end was told leaves nothing to tell, and one that comes and goes is told of less and less.
 */
export class FollowedStreams {
  readonly #followed = new Map<string, Followed>();

  /** What is live in this snapshot is known already. */
  constructor(baseline: Snapshot) {
    this.#takeIn(baseline);
    for (const followed of this.#followed.values()) followed.isKnownLive = followed.isLive;
  }

  /** Takes in a newer snapshot; returns the broadcasts that ended since the one before. */
  update(snapshot: Snapshot, now: number): readonly EndedBroadcast[] {
    const ended = this.#takeIn(snapshot);
    this.#forget(now);
    return ended;
  }

  /** When there is something to tell, by the clock that `take` is given; undefined = nothing. */
  nextAt(): number | undefined {
    const times = this.#untold().map(quietUntil);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** What is to be told now. It counts as told. */
  take(now: number): readonly LiveChange[] {
    const due = this.#untold().filter((followed) => quietUntil(followed) <= now);
    for (const followed of due) {
      followed.timesTold = now - followed.toldAt < FORGET_AFTER_MS ? followed.timesTold + 1 : 1;
      followed.toldAt = now;
      followed.isKnownLive = followed.isLive;
    }
    return due.map(({ stream, isLive: isNowLive }) => ({ stream, isLive: isNowLive }));
  }

  /** What the person does not want to hear of counts as known. */
  skipAllBut(kinds: ReadonlySet<NotificationKind>): void {
    for (const followed of this.#untold()) {
      if (!kinds.has(followed.isLive ? 'streamStarted' : 'streamEnded')) followed.isKnownLive = followed.isLive;
    }
  }

  #takeIn({ streams }: Snapshot): readonly EndedBroadcast[] {
    for (const fact of streams.values()) if (isLive(fact)) this.#sawLive(fact);
    const ended: EndedBroadcast[] = [];
    for (const [id, followed] of this.#followed) {
      if (!followed.isLive || !hasEnded(streams.get(id))) continue;
      followed.isLive = false;
      ended.push(followed);
    }
    return ended;
  }

  #sawLive({ stream, serverDate }: StreamFact): void {
    const dataAt = stream.lastSeen ?? serverDate;
    const known = this.#followed.get(stream.id);
    if (known !== undefined) Object.assign(known, { stream, dataAt, isLive: true });
    else this.#followed.set(stream.id, { ...NEVER_TOLD, stream, dataAt, isLive: true });
  }

  #untold(): readonly Followed[] {
    return [...this.#followed.values()].filter((followed) => followed.isLive !== followed.isKnownLive);
  }

  /** Streams that ended long ago, so that a long day does not grow. */
  #forget(now: number): void {
    for (const [id, { isLive: isNowLive, isKnownLive, toldAt }] of this.#followed) {
      if (!isNowLive && !isKnownLive && now - toldAt >= FORGET_AFTER_MS) this.#followed.delete(id);
    }
  }
}

const NEVER_TOLD = { isKnownLive: false, toldAt: Number.NEGATIVE_INFINITY, timesTold: 0 };

function quietUntil({ toldAt, timesTold }: Followed): number {
  if (timesTold === 0) return Number.NEGATIVE_INFINITY;
  return toldAt + Math.min(QUIET_AT_MOST_MS, QUIET_MS * 2 ** (timesTold - 1));
}

function hasEnded(fact: StreamFact | undefined): boolean {
  if (fact === undefined || !fact.stream.isActive) return true;
  const { lastSeen } = fact.stream;
  return lastSeen !== undefined && fact.serverDate - lastSeen > ENDED_AFTER_MS;
}
