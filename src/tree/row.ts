import type { Reader } from '../util/dates.ts';

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
  readonly description?: string | undefined;
  /** Markdown, to be rendered untrusted and without HTML. Often a getter, to keep painting cheap. */
  readonly tooltip?: string | undefined;
  readonly icon?: RowIcon | undefined;
  /** Tokens joined by dots. See `CONTEXT_VALUES` for all of them. */
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  readonly command?: RowCommand | undefined;
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
