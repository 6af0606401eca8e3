import { type ApiCall, quoteBooleans, STREAM_FIELDS } from '../../../src/demo/api.ts';
import type { DemoSession, DemoState, DemoStream } from '../../../src/demo/demoState.ts';
import { type DemoResponse, failure, json } from '../../../src/demo/http.ts';
import { makeTest, type RawFilter, readFilters } from '../../../src/demo/listing.ts';
import type { Random } from '../../../src/demo/random.ts';

/** Any word but "ready" is allowed if a recording is not ready, because the others are not documented. */
const NOT_READY = 'in-progress';

/** Answers only what is documented: else 400 for parameters, 404 for routes and all writes. Throws MalformedFilters. */
export function answerStrict(state: DemoState, call: ApiCall): DemoResponse {
  const route = call.request.method === 'GET' ? findRoute(state, call) : undefined;
  if (!route) return failure(404, 'Not found');
  const refused = [...call.query].find(([name, value]) => !route.accepts(name, value));
  return refused ? failure(400, `There is no parameter "${refused[0]}" with this value`) : json(200, route.answer());
}

interface Route {
  readonly accepts: (name: string, value: string) => boolean;
  readonly answer: () => unknown;
}

const NO_PARAMETERS = () => false;

function findRoute(state: DemoState, { parts, query, request }: ApiCall): Route | undefined {
  if (request.path.endsWith('/')) return undefined;
  const [kind, id, part] = parts;
  if (kind === 'session' && parts.length === 1) {
    return {
      accepts: NO_PARAMETERS,
      answer: () =>
        shuffle(
          state.random,
          [...state.sessions.values()].map((it) => showSession(it, false)),
        ),
    };
  }
  if (kind !== 'stream') return undefined;
  if (id === undefined) return { accepts: isListParameter, answer: () => listStreams(state, query) };
  const stream = state.streams.get(id);
  if (!stream) return undefined;
  if (parts.length === 2) return { accepts: NO_PARAMETERS, answer: () => quoteBooleans(showStream(stream)) };
  if (parts.length === 3 && part === 'sessions') {
    return {
      accepts: (name, value) => name === 'record' && value === '1',
      answer: () => listSessionsOf(state, stream, query),
    };
  }
  return undefined;
}

function isListParameter(name: string, value: string): boolean {
  if (name === 'streamsonly') return value === '1';
  return name === 'filters' && readFilters(value).every(isStated);
}

export function isStated({ id, value }: RawFilter): boolean {
  return (id === 'isActive' && typeof value === 'boolean') || (id === 'record' && value === true);
}

function listStreams(state: DemoState, query: URLSearchParams): unknown {
  const text = query.get('filters');
  const passes = makeTest(text === null ? [] : readFilters(text), STREAM_FIELDS);
  const parentsOnly = query.has('streamsonly');
  const rows = [...state.streams.values()].filter((it) => !(parentsOnly && it.parentId !== undefined) && passes(it));
  return shuffle(state.random, rows.map(showStream));
}

function listSessionsOf(state: DemoState, stream: DemoStream, query: URLSearchParams): unknown {
  const recordedOnly = query.has('record');
  const sessions = (state.sessionsOf.get(stream.id) ?? []).filter((session) => !recordedOnly || session.record);
  return shuffle(
    state.random,
    sessions.map((session) => showSession(session, recordedOnly)),
  );
}

function showStream(stream: DemoStream) {
  const { id, name, createdAt, streamKey, playbackId, isActive, lastSeen, record, parentId, profiles } = stream;
  const { sourceSegments, transcodedSegments, sourceSegmentsDuration, transcodedSegmentsDuration } = stream;
  const counts = { sourceSegments, transcodedSegments, sourceSegmentsDuration, transcodedSegmentsDuration };
  return { id, name, createdAt, streamKey, playbackId, isActive, lastSeen, record, ...counts, parentId, profiles };
}

/** mp4URL is documented for ?record=1 results only, the recording's fields for recorded sessions only. */
function showSession(session: DemoSession, withMp4: boolean): unknown {
  const { id, parentId, record, sourceSegmentsDuration, recordingStatus, recordingUrl, mp4Url, createdAt, profiles } =
    session;
  const stated = { id, parentId, record, sourceSegmentsDuration, createdAt, profiles };
  if (!record) return stated;
  const status = recordingStatus === 'ready' ? 'ready' : NOT_READY;
  return { ...stated, recordingStatus: status, recordingUrl, ...(withMp4 ? { mp4URL: mp4Url } : {}) };
}

function shuffle<T>(random: Random, rows: readonly T[]): readonly T[] {
  const keyed = rows.map((row) => ({ row, key: random.bits() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ row }) => row);
}
