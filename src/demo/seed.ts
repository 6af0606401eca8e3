import { addSession, addStream, type DemoSession, type DemoState, type DemoStream, type Scene } from './demoState.ts';
import { addTarget, targetUsesOf } from './multistream.ts';
import { makePlaybackId, makeStreamKey, makeUuid, pick, type Random, uuidFor } from './random.ts';
import {
  awaitRecording,
  countsOf,
  giveRecording,
  RECORDING_MS,
  SEGMENT_MS,
  stallBroadcast,
  startBroadcast,
} from './simulation.ts';
import { RENDITIONS } from './site.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
// Streams after these have no sessions, so that a hundred thousand can be created quickly.
const STREAMS_WITH_SESSIONS = 240;
const STREAMS_WITH_CHILDREN = 4;
const STREAM_WITH_BROKEN_SESSION = 'Parish council';
const STALE_MS = 4 * MINUTE_MS;
// The first streams that are live at the start stay live.
const ALWAYS_LIVE = 2;

// Shared by all streams: a hundred thousand can be created at once.
const LADDER = RENDITIONS.map(({ profile }) => profile);
const NO_MULTISTREAM = { targets: [] };
const MEETING = {
  userTags: { kind: 'meeting', languages: ['en', 'fr'] },
  creatorId: { type: 'unverified', value: 'team-events' },
} as const;
const PUBLIC = { type: 'public' };

const SCENES: Readonly<Partial<Record<ScheduleName, Scene>>> = {
  camera: 'nest',
  show: 'studio',
  lesson: 'studio',
  meeting: 'studio',
};

interface SeedOptions {
  readonly streamCount: number;
  /** Undefined: the default number. The third of them is stale, unless a number is given and `isLively` is false. */
  readonly liveCount: number | undefined;
  readonly isLively: boolean;
}

interface SeededStream {
  readonly stream: DemoStream;
  readonly sample: SampleStream;
  readonly index: number;
}

/** The same random source, clock, and options give the same data. IDs don't depend on the time: tabs refer to them. */
export function seedState(state: DemoState, options: SeedOptions): void {
  const live = options.liveCount ?? Math.min(5, Math.ceil(options.streamCount / 10));
  const made: DemoStream[] = [];
  for (let index = 0; index < options.streamCount; index++) {
    const sample = sampleStreamAt(index, state.random);
    const stream = addStream(state, seedFields(state, sample));
    const scene = SCENES[sample.schedule];
    if (scene !== undefined) state.scenes.set(stream.id, scene);
    if (index < STREAMS_WITH_SESSIONS) addPast(state, { stream, sample, index });
    else addBulkCounts(state, stream);
    made.push(stream);
  }
  // Pending recordings stay pending.
  if (!options.isLively) state.recordingsDue.clear();
  if (options.streamCount >= 10) addChildren(state, made.slice(0, STREAMS_WITH_CHILDREN));
  if (options.streamCount >= 10) addTargets(state, made);
  breakOldestSession(
    state,
    made.find(({ name }) => name === STREAM_WITH_BROKEN_SESSION),
  );
  const canGoLive = made.filter(({ suspended }) => !suspended);
  goLive(state, canGoLive.slice(0, live), options.liveCount === undefined || options.isLively);
}

function seedFields(state: DemoState, sample: SampleStream): Partial<DemoStream> {
  const { random } = state;
  const has = (trait: Trait) => sample.traits?.includes(trait) ?? false;
  const isNew = has('never seen');
  const age = isNew ? random.between(2, 9) * 3_600_000 : random.between(60 * DAY_MS, 700 * DAY_MS);
  return {
    name: sample.name,
    createdAt: state.clock.now() - age,
    record: sample.isRecorded ?? false,
    suspended: has('suspended'),
    // Drawn for all streams, so that later draws don't depend on it.
    profiles: (random.fraction() < 0.5 ? pick(random, [LADDER]) : undefined) ?? (sample.isRecorded ? LADDER : []),
    ...(has('in project') ? { projectId: state.projectId } : {}),
    ...(random.fraction() < 0.4 ? { createdByTokenName: sample.schedule === 'test' ? 'ci' : 'Production' } : {}),
    ...(has('pulled') ? { pull: pullSource(random), userTags: { site: 'oak-12' } } : {}),
    ...(sample.schedule === 'meeting' ? MEETING : {}),
    ...(sample.schedule === 'meeting' && sample.isRecorded ? { recordingSpec: { profiles: LADDER } } : {}),
    multistream: NO_MULTISTREAM,
    playbackPolicy: PUBLIC,
  };
}

