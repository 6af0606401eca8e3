import { t } from '@vscode/l10n';
import { LIST_NAMES, type LoadFailure, type Snapshot } from '../model/store/snapshot.ts';
import { isConnected, isFilteredHere, isOfThisWindow, isOutdated } from '../model/store/streams.ts';
import { connectionName, isAmbiguous, nameOfConnection, withNote } from '../texts/names.ts';
import {
  ageSentence,
  outdatedReason,
  outdatedWords,
  recordingsTroubleSentence,
  troubleSentence,
} from '../texts/troubles.ts';
import { formatClock } from '../util/dates.ts';
import { formatCount } from '../util/format.ts';
import { joinParts, joinTexts, oneLine } from '../util/text.ts';
import { addCounts, countedStreams, liveStreamsText, outOfDateWords } from './liveCount.ts';
import type { DrawingContext } from './row.ts';

const MINUTE_MS = 60_000;

export interface TreeState {
  /** Plain text above the rows. Note that any message hides the welcome. */
  readonly message?: string | undefined;
  readonly description?: string | undefined;
  readonly badge?: { readonly value: number; readonly tooltip: string } | undefined;
  /** When the badge gets too old to show; Unix time in milliseconds, local clock. */
  readonly badgeHidesAt?: number | undefined;
}

/**
 * @param others Snapshots of the connections shown next to it, whose live streams the badge counts too.
 * @param note How far the badge's number is out of date.
 */
export function streamsState(
  snapshot: Snapshot,
  drawing: DrawingContext,
  others: readonly Snapshot[] = [],
  note = isOutdated(snapshot) ? outOfDateWords() : undefined,
): TreeState {
  const counted = [snapshot, ...others]
    .map((each) => countedStreams(each, drawing))
    .filter((each) => each !== undefined);
  const { count: value, hidesAt } = addCounts(counted);
  const tooltip = withNote(liveStreamsText(value, drawing.locale), note);
  return {
    message: streamsMessage(snapshot, drawing),
    description: streamsDescription(snapshot, others),
    badge: value === 0 ? undefined : { value, tooltip },
    badgeHidesAt: hidesAt,
  };
}

/** Returns "Couldn't reach example.com. Last updated: 10:42." if rows may be out of date. */
export function outdatedSentence(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const reason = outdatedReason(snapshot);
  return reason && joinTexts(reason, ageSentence(snapshot.lists.active.loadedAt, drawing));
}

export function streamsMessage(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  return listMessage(snapshot, { loadedAt: snapshot.lists.active.loadedAt }, drawing);
}

export interface FailedList {
  readonly trouble?: LoadFailure | undefined;
  readonly loadedAt?: number | undefined;
  /** Describes a problem with this list alone. */
  readonly describe?: typeof troubleSentence;
}

/**
 * Returns the problem with the connection, or otherwise with one of its lists; the age of the rows; and the next
 * attempt.
 */
export function listMessage(snapshot: Snapshot, list: FailedList, drawing: DrawingContext): string | undefined {
  const reason = isConnected(snapshot) ? failureReason(snapshot, list) : undefined;
  if (reason === undefined) return undefined;
  const failure = snapshot.trouble ?? list.trouble;
  const age = failure?.error.reason === 'invalidResponse' ? undefined : ageSentence(list.loadedAt, drawing);
  return joinTexts(reason, age, failure && nextTrySentence(failure, drawing));
}

/** Returns the message of a view other than Streams, which itself reports problems with the connection. */
export const ownMessage: typeof listMessage = (snapshot, ...rest) =>
  isOutdated(snapshot) ? undefined : listMessage(snapshot, ...rest);

export function failureReason(
  snapshot: Snapshot,
  { trouble, describe = troubleSentence }: FailedList,
): string | undefined {
  return outdatedReason(snapshot) ?? (trouble && describe(trouble.error, snapshot));
}

// Worded to stay true until the next attempt, because the message isn't redrawn by itself.
function nextTrySentence({ error, at, nextTryAt }: LoadFailure, drawing: DrawingContext): string | undefined {
  if (nextTryAt === undefined) return undefined;
  const pause = nextTryAt - at;
  if (error.isConnectionLoss && pause <= MINUTE_MS) {
    return t('Retrying every {0} seconds.', formatCount(Math.round(pause / 1000), drawing.locale) ?? '');
  }
  // The clock may show the same minute for the last update.
  if (nextTryAt - drawing.now < MINUTE_MS) return t('Retrying in less than a minute.');
  const clock = formatClock(nextTryAt, drawing);
  return clock === undefined ? undefined : t('Retrying at {0}.', clock);
}

function streamsDescription(snapshot: Snapshot, others: readonly Snapshot[]): string | undefined {
  const { connection, filter, sort, abilities } = snapshot;
  if (connection.kind === 'starting' || connection.kind === 'none') return undefined;
  const { info } = connection;
  const { listExtras, listFilters } = abilities;
  // No service filters by tag, or by several words: the first row says which streams were searched.
  const canFilter =
    isOfThisWindow(filter) || (listExtras && listFilters && !LIST_NAMES.some((list) => isFilteredHere(snapshot, list)));
  return joinParts(
    // First, since a narrow view cuts the end.
    filter !== '' && t('Filter: {0}', oneLine(filter, 60)),
    snapshot.showsAllConnections && others.length > 0 ? t('All connections') : connectionName(info),
    filter !== '' && !canFilter && t('filtered in VS Code'),
    sort !== 'lastSeen' && !listExtras && t('sorted in VS Code'),
  );
}

/**
 * Returns the description of a view other than Streams: its connection, if there are several, and why its rows are old,
 * in a word or two. Streams says more.
 */
export function ownDescription(snapshot: Snapshot, rows: readonly unknown[]): string | undefined {
  return joinParts(
    isAmbiguous(snapshot) && nameOfConnection(snapshot),
    isOutdated(snapshot) && rows.length > 0 && outdatedWords(snapshot),
  );
}

export function recordingsList({ recordings: { trouble, loadedAt } }: Snapshot): FailedList {
  return { trouble, loadedAt, describe: recordingsTroubleSentence };
}

export function recordingsState(snapshot: Snapshot, drawing: DrawingContext): TreeState {
  const showsAll = 'info' in snapshot.connection && !snapshot.recordingsRecordedOnly;
  return {
    message: ownMessage(snapshot, recordingsList(snapshot), drawing),
    description: joinParts(ownDescription(snapshot, snapshot.recordings.items), showsAll && t('all sessions')),
  };
}
