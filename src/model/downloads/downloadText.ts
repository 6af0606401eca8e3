import { t } from '@vscode/l10n';
import type { Clock } from '../../services.ts';
import { formatBytes, formatWait } from '../../util/format.ts';
import type { DownloadError, DownloadReason } from './downloadError.ts';

export interface DownloadPlace {
  readonly fileName: string;
  readonly folder: string;
  readonly locale: string;
}

type Sentence = (place: DownloadPlace, error: DownloadError, host: string) => string;

/** Returns one or two sentences for the user: what happened, and what to do next. Contains no address. */
export function describeDownloadError(error: DownloadError, place: DownloadPlace): string {
  return SENTENCES[error.reason](place, error, error.host ?? t('The service'));
}

const SENTENCES: Readonly<Record<DownloadReason, Sentence>> = {
  exists: ({ fileName }) => t('"{0}" is there already and was not replaced.', fileName),
  underWay: ({ fileName }) => t('"{0}" is being downloaded already.', fileName),
  noFolder: ({ folder }) => t('There is no folder {0}.', folder),
  isFolder: ({ fileName }) => t('"{0}" is a folder. Choose another name.', fileName),
  nameTooLong: () => t('This name is too long for the disk. Choose a shorter one.'),
  notAllowed: ({ folder }) => t('You may not write to {0}. Choose another folder.', folder),
  readOnly: ({ folder }) => t('{0} can only be read, not written to. Choose another folder.', folder),
  diskFull: ({ folder }) => t('There is not enough room left in {0}. Make room, or choose another disk.', folder),
  tooLarge: ({ folder }) => t('The disk of {0} cannot hold a file of this size. Choose another disk.', folder),
  notWritten: ({ fileName }) => t('"{0}" could not be written. Try again, or choose another folder.', fileName),
  gone: (_, __, host) => t('{0} does not have this file, or no longer.', host),
  refused: (_, { status }, host) =>
    t(
      '{0} does not give this file out ({1}). Its address may have expired: refresh, and try again.',
      host,
      code(status),
    ),
  unavailable: (_, { status }, host) => t('{0} is unavailable ({1}). Try again later.', host, code(status)),
  status: (_, { status }, host) => t('{0} answered {1} instead of a video.', host, code(status)),
  notVideo: (_, __, host) => t('{0} answered something else than a video. It may be an error or a sign-in page.', host),
  empty: (_, __, host) => t('{0} sent an empty file.', host),
  shorter: ({ locale }, { received, total }, host) =>
    t('{0} promised {1} and sent only {2}, several times.', host, bytes(total, locale), bytes(received, locale)),
  wrongRange: (_, __, host) => t('{0} sent another part of the file than was asked for.', host),
  changes: (_, __, host) =>
    t('The file at {0} changed again and again while it was downloaded. Try again later.', host),
  redirect: (_, __, host) => t('{0} sent the download on to an address that is not fetched from.', host),
  tooManyRedirects: (_, __, host) => t('{0} sent the download on too many times.', host),
};

function code(status: number | undefined): string {
  return String(status ?? '');
}

function bytes(count: number | undefined, locale: string): string {
  return formatBytes(count, locale) ?? t('more');
}

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
      report(progressLine(amount, secondsLeft(samples, total), locale), percentOf(amount));
    },
    onWait() {
      samples = [];
      report(t('The connection broke off. Trying again…'));
    },
  };
}

function progressLine({ received, total }: Amount, left: number | undefined, locale: string): string {
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
  const bytesPerSecond = ((last.received - first.received) / (last.at - first.at)) * 1000;
  return bytesPerSecond > 0 ? (total - last.received) / bytesPerSecond : undefined;
}

function percentOf({ received, total }: Amount): number | undefined {
  return total === undefined || total === 0 ? undefined : (100 * received) / total;
}
