import {
  addSession,
  type Broadcast,
  type DemoSession,
  type DemoState,
  type DemoStream,
  type Feed,
  recordingAddress,
} from './demoState.ts';
import { areTargetsConnected, reportSending, reportStop } from './multistream.ts';
import { pick } from './random.ts';

/** Duration of a segment, both in the counts and in the media. */
export const SEGMENT_MS = 2000;
// A session shows data this much later than its stream.
const SESSION_LAG_MS = 5000;
const SUSPEND_LAG_MS = 4000;
export const RECORDING_MS = 70_000;
const WHEN_WRITTEN = Number.POSITIVE_INFINITY;
const BYTES_PER_SECOND = 312_500;

/** Starts a broadcast and returns its session. If the stream is live already, returns its running session. */
export function startBroadcast(
  state: DemoState,
  stream: DemoStream,
  { createdAt = state.clock.now(), ...ids }: Partial<Pick<DemoSession, 'id' | 'playbackId' | 'createdAt'>> = {},
): DemoSession {
  const running = state.sessions.get(state.broadcasts.get(stream.id)?.sessionId ?? '');
  if (running) return running;
  const { sourceSegments, sourceSegmentsDuration, sourceBytes } = stream;
  const session = addSession(state, stream.id, { ...ids, createdAt });
  if (session.record) session.recordingStatus = 'waiting';
  state.broadcasts.set(stream.id, {
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
  state.report({ event: 'stream.started', stream });
  if (session.record) state.report({ event: 'recording.started', stream, session });
  reportSending(state, stream);
  return session;
}

export function stopBroadcast(state: DemoState, stream: DemoStream, at = state.clock.now()): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (broadcast) {
    broadcast.feed?.close();
    advanceBroadcast(state, stream, at);
    state.broadcasts.delete(stream.id);
    closeSession(state, broadcast, at);
  }
  Object.assign(stream, { isActive: false, isHealthy: null, ingestRate: 0, outgoingRate: 0 });
  delete stream.issues;
  if (broadcast) reportEnd(state, stream, state.sessions.get(broadcast.sessionId));
}

function reportEnd(state: DemoState, stream: DemoStream, session: DemoSession | undefined): void {
  reportStop(state, stream);
  state.report({ event: 'stream.idle', stream });
  if (session?.recordingStatus === 'waiting') state.report({ event: 'recording.waiting', stream, session });
}

/** Replaces the running broadcast of the stream with the one that `feed` receives. */
export function takeOver(state: DemoState, stream: DemoStream, feed: Feed): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (!broadcast) return;
  broadcast.feed = feed;
  Object.assign(stream, { ingestRate: 0, outgoingRate: 0 });
}

export function stopBroadcastSoon(state: DemoState, stream: DemoStream): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (broadcast) {
    broadcast.feed?.close();
    advanceBroadcast(state, stream, state.clock.now());
    broadcast.isStalled = true;
    broadcast.endsAt ??= state.clock.now() + SUSPEND_LAG_MS;
  } else stopBroadcast(state, stream);
}

function advanceBroadcasts(state: DemoState, now: number): void {
  for (const [streamId, broadcast] of [...state.broadcasts]) {
    const stream = state.streams.get(streamId);
    if (!stream) state.broadcasts.delete(streamId);
    else if (broadcast.endsAt !== undefined && broadcast.endsAt <= now) stopBroadcast(state, stream, broadcast.endsAt);
    else advanceBroadcast(state, stream, now);
  }
  for (const [sessionId, dueAt] of [...state.recordingsDue]) {
    if (dueAt <= now) finishRecording(state, sessionId);
  }
}

/** Returns how long data has been arriving, in ms; undefined if the stream isn't live. */
export function broadcastTime(state: DemoState, stream: DemoStream): number | undefined {
  if (!stream.isActive) return undefined;
  const startedAt = state.broadcasts.get(stream.id)?.startedAt ?? stream.lastSeen;
  return Math.max(0, stream.lastSeen - startedAt);
}

const PROBE_MS = 10_000;
const STALE_MS = 90_000;

