import { isId } from '../../api/ids.ts';

/** What an editor tab of ours is about: one stream, or one session. */
export interface PanelSubject {
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/** The same with its connection's id: what a tab keeps over a reload. Never an address, never a key (src/host/README.md, Webviews). */
export interface KeptSubject extends PanelSubject {
  readonly connection: string;
}

/** The subject of a tab that came back; undefined for what is none. */
export function readPanelSubject(value: unknown): KeptSubject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { connection, kind, id } = value as Readonly<Record<string, unknown>>;
  if (!isId(connection) || !isId(id) || (kind !== 'stream' && kind !== 'session')) return undefined;
  return { connection, kind, id };
}
