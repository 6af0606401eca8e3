import { t } from '@vscode/l10n';
import type { HealthCondition, PlayableStream, Stream } from '../api/types.ts';
import { problemsOf, problemsText } from '../model/inspection/problems.ts';
import type { Operation, Snapshot, StreamFact, TestBroadcast } from '../model/store/snapshot.ts';
import { isOutdated, isPrivate, isStale, type StreamState, streamState } from '../model/store/streams.ts';
import { formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatAge, formatSpokenAge, formatTimer } from '../util/format.ts';
import { failedTargets } from './targets.ts';

const MINUTE_MS = 60_000;
const CLOCKS_DIFFER_BY_MS = 86_400_000;

export interface StateIcon {
  /** Codicon name without `$()`; "loading~spin" spins. */
  readonly id: string;
  readonly color?: string;
}

export function streamsWord(count: string | undefined): string | undefined {
  if (count === undefined) return undefined;
  return count === '1' ? t('1 stream') : t('{0} streams', count);
}

/**
 * Returns the problem of an active stream that isn't suspended, if any: "unhealthy", "YouTube failing",
 * "2 problems", "no data for 4 min".
 */
export function faultWord(snapshot: Snapshot, fact: StreamFact): string | undefined {
  if (fact.stream.suspended === true) return undefined;
  if (isStale(fact)) return staleWord(fact);
  if (fact.stream.isHealthy === false) return unhealthyWord();
  const problems = problemsOf(snapshot, fact);
  const [first, ...others] = problems;
  if (first === undefined) return undefined;
  const [word] = others.length === 0 ? failedTargets([first], snapshot.targets) : [];
  return word ?? problemsText(problems.length, snapshot.locale);
}

/**
 * "healthy", "unhealthy", or "2 problems" if failing targets are named below. A service may call their stream healthy.
 */
export function healthWord(
  { isHealthy }: Pick<Stream, 'isHealthy'>,
  problems: readonly HealthCondition[],
  locale: string,
): string | undefined {
  if (isHealthy === false) return unhealthyWord();
  const others = problems.filter(({ target }) => target === undefined).length;
  if (others > 0) return problemsText(others, locale);
  return isHealthy && problems.length === 0 ? t('healthy') : undefined;
}

/**
 * Omits what the icon and the place show: "private", "recording"; "no data for 4 min"; "3 h ago"; "suspended". Words
 * that nothing else in the row shows come first, because a narrow view cuts off the end.
 */
export function rowWords(
  snapshot: Snapshot,
  fact: StreamFact,
  reader: Reader,
): readonly (string | false | undefined)[] {
  const { stream } = fact;
  switch (streamState(fact)) {
    case 'live':
      return [privateWord(stream), stream.record && beingRecordedWord(), faultWord(snapshot, fact)];
    case 'stale':
    case 'suspended':
      return [privateWord(stream), stateWords(fact, reader)[0]];
    case 'idle':
      return [privateWord(stream), seenWord(stream, reader)];
  }
}

/** The description of a stream for screen readers, which don't read icons. */
export function spokenStreamWords(snapshot: Snapshot, fact: StreamFact, reader: Reader): readonly (string | false)[] {
  const { stream } = fact;
  const state = streamState(fact);
  const isOld = isOutdated(snapshot) && t('may be out of date');
  switch (state) {
    case 'live':
      return [...stateWords(fact, reader, faultWord(snapshot, fact)), privateWord(stream), isOld];
    case 'stale':
      return [staleWord(fact, reader.locale), privateWord(stream), isOld];
    case 'suspended':
    case 'idle':
      return [
        ...(state === 'idle' ? [t('idle'), spokenSeenWord(stream, reader)] : stateWords(fact, reader)),
        stream.record && t('recording on'),
        privateWord(stream),
        stream.isActive && isOld,
      ];
  }
}

export function liveWord(): string {
  return t('live');
}

/**
 * Includes what a row leaves to its icon and place: "live", "unhealthy", "recording"; "suspended", "still live"; "last
 * live 3 h ago".
 */
export function stateWords(
  fact: StreamFact,
  reader: Reader,
  fault: string | undefined = fact.stream.isHealthy === false ? unhealthyWord() : undefined,
): readonly (string | false)[] {
  const { stream } = fact;
  switch (streamState(fact)) {
    case 'live':
      return [liveWord(), fault ?? false, stream.record && beingRecordedWord()];
    case 'stale':
      return [staleWord(fact)];
    case 'suspended':
      return [suspendedWord(), stream.isActive && t('still live')];
    case 'idle':
      return [lastLiveText(stream, reader)];
  }
}

// Measured by the response's own clock, so that it doesn't grow between responses.
function staleWord({ stream, serverDate }: StreamFact, locale?: string): string {
  const ms = serverDate - (stream.lastSeen ?? serverDate);
  return t('no data for {0}', (locale === undefined ? formatAge(ms) : formatSpokenAge(ms, locale)) ?? '');
}

