/** The first message has to be `start`. */
export type ToSoundWorker =
  | { readonly kind: 'start'; readonly wasm: ArrayBuffer }
  /** `track` is any number that identifies one source buffer; `bytes` is what would be appended to it. */
  | { readonly kind: 'convert'; readonly track: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Nothing follows for that source buffer, or it starts over. */
  | { readonly kind: 'forget'; readonly track: number };

export type FromSoundWorker =
  /** The responses to `convert`, in the same order. */
  | { readonly kind: 'converted'; readonly bytes: Uint8Array<ArrayBuffer>; readonly bytesPerSecond: number }
  /** The worker can no longer be used. `reason` is for a log. */
  | { readonly kind: 'failed'; readonly reason: string };
