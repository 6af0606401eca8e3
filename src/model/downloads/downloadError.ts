import { errorCode } from '../../util/errorCode.ts';
import { hasTag } from '../../util/hasTag.ts';

export type DownloadReason =
  | 'exists'
  | 'underWay'
  | 'noFolder'
  | 'isFolder'
  | 'nameTooLong'
  | 'notAllowed'
  | 'readOnly'
  | 'diskFull'
  | 'tooLarge'
  | 'notWritten'
  | 'gone'
  | 'refused'
  | 'unavailable'
  | 'status'
  | 'notVideo'
  | 'empty'
  /** Fewer bytes than announced, several times. */
  | 'shorter'
  /** A part that wasn't requested, or more bytes than announced. */
  | 'wrongRange'
  /** The file changed each time the download was resumed. */
  | 'changes'
  | 'redirect'
  | 'tooManyRedirects';

export interface DownloadErrorInit {
  readonly host?: string | undefined;
  readonly status?: number | undefined;
  readonly received?: number | undefined;
  readonly total?: number | undefined;
  /** How long to wait before a retry according to the service, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The message is for logs and contains no URL or path. */
export class DownloadError extends Error {
  readonly tag = 'DownloadError';
  readonly reason: DownloadReason;
  readonly host: string | undefined;
  readonly status: number | undefined;
  readonly received: number | undefined;
  readonly total: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(reason: DownloadReason, init: DownloadErrorInit = {}) {
    super(`${reason}${init.status === undefined ? '' : ` (${init.status})`}`);
    this.name = 'DownloadError';
    this.reason = reason;
    this.host = init.host;
    this.status = init.status;
    this.received = init.received;
    this.total = init.total;
    this.retryAfter = init.retryAfter;
  }
}

export function isDownloadError(error: unknown): error is DownloadError {
  return hasTag<DownloadError>(error, 'DownloadError');
}

const BY_CODE: Readonly<Record<string, DownloadReason>> = {
  EEXIST: 'exists',
  ENOENT: 'noFolder',
  ENOTDIR: 'noFolder',
  EISDIR: 'isFolder',
  ENAMETOOLONG: 'nameTooLong',
  EACCES: 'notAllowed',
  EPERM: 'notAllowed',
  EROFS: 'readOnly',
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EFBIG: 'tooLarge',
};

export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isDownloadError(error)) throw error;
    throw new DownloadError(BY_CODE[errorCode(error)] ?? 'notWritten');
  }
}
