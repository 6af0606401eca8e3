import { hasTag } from '../util/hasTag.ts';

/**
 * `protocol`: the peer's data isn't RTMP, or exceeds a limit of this code. `closed`: the peer ended the connection.
 * `key…` and `publish…` are responses to publishing. The `file…` reasons and `ffmpeg` are about the source.
 */
export type BroadcastErrorReason =
  | 'protocol'
  | 'nameNotFound'
  | 'refused'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'closed'
  | 'stalled'
  | 'appRejected'
  | 'keyRejected'
  | 'keyInUse'
  | 'publishDenied'
  | 'publishFailed'
  | 'fileMissing'
  | 'fileUnreadable'
  | 'fileIncomplete'
  | 'fileNotMp4'
  | 'fileNotVideo'
  | 'fileUnsupported'
  | 'ffmpeg';

interface BroadcastErrorInit {
  /** The codec or feature (`fileUnsupported`), or the end of ffmpeg's output. Never a key. */
  readonly detail?: string;
  readonly cause?: unknown;
}

/** The only error that a test broadcast throws on purpose. The message is for logs: no keys and no text of the peer. */
export class BroadcastError extends Error {
  readonly tag = 'BroadcastError';
  readonly reason: BroadcastErrorReason;
  readonly detail: string | undefined;

  constructor(reason: BroadcastErrorReason, message: string, init: BroadcastErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'BroadcastError';
    this.reason = reason;
    this.detail = init.detail;
  }
}

export function isBroadcastError(error: unknown): error is BroadcastError {
  return hasTag<BroadcastError>(error, 'BroadcastError');
}
