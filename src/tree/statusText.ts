import { t } from '@vscode/l10n';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { isStale, streamLabel } from '../model/store/streams.ts';
import { accountWords } from '../texts/names.ts';
import { faultWord } from '../texts/streams.ts';
import { keyRejectedSentence, troubleSentence } from '../texts/troubles.ts';
import { compareNames } from '../util/compareNames.ts';
import { formatCount } from '../util/format.ts';
import { withoutIcons } from '../util/markup.ts';
import { joinParts, joinWords, oneLine } from '../util/text.ts';
import { countedStreams, liveStreamsText } from './liveCount.ts';
import type { DrawingContext } from './row.ts';
import { onlyConnection, streamsMessage } from './treeState.ts';

const MOST_NAMES = 10;

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly accessibilityLabel: string;
  readonly isWarning: boolean;
  /** When the number gets too old to show; Unix time in milliseconds, local clock. */
  readonly hidesAt: number;
}

/** Undefined if there is no connection, if no stream is live, or if the number is unknown or too old. */
export function statusText(
  snapshot: Snapshot,
  drawing: DrawingContext,
  refreshInterval: number,
): StatusText | undefined {
  const { connection } = snapshot;
  const counted = countedStreams(snapshot, drawing.now, refreshInterval);
  if (counted === undefined || !('info' in connection)) return undefined;
  const { streams, hidesAt } = counted;
  const count = streams.length;
  const number = formatCount(count, drawing.locale) ?? '';
  const reason = reasonOf(snapshot, drawing);
  const isWarning = reason !== undefined;
  if (count === 0 && !isWarning) return undefined;
  const name = oneLine(connection.info.name);
  const onlyOne = onlyConnection(snapshot);
  const words = liveStreamsText(count, drawing.locale, name);
  const active = [...streams, ...[...snapshot.streams.values()].filter(isStale)];
  const faults = faultCounts(snapshot, active);
  return {
    // The warning is about the number, not about the streams.
    text:
      joinParts(
        isWarning ? `$(warning) ${t('{0} live (not updated)', number)}` : `$(broadcast) ${t('{0} live', number)}`,
        onlyOne === undefined ? undefined : withoutIcons(onlyOne),
      ) ?? '',
    tooltip: [words, ownerOf(snapshot, name), faults, reason, ...namesOf(snapshot, active)]
      .filter((line) => line !== undefined && line !== '')
      .join('\n'),
    accessibilityLabel: joinWords(words, faults, reason),
    isWarning,
    hidesAt,
  };
}

/** "1 with problems, 2 without data" */
function faultCounts(snapshot: Snapshot, active: readonly StreamFact[]): string {
  const { locale } = snapshot;
  const silent = active.filter(isStale).length;
  const faulty = active.filter((fact) => faultWord(snapshot, fact) !== undefined).length - silent;
  return joinWords(
    faulty > 0 && t('{0} with problems', formatCount(faulty, locale) ?? ''),
    silent > 0 && t('{0} without data', formatCount(silent, locale) ?? ''),
  );
}

/** Connections are often named after their project. */
function ownerOf({ accountNames }: Snapshot, connectionName: string): string | undefined {
  const { project, email } = accountNames;
  const isSame = project !== undefined && oneLine(project) === connectionName;
  return accountWords({ accountNames: { project: isSame ? undefined : project, email } });
}

/** Those with a fault first. */
function namesOf(snapshot: Snapshot, streams: readonly StreamFact[]): readonly string[] {
  const { locale } = snapshot;
  const all = streams.map((fact) => ({
    name: oneLine(streamLabel(fact.stream), 60),
    fault: faultWord(snapshot, fact),
  }));
  all.sort(
    (a, b) => Number(a.fault === undefined) - Number(b.fault === undefined) || compareNames(a.name, b.name, locale),
  );
  const names = all.map(({ name, fault }) => joinParts(name, fault) ?? name);
  const more = names.length - MOST_NAMES;
  if (more <= 1) return names;
  return [...names.slice(0, MOST_NAMES), t('and {0} more', formatCount(more, locale) ?? '')];
}

// The view's message leaves out what the view's notice rows show, but the status bar has no rows.
function reasonOf(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const { connection, trouble } = snapshot;
  if (connection.kind === 'refused') return keyRejectedSentence();
  if (trouble === undefined) return undefined;
  return streamsMessage(snapshot, drawing) ?? troubleSentence(trouble.error, snapshot);
}
