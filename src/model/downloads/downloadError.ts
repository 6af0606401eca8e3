/** Why a download failed, where it was not the network (ApiError); closed. */
export type DownloadReason =
  /** The target is there and was not to be replaced. */
  | 'exists'
  /** This target is being written by another download. */
  | 'underWay'
  | 'noFolder'
  | 'isFolder'
  | 'nameTooLong'
  | 'notAllowed'
  | 'readOnly'
  | 'diskFull'
  /** More than the file system can hold in one file. */
  | 'tooLarge'
  | 'notWritten'
  /** 404, 410. */
  | 'gone'
  /** 401, 403. */
  | 'refused'
  /** 429, 5xx, after several tries. */
  | 'unavailable'
  /** Any other status. */
  | 'status'
  | 'notVideo'
  | 'empty'
  /** Less than was promised, several times. */
  | 'shorter'
  /** Another part than was asked for, or more than was promised. */
  | 'wrongRange'
  /** It became another file each time it was taken up again. */
  | 'changes'
  /** Sent on to where nothing is fetched from. */
  | 'redirect'
  | 'tooManyRedirects';

export interface DownloadErrorInit {
  /** Host and port that was asked. */
  readonly host?: string;
  readonly status?: number;
  /** Bytes. */
  readonly received?: number;
  readonly total?: number | undefined;
  /** The service's wish, milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** Told apart by its tag. Its message is for logs and holds no address and no path. */
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
  return error instanceof Error && 'tag' in error && error.tag === 'DownloadError';
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

/** Does something to a file; what the system refuses becomes a DownloadError. */
export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isDownloadError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new DownloadError(BY_CODE[code] ?? 'notWritten');
  }
}
