import { t } from '@vscode/l10n';
import type { ListName, Snapshot } from '../model/store/snapshot.ts';
import {
  countActive,
  countUnloaded,
  hasMore,
  isFilteredHere,
  matchingTotal,
  shownIds,
} from '../model/store/streams.ts';
import { formatCount } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import { plainValue } from './contextValues.ts';
import type { DrawingContext, Row } from './row.ts';
import type { RowKinds } from './rowKind.ts';

/** The first row while a filter is set. A click edits the filter. */
export const FILTER_ROWS: RowKinds<'filter'> = {
  filter: {
    draw: drawFilter,
    showsTime: false,
    parent: () => undefined,
    redraw: ({ isOutdated }, node) => (isOutdated(node) ? [node] : []),
    below: undefined,
  },
};

/** Whether a group has no stream that matches the filter, as far as is known: it isn't shown then. */
export function isFilteredOut(snapshot: Snapshot, list: ListName): boolean {
  if (snapshot.filter === '' || shownIds(snapshot, list).length > 0) return false;
  const { isLoaded, trouble, missing } = snapshot.lists[list];
  // Below the others, a row offers to retry.
  if (list !== 'active' && (trouble !== undefined || missing > 0)) return false;
  if (isLoaded) return !hasMore(snapshot, list);
  return list === 'recording' && countUnloaded(snapshot, list) === 0;
}

function drawFilter(snapshot: Snapshot, _node: unknown, drawing: DrawingContext): Row {
  const label = filterText(snapshot, drawing);
  return {
    label,
    icon: { id: 'filter-filled' },
    contextValue: plainValue('filter'),
    collapsible: 'none',
    command: 'filterStreams',
    accessibilityLabel: label,
  };
}

function filterText(snapshot: Snapshot, { locale }: DrawingContext): string {
  const filter = oneLine(snapshot.filter);
  const { active, idle } = snapshot.lists;
  if (!active.isLoaded || !idle.isLoaded) return t('Filtered by "{0}"', filter);
  const isEmpty = isFilteredOut(snapshot, 'active') && isFilteredOut(snapshot, 'idle');
  if (isEmpty) return t('No stream matches "{0}"', filter);
  const count = countText(snapshot, locale);
  if (hasMore(snapshot, 'idle') && isFilteredHere(snapshot, 'idle')) {
    const loaded = formatCount(countActive(snapshot) + idle.ids.length, locale) ?? '';
    return t('Filtered by "{0}": {1} of {2} loaded streams', filter, count, loaded);
  }
  const all = formatCount(snapshot.streamCount, locale);
  if (all === undefined) return t('Filtered by "{0}": {1}', filter, count);
  return t('Filtered by "{0}": {1} of {2}', filter, count, all);
}

// Each stream is in one of both groups.
function countText(snapshot: Snapshot, locale: string): string {
  const active = shownIds(snapshot, 'active').length;
  const idle = shownIds(snapshot, 'idle').length;
  if (!hasMore(snapshot, 'idle') || isFilteredHere(snapshot, 'idle')) return formatCount(active + idle, locale) ?? '';
  const total = matchingTotal(snapshot, 'idle');
  const count = formatCount(active + Math.max(idle, total ?? 0), locale) ?? '';
  return total === undefined ? `${count}+` : count;
}
