import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';
import type { Session, Stream } from '../api/types.ts';
import { problemsOf } from '../model/inspection/problems.ts';
import { isPlayable, isRunningIn, recordingState, runningSession, sessionDuration } from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { atLastAnswer, isLive, isOnAir, isOutdated, streamLabel, streamState } from '../model/store/streams.ts';
import { clipsText } from '../texts/clips.ts';
import {
  checkStreamLabel,
  copyStreamKeyLabel,
  idleLabel,
  resumeStreamLabel,
  showDetailsLabel,
  watchLabel,
  watchRecordingLabel,
} from '../texts/labels.ts';
import { liveText, unknownStartText } from '../texts/sessions.ts';
import { beingRecordedWord, faultWord, healthWord, policyText, privateWord, stateWords } from '../texts/streams.ts';
import { failedTargets } from '../texts/targets.ts';
import { formatClock, formatDayAndClock } from '../util/dates.ts';
import { formatAge, formatBitrate, formatCount, formatDuration } from '../util/format.ts';
import { escapeMarkdown } from '../util/markup.ts';
import { hasText, joinParts } from '../util/text.ts';
import type { DrawingContext, RowLink } from './row.ts';
import { outdatedSentence } from './treeState.ts';

// About four lines.
const MOST_NAME = 400;
const MOST_ISSUES = 2;
// About two lines.
const MOST_ISSUE = 120;

/** Returns a stream's name, state, and problems, as Markdown without links. Never includes its key. */
export function streamTooltip(snapshot: Snapshot, fact: StreamFact, drawing: DrawingContext): string {
  const { stream } = fact;
  return paragraphs(
    [`**${escapeMarkdown(streamLabel(stream), MOST_NAME)}**`, escapeMarkdown(stateLine(snapshot, fact, drawing))],
    [escapeMarkdown(outdatedSentence(snapshot, drawing) ?? '')],
    issueLines(snapshot, fact, drawing),
    [
      stream.isActive && streamState(fact) !== 'stale' ? undefined : escapeMarkdown(lastSeenLine(stream, drawing)),
      hasText(stream.playbackId) && escapeMarkdown(t('Playback ID: {0}', stream.playbackId)),
      privateWord(stream) !== false && escapeMarkdown(policyText(stream) ?? ''),
    ],
  );
}

export function streamLinks(snapshot: Snapshot, fact: StreamFact): readonly RowLink[] {
  const { id, playbackId, streamKey, isActive, suspended } = fact.stream;
  // Commands reject other IDs.
  if (!isId(id)) return [];
  const links: (RowLink | false)[] = [
    suspended === true
      ? snapshot.abilities.suspend && { title: resumeStreamLabel(), command: 'resumeStream', id }
      : isLive(fact) && hasText(playbackId) && { title: watchLabel(), command: 'watchStream', id },
    isActive && faultWord(snapshot, fact) !== undefined && { title: checkStreamLabel(), command: 'checkStream', id },
    { title: showDetailsLabel(), command: 'showStream', id },
    hasText(streamKey) && { title: copyStreamKeyLabel(), command: 'copyStreamKey', id },
  ];
  return links.filter((link) => link !== false);
}

interface SessionTexts {
  readonly stream: string;
  readonly state: string;
  /** The number of clips, if known. */
  readonly clips?: number;
  /** A running session has no end yet. */
  readonly isRunning?: boolean;
}

export function sessionTooltip(
  session: Session,
  { stream, state, clips = 0, isRunning }: SessionTexts,
  drawing: DrawingContext,
): string {
  return paragraphs([
    `**${escapeMarkdown(stream, MOST_NAME)}**`,
    escapeMarkdown(state),
    escapeMarkdown(joinParts(timesLine(session, isRunning, drawing), clipsText(clips, drawing)) ?? ''),
  ]);
}

