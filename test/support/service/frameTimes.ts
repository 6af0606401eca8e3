/** A frame of audio or video, in what was sent or in what arrived. */
export interface TimedFrame {
  readonly kind: 'audio' | 'video';
  /** When it is seen or heard, in milliseconds. */
  readonly time: number;
  /** Of its content. */
  readonly hash: string;
}

/**
 * How far audio and video have moved against each other on their way, in milliseconds: the largest difference between
 * the delays of any two frames, of either track and in any pass of a source of `passMs` that is sent over and over.
 * Frames are recognized by their content. Throws if less than half of either track is.
 */
export function spreadOfDelays(arrived: readonly TimedFrame[], source: readonly TimedFrame[], passMs: number): number {
  const times = uniqueTimes(source);
  const delays = arrived.flatMap(({ kind, time, hash }) => {
    const sentAt = times.get(keyOf({ kind, hash }));
    return sentAt === undefined ? [] : [{ kind, delay: time - sentAt }];
  });
  for (const track of ['audio', 'video'] as const) {
    const [known, all] = [delays, arrived].map((frames) => frames.filter(({ kind }) => kind === track).length);
    if (!known || known < (all ?? 0) / 2) throw new Error(`Of ${all} frames of ${track}, ${known} were recognized`);
  }
  const first = delays[0]?.delay ?? 0;
  const rests = delays.map(({ delay }) => delay - first - Math.round((delay - first) / passMs) * passMs);
  return rests.reduce((most, rest) => Math.max(most, rest)) - rests.reduce((least, rest) => Math.min(least, rest));
}

/** Silence, for one, is the same frame again and again. */
function uniqueTimes(frames: readonly TimedFrame[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const repeated = new Set<string>();
  for (const frame of frames) {
    const key = keyOf(frame);
    if (times.has(key)) repeated.add(key);
    times.set(key, frame.time);
  }
  for (const key of repeated) times.delete(key);
  return times;
}

function keyOf({ kind, hash }: Pick<TimedFrame, 'kind' | 'hash'>): string {
  return `${kind} ${hash}`;
}
