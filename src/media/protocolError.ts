import { hasTag } from '../util/hasTag.ts';

/** Thrown for bytes that aren't RTMP, AMF0, or FLV, or exceed a limit. For logs: has no keys or text of the peer. */
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
