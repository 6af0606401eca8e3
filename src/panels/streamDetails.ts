import { t } from '@vscode/l10n';
import type { HealthCondition, Stream } from '../api/types.ts';
import { fillTemplate, ingestServer, publicAddress } from '../model/filledAddresses.ts';
import { isUnmet, ofUsedTargets, problemsIn, RECEIVING, SENDING } from '../model/inspection/problems.ts';
import { conditionName, conditionStatus, withLackOfData, withoutData } from '../model/inspection/streamFindings.ts';
import { runningSession } from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { isOnAir, isOutdated, isPrivate, needsToken, type StreamState, streamState } from '../model/store/streams.ts';
import type { AddressTemplates } from '../services.ts';
import {
  checkStreamLabel,
  copyStreamKeyLabel,
  idleLabel,
  liveLabel,
  resumeStreamLabel,
  retryLabel,
  setApiKeyLabel,
  watchLabel,
} from '../texts/labels.ts';
import {
  createClipLabel,
  onOrOffText,
  playbackIdLabel,
  recordingLabel,
  setPlaybackPolicyLabel,
  srtUrlLabel,
  startTestBroadcastLabel,
  streamIdLabel,
  suspendedLabel,
  whipUrlLabel,
} from '../texts/lateLabels.ts';
import { nameOf, nameOfConnection } from '../texts/names.ts';
import { liveText } from '../texts/sessions.ts';
import {
  beingRecordedWord,
  healthWord,
  lastLiveText,
  policyText,
  privateWord,
  testBroadcastWords,
} from '../texts/streams.ts';
import { failedTargets } from '../texts/targets.ts';
import { ageSentence, outdatedReason } from '../texts/troubles.ts';
import { formatClock, formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatAge, formatBitrate, formatDuration } from '../util/format.ts';
import { hasText, oneLine } from '../util/text.ts';
import type {
  Button,
  Fact,
  Menu,
  PageSecrets,
  SecretName,
  Section,
  ShownDetails,
  ShownSessions,
  StateWord,
} from '../webview/details/messages.ts';
import type { Tone } from '../webview/messages.ts';
import { connectionWords, mayNeedOtherKey } from './ownConnection.ts';
import { MULTISTREAM_ID, multistreamSections, offersTargets } from './sections/multistream.ts';
import { streamRenditionsSections } from './sections/renditions.ts';
import { tagsSections } from './sections/tags.ts';
import { shownSessions } from './shownSessions.ts';

export interface DetailsContext {
  readonly snapshot: Snapshot;
  /** While the shown data may be out of date, its time is when the data was read. */
  readonly reader: Reader;
  /** Default: that of `reader`. */
  readonly now?: number | undefined;
  /** For the stream's sessions. Default: `reader`. */
  readonly sessionsReader?: Reader | undefined;
  readonly templates: AddressTemplates;
  /** Whether the service may still report the missing URLs. */
  readonly awaitsUrls?: boolean | undefined;
  readonly hlsUrl?: string | undefined;
  /** undefined if the service doesn't have it. */
  readonly health?: readonly HealthCondition[] | undefined;
  readonly hasPlayer?: boolean | undefined;
  /** Whether the multistream targets are being read for the first time. */
  readonly awaitsTargets?: boolean | undefined;
  /** Where the page already has its multistream targets. Default: collapsed unless there are some. */
  readonly placeOfTargets?: SectionPlace | undefined;
}

export type SectionPlace = 'sections' | 'more';

/** Returns where a page has its multistream targets; undefined if it has none. */
export function placeOfTargets({ sections, more }: ShownDetails): SectionPlace | undefined {
  const holds = (list: readonly Section[]) => list.some(({ id }) => id === MULTISTREAM_ID);
  return holds(sections) ? 'sections' : holds(more) ? 'more' : undefined;
}

/** Replaces a secret. The same number of dots for every key, so that its length doesn't show. */
const DOTS = '•'.repeat(16);
/** Fewer, because URLs are long. */
const DOTS_IN_URL = '•'.repeat(6);
const MOST_ISSUES = 20;
const LONGEST_ORIGINS = 500;
const PUBLIC = { type: 'public', webhookId: undefined, allowedOrigins: [] };

