import { t } from '@vscode/l10n';
import { formatBytes } from '../../util/format.ts';
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