export function sessionLinks(snapshot: Snapshot, session: Session): readonly RowLink[] {
  const { id, parentId } = session;
  if (!isId(id)) return [];
  const isRunning = recordingState(session, isRunningIn(snapshot, session)) === 'running';
  const links: (RowLink | false)[] = [
    isRunning && isId(parentId) && { title: watchLabel(), command: 'watchStream', id: parentId },
    isPlayable(session) && { title: watchRecordingLabel(), command: 'openRecording', id },
    { title: showDetailsLabel(), command: 'showSession', id },
  ];
  return links.filter((link) => link !== false);
}

// For example "Live for 48 min · recording · 2.5 Mbps · healthy".
function stateLine(snapshot: Snapshot, fact: StreamFact, drawing: DrawingContext): string {
  const { stream } = fact;
  const words = [stateWord(snapshot, fact, drawing)];
  if (stream.suspended === true) return joinParts(...words, stateWords(fact, drawing)[1]) ?? '';
  if (stream.record) words.push(isLive(fact) ? beingRecordedWord() : t('recording on'));
  // These may have changed since.
  if (isLive(fact) && !isOutdated(snapshot)) {
    const { ingestRate = 0 } = stream;
    const rate = ingestRate === 0 ? undefined : formatBitrate(ingestRate * 8, drawing.locale);
    words.push(rate, healthWord(stream, problemsOf(snapshot, fact), drawing.locale));
  }
  return joinParts(...words) ?? '';
}

function stateWord(snapshot: Snapshot, fact: StreamFact, drawing: DrawingContext): string | undefined {
  switch (streamState(fact)) {
    case 'live':
      return liveText(runningSession(snapshot, fact.stream.id), atLastAnswer(snapshot, drawing).now);
    case 'stale':
      return t('No data for {0}', formatAge(fact.serverDate - (fact.stream.lastSeen ?? fact.serverDate)) ?? '');
    case 'suspended':
      return t('Suspended');
    case 'idle':
      return idleLabel();
  }
}

// An ended broadcast may have had issues too, but they can't be fixed anymore. Those of a broadcast without data were
// reported while it still sent some.
function issueLines(snapshot: Snapshot, fact: StreamFact, { locale }: DrawingContext): readonly string[] {
  if (!isOnAir(fact.stream)) return [];
  if (streamState(fact) === 'stale') {
    return [escapeMarkdown(t('The service reports the stream as live, but no data is arriving.'))];
  }
  const issues = [...failedTargets(problemsOf(snapshot, fact), snapshot.targets), ...fact.stream.issues];
  const more = issues.length - MOST_ISSUES;
  const shown = issues.slice(0, MOST_ISSUES).map((issue, index) => {
    const line = `**${escapeMarkdown(issue, MOST_ISSUE)}**`;
    if (index < MOST_ISSUES - 1 || more <= 0) return line;
    return `${line} ${escapeMarkdown(`(${t('and {0} more', formatCount(more, locale) ?? '')})`)}`;
  });
  return shown;
}

function lastSeenLine({ lastSeen, isActive }: Stream, drawing: DrawingContext): string {
  const when = formatDayAndClock(lastSeen, drawing);
  if (when === undefined) return t('Never live');
  return isActive ? t('Last data: {0}', when) : t('Last live: {0}', when);
}

// For example "Yesterday 18:00 – 19:02 · 1 h 2 min".
function timesLine(session: Session, isRunning: boolean | undefined, drawing: DrawingContext): string | undefined {
  const start = formatDayAndClock(session.createdAt, drawing) ?? unknownStartText();
  const seconds = sessionDuration(session);
  const end = isRunning ? undefined : endClock(session, seconds, drawing);
  return joinParts(end === undefined ? start : t('{0} – {1}', start, end), formatDuration(seconds));
}

function endClock({ createdAt }: Session, seconds: number | undefined, drawing: DrawingContext): string | undefined {
  return createdAt === undefined || seconds === undefined
    ? undefined
    : formatClock(createdAt + seconds * 1000, drawing);
}

/** Lines of a paragraph end in two spaces, which is a line break in Markdown. */
export function paragraphs(...parts: readonly (readonly (string | false | undefined)[])[]): string {
  return parts
    .map((lines) => lines.filter(Boolean).join('  \n'))
    .filter(Boolean)
    .join('\n\n');
}
