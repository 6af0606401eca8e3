import { t } from '@vscode/l10n';
import type { Clock } from '../../services.ts';
import { formatBytes, formatWait } from '../../util/format.ts';

export interface ProgressOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly locale: string;
  readonly report: (message: string, percent?: number) => void;
}

export interface ProgressTeller {
  readonly onProgress: (received: number, total: number | undefined) => void;
  readonly onWait: () => void;
}

interface Amount {
  readonly received: number;
  /** In bytes; undefined if not known. */
  readonly total: number | undefined;
}

interface Sample {
  readonly at: number;
  readonly received: number;
}

const EVERY_MS = 250;
/** The speed is averaged over this time: long enough to be steady, short enough to follow the network. */
const WINDOW_MS = 10_000;
const LEAST_MS = 1000;

/** Reports the progress of a download: "12 MB of 340 MB · 25 s left". */
export function tellProgress({ clock, locale, report }: ProgressOptions): ProgressTeller {
  let samples: readonly Sample[] = [];
  const last = (): Sample | undefined => samples.at(-1);
  return {
    onProgress(received, total) {
      const at = clock.elapsed();
      // The download restarted, so older samples are invalid.
      if (received < (last()?.received ?? 0)) samples = [];
      const isDone = received === total;
      if (!isDone && at - (last()?.at ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, received }];
      const amount = { received, total };
      report(lineOf(amount, secondsLeft(samples, total), locale), percentOf(amount));
    },
    onWait() {
      samples = [];
      report(t('The connection broke off. Trying again…'));
    },
  };
}

function lineOf({ received, total }: Amount, left: number | undefined, locale: string): string {
  const done = formatBytes(received, locale) ?? '';
  if (total === undefined) return done;
  const ofAll = t('{0} of {1}', done, formatBytes(total, locale) ?? '');
  const time = formatWait(left);
  return time === undefined ? ofAll : t('{0} · {1} left', ofAll, time);
}

function secondsLeft(samples: readonly Sample[], total: number | undefined): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (total === undefined || first === undefined || last === undefined || last.at - first.at < LEAST_MS)
    return undefined;
  const aSecond = ((last.received - first.received) / (last.at - first.at)) * 1000;
  return aSecond > 0 ? (total - last.received) / aSecond : undefined;
}

function percentOf({ received, total }: Amount): number | undefined {
  return total === undefined || total === 0 ? undefined : (100 * received) / total;
}
