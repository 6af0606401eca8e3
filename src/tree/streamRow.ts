import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import type { Operation, Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { type StreamState, streamLabel, streamState } from '../model/store/streams.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { formatAge } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import { placedValue, plainValue } from './contextValues.ts';
import type { NodeOf } from './nodes.ts';
import type { DrawingContext, Row, RowIcon } from './row.ts';
import { hasText, joinParts, joinWords } from './texts.ts';
import { streamTooltip } from './tooltip.ts';

export function drawStream(snapshot: Snapshot, { streamId }: NodeOf<'stream'>, drawing: DrawingContext): Row {
  const fact = snapshot.streams.get(streamId);
  if (fact === undefined) return goneRow(streamId, 'collapsed');
  const operation = snapshot.operations.get(streamId);
  const label = oneLine(streamLabel(fact.stream));
  const words = operation === undefined ? stateWords(fact, drawing) : [operationWord(operation)];
  return {
    label,
    description: joinParts(...words),
    get tooltip() {
      return streamTooltip(fact, drawing);
    },
    icon: operation === undefined ? streamIcon(streamState(fact), fact.stream) : { id: 'loading~spin' },
    contextValue: streamValue(fact.stream),
    collapsible: 'collapsed',
    // Only the icon shows that a stream is idle: the words are a time.
    accessibilityLabel: joinWords(label, !operation && streamState(fact) === 'idle' && t('idle'), ...words),
  };
}

/** For example "live", "not healthy", "recording"; "live? no data for 4 min"; "3 h ago"; "suspended", "still live". */
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
      return [seenWord(stream, drawing)];
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

/** Measured by the response's own clock, so that it doesn't grow between responses. */
function staleWord({ stream, serverDate }: StreamFact): string {
  return t('no data for {0}', formatAge(serverDate - (stream.lastSeen ?? serverDate)) ?? '');
}

export function seenWord({ lastSeen }: Stream, reader: DrawingContext): string {
  const { now } = reader;
  if (lastSeen === undefined) return t('never live');
  const ms = now - lastSeen;
  // Clocks can differ by hours. Times further ahead are shown as the service reports them.
  if (ms < -CLOCKS_DIFFER_BY_MS) return formatDayAndClock(lastSeen, reader) ?? t('never live');
  if (ms < 60_000) return t('just now');
  const age = formatAge(ms);
  return age === undefined ? t('never live') : t('{0} ago', age);
}

const CLOCKS_DIFFER_BY_MS = 86_400_000;

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

function streamValue(stream: Stream): string {
  const { isActive, record, suspended, streamKey, playbackId } = stream;
  return placedValue('stream', [isActive, record, suspended === true, hasText(streamKey), hasText(playbackId)]);
}
