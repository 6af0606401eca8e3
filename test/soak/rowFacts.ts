import type { DemoStream } from '../support/demo/demoService.ts';

/** Where the data of a live stream stopped so long ago, it is told from those that are live for certain. */
const STALE_AFTER_MS = 90_000;

type ServedStream = Pick<DemoStream, 'isActive' | 'isHealthy' | 'lastSeen' | 'record' | 'suspended'>;

/**
 * What a stream's row has to say to a screen reader about a stream of the service: whether it is live, stale or idle, whether it
 * is being recorded or will be, whether it is healthy, and whether it is suspended. These are independent of each other, but that
 * nobody knows what becomes of data that stopped: a stale row says nothing about recording and health. Nor does the row of a
 * suspended stream say anything about its data. In which order a row says them is no matter of the soak.
 */
export function servedFacts(stream: ServedStream, face: string, now: number): string {
  const { isActive, isHealthy, lastSeen, record, suspended } = stream;
  // Who sends what is stated alone says nothing of these.
  const [isUnhealthy, isSuspended] = face === 'strict' ? [] : [isHealthy === false, suspended];
  const isStale = isSuspended !== true && now - lastSeen > STALE_AFTER_MS;
  const state = isActive ? (isStale ? 'stale' : 'live') : 'idle';
  const isBroadcast = state === 'live' && isSuspended !== true;
  return joined(state, [
    isBroadcast && record && 'recording',
    (state === 'idle' || isSuspended) && record && 'recording on',
    isBroadcast && isUnhealthy && 'unhealthy',
    isSuspended && 'suspended',
  ]);
}

/** What a row says of a stream; the whole label as facts where it says something else as well. */
export function readSpoken(label: string): { readonly name: string; readonly facts: string } {
  const words = label.split(', ');
  const said = new Set<string>();
  // The rest is the name, which may have commas.
  for (let kind = kindOf(words.at(-1)); kind !== undefined; kind = kindOf(words.at(-1))) {
    said.add(kind);
    words.pop();
  }
  const states = ['live', 'stale', 'idle'].filter((state) => said.has(state));
  const facts = ['recording', 'recording on', 'unhealthy', 'suspended'].filter((fact) => said.has(fact));
  const state = states.length === 0 && said.has('suspended') ? 'idle' : states[0];
  if (state === undefined || states.length > 1) return { name: label, facts: label };
  return { name: words.join(', '), facts: joined(state, facts) };
}

function kindOf(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  if (/^(still )?live$/.test(word)) return 'live';
  if (/^no data for \d/.test(word)) return 'stale';
  if (/^idle$|^last live \S|^ended just now$|^never live$/.test(word)) return 'idle';
  // What the health says, which isn't in the list of streams.
  if (/^\d+ problems?$| failing$/.test(word)) return 'problem';
  return ['recording', 'recording on', 'unhealthy', 'suspended'].includes(word) ? word : undefined;
}

function joined(state: string, others: readonly (string | false | undefined)[]): string {
  return [state, ...others].filter(Boolean).join(', ');
}
