import { t } from '@vscode/l10n';
import type { Session, Stream } from '../api/types.ts';
import { nameOf } from '../commands/messages.ts';
import { fillTemplate, ingestServer, publicAddress } from '../model/addresses.ts';
import { isRunningIn, type RecordingState, recordingState, sessionDuration } from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { streamState } from '../model/store/streams.ts';
import type { AddressTemplates } from '../services.ts';
import { profileRows } from '../tree/profilesTable.ts';
import { recordingWord } from '../tree/sessionRow.ts';
import { stateWords } from '../tree/streamRow.ts';
import { bytesRate, healthText, segmentsText } from '../tree/tooltip.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatCount, formatDuration } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import type {
  Button,
  Fact,
  SecretName,
  Section,
  SessionLook,
  ShownDetails,
  ShownSession,
  ShownSessions,
} from '../webview/details/messages.ts';
import { makeTimeline, type TimedSession, type Timeline } from './sessionTimeline.ts';

export interface DetailsContext {
  readonly snapshot: Snapshot;
  readonly reader: Reader;
  readonly templates: AddressTemplates;
  readonly host: string;
  readonly hlsUrl?: string | undefined;
}

/** Replaces a secret. The same number of dots for every key, so that its length does not show. */
const DOTS = '•'.repeat(16);
const MOST_ISSUES = 20;

const MOST_SESSIONS = 500;
const MOST_COMPARED = 24;

/** Returns the page's content for a stream. Contains no secrets: the values of `secretsOf` are sent separately. */
export function streamDetails(fact: StreamFact, context: DetailsContext): ShownDetails {
  const { stream } = fact;
  const { snapshot, reader } = context;
  const sessions = shownSessions(snapshot, stream.id, reader);
  const warning = warningOf(snapshot, fact);
  return {
    kind: 'details',
    title: nameOf(stream, 200),
    state: shownState(fact, reader),
    tone: toneOf(fact),
    ...(warning === undefined ? {} : { warning }),
    buttons: streamButtons(stream, context),
    sections: [
      encoderSection(stream, context),
      playerSection(stream, context),
      idsSection(stream),
      activitySection(fact, reader),
      renditionsSection(stream.profiles, reader.locale),
      healthSection(stream, reader.locale),
    ],
    ...(sessions === undefined ? {} : { sessions }),
  };
}

/** Returns the stream's secrets, which the page gets only when the user reveals them. */
export function secretsOf(
  { streamKey }: Pick<Stream, 'streamKey'>,
  { rtmp, whip }: AddressTemplates,
): Readonly<Partial<Record<SecretName, string>>> {
  if (streamKey === undefined) return {};
  const ingestUrl = rtmp === undefined ? undefined : fillTemplate(rtmp, { streamKey });
  const whipUrl = whip === undefined ? undefined : fillTemplate(whip, { streamKey });
  return {
    streamKey,
    ...(ingestUrl === undefined ? {} : { ingestUrl }),
    ...(whipUrl === undefined ? {} : { whip: whipUrl }),
  };
}

export function renditionsSection(profiles: readonly unknown[], locale: string): Section {
  const rows = profileRows(profiles, locale);
  const heading = t('Renditions');
  if (rows === undefined) return { id: 'renditions', heading, texts: [t('No renditions')] };
  if (typeof rows === 'string') return { id: 'renditions', heading, texts: [rows] };
  return { id: 'renditions', heading, rows: rows.map((row) => row.map((cell) => oneLine(cell))) };
}

export function known(...facts: readonly (Omit<Fact, 'value'> & { readonly value: string | undefined })[]): Fact[] {
  return facts.flatMap(({ value, ...fact }) => (value === undefined || value === '' ? [] : [{ ...fact, value }]));
}

function shownState(fact: StreamFact, reader: Reader): readonly string[] {
  const words = stateWords(fact, reader).filter((word) => word !== false);
  return streamState(fact) === 'idle' ? [t('idle'), ...words] : words;
}

