import { t } from '@vscode/l10n';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { loadingLabel } from '../../texts/labels.ts';
import { labeledText } from '../../texts/names.ts';
import { keyMissingSentence } from '../../texts/troubles.ts';
import { compareNames } from '../../util/compareNames.ts';
import { joinParts, joinWords } from '../../util/text.ts';
import { addCounts, isCountLost, liveCountText, liveStreamsText } from '../liveCount.ts';
import type { DrawingContext } from '../row.ts';
import { type CountedConnection, countConnection, drawStatus, type StatusText, streamLines } from '../statusText.ts';
import { ageSentence, nameOfConnection, outdatedSentence } from '../treeState.ts';

/**
 * The status bar while all connections are shown: their live streams together, and a group for each. One that can't be
 * loaded counts with what was known last until that is too old, like a connection that is shown alone. Then the warning
 * alone stays, as the number isn't complete.
 */
export function allConnectionsStatus(
  snapshots: readonly Snapshot[],
  drawing: DrawingContext,
  refreshInterval: number,
): StatusText | undefined {
  const { locale } = drawing;
  const known = snapshots
    .flatMap((snapshot): readonly NamedSnapshot[] => {
      const name = nameOfConnection(snapshot);
      return name === undefined
        ? []
        : [{ name, snapshot, counted: countConnection(snapshot, drawing, refreshInterval) }];
    })
    .sort((a, b) => compareNames(a.name, b.name, locale));
  const counted = known.flatMap((each) => each.counted ?? []);
  const isCounted = (snapshot: Snapshot) => counted.some((each) => each.snapshot === snapshot);
  const lost = snapshots.filter((snapshot) => !isCounted(snapshot) && isCountLost(snapshot));
  const total = counted.length === 0 ? [] : [liveStreamsText(addCounts(counted).count, locale)];
  const names = streamLines(counted, locale);
  const groups = known.map((each) => ({
    line: connectionLine(each, drawing),
    below: each.counted === undefined ? [] : linesBelow(each.counted, names),
  }));
  return drawStatus(counted, lost, drawing, {
    lines: [...total, ...groups.flatMap(({ line, below }) => [line, ...below])],
    spoken: [...total, ...groups.map(({ line }) => line)],
  });
}

function linesBelow(counted: CountedConnection, names: ReturnType<typeof streamLines>): readonly string[] {
  const outdated = counted.reason !== undefined && t('not updated');
  return (names.get(counted) ?? []).map((name) => `    ${joinParts(name, outdated) ?? name}`);
}

interface NamedSnapshot {
  readonly name: string;
  readonly snapshot: Snapshot;
  /** Undefined if its number is unknown or too old. */
  readonly counted: CountedConnection | undefined;
}

/** "Tour: 1 live, 1 without data" */
function connectionLine({ name, snapshot, counted }: NamedSnapshot, drawing: DrawingContext): string {
  if (counted === undefined) return uncountedLine(name, snapshot, drawing);
  const words = joinWords(liveCountText(counted.streams.length, drawing.locale), counted.faults);
  return labeledText(name, joinParts(words, counted.reason) ?? '');
}

function uncountedLine(name: string, snapshot: Snapshot, drawing: DrawingContext): string {
  if (snapshot.connection.kind === 'keyless') return keyMissingSentence(name);
  const age = ageSentence(snapshot.lists.active.loadedAt, drawing);
  return labeledText(name, outdatedSentence(snapshot, drawing) ?? age ?? loadingLabel());
}
