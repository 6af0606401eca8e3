import { t } from '@vscode/l10n';
import type { Session, Stream } from '../api/types.ts';
import { sessionDuration } from '../model/store/sessions.ts';
import type { StreamFact } from '../model/store/snapshot.ts';
import { type StreamState, streamLabel, streamState } from '../model/store/streams.ts';
import { formatDateTime, formatDayAndClock } from '../util/dates.ts';
import { formatBitrate, formatCount, formatDuration } from '../util/format.ts';
import { escapeMarkdown, markdownTable } from './markdown.ts';
import { profilesTable } from './profilesTable.ts';
import type { DrawingContext } from './row.ts';
import { hasText, joinParts } from './texts.ts';

type Line = readonly [string, string | undefined];

/** `recordingStatus` values of sessions that have no MP4, or not yet. */
const WITHOUT_MP4: ReadonlySet<string> = new Set(['waiting', 'failed', 'deleted', 'none']);

/** All known facts about a stream except its key, as a Markdown table. */
export function streamTooltip(fact: StreamFact, drawing: DrawingContext): string {
  const { stream } = fact;
  const { locale } = drawing;
  const table = tableOf(streamLabel(stream), [
    [t('State'), stateText(streamState(fact), stream)],
    [t('Playback ID'), stream.playbackId],
    [t('ID'), stream.id],
    [t('Created'), formatDateTime(stream.createdAt, drawing)],
    [t('Last live'), formatDateTime(stream.lastSeen, drawing) ?? t('never live')],
    [t('Source'), segmentsText(stream.sourceSegments, stream.sourceSegmentsDuration, locale)],
    [t('Transcoded'), segmentsText(stream.transcodedSegments, stream.transcodedSegmentsDuration, locale)],
    [t('Recording'), stream.record ? t('On') : t('Off')],
    [t('Health'), healthText(stream.isHealthy)],
    [t('Issues'), stream.issues.slice(0, 5).join('; ') || undefined],
    [t('Ingest bitrate'), bytesRate(stream.ingestRate, locale)],
    [t('Outgoing bitrate'), bytesRate(stream.outgoingRate, locale)],
    [t('Suspended'), stream.suspended === undefined ? undefined : yesOrNo(stream.suspended)],
  ]);
  const stale = streamState(fact) === 'stale' ? t('Reported as active, but no data is being received.') : undefined;
  return paragraphs(
    stale === undefined ? undefined : escapeMarkdown(stale),
    table,
    profilesTable(stream.profiles, locale),
  );
}

export interface SessionTexts {
  /** The state of the recording. */
  readonly recording?: string;
  /** The name of the stream, unless the row's place shows it. */
  readonly stream?: string;
}

/** All known facts about a session, as a Markdown table. */
export function sessionTooltip(session: Session, { recording, stream }: SessionTexts, drawing: DrawingContext): string {
  const start = formatDateTime(session.createdAt, drawing);
  const table = tableOf(formatDayAndClock(session.createdAt, drawing) ?? t('Session'), [
    [t('Stream'), stream],
    [t('ID'), session.id],
    [t('Start'), start ?? t('Unknown')],
    [t('Duration'), formatDuration(sessionDuration(session))],
    [t('Source'), segmentsText(session.sourceSegments, undefined, drawing.locale)],
    [t('Recorded'), yesOrNo(session.record)],
    [t('State'), recording],
    [t('HLS URL'), hasText(session.recordingUrl) ? t('Available') : t('Not available')],
    [t('MP4 URL'), mp4Text(session)],
  ]);
  return paragraphs(table, profilesTable(session.profiles, drawing.locale));
}

/**
 * A list without an MP4 URL doesn't prove that there is none: only the list of recorded sessions is documented to have
 * it (src/api/README.md, Sessions).
 */
function mp4Text({ record, recordingUrl, recordingStatus, mp4Url }: Session): string {
  if (hasText(mp4Url)) return t('Available');
  const mayHaveOne = (record || hasText(recordingUrl)) && !WITHOUT_MP4.has(recordingStatus ?? '');
  return mayHaveOne ? t('Unknown') : t('Not available');
}

function tableOf(head: string, lines: readonly Line[]): string {
  const known = lines
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, value ?? '']);
  // The name is a paragraph of its own: as a table head, a long one would squeeze the column beside it.
  return `**${escapeMarkdown(head)}**\n\n${markdownTable([['', ''], ...known])}`;
}

function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function stateText(state: StreamState, { record }: Stream): string | undefined {
  switch (state) {
    case 'live':
      return joinParts(t('live'), record && t('recording'));
    case 'stale':
      return t('no data');
    case 'suspended':
      return t('suspended');
    case 'idle':
      return t('idle');
  }
}

export function segmentsText(
  count: number | undefined,
  seconds: number | undefined,
  locale: string,
): string | undefined {
  const segments = count === undefined ? undefined : t('{0} segments', formatCount(count, locale) ?? '');
  return joinParts(segments, formatDuration(seconds));
}

export function healthText(isHealthy: boolean | undefined): string | undefined {
  if (isHealthy === undefined) return undefined;
  return isHealthy ? t('healthy') : t('unhealthy');
}

/** Formats bytes per second as a bit rate. Undefined for 0 and undefined. */
export function bytesRate(bytesPerSecond: number | undefined, locale: string): string | undefined {
  return bytesPerSecond === undefined || bytesPerSecond === 0 ? undefined : formatBitrate(bytesPerSecond * 8, locale);
}

function yesOrNo(is: boolean): string {
  return is ? t('Yes') : t('No');
}