function toneOf(fact: StreamFact): ShownDetails['tone'] {
  const state = streamState(fact);
  if (state === 'idle') return 'plain';
  return state === 'live' && fact.stream.record ? 'recording' : state;
}

function warningOf(snapshot: Snapshot, fact: StreamFact): string | undefined {
  if (snapshot.connection.kind === 'refused')
    return t('The API key was rejected. The information shown may be out of date.');
  if (snapshot.trouble !== undefined)
    return t("The service isn't responding. The information shown may be out of date.");
  return streamState(fact) === 'stale' ? t('Reported as active, but no data is being received.') : undefined;
}

function streamButtons({ playbackId, isActive }: Stream, { templates, hlsUrl }: DetailsContext): readonly Button[] {
  const watch: Button = { label: t('Watch'), act: 'watchStream' };
  const browser: Button = { label: t('Watch in Browser'), act: 'openPlayerPage' };
  const isPlayable = playbackId !== undefined && isActive;
  return [
    ...(isPlayable && (templates.hls ?? hlsUrl) !== undefined ? [watch] : []),
    ...(isPlayable && templates.player !== undefined ? [browser] : []),
    ...(templates.dashboard === undefined ? [] : [{ label: t('Open in Dashboard'), act: 'openDashboard' } as const]),
    { label: t('Open as JSON'), act: 'openStreamJson' },
  ];
}

function activitySection({ stream }: StreamFact, reader: Reader): Section {
  const { locale } = reader;
  return {
    id: 'activity',
    heading: t('Activity'),
    facts: known(
      { label: t('Last live'), value: formatDateTime(stream.lastSeen, reader) ?? t('never live') },
      { label: t('Created'), value: formatDateTime(stream.createdAt, reader) },
      { label: t('Recording'), value: stream.record ? t('On') : t('Off') },
      { label: t('Source'), value: segmentsText(stream.sourceSegments, stream.sourceSegmentsDuration, locale) },
      {
        label: t('Transcoded'),
        value: segmentsText(stream.transcodedSegments, stream.transcodedSegmentsDuration, locale),
      },
      { label: t('Ingest bitrate'), value: bytesRate(stream.ingestRate, locale) },
      { label: t('Outgoing bitrate'), value: bytesRate(stream.outgoingRate, locale) },
    ),
  };
}

function idsSection(stream: Stream): Section {
  return {
    id: 'ids',
    heading: t('IDs'),
    facts: known(
      {
        label: t('Playback ID'),
        value: stream.playbackId,
        isCode: true,
        buttons: [copy('copyPlaybackId', t('Playback ID'))],
      },
      { label: t('Stream ID'), value: stream.id, isCode: true, buttons: [copy('copyStreamId', t('Stream ID'))] },
      { label: t('Project ID'), value: stream.projectId, isCode: true },
      { label: t('Created with API key'), value: stream.createdByTokenName && oneLine(stream.createdByTokenName) },
    ),
  };
}

function encoderSection(stream: Stream, { templates, host }: DetailsContext): Section {
  const { rtmp, whip } = templates;
  const server = rtmp === undefined ? undefined : ingestServer(rtmp);
  const unknown = t('Not configured for {0}', host);
  const hasKey = stream.streamKey !== undefined && stream.streamKey !== '';
  const facts: Fact[] = [];
  if (rtmp === undefined)
    facts.push({ label: t('RTMP Server'), value: unknown, buttons: [setAddress(t('RTMP Server'))] });
  else if (server !== undefined) {
    const buttons = [copy('copyIngestServer', t('RTMP Server'))];
    facts.push({ label: t('RTMP Server'), value: server, isCode: true, buttons });
  }
  facts.push(hasKey ? keyFact() : { label: t('Stream Key'), value: t('Not available') });
  if (rtmp !== undefined && hasKey) {
    const buttons = [copy('copyIngestUrl', t('RTMP URL (with Key)'))];
    facts.push({ label: t('RTMP URL (with Key)'), value: masked(rtmp), isCode: true, secret: 'ingestUrl', buttons });
  }
  if (whip === undefined)
    facts.push({ label: t('WHIP URL (with Key)'), value: unknown, buttons: [setAddress(t('WHIP URL (with Key)'))] });
  else if (hasKey) {
    const buttons = [copy('copyWhip', t('WHIP URL (with Key)'))];
    facts.push({ label: t('WHIP URL (with Key)'), value: masked(whip), isCode: true, secret: 'whip', buttons });
  }
  return { id: 'encoder', heading: t('Connect an encoder'), facts };
}

