import { growth, MB } from './heap.ts';
import type { Tally } from './tallies.ts';

export interface Soaked {
  readonly seconds: number;
  readonly seed: number;
  readonly requests: number;
  /** Bytes, in their order. */
  readonly heaps: readonly number[];
  readonly errors: number;
  readonly actions: Tally;
  readonly changes: Tally;
  readonly faults: Tally;
}

/** What came of a soak, as a Markdown table. */
export function reportOf({ seconds, seed, requests, heaps, errors, actions, changes, faults }: Soaked): string {
  const inMB = (bytes: number) => (bytes / MB).toFixed(1);
  const [start = 0, middle = 0, end = 0] = [heaps[0], heaps[Math.floor(heaps.length / 2)], heaps.at(-1)];
  const rows: readonly (readonly [string, string | number])[] = [
    ['seconds', seconds],
    ['seed', seed],
    ['actions of the person', `${actions.total}, of ${actions.entries.length} kinds`],
    ['changes at the services', `${changes.total}, of ${changes.entries.length} kinds`],
    ['faults', `${faults.total}, of ${faults.entries.length} kinds`],
    ['requests', requests],
    ['heap after gc at the start, in the middle, at the end', `${[start, middle, end].map(inMB).join(', ')} MB`],
    ['growth after the first third, half against half', `${inMB(growth(heaps))} MB`],
    ['errors that no fault explains', errors],
  ];
  return ['| soak | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
