import type { AmfObject } from '../media/amf.ts';
import type { MediaPacket } from '../media/flv.ts';
import type { Disposable } from '../util/disposable.ts';

/** What a broadcast sends. */
export interface MediaSource extends Disposable {
  readonly metadata: AmfObject;
  /**
   * The packets from a time on (milliseconds), in the order of time, without end unless the source has one. Decoder
   * settings come first, then a key frame. Called again after a lost connection; the iteration before is over then.
   * The signal ends it early.
   */
  packets(from: number, signal: AbortSignal): AsyncIterable<MediaPacket>;
}
