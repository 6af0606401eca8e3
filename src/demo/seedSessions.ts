import { awaitRecording, countsOf, giveRecording, SEGMENT_MS } from './broadcasts.ts';
import { dayOf, type Span } from './habits.ts';
import { makePlaybackId, uuidFor } from './random.ts';
import { addSession, type DemoSession, type DemoStream, type World } from './world.ts';

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
  /** The number of newer sessions. */
  readonly place: number;
}

/** Adds a past session, with a recording in one state or another, and adds its counts to the stream's. */
export function addPastSession(world: World, stream: DemoStream, span: PastSpan): void {
  const counts = countsOf(Math.floor((span.to - span.from) / SEGMENT_MS), stream.profiles.length);
  const record = stream.record && span.place < RECORDED_SESSIONS;
  const ids = sessionIds(world, stream, span);
  const session = addSession(world, stream.id, { ...ids, createdAt: span.from, lastSeen: span.to, record, ...counts });
  if (record) settleRecording(world, session, span.place);
  stream.lastSeen = Math.max(stream.lastSeen, span.to);
  stream.createdAt = Math.min(stream.createdAt, span.from - 60_000);
  stream.sourceSegments += counts.sourceSegments;
  stream.transcodedSegments += counts.transcodedSegments;
  stream.sourceSegmentsDuration = round(stream.sourceSegmentsDuration + counts.sourceSegmentsDuration);
  stream.transcodedSegmentsDuration = round(stream.transcodedSegmentsDuration + counts.transcodedSegmentsDuration);
  stream.sourceBytes += counts.sourceBytes;
}

/** Returns the same ids whenever the world is created with the same seed. */
export function sessionIds(world: World, stream: DemoStream, { kind, from }: SeededSpan) {
  const name = `${stream.id}/${kind}/${dayOf(new Date(from))}`;
  return { id: uuidFor(name), playbackId: makePlaybackId(world.random.branch(name)) };
}

function settleRecording(world: World, session: DemoSession, place: number): void {
  const age = world.clock.now() - session.lastSeen;
  if (age < JUST_NOW_MS) awaitRecording(world, session, session.lastSeen);
  else if (age < LATELY_MS) session.recordingStatus = 'waiting';
  else if (age > KEPT_MS) session.recordingStatus = 'deleted';
  else if (place % 7 === 2) session.recordingStatus = 'failed';
  else if (place % 7 === 4) session.recordingStatus = 'none';
  else giveOldRecording(world, session, place);
}

/** Only one recording has a signed address. */
function giveOldRecording(world: World, session: DemoSession, place: number): void {
  if (place === 1 && world.signatures.size === 0) world.signatures.set(session.id, SIGNATURE);
  giveRecording(world, session);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
