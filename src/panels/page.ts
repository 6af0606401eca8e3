export interface Page {
  /** Whether its tab is in front. False once the tab is closed. */
  readonly isSeen: boolean;
  title: string;
  reveal(): void;
  /** Creates a page that may load media from these origins only. Without origins, keeps the current page. */
  allow(origins: readonly string[]): void;
  /** Draws a page without media origins, unless another one is drawn soon. */
  allowSoon(): void;
  /** Posts a message. A page that isn't ready yet is sent everything once it is. */
  send(message: object): void;
  dispose(): void;
}

export interface PageEvents<Said> {
  /** Returns the message if the page may send it; otherwise undefined. */
  readonly read: (said: unknown) => Said | undefined;
  /** A new page is ready and has to be sent all its content. */
  readonly onReady: () => void;
  readonly onSaid: (said: Said) => unknown;
  readonly onSeenOrHidden: () => void;
}