/** Returns the page's content for a stream. Contains no secrets: the values of `secretsOf` are sent separately. */
export function streamDetails(fact: StreamFact, given: DetailsContext): ShownDetails {
  const { stream } = fact;
  const context = { ...given, health: healthOf(fact, given) };
  const { snapshot, reader, sessionsReader = reader } = context;
  const sessions = shownSessions(snapshot, stream.id, sessionsReader);
  const multistream = multistreamSections(stream, context);
  const hasTargets = multistream.length > 0 && stream.targets !== undefined && stream.targets.length > 0;
  const failed = isOver(fact) ? [] : failedTargets(context.health, snapshot.targets);
  const isStale = streamState(fact) === 'stale';
  const silence = isStale ? lackOfData(stream) : undefined;
  // What the user is looking at stays where it is when the first target is added, or the last one removed.
  const isFolded = (given.placeOfTargets ?? (hasTargets ? 'sections' : 'more')) === 'more';
  const buttons = streamButtons(fact, context, sessions);
  const health = healthSection(fact, context, { hasTargets, isChecked: (given.health ?? []).length > 0 });
  // It's loaded after the rest. Good health above the keys would move the keys from under the pointer.
  const isTrouble = health.some(({ rows }) => rows !== undefined);
  return {
    kind: 'details',
    title: nameOf(stream, 200),
    state: [...describeState(fact, context), ...connectionWords(snapshot).map((text) => ({ text }))],
    announced: STATES[streamState(fact)](),
    warning: warningOf(fact, context),
    meaning: [...(silence?.meaning ?? []), ...meaningOf(stream, snapshot)],
    before: silence?.before,
    problems: failed,
    issues: isOver(fact) || isStale ? [] : issuesOf(stream),
    buttons,
    menu: menuBeside(buttons, streamMenu(fact, context)),
    sections: [
      ...(isTrouble ? health : []),
      encoderSection(fact, context),
      ...playSection(stream, context),
      ...(isTrouble ? [] : health),
      ...(isFolded ? [] : multistream),
    ],
    more: [
      ...(isFolded ? multistream : []),
      ...unknownUrlsSection(stream, context),
      idsSection(stream),
      ...streamRenditionsSections(stream, snapshot, reader.locale),
      ...tagsSections(stream, snapshot),
      activitySection(fact, reader),
    ],
    hasPicture: streamState(fact) === 'live' && hasText(stream.playbackId),
    sessions: buttons.some(({ act }) => act === 'watchStream') ? withLiveToWatch(sessions) : sessions,
  };
}

export function deletedText(): string {
  return t('Deleted');
}

/** Returns the page's content for a stream that was deleted: what is still true of it, and what still helps. */
export function deletedDetails(
  fact: StreamFact,
  { snapshot, reader }: DetailsContext,
  sessions: ShownSessions | undefined,
): ShownDetails {
  const stream = { ...fact.stream, isActive: false };
  const label = playbackIdLabel();
  const buttons = [copy('copyPlaybackId', label)];
  const playbackId = known({ label, value: stream.playbackId, isCode: true, buttons });
  const { facts = [], ...ids } = idsSection(stream);
  const rest = [
    { ...ids, facts: [...facts, ...playbackId] },
    activitySection({ ...fact, stream }, reader),
    ...streamRenditionsSections(stream, snapshot, reader.locale),
    ...tagsSections(stream, snapshot),
  ].map(withCopiesOnly);
  // Only its recordings remain.
  const hasSessions = (sessions?.sessions.length ?? 0) > 0;
  return {
    kind: 'details',
    title: nameOf(stream, 200),
    state: [{ text: deletedText() }, ...connectionWords(snapshot).map((text) => ({ text }))],
    announced: deletedText(),
    meaning: [t('This stream was deleted. Its stream key and playback URLs no longer work.')],
    issues: [],
    buttons: goneButtons(snapshot, sessions),
    menu: [],
    sections: hasSessions ? [] : rest,
    more: hasSessions ? rest : [],
    sessions,
  };
}

/** Returns the buttons that still help on the page of a stream that is gone. */
export function goneButtons({ abilities }: Snapshot, sessions: ShownSessions | undefined): readonly Button[] {
  const create: Button = { label: t('Create Stream…'), act: 'createStream' };
  return [...latestRecording(sessions), ...(abilities.create ? [create] : [])];
}

function latestRecording(shown: ShownSessions | undefined): readonly Button[] {
  const newest = shown?.sessions.find(({ canPlay }) => canPlay);
  return newest === undefined ? [] : [{ label: t('Watch Latest Recording'), act: 'openRecording', session: newest.id }];
}

