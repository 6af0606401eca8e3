import { isId } from '../../api/ids.ts';
import { isRecord } from '../../util/isRecord.ts';

export interface PanelTarget {
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/** Kept over a reload. Never contains an address or a key (src/host/README.md, Webviews). */
export interface KeptTarget extends PanelTarget {
  readonly connection: string;
}

/** A delivery of a webhook, or one that a window sent, which only that window has. */
export interface KeptDelivery {
  readonly kind: 'delivery' | 'localDelivery';
  readonly connection: string;
  /** '' if no webhook was chosen. */
  readonly webhookId: string;
  readonly id: string;
}

interface PlayerState extends KeptTarget {
  /** Seconds from the beginning of a recording; 0 for a live stream. */
  readonly position: number;
}

// The types of the webview panels, which package.json's activation events name too.
export const DETAILS_VIEW = 'liveStreams.details';
export const CHECK_VIEW = 'liveStreams.check';
export const DELIVERY_VIEW = 'liveStreams.delivery';
export const PLAYER_VIEW = 'liveStreams.player';

export function readPanelTarget(value: unknown): KeptTarget | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, kind, id } = value;
  if (!isId(connection) || !isId(id) || (kind !== 'stream' && kind !== 'session')) return undefined;
  return { connection, kind, id };
}

export function readDeliveryTarget(value: unknown): KeptDelivery | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, kind, id, webhookId } = value;
  if (!isId(id)) return undefined;
  if (kind === 'localDelivery') return { kind, connection: '', webhookId: '', id };
  if (kind !== 'delivery' || !isId(connection) || !isId(webhookId)) return undefined;
  return { kind, connection, webhookId, id };
}

/** Decodes a restored panel's state; undefined if it is malformed. An invalid position becomes 0. */
export function readPlayerState(value: unknown): PlayerState | undefined {
  const subject = readPanelTarget(value);
  if (subject === undefined || !isRecord(value)) return undefined;
  const { position } = value;
  const isPosition = typeof position === 'number' && Number.isFinite(position) && position > 0;
  return { ...subject, position: isPosition ? position : 0 };
}
