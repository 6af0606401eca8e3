import { growthOfEach, type HeapSample, MB, settled } from './heap.ts';
import type { Tally } from './tallies.ts';

interface Soaked {
  readonly seconds: number;
  readonly seed: number;
  readonly requests: number;
  /** Over the actions of the person. */
  readonly heaps: readonly HeapSample[];
  /** Over polls of one connection. */
  readonly polls: readonly HeapSample[];
  readonly errors: number;
  readonly effects: Tally;
  readonly actions: Tally;
  readonly changes: Tally;
  readonly faults: Tally;
  /** Did it come to its end? */
  readonly isWhole: boolean;
}

/** What came of a soak, as a Markdown table: also of one that failed. */
export function reportOf(soaked: Soaked): string {
  const { seconds, seed, requests, heaps, polls, errors, effects, actions, changes, faults, isWhole } = soaked;
  const inMB = ({ bytes }: HeapSample) => (bytes / MB).toFixed(1);
  const inKB = (bytes: number) => (Number.isFinite(bytes) ? `${(bytes / 1024).toFixed(1)} kB` : 'not measured');
  const [first, last] = [heaps[0], heaps.at(-1)];
  const rows: readonly (readonly [string, string | number])[] = [
    ['came to its end', isWhole ? 'yes' : 'no'],
    ['seconds', seconds],
    ['seed', seed],
    ['commands whose effects were looked at', effects.total],
    ['actions of the person', `${actions.total}, of ${actions.entries.length} kinds`],
    ['changes at the services', `${changes.total}, of ${changes.entries.length} kinds`],
    ['faults', `${faults.total}, of ${faults.entries.length} kinds`],
    ['requests', requests],
    ['heap after gc at the start and at the end', first && last ? `${inMB(first)} and ${inMB(last)} MB` : 'not known'],
    ['growth for each action, after the first third', inKB(growthOfEach(settled(heaps)))],
    ['growth for each poll', inKB(growthOfEach(polls))],
    ['errors, and effects that were missed', errors],
  ];
  return ['| soak | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
