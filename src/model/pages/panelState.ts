export interface PanelTarget {
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

export interface PlayerTarget {
  readonly kind: PanelTarget['kind'] | 'clip';
  readonly id: string;
}

/** Kept over a reload. Never contains a URL or a key (src/host/README.md, Webviews). */
export interface KeptTarget extends PanelTarget {
  readonly connection: string;
}

/** A webhook's delivery, or one that a window sent, which only that window has. */
export interface KeptDelivery {
  readonly kind: 'delivery' | 'localDelivery';
  readonly connection: string;
  /** '' if no webhook was chosen. */
  readonly webhookId: string;
  readonly id: string;
}

export interface KeptPlayerTarget extends PlayerTarget {
  readonly connection: string;
}

export interface PlayerState extends KeptPlayerTarget {
  /** Seconds from the beginning of a recording; 0 for a live stream. */
  readonly position: number;
}

// The types of the webview panels, which are also in package.json's activation events.
export const DETAILS_VIEW = 'liveStreams.details';
export const CHECK_VIEW = 'liveStreams.check';
export const DELIVERY_VIEW = 'liveStreams.delivery';
export const PLAYER_VIEW = 'liveStreams.player';
