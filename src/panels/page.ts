/** The page in a tab, for those who fill it. */
export interface Page {
  /** Whether its tab is in front. False once the tab is closed. */
  readonly isSeen: boolean;
  title: string;
  reveal(): void;
  /** Draws a page that may load media from these origins and no others. Without origins, keeps the page that is there. */
  allow(origins: readonly string[]): void;
  /** Draws a page without media origins, unless another one is drawn soon. */
  allowSoon(): void;
  /** Posts a message. A page that isn't ready yet is sent everything once it is. */
  send(message: object): void;
  dispose(): void;
}

/** What a page reports to its owner. */
export interface PageEvents<Said> {
  /** Returns the message if the page may send it; otherwise undefined. */
  readonly read: (said: unknown) => Said | undefined;
  /** A new page is ready, and has to be sent all that it shows. */
  readonly onReady: () => void;
  readonly onSaid: (said: Said) => unknown;
  /** Its tab came to the front, or another one did. */
  readonly onSeenOrHidden: () => void;
}
