import { t } from '@vscode/l10n';
import { type NodeOf, type NoticeKind, noticeNode } from '../model/rows/nodes.ts';
import type { LoadFailure, Snapshot } from '../model/store/snapshot.ts';
import { canRetry, isConnected } from '../model/store/streams.ts';
import { loadingLabel, retryLabel } from '../texts/labels.ts';
import { outdatedReason, outdatedWords } from '../texts/troubles.ts';
import { escapeMarkdown } from '../util/markup.ts';
import { joinWords } from '../util/text.ts';
import { plainValue } from './contextValues.ts';
import type { DrawingContext, Row, RowTooltip } from './row.ts';
import type { RowKinds } from './rowKind.ts';
import { listMessage } from './treeState.ts';

export const NOTICE_ROWS: RowKinds<'notice'> = {
  notice: {
    draw: (snapshot, { notice }, drawing) =>
      notice === 'outage'
        ? drawOutage(snapshot, snapshot.recordings, drawing)
        : { ...drawNotice(notice), tooltip: notice === 'keyRefused' ? () => reasonOf(snapshot) : undefined },
    showsTime: false,
    parent: () => undefined,
    redraw: ({ isOutdated }, node) => (isOutdated(node) ? [node] : []),
    below: undefined,
  },
};

/** @param own why lists of this view alone failed */
export function noticeRows(snapshot: Snapshot, own: readonly (LoadFailure | undefined)[]): readonly NodeOf<'notice'>[] {
  const { connection, trouble } = snapshot;
  if (!isConnected(snapshot)) return [];
  const found: NoticeKind[] = [];
  if (connection.kind === 'refused') found.push('keyRefused');
  else if ([trouble, ...own].some((failure) => failure?.error.reason === 'forbidden')) found.push('keyForbidden');
  else if (trouble?.error.why === 'proxyAuthentication') found.push('proxyPassword');
  else if (trouble?.error.reason === 'notFound') found.push('apiNotFound');
  return found.map(noticeNode);
}

/**
 * The first rows of a view with one list: the notices or, if it is worth it, one row to retry what failed.
 * @param retry the row that offers this
 */
export function failureRows<T>(
  snapshot: Snapshot,
  trouble: LoadFailure | undefined,
  retry: T,
): readonly (NodeOf<'notice'> | T)[] {
  const notices = noticeRows(snapshot, [trouble]);
  const isFailing = (snapshot.trouble ?? trouble) !== undefined && canRetry(snapshot);
  return isFailing && notices.length === 0 ? [retry] : notices;
}

/**
 * Offers to retry at once while rows may be out of date: the view's message can't. Groups that aren't loaded have such a
 * row, and connections beside others.
 */
export function retryRows({ connection, trouble, lists, showsAllConnections }: Snapshot): readonly NodeOf<'notice'>[] {
  const isOutdated = connection.kind === 'open' && trouble !== undefined && lists.active.isLoaded;
  return isOutdated && !showsAllConnections ? [noticeNode('retry')] : [];
}

/** The rows in place of those of another connection, until the new ones are loaded. */
export function loadingRows(snapshot: Snapshot): readonly NodeOf<'notice'>[] {
  return isConnected(snapshot) ? [noticeNode('loading')] : [];
}

/** With how the service failed since it rejected the key, which a new key doesn't help with. */
function reasonOf(snapshot: Snapshot): RowTooltip {
  return { markdown: escapeMarkdown(outdatedReason(snapshot) ?? '') };
}

export function drawNotice(notice: NoticeKind): Row {
  const { icon, command, label } = NOTICES[notice];
  return {
    label: label(),
    icon,
    contextValue: plainValue('notice'),
    collapsible: 'none',
    command,
    accessibilityLabel: label(),
  };
}

/**
 * Offers to retry in a view beside Streams, which says in its message what is wrong. Here, a word or two are enough, with the
 * whole in the tooltip.
 */
export function drawOutage(
  snapshot: Snapshot,
  list: { readonly loadedAt?: number | undefined },
  drawing: DrawingContext,
): Row {
  const words = outdatedWords(snapshot);
  return {
    ...drawNotice('outage'),
    description: words,
    tooltip: () => ({ markdown: escapeMarkdown(listMessage(snapshot, list, drawing) ?? '') }),
    accessibilityLabel: joinWords(retryLabel(), words),
  };
}

export const WARNING = { id: 'warning', color: 'liveStreams.warningForeground' };

const RETRY = { icon: { id: 'refresh' }, command: 'retry', label: retryLabel } as const;

const NOTICES: Readonly<Record<NoticeKind, Pick<Row, 'icon' | 'command'> & { readonly label: () => string }>> = {
  loading: { icon: { id: 'loading~spin' }, command: undefined, label: () => loadingLabel() },
  retry: RETRY,
  outage: RETRY,
  keyRefused: { icon: WARNING, command: 'setApiKey', label: () => t('API key rejected. Set API Key…') },
  keyForbidden: {
    icon: WARNING,
    command: 'setApiKey',
    label: () => t("API key doesn't have permission. Set API Key…"),
  },
  apiNotFound: { icon: WARNING, command: 'addConnection', label: () => t('API not found. Connect Again…') },
  proxyPassword: {
    icon: WARNING,
    command: 'openProxySettings',
    label: () => t('Proxy password required. Open Settings…'),
  },
};
