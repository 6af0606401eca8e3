import type { Snapshot } from '../model/store/snapshot.ts';
import type { Reader } from '../util/dates.ts';
import type { NodeKind, NodeOf } from './nodes.ts';

/** Who reads the rows: where they sit and what time it is there. Only host knows. */
export type DrawingContext = Reader;

export interface RowIcon {
  /** A codicon's name, without $(); "loading~spin" turns. */
  readonly id: string;
  /** A theme colour's id. */
  readonly color?: string;
}

/** What a row shows, as data. Nothing of it is a secret. */
export interface Row {
  readonly label: string;
  readonly description?: string;
  /** Markdown, to be shown without trust and without HTML. Made when it is read, so that painting thousands of rows does not pay for it. */
  readonly tooltip?: string;
  readonly icon?: RowIcon;
  /** Tokens joined by dots; all there are: CONTEXT_VALUES. */
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  /** Run by click or Enter, with the node: a command's id without its prefix. */
  readonly command?: RowCommand;
  /** Says in words what icon and colour say. */
  readonly accessibilityLabel: string;
}

/** openProxySettings is internal: it is not in the palette. */
export type RowCommand =
  | 'openRecording'
  | 'showSession'
  | 'loadMore'
  | 'retry'
  | 'setApiKey'
  | 'openProxySettings'
  | 'addConnection';

export type Draw<K extends NodeKind> = (snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext) => Row;
