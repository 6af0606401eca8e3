import type { Excerpt } from '../media/mp4.ts';
import { type BodyRule, readJsonBody } from './bodies.ts';
import type { DemoClip, DemoSession, DemoState, DemoStream } from './demoState.ts';
import { type DemoResponse, empty, failure, json } from './http.ts';
import type { CutFile } from './ingest/excerpts.ts';
import type { DemoRecordings } from './ingest/recordings.ts';
import { answerRows, type ListCall, type ListFields } from './listing.ts';
import { makePlaybackId, makeUuid } from './random.ts';
import type { SampleMovie } from './sampleMovie.ts';
import { SEGMENT_MS } from './simulation.ts';
import { HEAD_START, recordedSegments } from './site.ts';

const MOST_AT_A_TIME = 5;
/** The maximum number of clips that the demo keeps. */
const MOST_CLIPS = 500;
const WAITS_MS = 1000;
const MAKES_MS = 3000;
/** How far in the future a clip may end, in seconds: viewers may be this far ahead of the clock. */
const AHEAD_S = 10;

const NEW_CLIP: BodyRule = {
  fields: { playbackId: 'string', startTime: 'number', endTime: 'number', name: 'string', sessionId: 'string' },
  required: ['playbackId', 'startTime'],
};
const CLIP_FIELDS: ListFields = { id: 'string', createdAt: 'number', playbackId: 'string' };

const TASK_FIELDS: ListFields = { id: 'string', createdAt: 'number', type: 'string' };

/** POST /clip. */
export function answerNewClip(state: DemoState, body: string): DemoResponse {
  const read = readJsonBody(body, NEW_CLIP);
  if ('refusal' in read) return read.refusal;
  const { playbackId, startTime, endTime, name, sessionId } = read.value;
  const stream = [...state.streams.values()].find((each) => each.playbackId === playbackId);
  if (stream === undefined || stream.suspended) return failure(404, 'Content not found');
  const underWay = [...state.clips.values()].filter(
    (clip) => isUnderWay(clip) && clip.source.playbackId === playbackId,
  );
  if (underWay.length >= MOST_AT_A_TIME) return failure(403, 'Too many clips are being processed.');
  const session = sessionFor(state, stream, sessionId);
  if (session === undefined) return failure(404, 'Session not found');
  if (session.parentId !== stream.id) return failure(404, 'The provided session id does not belong to this stream');
  if (typeof endTime === 'number' && endTime <= Number(startTime)) {
    return failure(422, 'endTime must occur after startTime');
  }
  const seconds = (time: number) => Math.max(0, (time - session.createdAt) / 1000);
  const isRunning = state.broadcasts.get(stream.id)?.sessionId === session.id;
  // A clip of an ended session may extend to the end of the recording.
  const now = isRunning ? seconds(state.clock.now()) : Number.POSITIVE_INFINITY;
  const to = typeof endTime === 'number' ? Math.min(seconds(endTime), now + AHEAD_S) : now;
  const excerpt = { from: seconds(Number(startTime)), to };
  const clip = addClip(state, session, { excerpt, ...(typeof name === 'string' && name !== '' && { name }) });
  return json(200, { task: { id: makeUuid(state.random) }, asset: show(clip) });
}

// Without an ID, returns the newest session, even if it has ended.
function sessionFor(state: DemoState, stream: DemoStream, id: unknown): DemoSession | undefined {
  return typeof id === 'string' ? state.sessions.get(id) : state.sessionsOf.get(stream.id)?.[0];
}

export function addClip(
  state: DemoState,
  session: DemoSession,
  { excerpt, ...fields }: Partial<DemoClip> & { readonly excerpt: Excerpt },
): DemoClip {
  const now = state.clock.now();
  const playbackId = makePlaybackId(state.random);
  const stream = state.streams.get(session.parentId);
  const clip: DemoClip = {
    id: makeUuid(state.random),
    type: 'video',
    name: `clip-${playbackId}`,
    playbackId,
    createdAt: now,
    userId: `user-of-${state.projectId}`,
    projectId: state.projectId,
    source: { type: 'clip', sessionId: session.id, playbackId: stream?.playbackId ?? session.playbackId },
    status: { phase: 'waiting', updatedAt: now },
    excerpt,
    ...fields,
  };
  state.clips.set(clip.id, clip);
  for (const id of state.clips.keys()) {
    if (state.clips.size <= MOST_CLIPS) break;
    state.clips.delete(id);
  }
  return clip;
}

/** Makes the clips that are due. */
export function advanceClips(state: DemoState, now: number): void {
  for (const clip of state.clips.values()) {
    const { phase } = clip.status;
    const made = now - clip.createdAt - WAITS_MS;
    if ((phase !== 'waiting' && phase !== 'processing') || made < 0) continue;
    const progress = Math.min(0.95, Math.round((made / MAKES_MS) * 20) / 20);
    clip.status = { phase: 'processing', updatedAt: now, progress };
    if (made >= MAKES_MS) finishClip(state, clip, now);
  }
}

