import { t } from '@vscode/l10n';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { countActive, hasMore, isFilteredHere, matchingTotal, shownIds } from '../../model/store/streams.ts';
import { formatCount } from '../../util/format.ts';
import { oneLine } from '../../util/text.ts';
import { plainValue } from '../contextValues.ts';
import type { Row } from '../row.ts';

/** Draws the first row while a filter is set: what it matches in all connections together. */
export function drawFilterOfAll(snapshots: readonly Snapshot[], { filter, locale }: Snapshot): Row {
  const label = filterText(snapshots, oneLine(filter), locale);
  return {
    label,
    icon: { id: 'filter-filled' },
    contextValue: plainValue('filter'),
    collapsible: 'none',
    command: 'filterStreams',
    accessibilityLabel: label,
  };
}

function filterText(snapshots: readonly Snapshot[], filter: string, locale: string): string {
  // One that can't be loaded says so in its row, and has no rows that could match.
  const known = snapshots.filter(({ connection, trouble, lists }) => {
    return lists.active.isLoaded || (connection.kind === 'open' && trouble === undefined);
  });
  const counts = known.map(countMatches);
  const counted = counts.filter((each) => each !== undefined);
  if (counted.length < counts.length || counted.length === 0) return t('Filtered by "{0}"', filter);
  const matches = counted.reduce((sum, { count }) => sum + count, 0);
  const isMore = counted.some((each) => each.isMore);
  if (matches === 0 && !isMore) return t('No stream matches "{0}"', filter);
  const count = `${formatCount(matches, locale) ?? ''}${isMore ? '+' : ''}`;
  const sum = counted.reduce<number | undefined>((all, each) => add(all, each.all), 0);
  const all = formatCount(sum, locale);
  if (all === undefined) return t('Filtered by "{0}": {1}', filter, count);
  return counted.some(({ isPartial }) => isPartial)
    ? t('Filtered by "{0}": {1} of {2} loaded streams', filter, count, all)
    : t('Filtered by "{0}": {1} of {2}', filter, count, all);
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Each stream is active or idle. Undefined while one of these lists isn't loaded. */
function countMatches(snapshot: Snapshot) {
  const { active, idle } = snapshot.lists;
  if (!active.isLoaded || !idle.isLoaded) return undefined;
  const shown = shownIds(snapshot, 'active').length;
  const shownIdle = shownIds(snapshot, 'idle').length;
  const isCut = hasMore(snapshot, 'idle');
  const isPartial = isCut && isFilteredHere(snapshot, 'idle');
  const total = isCut && !isPartial ? matchingTotal(snapshot, 'idle') : shownIdle;
  return {
    count: shown + Math.max(shownIdle, total ?? 0),
    isMore: total === undefined,
    isPartial,
    all: isPartial ? countActive(snapshot) + idle.ids.length : snapshot.streamCount,
  };
}
