import { addSession, addStream, type DemoSession, type DemoState, type DemoStream } from './demoState.ts';
import { makePlaybackId, makeUuid, pick, type Random, uuidFor } from './random.ts';
import { type SampleStream, type ScheduleName, sampleStreamAt, type Trait } from './sampleStreams.ts';
import { awaitRecording, countsOf, giveRecording, SEGMENT_MS, stallBroadcast, startBroadcast } from './simulation.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Streams after these have no sessions, so that a hundred thousand are created quickly. */
const STREAMS_WITH_SESSIONS = 240;
const STREAMS_WITH_CHILDREN = 4;
const STREAM_WITH_BROKEN_SESSION = 'Parish council';
const STALE_MS = 4 * MINUTE_MS;
/** The first of the streams that are live at the start stay so. */
const ALWAYS_LIVE = 2;

const PROFILES = [
  { name: '240p0', fps: 0, bitrate: 250_000, width: 426, height: 240 },
  { name: '360p0', fps: 0, bitrate: 800_000, width: 640, height: 360 },
  { name: '720p0', fps: 0, bitrate: 3_000_000, width: 1280, height: 720, profile: 'H264ConstrainedHigh' },
];
// Shared by all streams: a hundred thousand are created at once.
const LADDERS = [PROFILES.slice(0, 1), PROFILES.slice(0, 2), PROFILES];
const NO_MULTISTREAM = { targets: [] };
const PUBLIC = { type: 'public' };

interface SeedOptions {
  readonly streamCount: number;
  /** Undefined: the default number, with one of them stale. */
  readonly liveCount: number | undefined;
  readonly isLively: boolean;
}

interface SeededStream {
  readonly stream: DemoStream;
  readonly sample: SampleStream;
  readonly index: number;
}

/**
 * Fills an empty state. The same random source, clock and options give the same data. With another time, data that
 * exists in both has the same ids, because open tabs refer to it by them.
 */
export function seedState(state: DemoState, options: SeedOptions): void {
  const live = options.liveCount ?? Math.min(5, Math.ceil(options.streamCount / 10));
  const made: DemoStream[] = [];
  for (let index = 0; index < options.streamCount; index++) {
    const sample = sampleStreamAt(index, state.random);
    const stream = addStream(state, seedFields(state, sample));
    if (index < STREAMS_WITH_SESSIONS) addPast(state, { stream, sample, index });
    else addBulkCounts(state, stream);
    made.push(stream);
  }
  // Pending recordings stay pending.
  if (!options.isLively) state.recordingsDue.clear();
  if (options.streamCount >= 10) addChildren(state, made.slice(0, STREAMS_WITH_CHILDREN));
  breakOldestSession(
    state,
    made.find(({ name }) => name === STREAM_WITH_BROKEN_SESSION),
  );
  goLive(state, made.slice(0, live), options.liveCount === undefined);
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
    profiles: (random.fraction() < 0.5 ? pick(random, LADDERS) : undefined) ?? [],
    ...(has('in project') ? { projectId: state.projectId } : {}),
    ...(random.fraction() < 0.4 ? { createdByTokenName: sample.schedule === 'test' ? 'ci' : 'Production' } : {}),
    ...(has('pulled') ? { pull: pullSource(random), userTags: { site: 'oak-12' } } : {}),
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

/**
 * Two recorded streams ended just now, one of them with a recording that has been pending for long. The first stream
 * was live last evening.
 */
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
    if (stream.name === 'Back stage') stream.issues = ['Keyframe interval is 10 s; 2 s is recommended'];
    if (stream.issues) stream.isHealthy = false;
    if (index < ALWAYS_LIVE) state.alwaysLive.add(stream.id);
    if (hasStale && index === 2) stallBroadcast(state, stream, now - STALE_MS);
  }
}

interface Schedule {
  /** Days of the week; 0 is Sunday. */
  readonly days: readonly number[];
  readonly hours: readonly [number, number];
  readonly minutes: readonly [number, number];
  /** Share of the possible days that have a broadcast. */
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

/** In epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the broadcasts of a schedule in the five weeks before `now`, newest first, without those that ended in the
 * last two hours. A day's broadcast is the same for any `now`, because each day has its own branch of the random source.
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
/** Recording was turned on this many broadcasts ago. Earlier ones were not recorded. */
const RECORDED_SESSIONS = 5;
/** Like in a signed address: escapes that must be preserved. */
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
  if (age < JUST_NOW_MS) awaitRecording(state, session, session.lastSeen);
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
