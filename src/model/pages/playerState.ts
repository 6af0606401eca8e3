import { type KeptSubject, type PanelSubject, readPanelSubject } from './panelSubject.ts';

/** The kind of panel; package.json's activation events name it too. */
export const PLAYER_VIEW = 'liveStreams.player';

/** What a player plays: one stream as it is broadcast, or one session's recording. */
export type PlayerSubject = PanelSubject;

/** What a player's panel keeps over a reload. */
export interface PlayerState extends KeptSubject {
  /** Seconds from the beginning of a recording; 0 for what is live. */
  readonly position: number;
}

/** A panel's state as it came back; undefined for what is none. A position that makes no sense is the beginning. */
export function readPlayerState(value: unknown): PlayerState | undefined {
  const subject = readPanelSubject(value);
  if (subject === undefined) return undefined;
  const { position } = value as { readonly position?: unknown };
  const isPosition = typeof position === 'number' && Number.isFinite(position) && position > 0;
  return { ...subject, position: isPosition ? position : 0 };
}
