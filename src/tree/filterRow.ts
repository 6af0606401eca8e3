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
import { plainRow, type Row } from './row.ts';
import { type RowKinds, WITHOUT_ROWS } from './rowKind.ts';

/** The first row while a filter is set. A click edits the filter. */
export const FILTER_ROWS: RowKinds<'filter'> = {
  filter: {
    draw: (snapshot, _node, { locale }) => drawFilterOf([snapshot], snapshot.filter, locale),
    showsTime: false,
    parent: () => undefined,
    ...WITHOUT_ROWS,
  },
};

/** Whether a group has no known stream that matches the filter, so that it's hidden. */
export function isFilteredOut(snapshot: Snapshot, list: ListName): boolean {
  if (snapshot.filter === '' || shownIds(snapshot, list).length > 0) return false;
  const { isLoaded, trouble, missing } = snapshot.lists[list];
  // A row below the others offers to retry.
  if (list !== 'active' && (trouble !== undefined || missing > 0)) return false;
  if (isLoaded) return !hasMore(snapshot, list);
  return list === 'recording' && countUnloaded(snapshot, list) === 0;
}

/** Draws the matches of a filter in one connection, or in several together. */
export function drawFilterOf(snapshots: readonly Snapshot[], filter: string, locale: string): Row {
  const label = filterText(snapshots, oneLine(filter), locale);
  return plainRow('filter', label, { icon: { id: 'filter-filled' }, command: 'filterStreams' });
}

/** Whether no stream of these connections matches the filter. */
export function matchesNothing(snapshots: readonly Snapshot[]): boolean {
  const known = snapshots.filter(isKnown);
  return known.length > 0 && known.every((each) => isFilteredOut(each, 'active') && isFilteredOut(each, 'idle'));
}

// A connection that can't be loaded says so in its row, and has no rows that could match.
function isKnown({ connection, trouble, lists }: Snapshot): boolean {
  return lists.active.isLoaded || (connection.kind === 'open' && trouble === undefined);
}

function filterText(snapshots: readonly Snapshot[], filter: string, locale: string): string {
  if (matchesNothing(snapshots)) return t('No stream matches "{0}"', filter);
  const known = snapshots.filter(isKnown);
  if (known.length === 0 || !known.every(isCounted)) return t('Filtered by "{0}"', filter);
  const counts = known.map(countMatches);
  const isMore = counts.some((each) => each.isMore);
  const count = `${formatCount(sumOf(counts.map((each) => each.matches)), locale) ?? ''}${isMore ? '+' : ''}`;
  const all = formatCount(sumOf(counts.map((each) => each.all)), locale);
  if (all === undefined) return t('Filtered by "{0}": {1}', filter, count);
  return counts.some(({ isPartial }) => isPartial)
    ? t('Filtered by "{0}": {1} of {2} loaded streams', filter, count, all)
    : t('Filtered by "{0}": {1} of {2}', filter, count, all);
}

function isCounted({ lists }: Snapshot): boolean {
  return lists.active.isLoaded && lists.idle.isLoaded;
}

// Each stream is in exactly one of the two groups.
function countMatches(snapshot: Snapshot) {
  const active = shownIds(snapshot, 'active').length;
  const idle = shownIds(snapshot, 'idle').length;
  const isCut = hasMore(snapshot, 'idle');
  const isPartial = isCut && isFilteredHere(snapshot, 'idle');
  const total = isCut && !isPartial ? matchingTotal(snapshot, 'idle') : idle;
  return {
    matches: active + Math.max(idle, total ?? 0),
    isMore: total === undefined,
    /** Whether only the loaded streams were searched. */
    isPartial,
    all: isPartial ? countActive(snapshot) + snapshot.lists.idle.ids.length : snapshot.streamCount,
  };
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
}