function keyFact(): Fact {
  const reveal: Button = { label: t('Reveal'), hint: t('Reveal the stream key for 30 seconds'), act: 'reveal' };
  const buttons = [reveal, copy('copyStreamKey', t('Stream Key'))];
  return { label: t('Stream Key'), value: DOTS, isCode: true, secret: 'streamKey', buttons };
}

function masked(template: string): string {
  return template.replace('{streamKey}', DOTS);
}

function playerSection(stream: Stream, { templates, host, hlsUrl }: DetailsContext): Section {
  const filled = (template: string | undefined) =>
    template === undefined ? undefined : publicAddress(template, stream);
  const address = (label: string, url: string | undefined, buttons: readonly Button[]): Fact => {
    if (url === undefined && stream.playbackId === undefined) return { label, value: t('No playback ID') };
    if (url === undefined) return { label, value: t('Not configured for {0}', host), buttons: [setAddress(label)] };
    return { label, value: url, isCode: true, buttons };
  };
  const open: Button = { label: t('Open'), hint: t('Open the player page in your browser'), act: 'openPlayerPage' };
  const hls = templates.hls === undefined ? hlsUrl : filled(templates.hls);
  const playerButtons = [open, copy('copyPlayerUrl', t('Player URL'))];
  return {
    id: 'player',
    heading: t('Play'),
    facts: [
      address(t('HLS URL'), hls, [copy('copyPlaybackUrl', t('HLS URL'))]),
      address(t('Player URL'), filled(templates.player), playerButtons),
    ],
  };
}

function healthSection(stream: Stream, locale: string): Section {
  const { isHealthy, issues, suspended } = stream;
  const heading = t('Health');
  if (isHealthy === undefined && issues.length === 0 && suspended !== true) {
    return { id: 'health', heading, texts: [t("Health data isn't available.")] };
  }
  const some = issues.slice(0, MOST_ISSUES).map((issue) => oneLine(issue, 300));
  return {
    id: 'health',
    heading,
    facts: known(
      {
        label: t('Health'),
        value: healthText(isHealthy),
        ...(isHealthy === undefined ? {} : { tone: isHealthy ? 'good' : 'bad' }),
      },
      { label: t('Suspended'), value: suspended === true ? t('Yes') : undefined, tone: 'bad' },
      { label: t('Issues'), value: issues.length === 0 ? undefined : issues.length.toLocaleString(locale) },
    ),
    ...(some.length === 0 ? {} : { texts: some }),
  };
}

/** @param what the fact's label, which distinguishes the Copy buttons for a screen reader */
export function copy(act: Button['act'], what: string): Button {
  return { label: t('Copy'), hint: t('Copy: {0}', what), act };
}

function setAddress(what: string): Button {
  return { label: t('Configure…'), hint: t('Configure: {0}', what), act: 'setAddress' };
}

const LOOKS: Readonly<Record<RecordingState, SessionLook>> = {
  running: 'running',
  ready: 'ready',
  waiting: 'processing',
  failed: 'lost',
  deleted: 'lost',
  none: 'lost',
  unknown: 'recorded',
  notRecorded: 'notRecorded',
};

