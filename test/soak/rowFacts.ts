import type { DemoStream } from '../support/demo/demoService.ts';

/** Where the data of a live stream stopped so long ago, it is told from those that are live for certain. */
const STALE_AFTER_MS = 90_000;

type ServedStream = Pick<DemoStream, 'isActive' | 'isHealthy' | 'lastSeen' | 'record' | 'suspended'>;

/**
 * What a stream's row has to say of a stream of the service: whether it is live, stale or idle, whether it is being recorded,
 * whether it is healthy, and whether it is suspended. These are independent of each other, but that nobody knows what becomes of
 * data that stopped: only a live row says "recording" or "not healthy". In which order a row says them is no matter of the soak.
 */
export function servedFacts(stream: ServedStream, face: string, now: number): string {
  const { isActive, isHealthy, lastSeen, record, suspended } = stream;
  const isStale = isActive && now - lastSeen > STALE_AFTER_MS;
  const state = isActive ? (isStale ? 'stale' : 'live') : 'idle';
  // Who sends what is stated alone says nothing of these.
  const [isUnhealthy, isSuspended] = face === 'strict' ? [] : [isHealthy === false, suspended];
  return joined(state, [
    state === 'live' && record && 'recording',
    state === 'live' && isUnhealthy && 'unhealthy',
    isSuspended && 'suspended',
  ]);
}

/** The same by what a row says; its description as it is where that says something else as well. */
export function shownFacts(description: string): string {
  const words = new Set(description.split(' · '));
  const has = (word: string): boolean => words.delete(word);
  const facts = ['recording', 'unhealthy', 'suspended'].filter(has);
  const isLive = has('live') || has('still live');
  const [other, ...more] = words;
  if (isLive) return other === undefined ? joined('live', facts) : description;
  if (other === undefined) return facts.includes('suspended') ? joined('idle', facts) : description;
  if (more.length > 0) return description;
  if (/^no data for \d/.test(other)) return joined('stale', facts);
  return /^\d.* ago$|^just now$|^never live$/.test(other) ? joined('idle', facts) : description;
}

function joined(state: string, others: readonly (string | false | undefined)[]): string {
  return [state, ...others].filter(Boolean).join(', ');
}
