import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { answerAccessControl, refusePolicy } from './access.ts';
import { type BodyRule, readJsonBody, refuseProfiles, refuseTags } from './bodies.ts';
import { answerAsset, answerNewClip, listClips, listTasks } from './clips.ts';
import { addStream, type DemoSession, type DemoState, type DemoStream } from './demoState.ts';
import { type DemoRequest, type DemoResponse, empty, failure, json, withETag } from './http.ts';
import { answerRows, cutPage, type ListCall, type ListFields, MalformedFilters, NUMBERS, readTest } from './listing.ts';
import { answerMultistream, createTargetOf, removeTargetOf, replaceTargets, targetsHealth } from './multistream.ts';
import { healthConditions, stopBroadcast, stopBroadcastSoon } from './simulation.ts';
import { answerWebhooks } from './webhookRoutes.ts';

export interface ApiVariant {
  readonly hasPlayback: boolean;
  /** Whether GET /playback/{id}?recordings=true includes the running broadcast from its beginning. */
  readonly hasDvr: boolean;
  /** Whether it provides its own URLs. */
  readonly hasIngest: boolean;
  /** Whether unknown paths outside the API return an HTML page, like a website. */
  readonly hasPages: boolean;
  /** Responds to a request with a valid key. Throws MalformedFilters. */
  answer(state: DemoState, call: ApiCall): DemoResponse | Promise<DemoResponse>;
}

interface Api {
  readonly state: DemoState;
  readonly variant: ApiVariant;
  /** Undefined once it's revoked. */
  readonly apiKey: string | undefined;
}

/** The names of the account: its projects and, if there is one, its email address. */
export interface DemoAccount {
  readonly projects: readonly string[];
  readonly email?: string;
}

const SAMPLE_ACCOUNT: DemoAccount = { projects: ['Sample Project'], email: 'demo@example.com' };

/** The public service as observed. */
export function fullVariant(account = SAMPLE_ACCOUNT): ApiVariant {
  return {
    hasPlayback: true,
    hasDvr: true,
    hasIngest: true,
    hasPages: true,
    answer: (state, call) => {
      const full = { ...call, account };
      const [kind, ...parts] = call.parts;
      const answer = kind === 'webhook' ? answerWebhooks(state, full, parts) : answerFull(state, full);
      return answer instanceof Promise ? answer : withETag(call.request, answer);
    },
  };
}

export function answerApi(api: Api, request: DemoRequest): DemoResponse | Promise<DemoResponse> {
  const { state, variant } = api;
  if (request.headers.origin !== undefined) return failure(403, 'The key does not allow this origin');
  const call = parseCall(request);
  if (!call) return failure(400, 'The path is not encoded rightly');
  const [kind, id] = call.parts;
  if (kind === 'playback' && id !== undefined && request.method === 'GET' && variant.hasPlayback) {
    const hasDvr = variant.hasDvr && call.query.get('recordings') === 'true' && checkKey(request, api) === undefined;
    const playback = describePlayback(state, id, hasDvr);
    return playback ? json(200, playback) : failure(404, 'Not found');
  }
  if (request.path === '/api/ingest' && request.method === 'GET' && variant.hasIngest) {
    const { origin, rtmpServer: rtmp } = state;
    return json(200, [{ ingest: rtmp, ingests: { rtmp }, playback: `${origin}/hls`, base: origin, origin }]);
  }
  const refusal = checkKey(request, api);
  if (refusal) return refusal;
  try {
    return variant.answer(state, call);
  } catch (error) {
    if (error instanceof MalformedFilters) return failure(400, `error parsing filters: ${error.message}`);
    throw error;
  }
}

// Like the public service's, the error echoes the key.
function checkKey(request: DemoRequest, { apiKey }: Api): DemoResponse | undefined {
  const sent = request.headers.authorization;
  if (sent === undefined) return failure(401, 'There is no authorization header');
  const token = /^Bearer +(\S+)$/i.exec(sent)?.[1];
  if (token === undefined) return failure(401, `The authorization header ${sent} is malformed`);
  return token === apiKey ? undefined : failure(401, `There is no token ${token}`);
}

function parseCall(request: DemoRequest): ApiCall | undefined {
  const parts = request.path.split('/').slice(2);
  if (parts.at(-1) === '') parts.pop();
  try {
    return { request, parts: parts.map(decodeURIComponent), query: new URLSearchParams(request.query) };
  } catch {
    return undefined;
  }
}

export interface ApiCall extends ListCall {
  /** The decoded parts of the path below the base URL, without an empty last part. */
  readonly parts: readonly string[];
}

interface FullCall extends ApiCall {
  readonly account: DemoAccount;
}

