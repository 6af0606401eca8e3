import { t } from '@vscode/l10n';
import { type NodeOf, type NoticeKind, noticeNode } from '../model/rows/nodes.ts';
import { LIST_NAMES, type LoadFailure, type Snapshot } from '../model/store/snapshot.ts';
import { isConnected, isOutdated } from '../model/store/streams.ts';
import { loadingLabel, retryLabel, setApiKeyLabel } from '../texts/labels.ts';
import { accessDeniedWords, outdatedWords } from '../texts/troubles.ts';
import { joinWords } from '../util/text.ts';
import { type DrawingContext, plainRow, type Row, textTooltip } from './row.ts';
import { type RowKinds, WITHOUT_ROWS } from './rowKind.ts';
import { type FailedList, failureReason, listMessage, recordingsList } from './treeState.ts';

export const NOTICE_ROWS: RowKinds<'notice'> = {
  notice: {
    draw: (snapshot, node, drawing) =>
      drawNotice(snapshot, node, { list: node.isBeside ? recordingsList(snapshot) : streamsList(snapshot), drawing }),
    showsTime: false,
    parent: () => undefined,
    ...WITHOUT_ROWS,
  },
};

/**
 * Returns the remedy for a failing connection, or otherwise for one of its lists.
 * @param own why this list failed
 * @param rows of a view other than Streams: while it has some, only Streams shows the remedy for the connection
 */
export function failureNotice(
  snapshot: Snapshot,
  own?: LoadFailure,
  rows?: readonly unknown[],
): Exclude<NoticeKind, 'loading'> | undefined {
  const { connection, trouble } = snapshot;
  if (rows?.length && isOutdated(snapshot)) return undefined;
  if (connection.kind === 'refused') return 'keyRefused';
  const error = (trouble ?? own)?.error;
  if (connection.kind !== 'open' || error === undefined) return undefined;
  if (error.reason === 'forbidden') return 'keyForbidden';
  if (error.why === 'proxyAuthentication') return 'proxyPassword';
  // A service may lack one list.
  return error.reason === 'notFound' && trouble !== undefined ? 'apiNotFound' : 'retry';
}

/** Returns the first row of the Streams view. If a connection's row is above its groups, that row offers to retry. */
export function streamsNotices(snapshot: Snapshot): readonly NodeOf<'notice'>[] {
  const notice = failureNotice(snapshot, forbiddenList(snapshot)?.trouble);
  const isAbove = notice === 'retry' && snapshot.showsAllConnections && !isUnread(snapshot);
  return notice === undefined || isAbove ? [] : [noticeNode(notice)];
}

/** Whether no stream is known, so that there are no groups to show while the connection fails. */
export function isUnread({ lists }: Snapshot): boolean {
  return LIST_NAMES.every((name) => !lists[name].isLoaded);
}

/** Returns the rows that replace those of another connection until the new ones are loaded. */
export function loadingRows(snapshot: Snapshot): readonly NodeOf<'notice'>[] {
  return isConnected(snapshot) ? [noticeNode('loading')] : [];
}

/** Draws a remedy. The reason is next to it in a word or two, unless the view's message gives it. */
export function drawNotice(
  snapshot: Snapshot,
  { notice, isBeside }: { readonly notice: NoticeKind; readonly isBeside: boolean },
  { list, drawing }: { readonly list: FailedList; readonly drawing: DrawingContext },
): Row {
  const { words = outdatedWords } = NOTICES[notice];
  const message = listMessage(snapshot, list, drawing);
  const row = drawAct(notice);
  return {
    ...row,
    // The message of Streams is about the connection, and those of the other views are about their own list.
    description: isBeside === isOutdated(snapshot) ? words(snapshot) : undefined,
    tooltip: textTooltip(message),
    accessibilityLabel: joinWords(row.label, failureReason(snapshot, list)),
  };
}

/** Draws a remedy without the reason. */
export function drawAct(notice: NoticeKind): Row {
  const { label, icon, command } = NOTICES[notice];
  return plainRow('notice', label(), { icon, command });
}

/** Returns a list that the key may not read: another key helps. Other failures of lists are shown in their group. */
function forbiddenList({ lists }: Snapshot): FailedList | undefined {
  return [lists.idle, lists.recording].find(({ trouble }) => trouble?.error.reason === 'forbidden');
}

function streamsList(snapshot: Snapshot): FailedList {
  return forbiddenList(snapshot) ?? { loadedAt: snapshot.lists.active.loadedAt };
}

function warningIcon(id: string): NonNullable<Row['icon']> {
  return { id, color: 'liveStreams.warningForeground' };
}

export const WARNING = warningIcon('warning');

const KEY = { icon: warningIcon('key'), command: 'setApiKey', label: setApiKeyLabel } as const;

interface Notice extends Pick<Row, 'icon' | 'command'> {
  readonly label: () => string;
  /** Default: the problem with the connection. */
  readonly words?: (snapshot: Snapshot) => string | undefined;
}

const NOTICES: Readonly<Record<NoticeKind, Notice>> = {
  loading: { icon: { id: 'loading~spin' }, label: loadingLabel },
  retry: { icon: { id: 'refresh' }, command: 'retry', label: retryLabel },
  clearFilter: { icon: { id: 'clear-all' }, command: 'clearFilter', label: () => t('Clear Filter') },
  noStreams: { label: () => t('No streams yet') },
  keyRefused: { ...KEY, words: () => t('key rejected') },
  keyForbidden: { ...KEY, words: accessDeniedWords },
  apiNotFound: { icon: warningIcon('plug'), command: 'addConnection', label: () => t('Connect Again…') },
  proxyPassword: {
    icon: warningIcon('settings-gear'),
    command: 'openProxySettings',
    label: () => t('Open Proxy Settings'),
  },
};