/** Other commands on a stream that is gone can't help. */
function withCopiesOnly({ buttons: _own, facts, ...section }: Section): Section {
  const ofFact = ({ buttons = [], ...fact }: Fact) => ({
    ...fact,
    buttons: buttons.filter(({ act }) => act.startsWith('copy')),
  });
  return { ...section, ...(facts && { facts: facts.map(ofFact) }) };
}

/** An issue that was reported while data arrived may be the reason that none arrives now, but may also be over. */
function lackOfData(stream: Stream): Pick<ShownDetails, 'before'> & { readonly meaning: readonly string[] } {
  const { meaning, advice } = withoutData();
  const before = issuesOf(stream).join(' · ');
  return {
    meaning: [`${meaning} ${advice}`],
    before: before === '' ? undefined : t('Previously reported by the service: {0}', before),
  };
}

/** Returns the issues that the service reports about a broadcast. */
function issuesOf({ issues }: Stream): readonly string[] {
  return issues.slice(0, MOST_ISSUES).map((issue) => oneLine(issue, 300));
}

/** Returns the reported health of the incoming broadcast, for the page of its session. */
export function receptionOf(fact: StreamFact, given: DetailsContext) {
  const context = { ...given, health: healthOf(fact, { ...given, health: given.snapshot.health.get(fact.stream.id) }) };
  // Failing targets are problems. The stream's page has a section with all of them.
  const hasTargets = (fact.stream.targets ?? []).length > 0;
  return {
    words: receptionWords(fact.stream, context),
    problems: failedTargets(context.health, given.snapshot.targets),
    issues: issuesOf(fact.stream),
    sections: healthSection(fact, context, { hasTargets, isChecked: context.health.length > 0 }),
  };
}

/** Returns a live stream's health, without targets that are off, duplicates, and what can't be judged without data. */
function healthOf(
  fact: StreamFact,
  { health = [], snapshot: { targets } }: DetailsContext,
): readonly HealthCondition[] {
  return isOver(fact) ? [] : ofUsedTargets(withLackOfData(fact, health), targets);
}

/** Returns the stream's secrets, which the page gets only when the user reveals them. */
export function secretsOf(
  { streamKey }: Pick<Stream, 'streamKey'>,
  { rtmp, srt, whip }: AddressTemplates,
): PageSecrets {
  if (streamKey === undefined) return {};
  const fill = (template: string | undefined) => template && fillTemplate(template, { streamKey });
  return { streamKey, ingestUrl: fill(rtmp), srt: fill(srt), whip: fill(whip) };
}

export function known(...facts: readonly (Omit<Fact, 'value'> & { readonly value: string | undefined })[]): Fact[] {
  return facts.flatMap(({ value, ...fact }) => (hasText(value) ? [{ ...fact, value }] : []));
}

const STATES: Readonly<Record<StreamState, () => string>> = {
  live: liveLabel,
  stale: () => t('No data'),
  idle: idleLabel,
  suspended: suspendedLabel,
};

/** Returns whether nothing is broadcast, or can be watched. */
function isOver({ stream }: StreamFact): boolean {
  return !isOnAir(stream);
}

/** "Live for 48 min · recording · 2.5 Mbps · healthy", "Idle · private · last live 3 h ago": in a row's order. */
function describeState(
  fact: StreamFact,
  { snapshot, reader, sessionsReader = reader, health = [] }: DetailsContext,
): readonly StateWord[] {
  const { stream, serverDate } = fact;
  const { record, isActive } = stream;
  const state = streamState(fact);
  const word = privateWord(stream);
  const privacy = word === false ? [] : [{ text: word }];
  const testing = testBroadcastWords(snapshot, stream.id).map((text) => ({ text }));
  // When an idle stream was last live is about to change.
  const seen = testing.length > 0 ? testing : lastLiveWord(stream, { snapshot, reader });
  switch (state) {
    case 'live': {
      const text = liveText(runningSession(snapshot, stream.id), sessionsReader.now);
      return [
        { text, tone: record ? 'recording' : 'live' },
        ...privacy,
        ...testing,
        ...(record ? [recordingStateWord()] : []),
        ...receptionWords(stream, { snapshot, reader, health }),
      ];
    }
    case 'stale': {
      const age = formatAge(serverDate - (stream.lastSeen ?? serverDate)) ?? '';
      return [{ text: t('No data for {0}', age), tone: 'doubtful' }, ...privacy, ...testing];
    }
    case 'suspended':
    case 'idle':
      return [
        { text: STATES[state](), tone: state === 'suspended' ? state : record ? 'recordingOn' : 'quiet' },
        ...privacy,
        ...(isActive ? [...testing, { text: t('still live') }] : seen),
        ...(record && state === 'idle' ? [{ text: t('recording on') }] : []),
      ];
  }
}

