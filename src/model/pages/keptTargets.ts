import { isId } from '../../api/ids.ts';
import { isRecord } from '../../util/isRecord.ts';
import type { KeptDelivery, KeptTarget, PlayerState } from './panelState.ts';

export function readPanelTarget(value: unknown): KeptTarget | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, kind, id } = value;
  if (!isId(connection) || !isId(id) || (kind !== 'stream' && kind !== 'session')) return undefined;
  return { connection, kind, id };
}

/** Only checks of streams are kept. */
export function readCheckTarget(value: unknown): (KeptTarget & { readonly kind: 'stream' }) | undefined {
  const target = readPanelTarget(value);
  return target?.kind === 'stream' ? { ...target, kind: 'stream' } : undefined;
}

export function readDeliveryTarget(value: unknown): KeptDelivery | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, kind, id, webhookId } = value;
  if (!isId(id)) return undefined;
  if (kind === 'localDelivery') return { kind, connection: '', webhookId: '', id };
  if (kind !== 'delivery' || !isId(connection) || !isId(webhookId)) return undefined;
  return { kind, connection, webhookId, id };
}

/** Decodes a restored panel's state; undefined if it's malformed. An invalid position becomes 0. */
export function readPlayerState(value: unknown): PlayerState | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, id, position, kind } = value;
  const clip = kind === 'clip' && isId(connection) && isId(id) ? ({ connection, kind, id } as const) : undefined;
  const subject = clip ?? readPanelTarget(value);
  if (subject === undefined) return undefined;
  const isPosition = typeof position === 'number' && Number.isFinite(position) && position > 0;
  return { ...subject, position: isPosition ? position : 0 };
}