function answerFull(state: DemoState, call: FullCall): DemoResponse {
  const [kind, id, part, ...rest] = call.parts;
  if (rest.length > (kind === 'data' || part === 'multistream' ? 1 : 0)) return failure(404, 'Not found');
  if (kind === 'session' && (part === undefined || part === 'clips')) return answerSession(state, call);
  if (kind === 'data') return answerHealth(state, call);
  if (kind === 'access-control') return answerAccessControl(state, call.request, call.parts.slice(1));
  if (kind === 'multistream') return answerMultistream(state, call, call.parts.slice(1));
  if (kind === 'clip') return answerClips(state, call);
  if (kind === 'task' && id === undefined && call.request.method === 'GET') return listTasks(state, call);
  if (kind === 'asset' && id !== undefined) return answerAsset(state, call.request.method, id);
  if (kind === 'project' && id === undefined) return json(200, describeProjects(state, call.account));
  if (kind === 'user' && id === 'me') {
    const { projectId } = state;
    return json(200, { id: `user-of-${projectId}`, email: call.account.email, defaultProjectId: projectId });
  }
  if (kind !== 'stream') return failure(404, 'Not found');
  if (id === undefined) return answerStreams(state, call);
  const { method } = call.request;
  const isRead = method === 'GET';
  const stream = isRead ? state.replica.read(id) : state.streams.get(id);
  const answer = stream ? STREAM_ROUTES[`${method} ${part ?? ''}`] : undefined;
  if (!stream || !answer) return failure(404, 'Not found');
  if (!isRead) state.replica.keep(stream.id, stream);
  return answer(state, stream, call);
}

function describeProjects({ projectId }: DemoState, { projects }: DemoAccount) {
  return projects.map((name, index) => ({ id: index === 0 ? projectId : `${projectId}-${index}`, name }));
}

type StreamRoute = (state: DemoState, stream: DemoStream, call: FullCall) => DemoResponse;

const STREAM_ROUTES: Readonly<Record<string, StreamRoute>> = {
  'GET ': (_world, stream) => json(200, quoteSome(stream)),
  'GET sessions': listSessionsOf,
  'GET clips': (state, stream, call) => listClips(state, call, sessionIdsOf(state, stream)),
  'PATCH ': (state, stream, call) => answerPatch(state, stream, call.request.body),
  'DELETE ': (state, stream) => answerDelete(state, stream),
  'DELETE terminate': (state, stream) => answerTerminate(state, stream),
  'POST create-multistream-target': (state, stream, call) => createTargetOf(state, stream, call.request.body),
  'DELETE multistream': (state, stream, call) => removeTargetOf(state, stream, call.parts[3] ?? ''),
};

// Quotes the booleans of most streams, chosen by ID. Only the response for a single stream does this; lists don't.
function quoteSome(stream: DemoStream): unknown {
  return Number.parseInt(stream.id.charAt(0), 16) % 3 === 0 ? stream : quoteBooleans(stream);
}

export function quoteBooleans<T extends { isActive: boolean; record: boolean }>(stream: T): unknown {
  return { ...stream, isActive: String(stream.isActive), record: String(stream.record) };
}

function answerStreams(state: DemoState, call: FullCall): DemoResponse {
  if (call.request.method === 'POST') return answerCreate(state, call.request.body);
  if (call.request.method === 'DELETE') return answerDeleteMany(state, call.request.body);
  if (call.request.method !== 'GET') return failure(404, 'Not found');
  const { query } = call;
  const passes = readTest(call, STREAM_FIELDS);
  const parentsOnly = query.get('streamsonly') === '1';
  const activeOnly = query.get('active') === 'true';
  const rows = state.replica
    .list()
    .filter(
      (stream) =>
        !(parentsOnly && stream.parentId !== undefined) && !(activeOnly && !stream.isActive) && passes(stream),
    );
  return answerRows({ state, call, fields: STREAM_FIELDS, show: (stream) => stream }, rows);
}

function answerSession(state: DemoState, call: FullCall): DemoResponse {
  const [, id, part] = call.parts;
  if (call.request.method !== 'GET') return failure(404, 'Not found');
  if (id === undefined) return listSessions(state, call);
  const session = state.sessions.get(id);
  if (session === undefined) return failure(404, 'Not found');
  return part === 'clips' ? listClips(state, call, new Set([id])) : json(200, session);
}

