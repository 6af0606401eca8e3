import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import type { ListName, Operation, Snapshot, StreamFact, TestBroadcast } from '../model/store/snapshot.ts';
import { isOutdated, type StreamState, streamState } from '../model/store/streams.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { formatAge, formatSpokenAge, formatTimer } from '../util/format.ts';
import { placedValue, plainValue } from './contextValues.ts';
import type { NodeOf } from './nodes.ts';
import type { DrawingContext, Row, RowIcon } from './row.ts';
import { hasText, joinParts, joinWords, nameLine } from './texts.ts';
import { streamLinks, streamTooltip } from './tooltip.ts';

export function drawStream(snapshot: Snapshot, { list, streamId }: NodeOf<'stream'>, drawing: DrawingContext): Row {
  const fact = snapshot.streams.get(streamId);
  if (fact === undefined) return goneRow(streamId, 'collapsed');
  const operation = snapshot.operations.get(streamId);
  const broadcast = ownTestBroadcast(snapshot, streamId);
  const name = nameLine(fact.stream);
  const testing = broadcast === undefined ? [] : [testBroadcastText(broadcast)];
  const own =
    broadcast === undefined ? rowWords(fact, list, drawing) : [...testing, ...wordsWhileActive(fact, list, drawing)];
  const words = operation === undefined ? own : [operationWord(operation)];
  return {
    label: name,
    description: joinParts(...words),
    tooltip: () => ({ markdown: streamTooltip(snapshot, fact, drawing), links: streamLinks(fact) }),
    icon: operation === undefined ? rowIcon(snapshot, fact) : SPINNER,
    contextValue: streamValue(fact, broadcast !== undefined),
    collapsible: 'collapsed',
    accessibilityLabel: joinWords(
      name,
      ...(operation === undefined ? [...testing, ...spokenWords(snapshot, fact, drawing)] : words),
    ),
  };
}

// When an idle stream was last live is about to change.
function wordsWhileActive(fact: StreamFact, list: ListName, drawing: DrawingContext): readonly (string | false)[] {
  return fact.stream.isActive ? rowWords(fact, list, drawing) : [];
}

// What icon and place don't say: "recording"; "no data for 4 min"; "3 h ago", "recording on"; "suspended".
function rowWords(fact: StreamFact, list: ListName, drawing: DrawingContext): readonly (string | false)[] {
  const { stream } = fact;
  switch (streamState(fact)) {
    case 'live':
      return [stream.suspended === true && t('suspended'), stream.record && t('recording')];
    case 'stale':
    case 'suspended':
      return stateWords(fact, drawing);
    case 'idle':
      return [seenWord(stream, drawing), stream.record && list !== 'recording' && t('recording on')];
  }
}

// The same for screen readers, which speak no icons.
function spokenWords(snapshot: Snapshot, fact: StreamFact, drawing: DrawingContext): readonly (string | false)[] {
  const { stream } = fact;
  const state = streamState(fact);
  const isSuspended = stream.suspended === true && t('suspended');
  const isOld = isOutdated(snapshot) && t('may be outdated');
  switch (state) {
    case 'live':
      return [...stateWords(fact, drawing), isOld];
    case 'stale':
      return [isSuspended, spokenStaleWord(fact, drawing), isOld];
    case 'suspended':
    case 'idle':
      return [
        state === 'idle' ? t('idle') : t('suspended'),
        state === 'idle' && spokenSeenWord(stream, drawing),
        stream.record && t('recording on'),
      ];
  }
}

/** With what a row leaves to its icon and place: "live", "unhealthy", "recording"; "suspended", "still live"; "last live 3 h ago". */
export function stateWords(fact: StreamFact, drawing: DrawingContext): readonly (string | false)[] {
  const { stream } = fact;
  switch (streamState(fact)) {
    case 'live':
      return [
        stream.suspended === true && t('suspended'),
        stream.suspended === true ? t('still live') : t('live'),
        stream.isHealthy === false && t('unhealthy'),
        stream.record && t('recording'),
      ];
    case 'stale':
      return [stream.suspended === true && t('suspended'), staleWord(fact)];
    case 'suspended':
      return [t('suspended')];
    case 'idle':
      return [lastLiveText(stream, drawing)];
  }
}

/** A row that is still painted although its stream or session is gone. It has no actions. */
export function goneRow(label: string, collapsible: Row['collapsible']): Row {
  const description = t('no longer available');
  return {
    label,
    description,
    icon: { id: 'trash' },
    contextValue: plainValue('gone'),
    collapsible,
    accessibilityLabel: joinWords(label, description),
  };
}

// Measured by the response's own clock, so that it doesn't grow between responses.
function staleWord({ stream, serverDate }: StreamFact): string {
  return t('no data for {0}', formatAge(serverDate - (stream.lastSeen ?? serverDate)) ?? '');
}