function spokenSeenWord(stream: Stream, reader: Reader): string {
  const { now, locale } = reader;
  const ms = stream.lastSeen === undefined ? undefined : now - stream.lastSeen;
  const age = ms === undefined || ms < MINUTE_MS ? undefined : formatSpokenAge(ms, locale);
  return age === undefined ? lastLiveText(stream, reader) : t('last live {0} ago', age);
}

/** Returns when a stream was last live, in a row of idle streams: "3 h ago", "never live". */
export function seenWord({ lastSeen }: Stream, reader: Reader): string {
  const { now } = reader;
  if (lastSeen === undefined) return t('never live');
  const ms = now - lastSeen;
  // Clocks can differ by hours. Times further ahead are shown as the service reports them.
  if (ms < -CLOCKS_DIFFER_BY_MS) return formatDayAndClock(lastSeen, reader) ?? t('never live');
  if (ms < MINUTE_MS) return t('just now');
  const age = formatAge(ms);
  return age === undefined ? t('never live') : t('{0} ago', age);
}

/** Like `seenWord`, but says what the time means: "last live 3 h ago". */
export function lastLiveText({ lastSeen }: Stream, reader: Reader): string {
  if (lastSeen === undefined) return t('never live');
  const ms = reader.now - lastSeen;
  if (ms < -CLOCKS_DIFFER_BY_MS) return t('last live {0}', formatDayAndClock(lastSeen, reader) ?? '');
  if (ms < MINUTE_MS) return t('ended just now');
  const age = formatAge(ms);
  return age === undefined ? t('never live') : t('last live {0} ago', age);
}

export function operationWord(operation: Operation): string {
  switch (operation) {
    case 'renaming':
      return t('Renaming…');
    case 'turningRecordingOn':
      return t('Turning on recording…');
    case 'turningRecordingOff':
      return t('Turning off recording…');
    case 'suspending':
      return t('Suspending…');
    case 'resuming':
      return t('Resuming…');
    case 'settingPolicy':
      return t('Updating playback policy…');
    case 'settingTags':
      return t('Updating tags…');
    case 'settingRenditions':
      return t('Updating renditions…');
    case 'endingBroadcast':
      return t('Ending broadcast…');
    case 'deleting':
      return t('Deleting…');
  }
}

/** "2:15 left in test broadcast": the time first, because VS Code cuts off the end of a row. */
export function testBroadcastText({ state, secondsLeft }: TestBroadcast): string {
  if (state === 'connecting') return t('test broadcast, connecting…');
  if (state === 'reconnecting') return t('test broadcast, reconnecting…');
  return secondsLeft === undefined ? t('test broadcast') : t('{0} left in test broadcast', formatTimer(secondsLeft));
}

/** Returns words about this window's broadcast to a stream of the open connection; none if there is none. */
export function testBroadcastWords({ connection, testBroadcasts }: Snapshot, streamId: string): readonly string[] {
  const broadcast = testBroadcasts.get(streamId);
  return 'info' in connection && broadcast?.connectionId === connection.info.id ? [testBroadcastText(broadcast)] : [];
}

const ICONS: Readonly<Record<StreamState, StateIcon>> = {
  live: { id: 'broadcast', color: 'liveStreams.liveForeground' },
  stale: { id: 'question', color: 'liveStreams.staleForeground' },
  idle: { id: 'circle-outline' },
  suspended: { id: 'circle-slash', color: 'liveStreams.suspendedForeground' },
};

/** The icon of a stream or session that is live and recorded. */
export const RECORDING: StateIcon = { id: 'record', color: 'liveStreams.recordingForeground' };

export const FAILED = { id: 'error', color: 'liveStreams.failedForeground' };

/** In its own color, because a narrow view cuts off the word. */
export const PROCESSING = { id: 'sync', color: 'liveStreams.processingForeground' };

/** The icon of a stream that is live but needs attention. */
const ATTENTION: StateIcon = { id: 'warning', color: 'liveStreams.warningForeground' };

/** @param isFaulty whether something is wrong with a live stream */
export function streamIcon(state: StreamState, stream: Stream, isFaulty: boolean): StateIcon {
  if (state === 'live' && isFaulty) return ATTENTION;
  if (state === 'live' && stream.record) return RECORDING;
  // The icon shows it. In a narrow view, words would be cut off, and the time before them too.
  if (state === 'idle' && stream.record) return { id: 'record-small' };
  return ICONS[state];
}

/** "private" if not everyone can watch it. */
export function privateWord(stream: PlayableStream): string | false {
  return isPrivate(stream) && t('private');
}

/** "Public", "Private: signed token", "Private: webhook"; undefined if the service doesn't say. */
export function policyText({ playbackPolicy }: PlayableStream): string | undefined {
  switch (playbackPolicy?.type) {
    case undefined:
      return undefined;
    case 'public':
      return t('Public');
    case 'jwt':
      return t('Private: signed token');
    case 'webhook':
      return t('Private: webhook');
    default:
      return t('Private: {0}', playbackPolicy?.type ?? '');
  }
}

export function suspendedWord(): string {
  return t('suspended');
}

export function unhealthyWord(): string {
  return t('unhealthy');
}

export function beingRecordedWord(): string {
  return t('recording');
}