/** Returns the results of a service's probes for an active stream. */
export function healthConditions(state: DemoState, stream: DemoStream): readonly Readonly<Record<string, unknown>>[] {
  const now = state.clock.now();
  const startedAt = state.broadcasts.get(stream.id)?.startedAt ?? stream.lastSeen;
  const isStale = now - stream.lastSeen > STALE_MS;
  const condition = (type: string, status: boolean, changedAt: number) => ({
    ...{ type, status, frequency: PROBE_MS / 1000 },
    lastProbeTime: now - (now % PROBE_MS),
    lastTransitionTime: changedAt,
  });
  const changedAt = isStale ? stream.lastSeen : startedAt;
  const active = condition('Active', !isStale, changedAt);
  const areConnected = areTargetsConnected(state, stream);
  const sending = areConnected === undefined ? [] : [condition('Multistreaming', !isStale && areConnected, changedAt)];
  if (stream.profiles.length === 0) return [active, ...sending];
  return [
    active,
    ...sending,
    condition('Transcoding', !isStale, changedAt),
    condition('TranscodeRealTime', !isStale && stream.isHealthy !== false, changedAt),
    condition('TranscodeNoErrors', true, startedAt),
  ];
}

/** Simulates a broken ingest: no data arrives after `at`, but the stream stays active. */
export function stallBroadcast(state: DemoState, stream: DemoStream, at: number): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (!broadcast) return;
  advanceBroadcast(state, stream, at);
  broadcast.isStalled = true;
}

function advanceBroadcast(state: DemoState, stream: DemoStream, now: number): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (!broadcast || broadcast.isStalled) return;
  if (broadcast.feed) {
    takeReceived(state, stream, { ...broadcast, feed: broadcast.feed });
    return;
  }
  const segments = Math.max(0, Math.floor((now - broadcast.startedAt) / SEGMENT_MS));
  const elapsed = segments * SEGMENT_MS;
  const counts = countsOf(segments, stream.profiles.length);
  stream.lastSeen = broadcast.startedAt + elapsed;
  addCounts(stream, broadcast.before, counts);
  const session = state.sessions.get(broadcast.sessionId);
  if (session && elapsed >= SESSION_LAG_MS) Object.assign(session, counts, { lastSeen: stream.lastSeen });
}

function takeReceived(state: DemoState, stream: DemoStream, { feed, ...broadcast }: Broadcast & { feed: Feed }): void {
  const { segments, seconds, bytes, bytesPerSecond, lastSeen } = feed.received;
  const counts = {
    ...countsOf(segments, 0),
    sourceSegmentsDuration: Math.round(seconds * 1000) / 1000,
    sourceBytes: bytes,
  };
  addCounts(stream, broadcast.before, counts);
  const rates = { ingestRate: bytesPerSecond, outgoingRate: bytesPerSecond };
  Object.assign(stream, { lastSeen, isHealthy: feed.issues.length === 0, ...rates });
  if (feed.issues.length > 0) stream.issues = [...feed.issues];
  else delete stream.issues;
  const session = state.sessions.get(broadcast.sessionId);
  if (session && segments > 0) Object.assign(session, counts, { lastSeen, ingestRate: bytesPerSecond });
}

