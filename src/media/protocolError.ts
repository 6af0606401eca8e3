import { hasTag } from '../util/hasTag.ts';

/** Thrown for bytes that aren't RTMP, AMF0, or FLV, or exceed a limit. Its message is for logs: no keys, no words of the peer. */
export class ProtocolError extends Error {
  readonly tag = 'ProtocolError';

  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

export function isProtocolError(error: unknown): error is ProtocolError {
  return hasTag<ProtocolError>(error, 'ProtocolError');
}