/** Explains what its state means for encoders and viewers, if a word doesn't. */
function meaningOf({ id, suspended, playbackPolicy }: Stream, { streams, abilities }: Snapshot): readonly string[] {
  if (suspended === true) {
    const canResume = streams.has(id) && abilities.suspend;
    return [
      t('While a stream is suspended, the service rejects broadcasts to it, and no one can watch.'),
      ...(canResume ? [t('Resume the stream, and then start a broadcast.')] : []),
    ];
  }
  switch (playbackPolicy?.type) {
    case 'jwt':
      return [t('Viewers need a signed token in addition to the URL.')];
    case 'webhook':
      return [t('A webhook decides who can watch.')];
    default:
      return [];
  }
}

/** A service may list a stream's sessions without saying when it was seen. They then say when it was live. */
function lastLiveWord(stream: Stream, { snapshot, reader }: Pick<DetailsContext, 'snapshot' | 'reader'>): StateWord[] {
  const hasSessions = (snapshot.sessions.get(stream.id)?.items.length ?? 0) > 0;
  return stream.lastSeen === undefined && hasSessions ? [] : [{ text: lastLiveText(stream, reader) }];
}

/** "2.5 Mbps", "healthy"; none if that may have changed. Problems of a live stream have the color that its row has. */
function receptionWords(
  stream: Stream,
  { snapshot, reader, health }: Pick<DetailsContext, 'snapshot' | 'reader'> & { health: readonly HealthCondition[] },
): readonly StateWord[] {
  if (isOutdated(snapshot)) return [];
  const rate = stream.ingestRate ? formatBitrate(stream.ingestRate * 8, reader.locale) : undefined;
  const problems = problemsIn(health);
  const text = healthWord(stream, problems, reader.locale);
  const isFault = stream.isHealthy === false || problems.length > 0;
  return [
    ...(rate === undefined ? [] : [{ text: rate }]),
    ...(text === undefined ? [] : [isFault ? { text, tone: 'warning' as const } : { text }]),
  ];
}

export function recordingStateWord(): StateWord {
  return { text: beingRecordedWord() };
}

export function warningOf(
  { startedAt }: Pick<StreamFact, 'startedAt'>,
  { snapshot, reader, now = reader.now }: DetailsContext,
): ShownDetails['warning'] {
  const reason = outdatedReason(snapshot);
  if (reason === undefined) return undefined;
  const age = ageSentence(startedAt, { ...reader, now });
  const way: Button = mayNeedOtherKey(snapshot)
    ? { label: setApiKeyLabel(), act: 'setApiKey' }
    : { label: retryLabel(), act: 'retry' };
  return outdated([reason, age].filter(hasText).join(' '), [way]);
}

/** @param why a sentence, or several */
export function outdated(why: string, buttons: readonly Button[]): ShownDetails['warning'] {
  return { sentence: t('{0} The information shown may be out of date.', why), buttons };
}

function withLiveToWatch(shown: ShownSessions | undefined): ShownSessions | undefined {
  const sessions = shown?.sessions.map((session) => (session.isLive ? { ...session, canPlay: true } : session));
  return shown && sessions && { ...shown, sessions };
}