/** Returns a stream's sessions as the details page renders them; undefined if none were loaded yet. */
function shownSessions(snapshot: Snapshot, streamId: string, reader: Reader): ShownSessions | undefined {
  const list = snapshot.sessions.get(streamId);
  if (list === undefined) return undefined;
  const timed = list.items.slice(0, MOST_SESSIONS).map((session) => timedSession(snapshot, session, streamId));
  const sessions = timed.map((each) => shownSession(each, reader));
  const timeline = makeTimeline(timed, reader);
  const { days, bars } = timeline;
  const compared = comparedOf(sessions);
  const ready = new Set(
    bars.filter(({ session }) => sessions[session]?.look === 'ready').map(({ session }) => session),
  );
  return {
    sessions,
    days,
    bars,
    timeline: timelineWords(timeline, ready.size, reader.locale),
    compared,
    comparison: comparisonWords(compared.length),
    notes: notesOf(snapshot, streamId),
    isLoading: list.isLoading && !list.isLoaded,
  };
}

function lookOf(state: RecordingState): SessionLook {
  return LOOKS[state];
}

/** The stream is known by the list; the session itself may lack its `parentId`. */
function timedSession(snapshot: Snapshot, session: Session, streamId: string): TimedSession {
  return { session, state: recordingState(session, isRunningIn(snapshot, { ...session, parentId: streamId })) };
}

function shownSession({ session, state }: TimedSession, reader: Reader): ShownSession {
  const source = positive(session.sourceSegmentsDuration);
  const transcoded = positive(session.transcodedSegmentsDuration);
  return {
    id: session.id,
    start: formatDayAndClock(session.createdAt, reader) ?? t('Unknown start time'),
    duration: formatDuration(durationOf(session, state, reader)) ?? '',
    recording: recordingWord(session, state, reader),
    look: lookOf(state),
    canOpen: session.recordingUrl !== undefined && session.recordingUrl !== '',
    ...(source === undefined ? {} : { source }),
    ...(transcoded === undefined ? {} : { transcoded }),
    sourceText: formatDuration(source) ?? '',
    transcodedText: formatDuration(transcoded) ?? '',
  };
}

function durationOf(session: Session, state: RecordingState, { now }: Reader): number | undefined {
  if (state !== 'running' || session.createdAt === undefined) return sessionDuration(session);
  return Math.max(0, now - session.createdAt) / 1000;
}

function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** The newest sessions that have a duration, oldest first. */
function comparedOf(sessions: readonly ShownSession[]): readonly number[] {
  const known = sessions.flatMap(({ source, transcoded }, place) =>
    (source ?? transcoded) === undefined ? [] : [place],
  );
  return known.slice(0, MOST_COMPARED).reverse();
}

function timelineWords({ sessionCount: count, seconds }: Timeline, ready: number, locale: string): string {
  if (count === 0) return t('Not live in the last 30 days');
  const total = formatDuration(seconds) ?? '';
  const sessions = count === 1 ? t('1 session') : t('{0} sessions', formatCount(count, locale) ?? '');
  const recordings = ready === 1 ? t('1 recording ready') : t('{0} recordings ready', formatCount(ready, locale) ?? '');
  return t('{0} in the last 30 days · live for {1} · {2}', sessions, total, recordings);
}

function comparisonWords(count: number): string {
  if (count === 0) return t('No duration data available');
  return count === 1 ? t('Latest session') : t('Latest {0} sessions, oldest first', count);
}

function notesOf(snapshot: Snapshot, streamId: string): ShownSessions['notes'] {
  const list = snapshot.sessions.get(streamId);
  if (list === undefined) return [];
  const notes: { text: string; button?: ShownSessions['notes'][number]['button'] & object }[] = [];
  if (list.trouble !== undefined) {
    notes.push({ text: t("Couldn't load the sessions."), button: { label: t('Retry'), act: 'retry' } });
  }
  if (snapshot.recordedOnly) {
    const button = { label: t('Show All Sessions'), act: 'showAllSessions' } as const;
    notes.push({ text: t('Only recorded sessions are shown, as in the Streams view.'), button });
  }
  if (list.hasNextPage && list.items.length < MOST_SESSIONS) {
    const button = { label: t('Load More'), act: 'loadMore' } as const;
    notes.push({ text: t("Older sessions aren't shown."), button });
  } else if (list.hasNextPage || list.items.length > MOST_SESSIONS) {
    notes.push({ text: t('Only the latest {0} sessions are shown.', MOST_SESSIONS) });
  }
  return notes;
}
