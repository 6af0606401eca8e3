import { hasTag } from '../util/hasTag.ts';

/** `protocol`: what the peer sent isn't RTMP, or exceeds a limit of this reader. */
export type BroadcastErrorReason = 'protocol';

/** The only error that RTMP code throws on purpose. Its message is for logs: no keys, no words of the peer. */
export class BroadcastError extends Error {
  readonly tag = 'BroadcastError';
  readonly reason: BroadcastErrorReason;

  constructor(reason: BroadcastErrorReason, message: string) {
    super(message);
    this.name = 'BroadcastError';
    this.reason = reason;
  }
}

export function isBroadcastError(error: unknown): error is BroadcastError {
  return hasTag<BroadcastError>(error, 'BroadcastError');
}