/** POST /clip, and GET /clip/{id} with the ID of a stream or session. */
function answerClips(state: DemoState, call: FullCall): DemoResponse {
  const [, id, part] = call.parts;
  const { method, body } = call.request;
  if (method === 'POST' && id === undefined) return answerNewClip(state, body);
  const stream = state.streams.get(id ?? '');
  if (method !== 'GET' || id === undefined || part !== undefined || !(stream || state.sessions.has(id))) {
    return failure(404, 'Content not found');
  }
  return listClips(state, call, stream ? sessionIdsOf(state, stream) : new Set([id]));
}

function sessionIdsOf({ sessionsOf }: DemoState, { id }: DemoStream): ReadonlySet<string> {
  return new Set(sessionsOf.get(id)?.map((session) => session.id));
}

// All sessions, including those of deleted streams, with their parent streams. record=1 has no effect here.
function listSessions(state: DemoState, call: FullCall): DemoResponse {
  const passes = readTest(call, SESSION_FIELDS);
  const parentId = call.query.get('parentId');
  const rows = [...state.sessions.values()].filter(
    (session) => (parentId === null || session.parentId === parentId) && passes(session),
  );
  const show = (session: DemoSession) => {
    const parentStream = state.streams.get(session.parentId) ?? state.deletedStreams.get(session.parentId);
    return parentStream ? { ...session, parentStream } : session;
  };
  return answerRows({ state, call, fields: SESSION_FIELDS, show }, rows);
}

// No Link, no order, and no sessions that began seconds ago. One broken session makes the whole list fail.
function listSessionsOf(state: DemoState, stream: DemoStream, { query }: FullCall): DemoResponse {
  const recordedOnly = query.get('record') === '1';
  const sessions = state.sessionsOf.get(stream.id) ?? [];
  if (sessions.some(({ id }) => state.brokenSessions.has(id))) return failure(500, 'Internal server error');
  const rows = sessions.filter(
    (session) => session.lastSeen > 0 && session.sourceSegmentsDuration > 0 && (!recordedOnly || session.record),
  );
  return json(200, cutPage(rows, query).rows);
}

// GET /data/stream/{id}/health. Nothing is known about a stream that isn't active.
function answerHealth(state: DemoState, { request, parts }: FullCall): DemoResponse {
  const [, kind, id = '', part] = parts;
  const stream = state.streams.get(id);
  const isHealth = request.method === 'GET' && kind === 'stream' && part === 'health';
  if (!isHealth || stream === undefined || !stream.isActive) return failure(404, 'Not found');
  const conditions = healthConditions(state, stream);
  const multistream = targetsHealth(state, stream, conditions[0]?.status === true);
  return json(200, { id, healthy: stream.isHealthy, conditions, multistream });
}

interface Source {
  readonly hrn: string;
  readonly type: string;
  readonly url: string;
}

function describePlayback(state: DemoState, playbackId: string, hasDvr: boolean): unknown {
  for (const stream of state.streams.values()) {
    if (stream.playbackId === playbackId) {
      const recording = (state.sessionsOf.get(stream.id) ?? []).find((session) => session.mp4Url !== undefined);
      const live = {
        hrn: 'HLS (TS)',
        type: 'html5/application/vnd.apple.mpegurl',
        url: `${liveFolder(state, playbackId)}/index.m3u8`,
      };
      const thumbnail = {
        hrn: 'Thumbnail (JPEG)',
        type: 'image/jpeg',
        url: `${liveFolder(state, playbackId)}/thumbnails/latest.jpg`,
      };
      const hasPicture = stream.isActive && state.broadcasts.get(stream.id)?.feed === undefined;
      const source = [live, ...mp4Of(recording), ...(hasPicture ? [thumbnail] : [])];
      const dvrPlayback = hasDvr ? dvrOf(state, stream) : [];
      const dvr = dvrPlayback.length === 0 ? {} : { dvrPlayback };
      return { type: 'live', meta: { ...metaOf(stream.isActive, source), ...policyOf(stream), ...dvr } };
    }
  }
  const session = [...state.sessions.values()].find((it) => it.playbackId === playbackId);
  if (session?.recordingUrl === undefined) return undefined;
  const hls = { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: session.recordingUrl };
  return { type: 'recording', meta: metaOf(false, [hls, ...mp4Of(session)]) };
}

function metaOf(isLive: boolean, source: readonly Source[]) {
  return { live: isLive ? 1 : 0, source };
}

// A broadcast that's being recorded can be played from its beginning.
function dvrOf(state: DemoState, stream: DemoStream): readonly Source[] {
  const { sessionId = '', feed } = state.broadcasts.get(stream.id) ?? {};
  const isRecorded = state.sessions.get(sessionId)?.record === true && feed?.isRecorded !== false;
  const url = `${state.origin}/dvr/${encodeURIComponent(sessionId)}/index.m3u8`;
  return isRecorded ? [{ hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url }] : [];
}