function pullSource(random: Random): unknown {
  const password = makePlaybackId(random);
  return {
    source: 'https://cameras.example/nest/index.m3u8',
    headers: { authorization: `Basic ${btoa(`nest:${password}`)}` },
  };
}

function addPast(state: DemoState, { stream, sample, index }: SeededStream): void {
  if (sample.traits?.includes('never seen')) return;
  const now = state.clock.now();
  const recent = recentSpan(index, now);
  const before = (recent?.from ?? now) - 60_000;
  const usual = pastBroadcasts(sample.schedule, now, state.random.branch(stream.id));
  const spans = usual.filter((span) => span.to < before).slice(0, 14);
  const all = [
    ...(recent ? [{ ...recent, kind: 'recent' as const }] : []),
    ...spans.map((span) => ({ ...span, kind: 'usual' as const })),
  ];
  for (const [place, span] of all.entries()) addPastSession(state, stream, { ...span, place });
}

// Two recorded streams ended recently, one with a recording that has been pending for a long time.
function recentSpan(index: number, now: number): Span | undefined {
  if (index === 0) {
    const evening = new Date(now - DAY_MS).setHours(18, 0, 0, 0);
    return { from: evening, to: evening + 62 * MINUTE_MS };
  }
  if (index === 6) return { from: now - 48 * MINUTE_MS, to: now - 20_000 };
  if (index === 7) return { from: now - 140 * MINUTE_MS, to: now - 25 * MINUTE_MS };
  return undefined;
}

function addBulkCounts(state: DemoState, stream: DemoStream): void {
  const { random } = state;
  stream.lastSeen = Math.round(stream.createdAt + random.fraction() * (state.clock.now() - DAY_MS - stream.createdAt));
  Object.assign(stream, countsOf(random.between(30, 5000), stream.profiles.length));
}

function addChildren(state: DemoState, parents: readonly DemoStream[]): void {
  for (const parent of parents) {
    for (const session of (state.sessionsOf.get(parent.id) ?? []).slice(0, 2)) {
      addChild(state, parent.id, { name: session.id, from: session.createdAt, to: session.lastSeen });
    }
  }
  const goneId = makeUuid(state.random.branch('deleted parent'));
  for (const days of [40, 41]) {
    const from = state.clock.now() - days * DAY_MS;
    addChild(state, goneId, { name: `${goneId}/${days}`, from, to: from + 1_800_000 });
  }
}

function breakOldestSession(state: DemoState, stream: DemoStream | undefined): void {
  const oldest = state.sessionsOf.get(stream?.id ?? '')?.at(-1);
  if (oldest !== undefined) state.brokenSessions.add(oldest.id);
}

/** @param child `name` must be unique within the seed */
function addChild(state: DemoState, parentId: string, { name, from, to }: Span & { readonly name: string }): void {
  const child = addStream(state, {
    id: uuidFor(`${name}/child`),
    name: `live/${makePlaybackId(state.random.branch(name))}`,
    createdAt: from,
    lastSeen: to,
    parentId,
    ...countsOf(Math.floor((to - from) / SEGMENT_MS), 0),
  });
  delete child.streamKey;
  delete child.playbackId;
}

function goLive(state: DemoState, streams: readonly DemoStream[], hasStale: boolean): void {
  const now = state.clock.now();
  for (const [index, stream] of streams.entries()) {
    const from = now - state.random.branch(`${stream.id}/live`).between(6 * MINUTE_MS, 95 * MINUTE_MS);
    startBroadcast(state, stream, { ...sessionIds(state, stream, { kind: 'live', from }), createdAt: from });
    if (stream.name === 'Back stage') stream.issues = ['Keyframe interval is 10 s; 2 s is recommended.'];
    if (stream.issues) stream.isHealthy = false;
    if (index < ALWAYS_LIVE) state.alwaysLive.add(stream.id);
    if (hasStale && index === 2) stallBroadcast(state, stream, now - STALE_MS);
  }
}

