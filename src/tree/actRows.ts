import { t } from '@vscode/l10n';
import { hidesRecordings } from '../model/store/recordings.ts';
import type { Snapshot, Trouble } from '../model/store/snapshot.ts';
import { isFilteredHere, LIST_SORTS } from '../model/store/streams.ts';
import { formatDate } from '../util/dates.ts';
import { formatCount } from '../util/format.ts';
import { plainValue } from './contextValues.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Node, NoticeKind } from './nodes.ts';
import type { Draw, DrawingContext, Row, RowCommand } from './row.ts';
import { joinParts, joinWords } from './texts.ts';
import { recordingsTroubleSentence, troubleSentence } from './troubleText.ts';

export const drawMore: Draw<'more'> = (snapshot, { of }, drawing) => {
  const isLoading = isLoadingMore(snapshot, of);
  const label = isLoading ? t('Loading…') : moreLabel(snapshot, of, drawing);
  const description = isLoading ? undefined : loadedOnlyWords(snapshot, of, drawing);
  return {
    label,
    ...(description === undefined ? {} : { description, tooltip: escapeMarkdown(description) }),
    icon: { id: isLoading ? 'loading~spin' : 'ellipsis' },
    contextValue: plainValue('more'),
    collapsible: 'none',
    command: 'loadMore',
    accessibilityLabel: joinWords(label, description),
  };
};

/**
 * Says what isn't true of streams that aren't loaded yet. Unless the service filters, they may match; unless it lists in
 * the same order, they would go between the loaded ones.
 */
function loadedOnlyWords(snapshot: Snapshot, of: Node, { locale }: DrawingContext): string | undefined {
  if (of.kind !== 'group' || of.list === 'active') return undefined;
  const { ids, hasNextPage } = snapshot.lists[of.list];
  if (!hasNextPage) return undefined;
  const count = formatCount(ids.length, locale) ?? '';
  return joinParts(
    isFilteredHere(snapshot, of.list) && t('only the {0} loaded streams are filtered', count),
    snapshot.sort !== LIST_SORTS[of.list] && t('only the {0} loaded streams are sorted', count),
  );
}

export const drawRetry: Draw<'retry'> = (snapshot, { of }, drawing) => {
  const label = t('Retry');
  const trouble = troubleOf(snapshot, of);
  const reason = trouble === undefined ? missingWord(snapshot, of, drawing) : retryReason(trouble, of, snapshot);
  return {
    label,
    ...(reason === undefined ? {} : { description: reason, tooltip: escapeMarkdown(reason) }),
    icon: { id: 'refresh' },
    contextValue: plainValue('retry'),
    collapsible: 'none',
    command: 'retry',
    accessibilityLabel: joinWords(label, reason),
  };
};

function missingWord({ lists }: Snapshot, of: Node, { locale }: DrawingContext): string | undefined {
  const missing = of.kind === 'group' ? lists[of.list].missing : 0;
  if (missing === 0) return undefined;
  if (missing === 1) return t('1 stream couldn’t be loaded');
  return t('{0} streams couldn’t be loaded', formatCount(missing, locale) ?? '');
}

/** A `notFound` below a stream means that the stream is gone, not that the address of the service is wrong. */
function retryReason({ error }: Trouble, of: Node, snapshot: Snapshot): string {
  if (of.kind === 'recordings') return recordingsTroubleSentence(error, snapshot);
  if (of.kind !== 'stream' || error.reason !== 'notFound') return troubleSentence(error, snapshot);
  return t('This stream is gone. It was deleted at the service.');
}

export const drawEmpty: Draw<'empty'> = (snapshot, { of }) => {
  const label = emptyLabel(snapshot, of);
  return { label, contextValue: plainValue('empty'), collapsible: 'none', accessibilityLabel: label };
};

export const drawNotice: Draw<'notice'> = (_snapshot, { notice }): Row => {
  const { icon, command, label } = NOTICES[notice];
  return {
    label: label(),
    icon,
    contextValue: plainValue('notice'),
    collapsible: 'none',
    command,
    accessibilityLabel: label(),
  };
};

const WARNING = { id: 'warning', color: 'liveStreams.warningForeground' };

const NOTICES: Readonly<
  Record<
    NoticeKind,
    { readonly icon: { id: string; color?: string }; readonly command: RowCommand; readonly label: () => string }
  >
> = {
  keyRefused: { icon: WARNING, command: 'setApiKey', label: () => t('Key refused. Set API Key…') },
  proxyPassword: {
    icon: WARNING,
    command: 'openProxySettings',
    label: () => t('Proxy wants a password. Open Settings…'),
  },
  demo: { icon: { id: 'beaker' }, command: 'addConnection', label: () => t('Demo data. Connect to a Service…') },
};

/** If few sessions have a recording, whole pages add no row. The date shows how far back the loaded pages go. */
function moreLabel(snapshot: Snapshot, of: Node, drawing: DrawingContext): string {
  const isCut = of.kind !== 'recordings' || !snapshot.recordingsRecordedOnly || hidesRecordings(snapshot);
  const date = isCut ? undefined : formatDate(snapshot.recordings.lookedBackTo, drawing);
  return date === undefined ? t('Load more…') : t('Load more… (looked back to {0})', date);
}

function isLoadingMore(snapshot: Snapshot, of: Node): boolean {
  if (of.kind === 'recordings') return snapshot.recordings.isLoadingMore;
  if (of.kind === 'stream') return snapshot.sessions.get(of.streamId)?.isLoading === true;
  return of.kind === 'group' && snapshot.lists[of.list].isLoadingMore;
}

function troubleOf(snapshot: Snapshot, of: Node): Trouble | undefined {
  switch (of.kind) {
    case 'group':
      return snapshot.lists[of.list].trouble;
    case 'stream':
      return snapshot.sessions.get(of.streamId)?.trouble ?? snapshot.children.get(of.streamId)?.trouble;
    case 'orphans':
      return snapshot.orphans.trouble;
    case 'recordings':
      return snapshot.recordings.trouble;
    default:
      return undefined;
  }
}

function emptyLabel(snapshot: Snapshot, of: Node): string {
  if (of.kind === 'stream') return snapshot.recordedOnly ? t('No recorded sessions') : t('No sessions yet');
  if (of.kind !== 'group') return t('No historic child streams');
  if (snapshot.filter !== '') return t('No stream here has this name');
  switch (of.list) {
    case 'active':
      return t('No live streams');
    case 'idle':
      return t('No idle streams');
    case 'recording':
      return t('Recording is on for no stream');
  }
}
