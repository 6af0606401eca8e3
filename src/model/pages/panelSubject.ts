import { isId } from '../../api/ids.ts';

export interface PanelSubject {
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/**
 * A subject that is kept over a reload, with its connection's id. Never contains an address or a key
 * (src/host/README.md, Webviews).
 */
export interface KeptSubject extends PanelSubject {
  readonly connection: string;
}

export function readPanelSubject(value: unknown): KeptSubject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { connection, kind, id } = value as Readonly<Record<string, unknown>>;
  if (!isId(connection) || !isId(id) || (kind !== 'stream' && kind !== 'session')) return undefined;
  return { connection, kind, id };
}