/** Returns the most likely next action first: it's the primary button. */
function streamButtons(
  fact: StreamFact,
  { snapshot, templates, hlsUrl, hasPlayer = false }: DetailsContext,
  sessions: ShownSessions | undefined,
): readonly Button[] {
  const { playbackId, streamKey } = fact.stream;
  const state = streamState(fact);
  const isIdle = state === 'idle';
  const isStale = state === 'stale';
  const isPlayable = hasText(playbackId) && state === 'live';
  const canCheck = !isOver(fact) && snapshot.streams.has(fact.stream.id);
  const canWatch = isPlayable && (templates.hls ?? hlsUrl) !== undefined;
  const watch: Button = { label: watchLabel(), act: 'watchStream' };
  const resume: Button = { label: resumeStreamLabel(), act: 'resumeStream' };
  const key: Button = { label: copyStreamKeyLabel(), act: 'copyStreamKey' };
  const check: Button = { label: checkStreamLabel(), act: 'checkStream' };
  const recording = isOver(fact) ? latestRecording(sessions) : [];
  const hasSessions = sessions !== undefined && sessions.sessions.length > 0;
  // A recording may still come.
  const isUnrecorded = isIdle && !fact.stream.record && hasSessions && recording.length === 0;
  const all: readonly (Button | false)[] = [
    state === 'suspended' && snapshot.abilities.suspend && resume,
    isStale && canCheck && check,
    // The encoder may have to connect again.
    isStale && hasText(streamKey) && key,
    canWatch && watch,
    !isStale && canCheck && check,
    isPlayable && !canWatch && templates.player !== undefined && watchInBrowser(),
    isIdle && hasText(streamKey) && key,
    // Added last, so that it doesn't shift the other entries when it arrives.
    ...recording,
    (isNeverLive(fact.stream) || isUnrecorded) &&
      canTestBroadcast(fact.stream, snapshot, templates) &&
      startTestBroadcast(),
    ...stopButtons(snapshot, fact.stream.id),
    // Back to the player that waits for it.
    (isIdle || isStale) && hasPlayer && watch,
  ];
  return all.filter((button) => button !== false);
}

/** Returns the menu without the acts that have a button beside it. */
export function menuBeside(buttons: readonly Button[], menu: Menu): Menu {
  const isShown = ({ act }: Button) => buttons.some((button) => button.act === act);
  return menu.map((group) => group.filter((entry) => !isShown(entry))).filter((group) => group.length > 0);
}

/** Returns the commands of the stream's row, in the same order, without those that the service would refuse. */
function streamMenu(fact: StreamFact, { snapshot, templates }: DetailsContext): Menu {
  const { stream } = fact;
  const { record, isActive, suspended, playbackId } = stream;
  const { abilities } = snapshot;
  const canClip = abilities.clips && streamState(fact) === 'live' && record && hasText(playbackId);
  // Child streams can't be changed. Only they aren't among the store's streams.
  const isChangeable = snapshot.streams.has(stream.id);
  const isEditable = isChangeable && abilities.patch;
  const canSuspend = isChangeable && abilities.suspend;
  const groups: readonly (readonly (Button | false)[])[] = [
    [
      canSuspend && suspended === true && { label: resumeStreamLabel(), act: 'resumeStream' },
      isChangeable && { label: checkStreamLabel(), act: 'checkStream' },
      canTestBroadcast(stream, snapshot, templates) && startTestBroadcast(),
      isChangeable && canClip && { label: createClipLabel(), act: 'createClip' },
    ],
    [
      isActive && suspended !== true && hasText(playbackId) && templates.player !== undefined && watchInBrowser(),
      templates.dashboard !== undefined && { label: t('Open Stream in Dashboard'), act: 'openDashboard' },
      { label: t('Open as JSON'), act: 'openJson' },
    ],
    [
      isEditable && { label: t('Rename Stream…'), act: 'renameStream' },
      isEditable && !isActive && !record && { label: t('Turn On Recording'), act: 'turnRecordingOn' },
      isEditable && !isActive && record && { label: t('Turn Off Recording'), act: 'turnRecordingOff' },
      isChangeable &&
        offersTargets(stream, snapshot) && { label: t('Add Multistream Target…'), act: 'addMultistreamTarget' },
      isChangeable &&
        abilities.endBroadcast &&
        isActive &&
        suspended !== true && { label: t('End Broadcast'), act: 'endBroadcast' },
      canSuspend && suspended !== true && { label: t('Suspend Stream'), act: 'suspendStream' },
    ],
    [isChangeable && abilities.delete && { label: t('Delete Stream'), act: 'deleteStream' }],
  ];
  return groups.map((group) => group.filter((entry) => entry !== false)).filter((group) => group.length > 0);
}

function watchInBrowser(): Button {
  return { label: t('Watch Stream in Browser'), act: 'openPlayerPage' };
}

function startTestBroadcast(): Button {
  return { label: startTestBroadcastLabel(), act: 'startTestBroadcast' };
}

/** Returns the button to stop a test broadcast while this window sends one to the stream. */
export function stopButtons(snapshot: Snapshot, streamId: string): readonly Button[] {
  const stop: Button = { label: t('Stop Test Broadcast'), act: 'stopTestBroadcast' };
  return testBroadcastWords(snapshot, streamId).map(() => stop);
}

