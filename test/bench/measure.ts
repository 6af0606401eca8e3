/** What a row of the table says. */
export interface Result {
  readonly figure: string;
  /** Ours; `formatFigure` makes the median with minimum and maximum. */
  readonly measured: string;
  /** Measured in the same run, or published figures, as it then says; empty where there is none. */
  readonly reference: string;
  readonly aim: string;
  /** undefined where the aim can be judged by looking alone. */
  readonly isMet: boolean | undefined;
}

/** One row of issue 5's table of benchmarks, or several that are measured together. */
export interface Bench {
  /** For --only. */
  readonly name: string;
  readonly run: (report: (line: string) => void, options: BenchOptions) => Promise<readonly Result[]>;
}

export interface BenchOptions {
  /** Of what takes its time, by --minutes. */
  readonly minutes?: number | undefined;
}

export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Fewer are no figure. */
const FEWEST_SAMPLES = 7;

/** Throws for fewer than seven values. */
export function figureOf(values: readonly number[]): Figure {
  if (values.length < FEWEST_SAMPLES) throw new Error(`${values.length} values are too few for a figure`);
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1), count: sorted.length };
}

/**
 * What the median of all that could be measured is below, with 96 % certainty at least: a value that noise makes large where it is
 * wide, so that nothing is shown by measuring badly. By the sign test: of so many values, each is as likely below it as above.
 */
export function medianAtMost(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  let [above, likelihood] = [0, 0.5 ** sorted.length];
  let likely = likelihood;
  while (likely * ((sorted.length - above) / (above + 1)) + likelihood <= 0.02) {
    likely *= (sorted.length - above) / (above + 1);
    likelihood += likely;
    above += 1;
  }
  return sorted.at(-1 - above) ?? Number.NaN;
}

/** 12.3 ms (11.0 to 14.2); whole numbers alone from 100 up. */
export function formatFigure({ median, min, max }: Figure, unit: string): string {
  const [middle, least, most] = [median, min, max].map(formatNumber);
  return least === most ? `${middle} ${unit}` : `${middle} ${unit} (${least} to ${most})`;
}

export function formatNumber(value: number): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** 1.13 × */
export function formatRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/**
 * Runs each in turn, round after round, each round beginning with another one: what changes on the machine meanwhile falls
 * on all alike. The first round is not counted.
 */
export async function alternate<K extends string, T>(
  rounds: number,
  runs: Readonly<Record<K, () => Promise<T>>>,
): Promise<Readonly<Record<K, readonly T[]>>> {
  const names = Object.keys(runs) as K[];
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (let round = 0; round <= rounds; round++) {
    const from = round % names.length;
    for (const name of [...names.slice(from), ...names.slice(0, from)]) {
      const value = await runs[name]();
      if (round > 0) found[name].push(value);
    }
  }
  return found;
}

/** Milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Milliseconds of processor time of this process, all its threads. */
export async function timedCpu(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
