import type { Stream } from '../../api/types.ts';
import type { NotificationKind } from '../../services.ts';
import type { SeenBroadcast } from '../store/seenBroadcast.ts';
import type { Snapshot, StreamFact } from '../store/snapshot.ts';
import { isLive } from '../store/streams.ts';

// No further notification about a stream for this long, doubled after each one.
const QUIET_MS = 60_000;
const QUIET_AT_MOST_MS = 30 * 60_000;
// After this long without a notification, the count for QUIET_MS restarts.
const FORGET_AFTER_MS = 60 * 60_000;
// A stream that is reported as active without data is neither live nor ended. After this long, it has ended.
const ENDED_AFTER_MS = 5 * 60_000;
const NEVER = Number.NEGATIVE_INFINITY;

interface Followed {
  stream: Stream;
  isLive: boolean;
  /** By the clock whose time is passed to `update`. */
  endedAt: number;
  /** Whether the user knows it as live, from a notification or the baseline. */
  isKnownLive: boolean;
  notifiedAt: number;
  notifiedCount: number;
  /** When data last arrived, by the service's clock, Unix time in milliseconds. */
  dataAt: number;
  broadcast: { readonly first: number; readonly before: number | undefined };
}

export interface LiveChange {
  readonly stream: Stream;
  readonly isLive: boolean;
}

export interface EndedBroadcast {
  readonly stream: Stream;
  readonly broadcast: SeenBroadcast;
}

/**
 * Tracks which changes between live and ended the user hasn't been notified of, by comparing the current state with the
 * last one in a notification. A stream that comes back before its end was announced is left out, and one that flaps is
 * announced less and less often.
 */
export class FollowedStreams {
  readonly #followed = new Map<string, Followed>();

  constructor(baseline: Snapshot) {
    this.#follow(baseline);
    for (const followed of this.#followed.values()) followed.isKnownLive = followed.isLive;
  }

  /** Applies a newer snapshot. Returns the broadcasts that ended since the previous one. */
  update(snapshot: Snapshot, now: number): readonly EndedBroadcast[] {
    const ended = this.#follow(snapshot, now);
    this.#forget(now);
    return ended;
  }

  /** Returns when the next change is due, by the clock whose time is passed to `take`; undefined if there is none. */
  nextAt(): number | undefined {
    const times = this.#unnotified().map(quietUntil);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  take(now: number): readonly LiveChange[] {
    const due = this.#unnotified().filter((followed) => quietUntil(followed) <= now);
    for (const followed of due) {
      followed.notifiedCount = now - followed.notifiedAt < FORGET_AFTER_MS ? followed.notifiedCount + 1 : 1;
      followed.notifiedAt = now;
      followed.isKnownLive = followed.isLive;
    }
    return due.map(({ stream, isLive: isNowLive }) => ({ stream, isLive: isNowLive }));
  }

  skipAllBut(kinds: ReadonlySet<NotificationKind>): void {
    for (const followed of this.#unnotified()) {
      if (!kinds.has(followed.isLive ? 'streamStarted' : 'streamEnded')) followed.isKnownLive = followed.isLive;
    }
  }

  #follow({ streams }: Snapshot, now = NEVER): readonly EndedBroadcast[] {
    for (const fact of streams.values()) if (isLive(fact)) this.#followLive(fact);
    const ended: EndedBroadcast[] = [];
    for (const [id, followed] of this.#followed) {
      if (!followed.isLive || !hasEnded(streams.get(id))) continue;
      Object.assign(followed, { isLive: false, endedAt: now });
      followed.dataAt = Math.max(followed.dataAt, streams.get(id)?.stream.lastSeen ?? 0);
      ended.push({ stream: followed.stream, broadcast: { ...followed.broadcast, last: followed.dataAt } });
    }
    return ended;
  }

  #followLive({ stream, serverDate }: StreamFact): void {
    const dataAt = stream.lastSeen ?? serverDate;
    const known = this.#followed.get(stream.id);
    const before = known?.dataAt;
    const broadcast = known?.isLive === true ? known.broadcast : { first: before ?? dataAt, before };
    const now = { stream, dataAt, broadcast, isLive: true };
    if (known !== undefined) Object.assign(known, now);
    else this.#followed.set(stream.id, { ...NEVER_NOTIFIED, ...now });
  }

  #unnotified(): readonly Followed[] {
    return [...this.#followed.values()].filter((followed) => followed.isLive !== followed.isKnownLive);
  }

  // Drops streams that ended long ago, so that memory doesn't grow over a long day.
  #forget(now: number): void {
    for (const [id, { isLive: isNowLive, isKnownLive, notifiedAt, endedAt }] of this.#followed) {
      const isOld = now - Math.max(notifiedAt, endedAt) >= FORGET_AFTER_MS;
      if (!isNowLive && !isKnownLive && isOld) this.#followed.delete(id);
    }
  }
}

const NEVER_NOTIFIED = { isKnownLive: false, notifiedAt: NEVER, notifiedCount: 0, endedAt: NEVER };

function quietUntil({ notifiedAt, notifiedCount }: Followed): number {
  if (notifiedCount === 0) return Number.NEGATIVE_INFINITY;
  return notifiedAt + Math.min(QUIET_AT_MOST_MS, QUIET_MS * 2 ** (notifiedCount - 1));
}

function hasEnded(fact: StreamFact | undefined): boolean {
  if (fact === undefined || !fact.stream.isActive) return true;
  const { lastSeen } = fact.stream;
  return lastSeen !== undefined && fact.serverDate - lastSeen > ENDED_AFTER_MS;
}