function canTestBroadcast(
  { id, isActive, suspended, streamKey }: Stream,
  snapshot: Snapshot,
  { rtmp }: AddressTemplates,
): boolean {
  const canSend = hasText(streamKey) && rtmp !== undefined && testBroadcastWords(snapshot, id).length === 0;
  return snapshot.streams.has(id) && !isActive && suspended !== true && canSend;
}

function isNeverLive({ isActive, lastSeen = 0 }: Stream): boolean {
  return !isActive && lastSeen === 0;
}

function encoderSection(fact: StreamFact, context: DetailsContext): Section {
  const { stream } = fact;
  const { rtmp } = context.templates;
  const server = rtmp === undefined ? undefined : ingestServer(rtmp);
  const label = t('RTMP Server');
  const facts: Fact[] = [];
  if (rtmp === undefined) facts.push(missingUrl(label, context));
  else if (server !== undefined) {
    facts.push({ label, value: server, isCode: true, buttons: [copy('copyIngestServer', label)] });
  }
  const state = streamState(fact);
  const isOn = state === 'live' || state === 'suspended';
  if (!hasText(stream.streamKey)) facts.push({ label: t('Stream Key'), value: t('Not available') });
  else facts.push({ ...keyFact(), ...(!isOn && server !== undefined && { note: obsNote() }) });
  const urls = Object.values(keyedFacts(stream, context)).filter(({ secret }) => secret !== undefined);
  facts.push(...known(...urls), ...(hasText(stream.playbackId) ? [] : [recordingFact(stream, context)]));
  return { id: 'encoder', heading: isOn ? t('Encoder') : t('Connect an Encoder'), facts };
}

function obsNote(): string {
  return t('In OBS, go to Settings > Stream, set Service to Custom…, and paste the server and the stream key.');
}

function recordingFact({ id, record, isActive }: Stream, { snapshot }: DetailsContext): Fact {
  const fact = { label: recordingLabel(), value: onOrOffText(record) };
  if (!snapshot.streams.has(id) || !snapshot.abilities.patch) return fact;
  if (isActive) return { ...fact, note: t('You can change this while the stream is idle.') };
  const button: Button = record
    ? { label: t('Turn Off'), hint: t('Turn Off Recording'), act: 'turnRecordingOff' }
    : { label: t('Turn On'), hint: t('Turn On Recording'), act: 'turnRecordingOn' };
  return { ...fact, buttons: [button] };
}

function keyFact(): Fact {
  const label = t('Stream Key');
  const reveal: Button = { label: t('Reveal the stream key for 30 seconds'), act: 'reveal', icon: 'eye' };
  return { label, value: DOTS, isCode: true, secret: 'streamKey', buttons: [reveal, copy('copyStreamKey', label)] };
}

function tokenButtons(stream: Stream): readonly Button[] {
  if (!needsToken(stream) || stream.suspended === true) return [];
  return [{ label: t('Copy HLS URL with Token…'), act: 'copyPlaybackUrlWithToken' }];
}

/** Says who can watch it, and from which websites, if the service reports it. */
function policyFacts(stream: Stream, { streams, abilities }: Snapshot): readonly Fact[] {
  // A service that has policies leaves out that of a public stream.
  const hasPolicies = abilities.playbackPolicy && [...streams.values()].some((other) => other.stream.playbackPolicy);
  const value = policyText(stream) ?? (hasPolicies ? policyText({ playbackPolicy: PUBLIC }) : undefined);
  if (value === undefined) return [];
  const { allowedOrigins = [] } = stream.playbackPolicy ?? {};
  const change: Button = { label: setPlaybackPolicyLabel(), act: 'setPlaybackPolicy' };
  const buttons = streams.has(stream.id) && abilities.playbackPolicy ? [change] : [];
  const origins = oneLine(allowedOrigins.join(', '), LONGEST_ORIGINS);
  const notes = [
    // A suspended stream can't be watched.
    ...(stream.suspended === true ? [t('Takes effect after you resume the stream.')] : []),
    ...(origins === '' ? [] : [t('On these websites only: {0}', origins)]),
  ];
  return [{ label: t('Playback Policy'), value, ...(notes.length > 0 && { note: notes.join(' ') }), buttons }];
}