export function countsOf(segments: number, renditions: number) {
  const seconds = (segments * SEGMENT_MS) / 1000;
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

function closeSession(state: DemoState, { sessionId, feed }: Broadcast, at: number): void {
  const session = state.sessions.get(sessionId);
  if (!session?.record) return;
  if (session.sourceSegments === 0) {
    session.recordingStatus = 'none';
    return;
  }
  awaitRecording(state, session, feed ? WHEN_WRITTEN : at + RECORDING_MS);
  feed?.keepRecording();
}

/** Starts making a recording. Its playlist URL exists before it's ready. */
export function awaitRecording(state: DemoState, session: DemoSession, dueAt: number): void {
  session.recordingStatus = 'waiting';
  session.recordingUrl = recordingAddress(state, session.id, 'index.m3u8');
  state.recordingsDue.set(session.id, dueAt);
}

function finishRecording(state: DemoState, sessionId: string): void {
  state.recordingsDue.delete(sessionId);
  const session = state.sessions.get(sessionId);
  if (!session) return;
  giveRecording(state, session);
  const stream = state.streams.get(session.parentId) ?? state.deletedStreams.get(session.parentId);
  if (stream) state.report({ event: 'recording.ready', stream, session });
}

/** Marks a recording that couldn't be written, or was removed. */
export function loseRecording(state: DemoState, session: DemoSession, status: 'failed' | 'deleted'): void {
  state.recordingsDue.delete(session.id);
  // The clips are parts of its file.
  for (const { id, source } of state.clips.values()) if (source.sessionId === session.id) state.clips.delete(id);
  session.recordingStatus = status;
  delete session.recordingUrl;
  delete session.mp4Url;
}

export function giveRecording(state: DemoState, session: DemoSession): void {
  session.recordingStatus = 'ready';
  session.recordingUrl = recordingAddress(state, session.id, 'index.m3u8');
  session.mp4Url = recordingAddress(state, session.id, 'source.mp4');
}

const MINUTE_MS = 60_000;
// Nothing starts or ends before this time, so that no row moves under a new user's pointer.
const CALM_MS = 6 * MINUTE_MS;
const STEP_MS = 10 * MINUTE_MS;
// After a long sleep, only this much of it is simulated.
const CATCH_UP_MS = 3 * STEP_MS;
const SHORTEST_MS = 5 * MINUTE_MS;
// A broadcast whose playlist was requested within this time doesn't end, since it's being watched.
const WATCHED_MS = 30_000;
// Includes the stale stream.
const FEWEST_LIVE = 4;
const MOST_LIVE = 6;

/** Starts and ends broadcasts that aren't being watched. Advanced before each access, so it needs no timer. */
export class Simulation {
  readonly #state: DemoState;
  #nextStepAt: number;

  constructor(state: DemoState, isLively: boolean) {
    this.#state = state;
    this.#nextStepAt = isLively ? state.clock.now() + CALM_MS : Number.POSITIVE_INFINITY;
  }

  advance(): void {
    const state = this.#state;
    const now = state.clock.now();
    let at = Math.max(this.#nextStepAt, now - CATCH_UP_MS);
    for (; at <= now; at += state.random.between(STEP_MS * 0.8, STEP_MS * 1.2)) {
      advanceBroadcasts(state, at);
      takeStep(state, at);
    }
    this.#nextStepAt = at;
    advanceBroadcasts(state, now);
  }
}

function takeStep(state: DemoState, at: number): void {
  const live = state.broadcasts.size;
  const isStart = live <= FEWEST_LIVE || (live < MOST_LIVE && state.random.fraction() < 0.5);
  if (isStart) startOne(state, at);
  else endOne(state, at);
}

function startOne(state: DemoState, at: number): void {
  const stream = pick(state.random, [...state.streams.values()].filter(canStart));
  if (stream) startBroadcast(state, stream, { createdAt: at });
}

// Streams that were never live stay that way, because the demo is meant to show one.
function canStart(stream: DemoStream): boolean {
  return !stream.isActive && !stream.suspended && stream.parentId === undefined && stream.lastSeen > 0;
}

function endOne(state: DemoState, at: number): void {
  const endable = [...state.broadcasts].filter((entry) => canEnd(state, entry, at));
  const [streamId = ''] = pick(state.random, endable) ?? [];
  const stream = state.streams.get(streamId);
  if (stream) stopBroadcast(state, stream, at);
}

function canEnd(state: DemoState, [streamId, broadcast]: readonly [string, Broadcast], at: number): boolean {
  if (broadcast.feed || state.alwaysLive.has(streamId) || broadcast.isStalled || at - broadcast.startedAt < SHORTEST_MS)
    return false;
  return at - (broadcast.watchedAt ?? Number.NEGATIVE_INFINITY) > WATCHED_MS;
}

export function noteWatched(state: DemoState, stream: DemoStream): void {
  const broadcast = state.broadcasts.get(stream.id);
  if (broadcast) broadcast.watchedAt = state.clock.now();
}
