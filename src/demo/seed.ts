import { countsOf, SEGMENT_MS, stallBroadcast, startBroadcast } from './broadcasts.ts';
import { pastBroadcasts, type Span } from './habits.ts';
import { type Character, characterAt, type Trait } from './names.ts';
import { makePlaybackId, makeUuid, pick, type Random, uuidFor } from './random.ts';
import { addPastSession, sessionIds } from './seedSessions.ts';
import { addStream, type DemoStream, type World } from './world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Streams after these have no sessions, so that a hundred thousand are created quickly. */
const STREAMS_WITH_SESSIONS = 240;
const STREAMS_WITH_CHILDREN = 4;
const STREAM_WITH_BROKEN_SESSION = 'Parish council';
const STALE_MS = 4 * MINUTE_MS;

const PROFILES = [
  { name: '240p0', fps: 0, bitrate: 250_000, width: 426, height: 240 },
  { name: '360p0', fps: 0, bitrate: 800_000, width: 640, height: 360 },
  { name: '720p0', fps: 0, bitrate: 3_000_000, width: 1280, height: 720, profile: 'H264ConstrainedHigh' },
];
// Shared by all streams: a hundred thousand are created at once.
const LADDERS = [PROFILES.slice(0, 1), PROFILES.slice(0, 2), PROFILES];
const NO_MULTISTREAM = { targets: [] };
const PUBLIC = { type: 'public' };

export interface SeedOptions {
  readonly streamCount: number;
  /** Undefined: the default number, with one of them stale. */
  readonly liveCount: number | undefined;
  readonly isLively: boolean;
}

interface SeededStream {
  readonly stream: DemoStream;
  readonly character: Character;
  readonly index: number;
}

/**
 * Fills an empty world. The same random source, clock and options give the same data. With another time, data that
 * exists in both has the same ids, because open tabs refer to it by them.
 */
export function seedWorld(world: World, options: SeedOptions): void {
  const live = options.liveCount ?? Math.min(5, Math.ceil(options.streamCount / 10));
  const made: DemoStream[] = [];
  for (let index = 0; index < options.streamCount; index++) {
    const character = characterAt(index, world.random);
    const stream = addStream(world, seedFields(world, character));
    if (index < STREAMS_WITH_SESSIONS) addPast(world, { stream, character, index });
    else addBulkCounts(world, stream);
    made.push(stream);
  }
  // Pending recordings stay pending.
  if (!options.isLively) world.recordingsDue.clear();
  if (options.streamCount >= 10) addChildren(world, made.slice(0, STREAMS_WITH_CHILDREN));
  breakOldestSession(
    world,
    made.find(({ name }) => name === STREAM_WITH_BROKEN_SESSION),
  );
  goLive(world, made.slice(0, live), options.liveCount === undefined);
}

function seedFields(world: World, character: Character): Partial<DemoStream> {
  const { random } = world;
  const has = (trait: Trait) => character.traits?.includes(trait) ?? false;
  const isNew = has('never seen');
  const age = isNew ? random.between(2, 9) * 3_600_000 : random.between(60 * DAY_MS, 700 * DAY_MS);
  return {
    name: character.name,
    createdAt: world.clock.now() - age,
    record: character.isRecorded ?? false,
    suspended: has('suspended'),
    profiles: (random.fraction() < 0.5 ? pick(random, LADDERS) : undefined) ?? [],
    ...(has('in project') ? { projectId: world.projectId } : {}),
    ...(random.fraction() < 0.4 ? { createdByTokenName: character.habit === 'test' ? 'ci' : 'Production' } : {}),
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

function addPast(world: World, { stream, character, index }: SeededStream): void {
  if (character.traits?.includes('never seen')) return;
  const now = world.clock.now();
  const recent = recentSpan(index, now);
  const before = (recent?.from ?? now) - 60_000;
  const usual = pastBroadcasts(character.habit, now, world.random.branch(stream.id));
  const spans = usual.filter((span) => span.to < before).slice(0, 14);
  const all = [
    ...(recent ? [{ ...recent, kind: 'recent' as const }] : []),
    ...spans.map((span) => ({ ...span, kind: 'usual' as const })),
  ];
  for (const [place, span] of all.entries()) addPastSession(world, stream, { ...span, place });
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

function addBulkCounts(world: World, stream: DemoStream): void {
  const { random } = world;
  stream.lastSeen = Math.round(stream.createdAt + random.fraction() * (world.clock.now() - DAY_MS - stream.createdAt));
  Object.assign(stream, countsOf(random.between(30, 5000), stream.profiles.length));
}

function addChildren(world: World, parents: readonly DemoStream[]): void {
  for (const parent of parents) {
    for (const session of (world.sessionsOf.get(parent.id) ?? []).slice(0, 2)) {
      addChild(world, parent.id, { name: session.id, from: session.createdAt, to: session.lastSeen });
    }
  }
  const goneId = makeUuid(world.random.branch('deleted parent'));
  for (const days of [40, 41]) {
    const from = world.clock.now() - days * DAY_MS;
    addChild(world, goneId, { name: `${goneId}/${days}`, from, to: from + 1_800_000 });
  }
}

/** Makes the stated request for one stream's sessions fail, as it happens on the public service. */
function breakOldestSession(world: World, stream: DemoStream | undefined): void {
  const oldest = world.sessionsOf.get(stream?.id ?? '')?.at(-1);
  if (oldest !== undefined) world.brokenSessions.add(oldest.id);
}

/** @param child `name` must be unique within the seed */
function addChild(world: World, parentId: string, { name, from, to }: Span & { readonly name: string }): void {
  const child = addStream(world, {
    id: uuidFor(`${name}/child`),
    name: `live/${makePlaybackId(world.random.branch(name))}`,
    createdAt: from,
    lastSeen: to,
    parentId,
    ...countsOf(Math.floor((to - from) / SEGMENT_MS), 0),
  });
  delete child.streamKey;
  delete child.playbackId;
}

function goLive(world: World, streams: readonly DemoStream[], hasStale: boolean): void {
  const now = world.clock.now();
  for (const [index, stream] of streams.entries()) {
    const from = now - world.random.branch(`${stream.id}/live`).between(6 * MINUTE_MS, 95 * MINUTE_MS);
    startBroadcast(world, stream, { ...sessionIds(world, stream, { kind: 'live', from }), createdAt: from });
    if (stream.name === 'Back stage') stream.issues = ['Keyframe interval is 10 s; 2 s is recommended'];
    if (stream.issues) stream.isHealthy = false;
    if (hasStale && index === 2) stallBroadcast(world, stream, now - STALE_MS);
  }
}
