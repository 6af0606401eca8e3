import { t } from '@vscode/l10n';
import type { ListName, Snapshot } from '../model/store/snapshot.ts';
import { hasMore, liveStreams, shownIds } from '../model/store/streams.ts';
import { formatCount } from '../util/format.ts';
import { groupValue, plainValue } from './contextValues.ts';
import type { Draw, DrawingContext, Row } from './row.ts';
import { joinParts, joinWords } from './texts.ts';

export const drawGroup: Draw<'group'> = (snapshot, { list }, drawing) => {
  const { isLoaded, isStale } = snapshot.lists[list];
  const label = groupLabel(list);
  const description = groupDescription(snapshot, list, drawing);
  const tooltip = groupTooltip(snapshot, list, drawing);
  return {
    label,
    ...(description === undefined ? {} : { description }),
    ...(tooltip === undefined ? {} : { tooltip }),
    contextValue: groupValue(list),
    collapsible: startsExpanded(snapshot, list) ? 'expanded' : 'collapsed',
    accessibilityLabel: joinWords(
      label,
      isLoaded && streamsWord(countText(snapshot, list, drawing.locale)),
      isLoaded && isStale && t('out of date'),
    ),
  };
};

export const drawOrphans: Draw<'orphans'> = (snapshot, _node, { locale }): Row => {
  const { isLoaded, items } = snapshot.orphans;
  const label = t('Historic child streams');
  const description = isLoaded ? formatCount(items.length, locale) : undefined;
  return {
    label,
    ...(description === undefined ? {} : { description }),
    tooltip: t('Deprecated child streams whose parent is not known'),
    contextValue: plainValue('orphans'),
    collapsible: 'collapsed',
    accessibilityLabel: joinWords(label, streamsWord(description)),
  };
};

function groupLabel(list: ListName): string {
  switch (list) {
    case 'active':
      return t('Active');
    case 'idle':
      return t('Idle');
    case 'recording':
      return t('Recording');
  }
}

function streamsWord(count: string | undefined): string | undefined {
  if (count === undefined) return undefined;
  return count === '1' ? t('1 stream') : t('{0} streams', count);
}

/** Active starts expanded; Idle only if no stream is live. VS Code uses only the state of the first rendering. */
function startsExpanded(snapshot: Snapshot, list: ListName): boolean {
  if (list !== 'idle') return list === 'active';
  return snapshot.lists.active.isLoaded && liveStreams(snapshot).length === 0;
}

function groupDescription(snapshot: Snapshot, list: ListName, { locale }: DrawingContext): string | undefined {
  const { isLoaded, isStale } = snapshot.lists[list];
  if (!isLoaded) return undefined;
  return joinParts(countText(snapshot, list, locale), isStale && t('out of date'));
}

function countText(snapshot: Snapshot, list: ListName, locale: string): string | undefined {
  const shown = shownIds(snapshot, list).length;
  const { total } = snapshot.lists[list];
  const count = formatCount(shown, locale);
  if (!hasMore(snapshot, list) || count === undefined) return count;
  return total !== undefined && total > shown ? t('{0} of {1}', count, formatCount(total, locale) ?? '') : `${count}+`;
}

function groupTooltip(snapshot: Snapshot, list: ListName, { locale }: DrawingContext): string | undefined {
  const { dropped, isStale } = snapshot.lists[list];
  const sentences = [
    list === 'recording' && t('Streams whose recording is turned on, live or not'),
    dropped > 0 && t('{0} rows could not be read and were left out.', formatCount(dropped, locale) ?? ''),
    isStale && t('Many streams ended at once: refresh to list them.'),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join('\n\n');
}
