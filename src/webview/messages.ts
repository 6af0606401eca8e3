/** Messages between any page and its tab. Types only, so that neither side imports code of the other. */

/** A page whose kind is 'playback' isn't restored: it shows a URL, which is never kept. */
export interface ShownSubject {
  readonly connection: string;
  readonly kind: 'stream' | 'session' | 'clip' | 'playback' | 'delivery' | 'localDelivery';
  readonly id: string;
  /** Set for a delivery. */
  readonly webhookId?: string;
}

/** State kept over a reload. `position`: playback position in seconds. */
export interface KeptState extends ShownSubject {
  readonly position: number;
}

/** Written into the page's HTML. */
export interface PageData {
  readonly name: 'player' | 'details' | 'check' | 'delivery';
  /** Which of the tab's pages this is; part of every message of the page. */
  readonly page: number;
  readonly subject: ShownSubject;
  /** Texts in the display language, for `config` of @vscode/l10n; null for English. */
  readonly texts: Readonly<Record<string, string | { readonly message: string; readonly comment: string[] }>> | null;
}

/** Decides the mark and its color. Words say the same. */
export type Tone =
  | 'live'
  | 'recording'
  | 'recordingOn'
  | 'good'
  | 'ready'
  | 'processing'
  | 'doubtful'
  | 'warning'
  | 'failed'
  | 'quiet'
  | 'unknown'
  | 'suspended';

/**
 * 'ready' requests what the page should show, and 'pong' answers a `Ping`; the other messages depend on the kind of
 * page.
 */
export interface FromPage<Said> {
  readonly page: number;
  readonly said: Said | { readonly kind: 'ready' | 'pong' };
}

/** Sent to any page. The reply means that earlier messages have arrived, including the focus that VS Code gave it. */
export interface Ping {
  readonly kind: 'ping';
}