function playSection(stream: Stream, context: DetailsContext): readonly Section[] {
  const { templates, hlsUrl, snapshot } = context;
  const { playbackId } = stream;
  if (!hasText(playbackId)) return [];
  const filled = (template: string | undefined) =>
    template === undefined ? undefined : publicAddress(template, stream);
  const hls = templates.hls === undefined ? hlsUrl : filled(templates.hls);
  const open: Button = { label: t('Open the player page in your browser'), act: 'openPlayerPage', icon: 'open' };
  const isWithoutToken = needsToken(stream);
  const hlsLabel = isWithoutToken ? t('HLS URL (Without Token)') : t('HLS URL');
  const playerLabel = isWithoutToken ? t('Player URL (Without Token)') : t('Player URL');
  const idLabel = playbackIdLabel();
  const isPublic = !isPrivate(stream);
  const policy = policyFacts(stream, snapshot);
  return [
    {
      id: 'play',
      heading: t('Playback and Recording'),
      facts: [
        ...(isPublic ? [] : policy),
        ...(hls === undefined ? [missingUrl(hlsLabel, context)] : []),
        ...known(
          { label: hlsLabel, value: hls, isCode: true, buttons: [copy('copyPlaybackUrl', hlsLabel)] },
          // No service provides one, and no box asks for it.
          {
            label: playerLabel,
            value: filled(templates.player),
            isCode: true,
            buttons: [...(stream.suspended === true ? [] : [open]), copy('copyPlayerUrl', playerLabel)],
          },
          { label: idLabel, value: playbackId, isCode: true, buttons: [copy('copyPlaybackId', idLabel)] },
        ),
        ...(isPublic ? policy : []),
        recordingFact(stream, context),
      ],
      ...(hls !== undefined && { buttons: tokenButtons(stream) }),
    },
  ];
}

interface HealthParts {
  /** Whether a separate section says whether targets are connected. */
  readonly hasTargets: boolean;
  /** Whether the service checks the stream. */
  readonly isChecked: boolean;
}

/** Shows the health in a table with its times if something is wrong, and in a few words otherwise. */
function healthSection(
  fact: StreamFact,
  { health: known = [], reader }: DetailsContext,
  { hasTargets, isChecked }: HealthParts,
): readonly Section[] {
  if (streamState(fact) === 'stale') {
    // These results are from when data still arrived. The page already says above that no data arrives.
    const unmet = isChecked ? known.filter(isUnmet) : [];
    return unmet.length > 1 ? [healthTable(unmet.map((condition) => conditionRow(condition, reader)))] : [];
  }
  const isOfTarget = ({ type }: HealthCondition) => hasTargets && type === SENDING;
  const health = known.filter((each) => !isOfTarget(each));
  const isAnyUnmet = health.some(isUnmet);
  const isFine = fact.stream.isHealthy !== false && !isAnyUnmet;
  // The state of a live stream says that data arrives.
  const isInState = isFine && health.every(({ type, isMet }) => type === RECEIVING && isMet === true);
  if (health.length === 0 || isInState) return [];
  if (isFine) return [{ ...aboutHealth(), words: health.map(conditionWord) }];
  const rows = [...health.filter(isUnmet), ...health.filter((each) => !isUnmet(each))];
  // A stream may be reported as unhealthy although all its conditions are met.
  const verdict = isAnyUnmet ? [] : [[t('Healthy'), { text: t('No'), tone: 'warning' as const }, '', '']];
  return [healthTable([...verdict, ...rows.map((condition) => conditionRow(condition, reader))])];
}

type Row = NonNullable<Section['rows']>[number];

function aboutHealth() {
  return { id: 'health', heading: t('Health'), isWide: true };
}

function healthTable(rows: readonly Row[]): Section {
  return { ...aboutHealth(), rows: [[t('Check'), t('Status'), t('Since'), t('Last Check')], ...rows] };
}

function conditionRow(condition: HealthCondition, reader: Reader): Row {
  return [
    conditionName(condition),
    { text: conditionStatus(condition), tone: conditionTone(condition) },
    formatDayAndClock(condition.since, reader) ?? '',
    formatClock(condition.checkedAt, reader) ?? '',
  ];
}

/** "Receiving data": a condition's name alone says that it's met. */
function conditionWord(condition: HealthCondition): StateWord {
  const name = conditionName(condition);
  const text = condition.isMet === true ? name : `${name}: ${conditionStatus(condition)}`;
  return { text, tone: conditionTone(condition) };
}