function policyOf({ playbackPolicy }: DemoStream) {
  return playbackPolicy === undefined ? {} : { playbackPolicy };
}

function mp4Of(session: DemoSession | undefined): readonly Source[] {
  return session?.mp4Url === undefined ? [] : [{ hrn: 'MP4', type: 'html5/video/mp4', url: session.mp4Url }];
}

function liveFolder(state: DemoState, playbackId: string): string {
  return `${state.origin}/hls/${encodeURIComponent(playbackId)}`;
}

const TERMINATE_PAUSE_MS = 5000;

function answerCreate(state: DemoState, body: string): DemoResponse {
  const read = readJsonBody(body, NEW_STREAM);
  if ('refusal' in read) return read.refusal;
  const { userTags, profiles, playbackPolicy } = read.value as Partial<DemoStream>;
  const refusal =
    (profiles && refuseProfiles(profiles)) ??
    (playbackPolicy && refusePolicy(state, playbackPolicy)) ??
    (userTags && refuseTags(userTags));
  if (refusal !== undefined) return refusal;
  const made = addStream(state, { ...(read.value as Partial<DemoStream>), projectId: state.projectId });
  state.replica.keep(made.id, undefined);
  return json(201, made);
}

function answerPatch(state: DemoState, stream: DemoStream, body: string): DemoResponse {
  const read = readJsonBody(body, STREAM_PATCH);
  if ('refusal' in read) return read.refusal;
  const patch = read.value as Partial<DemoStream>;
  const refusal =
    (patch.profiles && refuseProfiles(patch.profiles)) ??
    (patch.playbackPolicy && refusePolicy(state, patch.playbackPolicy)) ??
    (patch.userTags && refuseTags(patch.userTags));
  if (refusal !== undefined) return refusal;
  if (patch.record !== undefined && stream.isActive)
    return failure(400, 'record cannot be changed while the stream is active');
  if (patch.profiles !== undefined && stream.isActive)
    return failure(400, 'profiles cannot be changed while the stream is active');
  const { multistream, ...others } = patch;
  const refused = multistream === undefined ? undefined : replaceTargets(state, stream, multistream);
  if (refused !== undefined) return refused;
  Object.assign(stream, others);
  if (patch.suspended && stream.isActive) stopBroadcastSoon(state, stream);
  return empty(204);
}

function answerTerminate(state: DemoState, stream: DemoStream): DemoResponse {
  const now = state.clock.now();
  const wait = (state.terminatedAt.get(stream.id) ?? Number.NEGATIVE_INFINITY) + TERMINATE_PAUSE_MS - now;
  if (wait > 0) {
    const seconds = String(Math.ceil(wait / 1000));
    return json(429, { errors: ['The stream was terminated a moment ago'] }, { 'retry-after': seconds });
  }
  state.terminatedAt.set(stream.id, now);
  stopBroadcast(state, stream);
  return empty(204);
}

export function answerDelete(state: DemoState, stream: DemoStream): DemoResponse {
  stopBroadcast(state, stream);
  state.streams.delete(stream.id);
  state.deletedStreams.set(stream.id, stream);
  state.terminatedAt.delete(stream.id);
  return empty(204);
}

// Deletes all or, if one doesn't exist, none. Unlike the public service, this ends broadcasts: nothing else would.
function answerDeleteMany(state: DemoState, body: string): DemoResponse {
  const read = parseJson(body);
  const ids: readonly unknown[] = isRecord(read) && Array.isArray(read.ids) ? read.ids : [];
  if (ids.length === 0) return failure(422, 'missing ids');
  const streams = ids.map((id) => state.streams.get(String(id)));
  if (!streams.every((stream) => stream !== undefined)) return failure(404, 'not found');
  for (const stream of streams) {
    state.replica.keep(stream.id, stream);
    answerDelete(state, stream);
  }
  return empty(204);
}

const NEW_STREAM: BodyRule = {
  fields: { name: 'string', record: 'boolean', profiles: 'array', playbackPolicy: 'object', userTags: 'object' },
  required: ['name'],
};
const STREAM_PATCH: BodyRule = {
  fields: { ...NEW_STREAM.fields, suspended: 'boolean', multistream: 'object' },
  required: [],
};

const SESSION_FIELDS: ListFields = {
  ...NUMBERS,
  id: 'string',
  name: 'text',
  parentId: 'string',
  playbackId: 'string',
  projectId: 'string',
  record: 'boolean',
};

export const STREAM_FIELDS: ListFields = {
  ...SESSION_FIELDS,
  createdByTokenName: 'string',
  isActive: 'boolean',
  suspended: 'boolean',
  isHealthy: 'boolean',
};
