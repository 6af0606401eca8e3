import type { AmfObject } from '../media/amf.ts';
import type { MediaPacket } from '../media/flv.ts';
import type { Disposable } from '../util/disposable.ts';

/** The media that a broadcast sends. */
export interface MediaSource extends Disposable {
  readonly metadata: AmfObject;
  /**
   * Yields packets in order of time, starting at the given time in milliseconds, and never finishes unless the source
   * ends. Decoder settings come first, and then a key frame. Called again after a lost connection, when the previous
   * iteration is over. The signal ends it early.
   */
  packets(from: number, signal: AbortSignal): AsyncIterable<MediaPacket>;
}
