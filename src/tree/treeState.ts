import { t } from '@vscode/l10n';
import { LIST_NAMES, type Snapshot, type Trouble } from '../model/store/snapshot.ts';
import { isFilteredHere, liveStreams } from '../model/store/streams.ts';
import { formatClock, formatDay, formatDayAndClock } from '../util/dates.ts';
import { formatCount } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import type { DrawingContext } from './row.ts';
import { joinParts } from './texts.ts';
import { troubleSentence } from './troubleText.ts';
import { streamsContext, type ViewContext } from './viewContext.ts';

export interface TreeState {
  /** Plain text above the rows. Note that any message hides the welcome. */
  readonly message?: string;
  readonly description?: string;
  readonly badge?: { readonly value: number; readonly tooltip: string };
  readonly context: ViewContext;
}

export function treeState(snapshot: Snapshot, drawing: DrawingContext): TreeState {
  const message = messageOf(snapshot, drawing);
  const description = descriptionOf(snapshot);
  const badge = badgeOf(snapshot, drawing);
  return {
    ...(message === undefined ? {} : { message }),
    ...(description === undefined ? {} : { description }),
    ...(badge === undefined ? {} : { badge }),
    context: streamsContext(snapshot),
  };
}

/** Undefined if a notice row already shows the state: key refused, proxy password. */
function messageOf(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const { connection, trouble } = snapshot;
  if (connection.kind !== 'open' || trouble === undefined) return undefined;
  const { reason, why } = trouble.error;
  if (reason === 'unauthorized' || why === 'proxyAuthentication') return undefined;
  const isToldApart = reason === 'rateLimited' || reason === 'invalidResponse';
  const age = isToldApart ? undefined : ageSentence(snapshot.lists.active.loadedAt, drawing);
  const parts = [troubleSentence(trouble.error, snapshot), age, nextTrySentence(trouble, drawing)];
  return parts.filter((part) => part !== undefined).join(' ');
}

export function ageSentence(loadedAt: number | undefined, drawing: DrawingContext): string | undefined {
  const isToday = formatDay(loadedAt, drawing) === formatDay(drawing.now, drawing);
  const when = isToday ? formatClock(loadedAt, drawing) : formatDayAndClock(loadedAt, drawing);
  return when === undefined ? undefined : t('Data from {0}.', when);
}

function nextTrySentence({ nextTryAt }: Trouble, drawing: DrawingContext): string | undefined {
  const clock = formatClock(nextTryAt, drawing);
  return clock === undefined ? undefined : t('Next try {0}.', clock);
}

function descriptionOf(snapshot: Snapshot): string | undefined {
  const { connection, filter, sort, abilities, recordedOnly } = snapshot;
  if (connection.kind === 'starting' || connection.kind === 'none') return undefined;
  const { info } = connection;
  const { listExtras, listFilters } = abilities;
  const canFilter = listExtras && listFilters && !LIST_NAMES.some((list) => isFilteredHere(snapshot, list));
  return joinParts(
    info.isDemo ? t('Demo') : oneLine(info.name),
    filter !== '' && t('"{0}"', oneLine(filter, 60)),
    filter !== '' && !canFilter && t('filtered here'),
    sort !== 'lastSeen' && !listExtras && t('sorted here'),
    recordedOnly && t('recorded sessions only'),
  );
}

function badgeOf(snapshot: Snapshot, { locale }: DrawingContext): TreeState['badge'] | undefined {
  const value = liveStreams(snapshot).length;
  if (value === 0) return undefined;
  return { value, tooltip: value === 1 ? t('1 live stream') : t('{0} live streams', formatCount(value, locale) ?? '') };
}
