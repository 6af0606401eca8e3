import { type Answer, failure, json } from './answer.ts';
import { createStream, deleteStream, patchStream, terminateStream } from './changes.ts';
import {
  type Fields,
  makeTest,
  type RawFilter,
  type Row,
  readFilters,
  SESSION_FIELDS,
  STREAM_FIELDS,
  type Test,
} from './filters.ts';
import { answerPage, cutPage, DEFAULT_ORDER, type ListCall, makeOrder, rotate } from './lists.ts';
import { keepForReaders, readStream, readStreams } from './replica.ts';
import { isStated } from './statedFilters.ts';
import type { DemoSession, DemoStream, World } from './world.ts';

export interface ApiCall extends ListCall {
  /** The decoded parts of the path below the base URL, without an empty last part. */
  readonly parts: readonly string[];
}

export interface FullCall extends ApiCall {
  /** Parameters that are not stated have no effect. */
  readonly isIndifferent: boolean;
}

/** Answers like the public service as observed. Throws MalformedFilters. */
export function answerFull(world: World, call: FullCall): Answer {
  const [kind, id, part, ...rest] = call.parts;
  if (rest.length > 0) return failure(404, 'Not found');
  if (kind === 'session' && part === undefined) return answerSession(world, call);
  if (kind !== 'stream') return failure(404, 'Not found');
  if (id === undefined) return answerStreams(world, call);
  const { method } = call.request;
  const isRead = method === 'GET';
  const stream = isRead ? readStream(world, id) : world.streams.get(id);
  const answer = stream ? STREAM_ROUTES[`${method} ${part ?? ''}`] : undefined;
  if (!stream || !answer) return failure(404, 'Not found');
  if (!isRead) keepForReaders(world, stream);
  return answer(world, stream, call);
}

type StreamRoute = (world: World, stream: DemoStream, call: FullCall) => Answer;

const STREAM_ROUTES: Readonly<Record<string, StreamRoute>> = {
  'GET ': (_world, stream) => json(200, quoteSome(stream)),
  'GET sessions': listSessionsOf,
  'PATCH ': (world, stream, call) => patchStream(world, stream, call.request.body),
  'DELETE ': (world, stream) => deleteStream(world, stream),
  'DELETE terminate': (world, stream) => terminateStream(world, stream),
};

/** Quotes the booleans of most streams, chosen by id. Only retrieving a stream does this; lists don't. */
function quoteSome(stream: DemoStream): unknown {
  return Number.parseInt(stream.id.charAt(0), 16) % 3 === 0 ? stream : quoteBooleans(stream);
}

export function quoteBooleans<T extends { isActive: boolean; record: boolean }>(stream: T): unknown {
  return { ...stream, isActive: String(stream.isActive), record: String(stream.record) };
}

function answerStreams(world: World, call: FullCall): Answer {
  if (call.request.method === 'POST') return createStream(world, call.request.body);
  if (call.request.method !== 'GET') return failure(404, 'Not found');
  const { query, isIndifferent } = call;
  const passes = readTest(call, STREAM_FIELDS);
  const parentsOnly = query.get('streamsonly') === '1';
  const activeOnly = !isIndifferent && query.get('active') === 'true';
  const rows = readStreams(world).filter(
    (stream) => !(parentsOnly && stream.parentId !== undefined) && !(activeOnly && !stream.isActive) && passes(stream),
  );
  return answerRows({ world, call, fields: STREAM_FIELDS, show: (stream) => stream }, rows);
}

function answerSession(world: World, call: FullCall): Answer {
  const [, id] = call.parts;
  if (call.request.method !== 'GET') return failure(404, 'Not found');
  if (id === undefined) return listSessions(world, call);
  const session = world.sessions.get(id);
  return session ? json(200, session) : failure(404, 'Not found');
}

/** All sessions, including those of deleted streams, with their parent streams. record=1 has no effect here. */
function listSessions(world: World, call: FullCall): Answer {
  const passes = readTest(call, SESSION_FIELDS);
  const parentId = call.isIndifferent ? null : call.query.get('parentId');
  const rows = [...world.sessions.values()].filter(
    (session) => (parentId === null || session.parentId === parentId) && passes(session),
  );
  const show = (session: DemoSession) => {
    const parentStream = world.streams.get(session.parentId) ?? world.deletedStreams.get(session.parentId);
    return parentStream ? { ...session, parentStream } : session;
  };
  return answerRows({ world, call, fields: SESSION_FIELDS, show }, rows);
}

/** No Link, no order, and no sessions that began seconds ago. One broken session fails the whole list. */
function listSessionsOf(world: World, stream: DemoStream, { query, isIndifferent }: FullCall): Answer {
  const recordedOnly = query.get('record') === '1';
  const sessions = world.sessionsOf.get(stream.id) ?? [];
  if (sessions.some(({ id }) => world.brokenSessions.has(id))) return failure(500, 'Internal server error');
  const rows = sessions.filter((session) => hasBegun(session) && (!recordedOnly || session.record));
  return json(200, isIndifferent ? rows : cutPage(rows, query).rows);
}

function hasBegun(session: DemoSession): boolean {
  return session.lastSeen > 0 && session.sourceSegmentsDuration > 0;
}

function readTest({ query, isIndifferent }: FullCall, fields: Fields): Test {
  const text = query.get('filters');
  const filters: readonly RawFilter[] = text ? readFilters(text) : [];
  return makeTest(isIndifferent ? filters.filter(isStated) : filters, fields);
}

interface Listing<T> {
  readonly world: World;
  readonly call: FullCall;
  readonly fields: Fields;
  readonly show: (row: T) => unknown;
}

/** Rows that the order does not distinguish are ordered differently on each page, so rows get lost between pages. */
function answerRows<T extends Row>({ world, call, fields, show }: Listing<T>, found: readonly T[]): Answer {
  if (call.isIndifferent) return json(200, found.toSorted(makeOrder(DEFAULT_ORDER, fields)).map(show));
  world.listsAnswered += 1;
  const order = call.query.get('order') || DEFAULT_ORDER;
  const rows = rotate(found, world.listsAnswered * 7).sort(makeOrder(order, fields));
  return answerPage(call, rows, show);
}
