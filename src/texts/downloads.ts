import { t } from '@vscode/l10n';
import { nameService } from '../api/describeError.ts';
import type { DownloadError, DownloadReason } from '../model/downloads/downloadError.ts';
import type { Clock } from '../services.ts';
import { isKnownZone, isTime } from '../util/dates.ts';
import { formatWait } from '../util/format.ts';
import { formatBytes } from '../util/formatBytes.ts';
import { isBlank } from '../util/text.ts';
import { recordingLabel } from './lateLabels.ts';

interface DownloadTarget {
  readonly fileName: string;
  readonly folder: string;
  readonly locale: string;
}

type Sentence = (target: DownloadTarget, error: DownloadError, host: string) => string;

/** Returns one or two sentences for the user: what happened, and what to do next. Contains no URL. */
export function describeDownloadError(error: DownloadError, target: DownloadTarget): string {
  return nameService(error.host, (name) => SENTENCES[error.reason](target, error, name));
}

const SENTENCES: Readonly<Record<DownloadReason, Sentence>> = {
  exists: ({ fileName }) => t('"{0}" already exists and wasn\'t replaced.', fileName),
  underWay: ({ fileName }) => t('"{0}" is already being downloaded.', fileName),
  noFolder: ({ folder }) => t("The folder {0} doesn't exist.", folder),
  isFolder: ({ fileName }) => t('"{0}" is a folder. Enter another name.', fileName),
  nameTooLong: () => t('The file name is too long for this disk. Enter a shorter name.'),
  notAllowed: ({ folder }) => t("You don't have permission to write to {0}. Select another folder.", folder),
  readOnly: ({ folder }) => t('{0} is read-only. Select another folder.', folder),
  diskFull: ({ folder }) => t("There isn't enough space in {0}. Free up some space, or select another disk.", folder),
  tooLarge: ({ folder }) => t('The file is too large for the disk that contains {0}. Select another disk.', folder),
  notWritten: ({ fileName }) => t('Couldn\'t save "{0}". Try again, or select another folder.', fileName),
  gone: (_, __, host) => t("This file wasn't found on {0}. It may have been deleted.", host),
  refused: (_, { status }, host) =>
    t('{0} denied the download ({1}). The URL may have expired. Refresh, and then try again.', host, code(status)),
  unavailable: (_, { status }, host) => t('{0} is unavailable ({1}). Try again later.', host, code(status)),
  status: (_, { status }, host) => t('{0} returned {1} instead of a video.', host, code(status)),
  notVideo: (_, __, host) => t("{0} didn't return a video. The response may be an error or a sign-in page.", host),
  empty: (_, __, host) => t('{0} returned an empty file.', host),
  shorter: ({ locale }, { received, total }, host) =>
    t('The download is incomplete: received {2} of {1} from {0}.', host, bytes(total, locale), bytes(received, locale)),
  wrongRange: (_, __, host) => t('{0} returned the wrong part of the file.', host),
  changes: (_, __, host) => t('The file on {0} kept changing during the download. Try again later.', host),
  redirect: (_, __, host) => t("{0} redirected the download to a URL that isn't allowed.", host),
  tooManyRedirects: (_, __, host) => t('Too many redirects from {0}.', host),
};

function code(status: number | undefined): string {
  return String(status ?? '');
}

function bytes(count: number | undefined, locale: string): string {
  return formatBytes(count, locale) ?? t('an unknown size');
}

export interface ProgressOptions {
  readonly clock: Clock;
  readonly locale: string;
  readonly report: (message: string, percent?: number) => void;
}

interface Amount {
  readonly received: number;
  readonly total: number | undefined;
}

interface Sample {
  readonly at: number;
  readonly received: number;
}

const EVERY_MS = 250;
// The speed is averaged over this time: long enough to be steady, short enough to follow the network.
const WINDOW_MS = 10_000;
const LEAST_MS = 1000;

export function reportProgress({ clock, locale, report }: ProgressOptions) {
  let samples: readonly Sample[] = [];
  const last = (): Sample | undefined => samples.at(-1);
  return {
    onProgress(received: number, total: number | undefined) {
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
      report(t('Connection lost. Retrying…'));
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

const MAX_LENGTH = 80;
// Leaves room for time, extension, and the additions of a .part file within the 255 bytes of file systems.
const MOST_NAME_BYTES = 180;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

/** Removes characters that file systems refuse or that disguise a name. `ending` includes its dot. */
export function safeFileName(name: string, fallback: string, ending: string): string {
  const cleaned = name
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ');
  const cut = [...cleaned].slice(0, MAX_LENGTH).join('');
  const trimmed = cut.replace(/^[. ]+|[. ]+$/g, '');
  return (isBlank(trimmed) || DEVICE.test(trimmed) ? fallback : trimmed) + ending;
}

/** "Keynote 2026-11-20 10-42.mp4": the name of the stream, and when the session started. */
export function recordingFileName(streamName: string, startedAt: number | undefined, timeZone: string): string {
  const name = cutToBytes(safeFileName(streamName, recordingLabel(), ''));
  const time = isTime(startedAt) ? sortableTime(startedAt, timeZone) : undefined;
  return `${time === undefined ? name : `${name} ${time}`}.mp4`;
}

/** "2026-11-20 10-42", in any language: sorting by name is chronological. Some file systems don't accept colons. */
function sortableTime(at: number, timeZone: string): string {
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const zone = isKnownZone(timeZone) ? timeZone : 'UTC';
  return new Intl.DateTimeFormat('sv', { ...numbers, hourCycle: 'h23', timeZone: zone }).format(at).replace(':', '-');
}

function cutToBytes(name: string): string {
  let characters = [...name];
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters = characters.slice(0, -1);
  return characters.join('').trim();
}
