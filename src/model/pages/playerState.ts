import { type KeptSubject, type PanelSubject, readPanelSubject } from './panelSubject.ts';

/** The webview panel's type; package.json's activation events name it too. */
export const PLAYER_VIEW = 'liveStreams.player';

export type PlayerSubject = PanelSubject;

export interface PlayerState extends KeptSubject {
  /** Seconds from the beginning of a recording; 0 for a live stream. */
  readonly position: number;
}

/** Decodes a restored panel's state; undefined if it is malformed. An invalid position becomes 0. */
export function readPlayerState(value: unknown): PlayerState | undefined {
  const subject = readPanelSubject(value);
  if (subject === undefined) return undefined;
  const { position } = value as { readonly position?: unknown };
  const isPosition = typeof position === 'number' && Number.isFinite(position) && position > 0;
  return { ...subject, position: isPosition ? position : 0 };
}
