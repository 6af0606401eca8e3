import type { StateIcon } from '../texts/streams.ts';
import type { Reader } from '../util/dates.ts';
import { escapeMarkdown } from '../util/markup.ts';
import { joinWords } from '../util/text.ts';
import type { PlainValue } from './contextValues.ts';

/** The user's locale, time zone, and current time. Only `host` knows them. */
export interface DrawingContext extends Reader {
  /** Seconds between two polls; 0, the default, for none. */
  readonly refreshInterval?: number;
}

/** The contents of a row, as data. Contains no secret. */
export interface Row {
  readonly label: string;
  readonly description?: string | undefined;
  /** Called when the user points at the row, to keep painting cheap. */
  readonly tooltip?: (() => RowTooltip) | undefined;
  readonly icon?: StateIcon | undefined;
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  readonly command?: RowCommand | undefined;
  /** The argument of the command. Default: the row. */
  readonly argument?: { readonly connection: string | undefined };
  readonly accessibilityLabel: string;
}

/** Returns a row without flags. A screen reader hears its label and its description. */
export function plainRow(contextValue: PlainValue, label: string, row: Partial<Row> = {}): Row {
  const accessibilityLabel = joinWords(label, row.description);
  return { label, contextValue, collapsible: 'none', accessibilityLabel, ...row };
}

export function textTooltip(text: string | undefined): Row['tooltip'] {
  return text === undefined ? undefined : () => ({ markdown: escapeMarkdown(text) });
}

/** For rows that VS Code still requests briefly, although they're gone or belong to the previous connection. */
export const GONE = plainRow('gone', '…');

export function isGone({ contextValue }: Row): boolean {
  return contextValue.startsWith(GONE.contextValue);
}

/** Note that openProxySettings is internal: it isn't in the palette. */
export type RowCommand =
  | 'watchStream'
  | 'openRecording'
  | 'openClip'
  | 'showSession'
  | 'loadMore'
  | 'retry'
  | 'setApiKey'
  | 'addConnection'
  | 'createStream'
  | 'openProxySettings'
  | 'filterStreams'
  | 'clearFilter'
  | 'filterDeliveries'
  | 'listenForEvents'
  | 'openDelivery';

export interface RowTooltip {
  /** Without links and HTML. */
  readonly markdown: string;
  readonly links?: readonly RowLink[];
  /** The ID of the connection that the links are about. Default: the active one's. */
  readonly connection?: string | undefined;
}

/** The content that was loaded for a tooltip, as Markdown. */
export interface Loaded {
  /** The picture. */
  readonly above?: string;
  /** In front of the links. */
  readonly below?: string;
}

export interface RowLink {
  readonly title: string;
  readonly command:
    | 'watchStream'
    | 'checkStream'
    | 'resumeStream'
    | 'showStream'
    | 'copyStreamKey'
    | 'copyPlaybackUrl'
    | 'openRecording'
    | 'openClip'
    | 'showSession'
    | 'editWebhook'
    | 'sendTestEvent'
    | 'copyWebhookSecret'
    | 'openDelivery'
    | 'resendDelivery';
  /** The argument of the command. */
  readonly id: string | { readonly webhookId: string; readonly id: string };
}
