/** How long the tokens with which this extension plays streams are valid, in seconds. */
export const TOKEN_SECONDS = 3600;

export interface TokenRequest {
  readonly playbackId: string;
  /** How long it's valid. */
  readonly seconds: number;
  /** The service's time: Unix time in milliseconds. */
  readonly now: number;
}
