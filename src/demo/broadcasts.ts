import {
  addSession,
  type Broadcast,
  type DemoSession,
  type DemoStream,
  recordingAddress,
  type World,
} from './world.ts';

/** Duration of a segment, both in the counts and in the media. */
export const SEGMENT_MS = 2000;
/** A session shows data this much later than its stream. */
const SESSION_LAG_MS = 5000;
const SUSPEND_LAG_MS = 4000;
/** Time from the end of a broadcast until its recording is ready. */
const RECORDING_MS = 70_000;
/** Measured duration of a segment: slightly more than the nominal one. */
const SEGMENT_SECONDS = 2.002;
const BYTES_PER_SECOND = 312_500;

/** Starts a broadcast and returns its session. If the stream is live already, returns its running session. */
export function startBroadcast(
  world: World,
  stream: DemoStream,
  { createdAt = world.clock.now(), ...ids }: Partial<Pick<DemoSession, 'id' | 'playbackId' | 'createdAt'>> = {},
): DemoSession {
  const running = world.sessions.get(world.broadcasts.get(stream.id)?.sessionId ?? '');
  if (running) return running;
  const { sourceSegments, sourceSegmentsDuration, sourceBytes } = stream;
  const session = addSession(world, stream.id, { ...ids, createdAt });
  if (session.record) session.recordingStatus = 'waiting';
  world.broadcasts.set(stream.id, {
    sessionId: session.id,
    startedAt: createdAt,
    before: { sourceSegments, sourceSegmentsDuration, sourceBytes },
    isStalled: false,
  });
  Object.assign(stream, {
    isActive: true,
    lastSeen: createdAt,
    isHealthy: true,
    ingestRate: BYTES_PER_SECOND,
    outgoingRate: BYTES_PER_SECOND * (1 + stream.profiles.length),
  });
  return session;
}

export function endBroadcast(world: World, stream: DemoStream, at = world.clock.now()): void {
  const broadcast = world.broadcasts.get(stream.id);
  if (broadcast) {
    advanceBroadcast(world, stream, at);
    world.broadcasts.delete(stream.id);
    closeSession(world, world.sessions.get(broadcast.sessionId), at);
  }
  Object.assign(stream, { isActive: false, isHealthy: null, ingestRate: 0, outgoingRate: 0 });
  delete stream.issues;
}

export function endBroadcastSoon(world: World, stream: DemoStream): void {
  const broadcast = world.broadcasts.get(stream.id);
  if (broadcast) {
    broadcast.isStalled = true;
    broadcast.endsAt ??= world.clock.now() + SUSPEND_LAG_MS;
  } else endBroadcast(world, stream);
}

export function advanceBroadcasts(world: World, now: number): void {
  for (const [streamId, broadcast] of [...world.broadcasts]) {
    const stream = world.streams.get(streamId);
    if (!stream) world.broadcasts.delete(streamId);
    else if (broadcast.endsAt !== undefined && broadcast.endsAt <= now) endBroadcast(world, stream, broadcast.endsAt);
    else advanceBroadcast(world, stream, now);
  }
  for (const [sessionId, dueAt] of [...world.recordingsDue]) {
    if (dueAt <= now) finishRecording(world, sessionId);
  }
}

/** Returns how long data has been arriving, in ms; undefined if the stream is not live. */
export function broadcastTime(world: World, stream: DemoStream): number | undefined {
  if (!stream.isActive) return undefined;
  const startedAt = world.broadcasts.get(stream.id)?.startedAt ?? stream.lastSeen;
  return Math.max(0, stream.lastSeen - startedAt);
}

/** Simulates a broken ingest: no data arrives after `at`, but the stream stays active. */
export function stallBroadcast(world: World, stream: DemoStream, at = world.clock.now()): void {
  const broadcast = world.broadcasts.get(stream.id);
  if (!broadcast) return;
  advanceBroadcast(world, stream, at);
  broadcast.isStalled = true;
}

function advanceBroadcast(world: World, stream: DemoStream, now: number): void {
  const broadcast = world.broadcasts.get(stream.id);
  if (!broadcast || broadcast.isStalled) return;
  const segments = Math.max(0, Math.floor((now - broadcast.startedAt) / SEGMENT_MS));
  const elapsed = segments * SEGMENT_MS;
  const counts = countsOf(segments, stream.profiles.length);
  stream.lastSeen = broadcast.startedAt + elapsed;
  addCounts(stream, broadcast.before, counts);
  const session = world.sessions.get(broadcast.sessionId);
  if (session && elapsed >= SESSION_LAG_MS) Object.assign(session, counts, { lastSeen: stream.lastSeen });
}

export function countsOf(segments: number, renditions: number) {
  const seconds = Math.round(segments * SEGMENT_SECONDS * 1000) / 1000;
  return {
    sourceSegments: segments,
    transcodedSegments: segments * renditions,
    sourceSegmentsDuration: seconds,
    transcodedSegmentsDuration: Math.round(seconds * renditions * 1000) / 1000,
    sourceBytes: Math.round(seconds * BYTES_PER_SECOND),
  };
}

function addCounts(stream: DemoStream, before: Broadcast['before'], more: ReturnType<typeof countsOf>): void {
  const seconds = Math.round((before.sourceSegmentsDuration + more.sourceSegmentsDuration) * 1000) / 1000;
  stream.sourceSegments = before.sourceSegments + more.sourceSegments;
  stream.transcodedSegments = stream.sourceSegments * stream.profiles.length;
  stream.sourceSegmentsDuration = seconds;
  stream.transcodedSegmentsDuration = Math.round(seconds * stream.profiles.length * 1000) / 1000;
  stream.sourceBytes = before.sourceBytes + more.sourceBytes;
}

function closeSession(world: World, session: DemoSession | undefined, at: number): void {
  if (!session?.record) return;
  if (session.sourceSegments === 0) {
    session.recordingStatus = 'none';
    return;
  }
  awaitRecording(world, session, at);
}

/** Starts making a recording. Its playlist address exists before it is ready. */
export function awaitRecording(world: World, session: DemoSession, endedAt: number): void {
  session.recordingStatus = 'waiting';
  session.recordingUrl = recordingAddress(world, session.id, 'index.m3u8');
  world.recordingsDue.set(session.id, endedAt + RECORDING_MS);
}

function finishRecording(world: World, sessionId: string): void {
  world.recordingsDue.delete(sessionId);
  const session = world.sessions.get(sessionId);
  if (session) giveRecording(world, session);
}

export function giveRecording(world: World, session: DemoSession): void {
  session.recordingStatus = 'ready';
  session.recordingUrl = recordingAddress(world, session.id, 'index.m3u8');
  session.mp4Url = recordingAddress(world, session.id, 'source.mp4');
}