function conditionTone({ isMet }: HealthCondition): Tone {
  return isMet === undefined ? 'unknown' : isMet ? 'good' : 'warning';
}

/** Lists the URLs that aren't known: few services say where they take SRT and WHIP. */
function unknownUrlsSection(stream: Stream, context: DetailsContext): readonly Section[] {
  const urls = Object.values(keyedFacts(stream, context));
  if (urls.every(({ secret }) => secret === undefined)) return [];
  const facts = known(...urls.filter(({ secret }) => secret === undefined));
  return facts.length === 0 ? [] : [{ id: 'ingest', heading: t('Ingest URLs'), facts }];
}

/** The URLs that contain the key. Those with a `secret` are known. */
function keyedFacts({ id, streamKey }: Stream, context: DetailsContext) {
  const { templates, snapshot } = context;
  const { connection, streams } = snapshot;
  const canSet = streams.has(id) && !('info' in connection && connection.info.isDemo);
  const fact = (
    purpose: 'rtmp' | 'srt' | 'whip',
    label: string,
    secret: SecretName,
    act: Button['act'],
  ): Omit<Fact, 'value'> & { readonly value: string | undefined } => {
    const value = hasText(streamKey) ? templates[purpose]?.replace('{streamKey}', DOTS_IN_URL) : undefined;
    if (value !== undefined) return { label, value, isCode: true, secret, buttons: [copy(act, label)] };
    // The demo takes RTMP only. A missing RTMP URL is reported above, as the server.
    return canSet && purpose !== 'rtmp' ? missingUrl(label, context, 'setOtherAddress') : { label, value };
  };
  return {
    rtmp: fact('rtmp', t('RTMP URL (with Key)'), 'ingestUrl', 'copyIngestUrl'),
    srt: fact('srt', srtUrlLabel(), 'srt', 'copySrt'),
    whip: fact('whip', whipUrlLabel(), 'whip', 'copyWhip'),
  };
}

function idsSection({ id, projectId, createdByTokenName, creatorId }: Stream): Section {
  const [label, projectLabel] = [streamIdLabel(), t('Project ID')];
  return {
    id: 'ids',
    heading: t('IDs'),
    facts: known(
      { label, value: id, isCode: true, buttons: [copy('copyStreamId', label)] },
      { label: projectLabel, value: projectId, isCode: true, buttons: [copy('copyProjectId', projectLabel)] },
      { label: t('Creator ID'), value: creatorId && oneLine(creatorId), isCode: true },
      { label: t('Created with API Key'), value: createdByTokenName && oneLine(createdByTokenName) },
    ),
  };
}

function activitySection(fact: StreamFact, reader: Reader): Section {
  const { stream } = fact;
  const isLiveNow = streamState(fact) === 'live';
  return {
    id: 'activity',
    heading: t('Activity'),
    facts: known(
      { label: t('Created'), value: formatDateTime(stream.createdAt, reader) },
      { label: t('Last Live'), value: isLiveNow ? undefined : formatDateTime(stream.lastSeen, reader) },
      { label: t('Total Streaming Time'), value: formatDuration(positive(stream.sourceSegmentsDuration)) },
      transcoded(stream),
    ),
  };
}

/** The sum of all renditions: an hour in three renditions is three hours. */
export function transcoded({ transcodedSegmentsDuration: seconds }: Pick<Stream, 'transcodedSegmentsDuration'>) {
  return { label: t('Transcoded Time (All Renditions)'), value: formatDuration(positive(seconds)) };
}

function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
}

/** @param what the fact's label, which distinguishes the Copy buttons for a screen reader */
export function copy(act: Button['act'], what: string): Button {
  return { label: t('Copy'), hint: t('Copy: {0}', what), act, icon: 'copy' };
}

/** The service may provide it once it responds. */
function missingUrl(label: string, { snapshot, awaitsUrls }: DetailsContext, act: Button['act'] = 'setAddress'): Fact {
  const { connection, trouble } = snapshot;
  if (connection.kind === 'refused') return { label, value: t('Unknown until the API key is accepted') };
  if (trouble !== undefined || awaitsUrls === true) {
    return { label, value: t('Unknown until {0} responds', oneLine(nameOfConnection(snapshot) ?? '', 100)) };
  }
  const button: Button = { label: t('Configure…'), hint: t('Configure {0}…', label), act };
  return { label, value: t('Not configured'), buttons: [button] };
}
