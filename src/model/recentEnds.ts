/** The service refuses to end a broadcast twice within this time (api.md, Changes). */
const PAUSE_MS = 5000;

/** Remembers which broadcasts this window has just ended, so that the next time is waited for and not refused. */
export class RecentEnds {
  readonly #endedAt = new Map<string, number>();

  /** Milliseconds until this stream's broadcast may be ended again; 0 = now. */
  waitFor(streamId: string, now: number): number {
    const endedAt = this.#endedAt.get(streamId);
    // A clock that was set back must not make anybody wait for hours.
    return endedAt === undefined || endedAt > now ? 0 : Math.max(0, endedAt + PAUSE_MS - now);
  }

  /** A broadcast was ended, or may have been. */
  note(streamId: string, now: number): void {
    for (const [id, endedAt] of this.#endedAt) {
      if (now - endedAt > PAUSE_MS) this.#endedAt.delete(id);
    }
    this.#endedAt.set(streamId, now);
  }
}
