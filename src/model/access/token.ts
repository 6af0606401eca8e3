/** How long the tokens with which this extension watches are valid. */
export const TOKEN_SECONDS = 3600;

export interface TokenRequest {
  readonly playbackId: string;
  /** How long it is valid. */
  readonly seconds: number;
  /** The time of the service, Unix time in milliseconds. */
  readonly now: number;
}
