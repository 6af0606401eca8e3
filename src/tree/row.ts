import type { Snapshot } from '../model/store/snapshot.ts';
import type { Reader } from '../util/dates.ts';
import type { NodeKind, NodeOf } from './nodes.ts';

/** The user's locale, time zone and current time. Only `host` knows them. */
export type DrawingContext = Reader;

export interface RowIcon {
  /** Codicon name without `$()`; "loading~spin" spins. */
  readonly id: string;
  readonly color?: string;
}

/** What a row shows, as data. Contains no secret. */
export interface Row {
  readonly label: string;
  readonly description?: string;
  /** Markdown, to be rendered untrusted and without HTML. Often a getter, to keep painting cheap. */
  readonly tooltip?: string;
  readonly icon?: RowIcon;
  /** Tokens joined by dots. See `CONTEXT_VALUES` for all of them. */
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  readonly command?: RowCommand;
  readonly accessibilityLabel: string;
}

/** Note that openProxySettings is internal: it isn't in the palette. */
export type RowCommand =
  | 'openRecording'
  | 'showSession'
  | 'loadMore'
  | 'retry'
  | 'setApiKey'
  | 'openProxySettings'
  | 'addConnection';

export type Draw<K extends NodeKind> = (snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext) => Row;
