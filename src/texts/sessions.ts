import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { sessionParent } from '../model/store/recordings.ts';
import {
  isBeingRecorded,
  isPlayable,
  type RecordingState,
  sessionDuration,
  sessionEnd,
} from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { Reader } from '../util/dates.ts';
import { formatDuration, formatSpokenDuration } from '../util/format.ts';
import { hasText } from '../util/text.ts';
import { liveLabel } from './labels.ts';
import { FAILED, liveWord, PROCESSING, RECORDING, type StateIcon } from './streams.ts';

const ICONS: Readonly<Record<RecordingState, StateIcon>> = {
  running: { id: 'circle-filled', color: 'liveStreams.liveForeground' },
  waiting: { id: 'play-circle' },
  ready: { id: 'play-circle' },
  failed: FAILED,
  deleted: { id: 'trash' },
  none: { id: 'circle-outline' },
  notRecorded: { id: 'circle-outline' },
  unknown: { id: 'question' },
};

/** Returns an icon, muted for a session that can't be played, unless something is still to come or went wrong. */
export function sessionIcon(session: Session, state: RecordingState): StateIcon {
  if (state === 'running') return isBeingRecorded(session) ? RECORDING : ICONS.running;
  if (isPlayable(session)) return ICONS[state];
  return state === 'waiting' ? PROCESSING : { color: 'descriptionForeground', ...ICONS[state] };
}

/**
 * ["live for 12 min"], ["1 h 2 min"], or ["failed", "1 h 2 min"]: an unusual state comes first, because a narrow view
 * cuts off the end. The icon shows the others: ready, not recorded, unknown.
 */
export function sessionWords(
  session: Session,
  state: RecordingState,
  reader: Reader,
): readonly (string | false | undefined)[] {
  if (state === 'running') return [recordingWord(session, state, reader)];
  const duration = formatDuration(sessionDuration(session));
  const isUnusual = state === 'waiting' || state === 'failed' || state === 'deleted';
  return [isUnusual && recordingWord(session, state, reader), duration];
}

/** The description of a session for screen readers, which don't read icons. */
export function spokenSessionWords(
  session: Session,
  state: RecordingState,
  reader: Reader,
): readonly (string | undefined)[] {
  const { now, locale } = reader;
  if (state === 'running') {
    return [liveFor(formatSpokenDuration(secondsSince(session.createdAt, now), locale))];
  }
  return [formatSpokenDuration(sessionDuration(session), locale), recordingNote(session, state, reader)];
}

/** A recording's state beside the session's time. The processing time would cause a row to be redrawn each minute. */
export function recordingNote(session: Session, state: Exclude<RecordingState, 'running'>, reader: Reader): string {
  return (state === 'waiting' ? recordingWord : recordingPhrase)(session, state, reader);
}

/** Returns the state of a session as a sentence or a phrase. */
export function sessionSentence(session: Session, state: RecordingState, reader: Reader): string {
  if (state !== 'running') return recordingPhrase(session, state, reader);
  return session.record
    ? t('Live now. The recording will be available after the broadcast ends.')
    : t('Live now. Not being recorded.');
}

/** A recording's state where nothing else names it: "Recording ready". Before that, one that plays lacks its MP4. */
export function recordingPhrase(session: Session, state: Exclude<RecordingState, 'running'>, reader: Reader): string {
  switch (state) {
    case 'waiting': {
      if (hasText(session.recordingUrl)) return `${t('Recording ready')} · ${t('no MP4 yet')}`;
      const duration = processingTime(session, reader);
      return duration === undefined ? t('Processing recording') : t('Processing recording ({0} elapsed)', duration);
    }
    case 'ready':
      return t('Recording ready');
    case 'failed':
      return t('Recording failed');
    case 'deleted':
      return t('Recording deleted');
    case 'none':
    case 'notRecorded':
      return t('Not recorded');
    case 'unknown':
      return session.recordingStatus === undefined ? t('Recorded') : t('Recording status unknown');
  }
}

/** The same in a row, whose icon shows that it's a recording: "ready", "live for 12 min". */
export function recordingWord(session: Session, state: RecordingState, reader: Reader): string {
  switch (state) {
    case 'running':
      return liveFor(liveDuration(session, reader.now));
    case 'waiting':
      return hasText(session.recordingUrl) ? t('no MP4 yet') : t('processing');
    case 'ready':
      return t('ready');
    case 'failed':
      return t('failed');
    case 'deleted':
      return t('deleted');
    case 'none':
    case 'notRecorded':
      return t('not recorded');
    case 'unknown':
      // An unknown status is the service's own word, in its language.
      return session.recordingStatus === undefined ? t('recorded') : t('status unknown');
  }
}

/** Says that a session's stream is gone, unless those words already replace its name. */
export function goneStreamWord(snapshot: Snapshot, session: Session): string | false {
  const { kind, name } = sessionParent(snapshot, session);
  return kind === 'gone' && name !== undefined && t('stream deleted');
}

function liveFor(duration: string | undefined): string {
  return duration === undefined ? liveWord() : t('live for {0}', duration);
}

export function processingTime(session: Session, { now }: { readonly now: number }): string | undefined {
  return formatDuration(secondsSince(sessionEnd(session), now));
}

export function unknownStartText(): string {
  return t('Unknown start time');
}

/** "Live for 12 min", or "Live" in the first minute. The start of the session may be unknown. */
export function liveText(session: Session | undefined, now: number): string {
  const duration = liveDuration(session, now);
  return duration === undefined ? liveLabel() : t('Live for {0}', duration);
}

/** Without seconds: views are redrawn at different times, and two with different durations look wrong. */
function liveDuration(session: Session | undefined, now: number): string | undefined {
  const seconds = secondsSince(session?.createdAt, now);
  return seconds === undefined || seconds < 60 ? undefined : formatDuration(seconds);
}

function secondsSince(at: number | undefined, now: number): number | undefined {
  return at === undefined ? undefined : Math.max(0, now - at) / 1000;
}
