import { t } from '@vscode/l10n';
import { connectionIdOf, type Snapshot, type StreamFact } from '../model/store/snapshot.ts';
import { hasFailedSinceRefusal, isStale, streamLabel } from '../model/store/streams.ts';
import { accountWords, labeledText, withNote } from '../texts/names.ts';
import { faultWord } from '../texts/streams.ts';
import { keyRejectedWords } from '../texts/troubles.ts';
import { formatCount } from '../util/format.ts';
import { compareNames } from '../util/names.ts';
import { joinParts, joinWords, oneLine } from '../util/text.ts';
import {
  addCounts,
  countedStreams,
  isCountLost,
  type LiveCount,
  liveCountText,
  liveStreamsText,
  outOfDateWords,
} from './liveCount.ts';
import type { DrawingContext } from './row.ts';
import { outdatedSentence, streamsMessage } from './treeState.ts';

const MOST_NAMES = 10;

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly accessibilityLabel: string;
  readonly isWarning: boolean;
  /** When the number gets too old to show; Unix time in milliseconds, local clock. Undefined if none is shown. */
  readonly hidesAt: number | undefined;
  /** The ID of the connection that needs another API key, if nothing else is shown. */
  readonly needsKey: string | undefined;
}

/** The Status Bar's data for a connection. */
export interface CountedConnection extends LiveCount {
  readonly snapshot: Snapshot;
  /** Includes streams without data. */
  readonly active: readonly StreamFact[];
  /** "1 with problems, 2 without data"; empty if there are none. */
  readonly faults: string;
  /** Why the number isn't up to date. */
  readonly reason: string | undefined;
}

/**
 * Returns undefined if there's no connection, no stream is live, or the number is unknown. If it's too old because the
 * service can't be reached, or unknown because the key was rejected, shows that instead.
 */
export function statusText(snapshot: Snapshot, drawing: DrawingContext): StatusText | undefined {
  const { connection } = snapshot;
  if (!('info' in connection)) return undefined;
  const name = oneLine(connection.info.name);
  const counted = countConnection(snapshot, drawing);
  if (counted === undefined) {
    if (!isCountLost(snapshot)) return undefined;
    const line = labeledText(name, outdatedSentence(snapshot, drawing) ?? '');
    return drawStatus([], [snapshot], drawing, {
      note: outOfDateWords(),
      spoken: [line],
      lines: [line, accountWords(snapshot, name)],
    });
  }
  const { streams, faults, reason } = counted;
  const words = liveStreamsText(streams.length, drawing.locale, name);
  const spoken = [words, faults, reason];
  const names = streamLines([counted], drawing.locale).get(counted) ?? [];
  const lines = [words, accountWords(snapshot, name), faults, reason, ...names];
  const note = reason && (refusedConnection([snapshot]) === undefined ? outOfDateWords() : keyRejectedWords());
  return drawStatus([counted], [], drawing, { spoken, lines, note });
}

/** Returns undefined if its number is unknown or too old. */
export function countConnection(snapshot: Snapshot, drawing: DrawingContext): CountedConnection | undefined {
  const counted = countedStreams(snapshot, drawing);
  if (counted === undefined) return undefined;
  const active = [...counted.streams, ...[...snapshot.streams.values()].filter(isStale)];
  return {
    ...counted,
    snapshot,
    active,
    faults: faultCounts(snapshot, active),
    reason: streamsMessage(snapshot, drawing),
  };
}

type Words = readonly (string | undefined)[];

interface StatusWords {
  /** The lines of the hover. */
  readonly lines: Words;
  /** The words for screen readers. */
  readonly spoken: Words;
  /** "out of date", about the number; undefined if everything is up to date. */
  readonly note: string | undefined;
}

/**
 * @param lost Connections that aren't counted because of a problem.
 */
export function drawStatus(
  counted: readonly CountedConnection[],
  lost: readonly Snapshot[],
  { locale }: DrawingContext,
  { lines, spoken, note }: StatusWords,
): StatusText | undefined {
  const { count, hidesAt } = addCounts(counted);
  if (count === 0 && lost.length === 0) return undefined;
  const isWarning = note !== undefined;
  const needsKey = count === 0 ? refusedConnection(lost) : undefined;
  // The warning is about the number, not about the streams.
  const words = count === 0 ? t('Streams out of date') : withNote(liveCountText(count, locale), note);
  const text = needsKey === undefined ? words : keyRejectedWords();
  return {
    text: `$(${isWarning ? 'warning' : 'broadcast'}) ${text}`,
    tooltip: lines.filter(Boolean).join('\n'),
    accessibilityLabel: joinWords(...spoken),
    isWarning,
    hidesAt,
    needsKey,
  };
}

/** Returns the first connection, if the keys of all were rejected. */
function refusedConnection(lost: readonly Snapshot[]): string | undefined {
  const isRefused = (each: Snapshot) => each.connection.kind === 'refused' && !hasFailedSinceRefusal(each);
  const [first] = lost;
  return first && lost.every(isRefused) ? connectionIdOf(first) : undefined;
}

/** "1 with problems, 2 more without data": the latter aren't live. */
function faultCounts(snapshot: Snapshot, active: readonly StreamFact[]): string {
  const { locale } = snapshot;
  const silent = active.filter(isStale).length;
  const faulty = active.filter((fact) => !isStale(fact) && faultWord(snapshot, fact) !== undefined).length;
  return joinWords(
    faulty > 0 && t('{0} with problems', formatCount(faulty, locale) ?? ''),
    silent > 0 && t('{0} more without data', formatCount(silent, locale) ?? ''),
  );
}

/** Returns the names of each connection's streams, faulty ones first. If there are many, all faulty ones come first. */
export function streamLines(
  counted: readonly CountedConnection[],
  locale: string,
): ReadonlyMap<CountedConnection, readonly string[]> {
  const all = counted.flatMap((of) =>
    of.active.map((fact) => ({
      of,
      name: oneLine(streamLabel(fact.stream), 60),
      fault: faultWord(of.snapshot, fact),
    })),
  );
  all.sort(
    (a, b) => Number(a.fault === undefined) - Number(b.fault === undefined) || compareNames(a.name, b.name, locale),
  );
  const shown = all.length - MOST_NAMES <= 1 ? all : all.slice(0, MOST_NAMES);
  return new Map(
    counted.map((of) => {
      const names = shown.filter((each) => each.of === of).map(({ name, fault }) => joinParts(name, fault) ?? name);
      const more = of.active.length - names.length;
      const isCut = names.length > 0 && more > 0;
      return [of, isCut ? [...names, t('and {0} more', formatCount(more, locale) ?? '')] : names];
    }),
  );
}