// Keynote also goes to YouTube, and currently not to Twitch; Quiz Night can't reach Twitch.
const TARGETS = [
  { name: 'YouTube', url: 'rtmps://a.rtmps.youtube.com:443/live2/', uses: { Keynote: 'source' } },
  { name: 'Twitch (rehearsals)', url: 'rtmp://live.twitch.tv/app/', uses: { Keynote: 'source' }, disabled: true },
  {
    name: 'Twitch',
    url: 'rtmp://live.twitch.tv/app/',
    uses: { 'Quiz Night with Ola': 'source', 'Speedrun marathon': 'source' },
    isFailing: true,
  },
] as const;

function addTargets(state: DemoState, streams: readonly DemoStream[]): void {
  for (const { uses, url, ...fields } of TARGETS) {
    const key = makeStreamKey(state.random.branch(fields.name));
    const { id } = addTarget(state, { ...fields, id: uuidFor(`${fields.name}/target`), url: url + key });
    for (const [name, profile] of Object.entries(uses)) {
      const stream = streams.find((each) => each.name === name);
      if (stream !== undefined) stream.multistream = { targets: [...targetUsesOf(stream), { id, profile }] };
    }
  }
}

interface Schedule {
  /** Days of the week; 0 is Sunday. */
  readonly days: readonly number[];
  readonly hours: readonly [number, number];
  readonly minutes: readonly [number, number];
  /** The share of these days that have a broadcast. */
  readonly share: number;
}

const WEEKS = 5;
const WEEKDAYS = [1, 2, 3, 4, 5];
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];

const SCHEDULES: Readonly<Record<ScheduleName, Schedule>> = {
  meeting: { days: WEEKDAYS, hours: [9, 16], minutes: [22, 62], share: 0.3 },
  show: { days: [2, 4, 5, 6], hours: [18, 21], minutes: [45, 125], share: 0.5 },
  service: { days: [0], hours: [9, 11], minutes: [58, 84], share: 1 },
  camera: { days: ALL_DAYS, hours: [5, 7], minutes: [500, 720], share: 0.35 },
  test: { days: WEEKDAYS, hours: [0, 23], minutes: [2, 6], share: 0.6 },
  event: { days: [3, 4, 6], hours: [10, 17], minutes: [90, 260], share: 0.3 },
  lesson: { days: WEEKDAYS, hours: [8, 17], minutes: [40, 55], share: 0.35 },
};

// In epoch ms.
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns past broadcasts, newest first, except those of the last two hours. Each day has its own branch of the random
 * source, so that its broadcast is the same for any `now`.
 */