function spokenStaleWord({ stream, serverDate }: StreamFact, { locale }: DrawingContext): string {
  return t('no data for {0}', formatSpokenAge(serverDate - (stream.lastSeen ?? serverDate), locale) ?? '');
}

function spokenSeenWord(stream: Stream, drawing: DrawingContext): string {
  const { now, locale } = drawing;
  const ms = stream.lastSeen === undefined ? undefined : now - stream.lastSeen;
  const age = ms === undefined || ms < MINUTE_MS ? undefined : formatSpokenAge(ms, locale);
  return age === undefined ? lastLiveText(stream, drawing) : t('last live {0} ago', age);
}

/** Returns when a stream was last live, in a row of idle streams: "3 h ago", "never live". */
export function seenWord({ lastSeen }: Stream, reader: DrawingContext): string {
  const { now } = reader;
  if (lastSeen === undefined) return t('never live');
  const ms = now - lastSeen;
  // Clocks can differ by hours. Times further ahead are shown as the service reports them.
  if (ms < -CLOCKS_DIFFER_BY_MS) return formatDayAndClock(lastSeen, reader) ?? t('never live');
  if (ms < MINUTE_MS) return t('just now');
  const age = formatAge(ms);
  return age === undefined ? t('never live') : t('{0} ago', age);
}

/** The same where nothing else says what was then: "last live 3 h ago". */
export function lastLiveText({ lastSeen }: Pick<Stream, 'lastSeen'>, reader: DrawingContext): string {
  if (lastSeen === undefined) return t('never live');
  const ms = reader.now - lastSeen;
  if (ms < -CLOCKS_DIFFER_BY_MS) return t('last live {0}', formatDayAndClock(lastSeen, reader) ?? '');
  if (ms < MINUTE_MS) return t('ended just now');
  const age = formatAge(ms);
  return age === undefined ? t('never live') : t('last live {0} ago', age);
}

const MINUTE_MS = 60_000;
const CLOCKS_DIFFER_BY_MS = 86_400_000;
const SPINNER: RowIcon = { id: 'loading~spin' };

const ICONS: Readonly<Record<StreamState, RowIcon>> = {
  live: { id: 'broadcast', color: 'liveStreams.liveForeground' },
  stale: { id: 'question', color: 'liveStreams.staleForeground' },
  idle: { id: 'circle-outline' },
  suspended: { id: 'circle-slash', color: 'liveStreams.suspendedForeground' },
};

export function streamIcon(state: StreamState, { isHealthy, record }: Pick<Stream, 'isHealthy' | 'record'>): RowIcon {
  if (state === 'live' && isHealthy === false) return { id: 'warning', color: 'list.warningForeground' };
  if (state === 'live' && record) return { id: 'record', color: 'liveStreams.recordingForeground' };
  return ICONS[state];
}

function rowIcon(snapshot: Snapshot, fact: StreamFact): RowIcon {
  const icon = streamIcon(streamState(fact), fact.stream);
  return fact.stream.isActive ? liveIcon(icon, snapshot) : icon;
}

/** Returns the icon of something live, without its color while that may have ended unnoticed. */
export function liveIcon(icon: RowIcon, snapshot: Snapshot): RowIcon {
  return isOutdated(snapshot) ? { id: icon.id, color: 'disabledForeground' } : icon;
}

function operationWord(operation: Operation): string {
  switch (operation) {
    case 'renaming':
      return t('Renaming…');
    case 'turningRecordingOn':
      return t('Turning recording on…');
    case 'turningRecordingOff':
      return t('Turning recording off…');
    case 'suspending':
      return t('Suspending…');
    case 'resuming':
      return t('Resuming…');
    case 'endingBroadcast':
      return t('Ending broadcast…');
    case 'deleting':
      return t('Deleting…');
  }
}

/** The test broadcast to a stream of the open connection. */
function ownTestBroadcast({ connection, testBroadcasts }: Snapshot, streamId: string): TestBroadcast | undefined {
  const broadcast = testBroadcasts.get(streamId);
  return 'info' in connection && broadcast?.connectionId === connection.info.id ? broadcast : undefined;
}

/** "test broadcast, 2:15 left". */
export function testBroadcastText({ state, secondsLeft }: TestBroadcast): string {
  if (state === 'connecting') return t('test broadcast, connecting…');
  if (state === 'reconnecting') return t('test broadcast, reconnecting…');
  return secondsLeft === undefined ? t('test broadcast') : t('test broadcast, {0} left', formatTimer(secondsLeft));
}

function streamValue(fact: StreamFact, isTested: boolean): string {
  const { isActive, record, suspended, streamKey, playbackId } = fact.stream;
  const isStale = streamState(fact) === 'stale';
  const texts = [hasText(streamKey), hasText(playbackId)] as const;
  return placedValue('stream', [isActive, record, suspended === true, ...texts, isTested, isStale]);
}
