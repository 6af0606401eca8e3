import { t } from '@vscode/l10n';
import { compareConnections } from '../../model/connection/connections.ts';
import type { ConnectionInfo, Snapshot } from '../../model/store/snapshot.ts';
import { isOutdated } from '../../model/store/streams.ts';
import { loadingLabel } from '../../texts/labels.ts';
import { connectionName, labeledText } from '../../texts/names.ts';
import { ageSentence, keyMissingSentence, outdatedWords } from '../../texts/troubles.ts';
import { formatCount } from '../../util/format.ts';
import { joinParts, joinWords } from '../../util/text.ts';
import { addCounts, isCountLost, liveCountText, liveStreamsText, outOfDateWords } from '../liveCount.ts';
import type { DrawingContext } from '../row.ts';
import { type CountedConnection, countConnection, drawStatus, type StatusText, streamLines } from '../statusText.ts';
import { streamsState, type TreeState } from '../treeState.ts';

/**
 * Returns the Status Bar text while all connections are shown: their live streams together, and a group for each, in
 * the view's order. A connection that can't be loaded counts with its last known streams until they're too old, as when
 * it's shown alone. The warning says how many aren't up to date.
 */
export function allConnectionsStatus(snapshots: readonly Snapshot[], drawing: DrawingContext): StatusText | undefined {
  const { locale } = drawing;
  const known = snapshots
    .flatMap((snapshot): readonly NamedSnapshot[] => {
      const { connection } = snapshot;
      if (!('info' in connection)) return [];
      return [{ info: connection.info, snapshot, counted: countConnection(snapshot, drawing) }];
    })
    .sort((a, b) => compareConnections(a.info, b.info, locale));
  const counted = known.flatMap((each) => each.counted ?? []);
  const isCounted = (snapshot: Snapshot) => counted.some((each) => each.snapshot === snapshot);
  const broken = snapshots.filter((snapshot) => !isCounted(snapshot) && isOutOfDate(snapshot));
  const isShown = addCounts(counted).count > 0 || broken.some(isCountLost);
  const total = counted.length === 0 ? [] : [liveStreamsText(addCounts(counted).count, locale)];
  const names = streamLines(counted, locale);
  const note = outOfDateNote(snapshots, locale);
  const groups = known.map((each) => ({
    line: connectionLine(each, drawing),
    below: (each.counted && names.get(each.counted)) ?? [],
  }));
  const lines = [...total, ...groups.flatMap(({ line, below }) => [line, ...below.map((name) => `    ${name}`)])];
  const spoken = [...total, ...groups.map(({ line }) => line)];
  return isShown ? drawStatus(counted, broken, drawing, { lines, spoken, note }) : undefined;
}

/** @param others The connections that are shown next to the current one. */
export function allConnectionsState(
  current: Snapshot,
  others: readonly Snapshot[],
  drawing: DrawingContext,
): TreeState {
  const note = outOfDateNote([current, ...others], drawing.locale);
  // The row of each connection says what's wrong with it.
  return { ...streamsState(current, drawing, others, note), message: undefined };
}

/** Whether the known live streams of a connection may be out of date. */
function isOutOfDate(snapshot: Snapshot): boolean {
  return snapshot.connection.kind === 'keyless' || isOutdated(snapshot);
}

/** Returns "out of date" about the number, or "2 connections out of date" if others aren't; undefined if none is. */
function outOfDateNote(snapshots: readonly Snapshot[], locale: string): string | undefined {
  const count = snapshots.filter(isOutOfDate).length;
  if (count === 0) return undefined;
  if (count === snapshots.length) return outOfDateWords();
  return count === 1
    ? t('1 connection out of date')
    : t('{0} connections out of date', formatCount(count, locale) ?? '');
}

interface NamedSnapshot {
  readonly info: ConnectionInfo;
  readonly snapshot: Snapshot;
  /** Undefined if its number is unknown or too old. */
  readonly counted: CountedConnection | undefined;
}

/** "Tour: 1 live, 1 without data", or "Tour: 1 live · not reachable · Last updated: 10:42." */
function connectionLine({ info, snapshot, counted }: NamedSnapshot, drawing: DrawingContext): string {
  const name = connectionName(info);
  if (snapshot.connection.kind === 'keyless') return keyMissingSentence(name);
  const problem = outdatedWords(snapshot);
  const age =
    problem === undefined && counted !== undefined ? undefined : ageSentence(snapshot.lists.active.loadedAt, drawing);
  const words = counted && joinWords(liveCountText(counted.streams.length, drawing.locale), counted.faults);
  return labeledText(name, joinParts(words, problem, age) ?? loadingLabel());
}