function pastBroadcasts(name: ScheduleName, now: number, random: Random): readonly Span[] {
  const schedule = SCHEDULES[name];
  const spans: Span[] = [];
  for (let day = 0; day < WEEKS * 7; day++) {
    const date = new Date(now);
    date.setDate(date.getDate() - day);
    const chance = random.branch(dayOf(date));
    if (!schedule.days.includes(date.getDay()) || chance.fraction() >= schedule.share) continue;
    const span = spanOn(date, schedule, chance);
    if (span.to < now - 7_200_000) spans.push(span);
  }
  return spans;
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

function spanOn(date: Date, schedule: Schedule, random: Random): Span {
  const start = new Date(date);
  start.setHours(
    random.between(...schedule.hours),
    random.between(0, 11) * 5,
    random.between(0, 50),
    random.between(0, 999),
  );
  const from = start.getTime();
  return { from, to: from + random.between(schedule.minutes[0] * 60, schedule.minutes[1] * 60) * 1000 };
}

const KEPT_MS = 21 * 86_400_000;
const JUST_NOW_MS = 70_000;
const LATELY_MS = 1_800_000;
// Recording was turned on this many broadcasts ago. Earlier ones weren't recorded.
const RECORDED_SESSIONS = 5;
// As in a signed URL: escapes that must be preserved.
const SIGNATURE = 'sig=a%2Fb%2Bc%3D';

interface SeededSpan {
  readonly kind: 'usual' | 'recent' | 'live';
  readonly from: number;
}

interface PastSpan extends SeededSpan, Span {
  readonly place: number;
}

function addPastSession(state: DemoState, stream: DemoStream, span: PastSpan): void {
  const counts = countsOf(Math.floor((span.to - span.from) / SEGMENT_MS), stream.profiles.length);
  const record = stream.record && span.place < RECORDED_SESSIONS;
  const ids = sessionIds(state, stream, span);
  const session = addSession(state, stream.id, { ...ids, createdAt: span.from, lastSeen: span.to, record, ...counts });
  if (record) settleRecording(state, session, span.place);
  stream.lastSeen = Math.max(stream.lastSeen, span.to);
  stream.createdAt = Math.min(stream.createdAt, span.from - 60_000);
  stream.sourceSegments += counts.sourceSegments;
  stream.transcodedSegments += counts.transcodedSegments;
  stream.sourceSegmentsDuration = round(stream.sourceSegmentsDuration + counts.sourceSegmentsDuration);
  stream.transcodedSegmentsDuration = round(stream.transcodedSegmentsDuration + counts.transcodedSegmentsDuration);
  stream.sourceBytes += counts.sourceBytes;
}

function sessionIds(state: DemoState, stream: DemoStream, { kind, from }: SeededSpan) {
  const name = `${stream.id}/${kind}/${dayOf(new Date(from))}`;
  return { id: uuidFor(name), playbackId: makePlaybackId(state.random.branch(name)) };
}

function settleRecording(state: DemoState, session: DemoSession, place: number): void {
  const age = state.clock.now() - session.lastSeen;
  if (age < JUST_NOW_MS) awaitRecording(state, session, session.lastSeen + RECORDING_MS);
  else if (age < LATELY_MS) session.recordingStatus = 'waiting';
  else if (age > KEPT_MS) session.recordingStatus = 'deleted';
  else if (place % 7 === 2) session.recordingStatus = 'failed';
  else if (place % 7 === 4) session.recordingStatus = 'none';
  else giveOldRecording(state, session, place);
}

function giveOldRecording(state: DemoState, session: DemoSession, place: number): void {
  if (place === 1 && state.signatures.size === 0) state.signatures.set(session.id, SIGNATURE);
  giveRecording(state, session);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

type ScheduleName = 'meeting' | 'show' | 'service' | 'camera' | 'test' | 'event' | 'lesson';

type Trait = 'never seen' | 'suspended' | 'in project' | 'pulled' | 'unhealthy';

interface SampleStream {
  readonly name: string;
  readonly schedule: ScheduleName;
  readonly isRecorded?: boolean;
  readonly traits?: readonly Trait[];
}

const LONG_NAME =
  'Quarterly all-hands with questions from every office, interpreted into six languages, rehearsal room and green room ' +
  'included, please do not reuse this one for the investor call because its recordings are kept for seven years and the ' +
  'archive team files them by this very name';

// The most interesting first. The first five are live at the start.
const SAMPLE_STREAMS: readonly SampleStream[] = [
  { name: 'Keynote', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Bird nest cam', schedule: 'camera', traits: ['pulled'] },
  { name: 'Back stage', schedule: 'event', traits: ['in project', 'unhealthy'] },
  { name: 'Quiz Night with Ola', schedule: 'show', traits: ['in project'] },
  { name: 'Conference room 4B', schedule: 'meeting' },
  { name: 'Sunday service, St. Brigid', schedule: 'service', isRecorded: true },
  { name: 'Slow Kitchen: bread week', schedule: 'show', isRecorded: true, traits: ['in project'] },
  { name: 'Product launch: Heron 2', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'ci-smoke-main', schedule: 'test' },
  { name: 'Town hall', schedule: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Old partner feed', schedule: 'event', traits: ['suspended'] },
  { name: 'New stream (not set up yet)', schedule: 'show', traits: ['never seen'] },
  { name: '🎸 Garage sessions 🎶', schedule: 'show', isRecorded: true },
  { name: 'أخبار المساء', schedule: 'show', isRecorded: true },
  { name: '', schedule: 'test' },
  { name: LONG_NAME, schedule: 'meeting', isRecorded: true },
  { name: 'Harbour webcam north', schedule: 'camera' },
  { name: 'Harbour webcam south', schedule: 'camera' },
  { name: 'Algebra 2, Ms. Okafor', schedule: 'lesson', isRecorded: true },
  { name: 'Physics lab 9c', schedule: 'lesson' },
  { name: 'Chess club finals', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Yoga at seven', schedule: 'lesson', isRecorded: true },
  { name: 'ci-smoke-release', schedule: 'test' },
  { name: 'ci-webrtc-ingest', schedule: 'test', isRecorded: true },
  { name: 'loadtest 200 viewers', schedule: 'test' },
  { name: 'Guess the Price!', schedule: 'show', traits: ['in project'] },
  { name: 'Evensong', schedule: 'service' },
  { name: 'Parish council', schedule: 'meeting', isRecorded: true },
  { name: 'Board meeting', schedule: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Développeurs & café ☕', schedule: 'meeting' },
  { name: 'Radio studio A', schedule: 'show' },
  { name: 'Radio studio B', schedule: 'show' },
  { name: 'Football U15 Saturday', schedule: 'event', isRecorded: true },
  { name: 'Swim meet lane camera', schedule: 'event' },
  { name: 'Observatory dome', schedule: 'camera', isRecorded: true },
  { name: 'Aquarium: jellyfish', schedule: 'camera' },
  { name: 'Beehive 3', schedule: 'camera' },
  { name: 'Traffic, Bridge Street', schedule: 'camera' },
  { name: 'Weather mast', schedule: 'camera' },
  { name: 'Standup, platform team', schedule: 'meeting' },
  { name: 'Design review', schedule: 'meeting', isRecorded: true },
  { name: 'Onboarding, week 1', schedule: 'lesson', isRecorded: true },
  { name: 'Customer webinar (EMEA)', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Customer webinar (APAC)', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Auction house, room 1', schedule: 'event', isRecorded: true },
  { name: 'Film festival Q&A', schedule: 'event', isRecorded: true },
  { name: 'Open mic | Thursday', schedule: 'show', isRecorded: true },
  { name: 'Pottery with <Jo>', schedule: 'lesson' },
  { name: 'Speedrun marathon', schedule: 'show' },
  { name: 'Retro games hour', schedule: 'show', isRecorded: true },
  { name: 'Language café: Deutsch', schedule: 'lesson' },
  { name: '料理教室', schedule: 'lesson', isRecorded: true },
  { name: 'Drone test flight', schedule: 'test', isRecorded: true },
  { name: 'Encoder bench (do not delete)', schedule: 'test' },
  { name: 'rtmp-probe-fra', schedule: 'test' },
  { name: 'rtmp-probe-sin', schedule: 'test' },
  { name: 'Wedding, Lind & Amari', schedule: 'event', isRecorded: true },
  { name: 'Graduation ceremony', schedule: 'event', isRecorded: true },
  { name: 'City council', schedule: 'meeting', isRecorded: true },
  { name: 'Night sky', schedule: 'camera' },
];

const PLACES = ['Hall', 'Studio', 'Lobby', 'Campus', 'Arena', 'Gallery', 'Workshop', 'Rooftop', 'Library', 'Stadium'];
const THINGS: readonly (readonly [string, ScheduleName])[] = [
  ['camera', 'camera'],
  ['talk', 'meeting'],
  ['class', 'lesson'],
  ['show', 'show'],
  ['rehearsal', 'event'],
  ['feed', 'test'],
];

function sampleStreamAt(index: number, random: Random): SampleStream {
  const known = SAMPLE_STREAMS[index];
  if (known) return known;
  const [thing, schedule] = pick(random, THINGS) ?? ['camera', 'camera'];
  const name = `${pick(random, PLACES)} ${thing} ${index + 1}`;
  return { name, schedule, isRecorded: random.fraction() < 0.3 };
}