function finishClip(state: DemoState, clip: DemoClip, now: number): void {
  try {
    const file = state.cutClip(clip);
    if (file === undefined) return;
    Object.assign(clip, { file, size: file.size });
    clip.videoSpec = { format: 'mp4', duration: Math.round(file.seconds * 1000) / 1000 };
    clip.downloadUrl = `${state.origin}/clips/${clip.id}/source.mp4`;
    clip.status = { phase: 'ready', updatedAt: now };
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error);
    clip.status = { phase: 'failed', updatedAt: now, errorMessage };
  }
}

interface ClipSources {
  readonly recordings: DemoRecordings;
  /** The movie that simulated broadcasts repeat. */
  readonly movie: () => SampleMovie;
}

/** For `DemoState.cutClip`. */
export function cutClip(
  state: DemoState,
  { recordings, movie }: ClipSources,
  { source, excerpt }: DemoClip,
): CutFile | undefined {
  const session = state.sessions.get(source.sessionId);
  const recording = recordings.get(source.sessionId);
  if (recording !== undefined) return recording.cut(excerpt);
  const broadcast = state.broadcasts.get(session?.parentId ?? '');
  const running = broadcast?.sessionId === session?.id ? broadcast : undefined;
  const isKept = running ? running.feed === undefined : session?.recordingUrl !== undefined;
  if (session?.record !== true || !isKept) throw new Error('There is no recording of this session');
  const { lastSeen } = (running && state.streams.get(session.parentId)) ?? session;
  const growing = Math.floor((lastSeen - session.createdAt) / SEGMENT_MS) + HEAD_START;
  const listed = running === undefined ? recordedSegments(session) : growing;
  const seconds = (listed * SEGMENT_MS) / 1000;
  if (excerpt.to > seconds && running?.isStalled === false) return undefined;
  return movie().cut({ ...excerpt, to: Math.min(excerpt.to, seconds) });
}

function isUnderWay({ status: { phase } }: DemoClip): boolean {
  return phase === 'waiting' || phase === 'processing';
}

/** GET and DELETE /asset/{id}. */
export function answerAsset(state: DemoState, method: string, id: string): DemoResponse {
  const clip = state.clips.get(id);
  if (clip === undefined) return answerRecording(state, method, id);
  if (method === 'GET') return json(200, show(clip));
  if (method !== 'DELETE') return failure(404, 'Not found');
  if (clip.isDeleted === true) return failure(400, 'asset is already deleted');
  clip.isDeleted = true;
  delete clip.file;
  clip.status = { ...clip.status, phase: 'deleted' };
  return empty(204);
}

/** The asset of a recording has the session's ID. If the recording failed, it gives the reason. */
function answerRecording(state: DemoState, method: string, id: string): DemoResponse {
  const session = state.sessions.get(id);
  if (session?.recordingStatus !== 'failed' || method !== 'GET') return failure(404, 'Asset not found');
  const { createdAt, lastSeen } = session;
  const status = { phase: 'failed', updatedAt: lastSeen, errorMessage: 'Could not write the recording to storage' };
  return json(200, { id, name: 'Live recording', createdAt, source: { type: 'recording', sessionId: id }, status });
}

/** GET /session/{id}/clips, and GET /stream/{id}/clips. */
export function listClips(state: DemoState, call: ListCall, sessionIds: ReadonlySet<string>): DemoResponse {
  const found = [...state.clips.values()].filter(
    ({ source, isDeleted }) => isDeleted !== true && sessionIds.has(source.sessionId),
  );
  return answerRows({ state, call, fields: CLIP_FIELDS, show, defaultOrder: 'createdAt-true,id-true' }, found);
}

/** GET /task. The demo's tasks are its clips. */
export function listTasks(state: DemoState, call: ListCall): DemoResponse {
  const tasks = [...state.clips.values()].map(({ id, createdAt, status, source, excerpt }) => {
    const [startTime, endTime] = [excerpt.from, excerpt.to].map(
      (seconds) => (state.sessions.get(source.sessionId)?.createdAt ?? 0) + seconds * 1000,
    );
    const params = { clip: { clipStrategy: { playbackId: source.playbackId, startTime, endTime } } };
    return { id, type: 'clip', createdAt, outputAssetId: id, status, params };
  });
  return answerRows(
    { state, call, fields: TASK_FIELDS, show: (task) => task, defaultOrder: 'createdAt-true,id-true' },
    tasks,
  );
}

function show({ excerpt: _, file: __, isDeleted: ___, ...clip }: DemoClip): unknown {
  return clip;
}
