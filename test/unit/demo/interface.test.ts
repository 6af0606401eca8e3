import assert from 'node:assert/strict';
import type { DemoFace } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type CallOptions, type Fixture, filters, type Reply, type Row, send, withDemo } from './demoFixture.ts';

/** What the requests of a line are about. */
interface Subject extends Fixture {
  /** Live, without recording; another is idle and recorded, with sessions of all kinds. */
  readonly live: string;
  readonly idle: string;
  readonly name: string;
  readonly playbackId: string;
}

interface Asked extends CallOptions {
  /** Below the base URL. */
  readonly path: string;
  /** Without the key. */
  readonly isPublic?: boolean;
}

/** One line of the interface: a request, and what it is answered. */
interface Line {
  readonly says: string;
  readonly ask: (subject: Subject) => Asked;
  /** Default: 200. */
  readonly status?: number;
  /** Undefined: the header must not be there. */
  readonly headers?: Readonly<Record<string, RegExp | undefined>>;
  readonly check?: (
    answer: { readonly rows: readonly Row[]; readonly row: Row; readonly reply: Reply },
    subject: Subject,
  ) => unknown;
  /** Done before the request. */
  readonly given?: (subject: Subject) => unknown;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ACTIVE = { id: 'isActive', value: true };
const IDLE = { id: 'isActive', value: false };
const RECORDED = { id: 'record', value: true };
const isTime = (value: unknown) => typeof value === 'number' && value > 1e12 && value < 1e13;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isDuration = (value: unknown) => typeof value === 'number' && value >= 0;
const isAll = (rows: readonly Row[], test: (row: Row) => boolean) => assert.ok(rows.length > 0 && rows.every(test));

function assertStream(row: Row, isOne = false): void {
  assert.match(String(row.id), UUID);
  for (const field of ['isActive', 'record']) {
    assert.ok(typeof row[field] === 'boolean' || (isOne && /^(true|false)$/.test(String(row[field]))), field);
  }
  assert.equal(typeof row.name, 'string');
  assert.ok(isTime(row.createdAt) && (row.lastSeen === 0 || isTime(row.lastSeen)));
  for (const field of ['sourceSegments', 'transcodedSegments']) assert.ok(isCount(row[field]), field);
  for (const field of ['sourceSegmentsDuration', 'transcodedSegmentsDuration'])
    assert.ok(isDuration(row[field]), field);
  assert.ok(Array.isArray(row.profiles));
  if (row.parentId !== undefined) {
    assert.match(String(row.parentId), UUID);
    return;
  }
  assert.match(String(row.streamKey), /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
  assert.match(String(row.playbackId), /^[a-z0-9]{16}$/);
}

function assertSession(row: Row): void {
  assert.match(String(row.id), UUID);
  assert.match(String(row.parentId), UUID);
  assert.ok(typeof row.record === 'boolean' && isDuration(row.sourceSegmentsDuration) && isTime(row.createdAt));
  assert.ok(Array.isArray(row.profiles));
  if (row.recordingUrl !== undefined) assert.match(String(row.recordingUrl), /\/recordings\/.*index\.m3u8(\?|$)/);
  if (!row.record) assert.deepEqual([row.recordingStatus, row.recordingUrl], [undefined, undefined]);
}

/** What every service promises. */
const STATED: readonly Line[] = [
  {
    says: 'all streams of the user, deprecated child streams among them',
    ask: () => ({ path: '/stream' }),
    check: ({ rows }, { demo }) => {
      for (const row of rows) assertStream(row);
      const isAllThereIs = rows.length === demo.control.streams().length;
      assert.equal(rows.some((row) => row.parentId !== undefined) || !isAllThereIs, true);
    },
  },
  {
    says: 'streams alone with streamsonly=1',
    ask: () => ({ path: '/stream?streamsonly=1' }),
    check: ({ rows }) => isAll(rows, (row) => row.parentId === undefined),
  },
  {
    says: 'active streams by a filter',
    ask: () => ({ path: `/stream?${filters(ACTIVE)}` }),
    check: ({ rows }, { live }) => {
      isAll(rows, (row) => row.isActive === true);
      assert.ok(rows.some(({ id }) => id === live));
    },
  },
  {
    says: 'idle streams by a filter',
    ask: () => ({ path: `/stream?${filters(IDLE)}` }),
    check: ({ rows }) => isAll(rows, (row) => row.isActive === false),
  },
  {
    says: 'streams with recording turned on by a filter',
    ask: () => ({ path: `/stream?${filters(RECORDED)}` }),
    check: ({ rows }) => isAll(rows, (row) => row.record === true),
  },
  {
    says: 'both at once, all filters hold',
    ask: () => ({ path: `/stream?streamsonly=1&${filters(IDLE, RECORDED)}` }),
    check: ({ rows }) => isAll(rows, (row) => !row.isActive && row.record === true && row.parentId === undefined),
  },
  {
    says: 'one stream by its id, whose booleans may be text',
    ask: ({ idle }) => ({ path: `/stream/${idle}` }),
    check: ({ row }, { idle }) => {
      assertStream(row, true);
      assert.equal(row.id, idle);
    },
  },
  {
    says: 'the sessions of a stream',
    ask: ({ idle }) => ({ path: `/stream/${idle}/sessions` }),
    check: ({ rows }, { idle }) => {
      rows.forEach(assertSession);
      isAll(rows, (row) => row.parentId === idle);
      assert.ok(rows.some((row) => !row.record) && rows.some((row) => row.record));
    },
  },
  {
    says: 'the recorded sessions of a stream, the ready ones with both addresses',
    ask: ({ idle }) => ({ path: `/stream/${idle}/sessions?record=1` }),
    check: ({ rows }) => {
      isAll(rows, (row) => row.record === true && typeof row.recordingStatus === 'string');
      const ready = rows.filter((row) => row.recordingStatus === 'ready');
      isAll(
        ready,
        (row) => /index\.m3u8/.test(String(row.recordingUrl)) && /\.mp4/.test(String(row.mp4URL ?? row.mp4Url)),
      );
    },
  },
  {
    says: 'the sessions of the user, over all streams',
    ask: () => ({ path: '/session' }),
    check: ({ rows }) => {
      rows.forEach(assertSession);
      assert.ok(new Set(rows.map((row) => row.parentId)).size > 1);
    },
  },
  ...['/data/views/now?playbackId=x', '/asset/a', '/clip/a'].map(
    (path): Line => ({ says: `404 for what it has none of: ${path}`, ask: () => ({ path }), status: 404 }),
  ),
];

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const errorsOf = ({ text }: Reply): readonly string[] => (JSON.parse(text) as { errors: string[] }).errors;
const jsonOf = (value: unknown) => ({ body: JSON.stringify(value), headers: { 'content-type': 'application/json' } });

/** What the public service was seen to do beyond that; a service that is strict refuses it, or does what is stated. */
const SEEN: readonly Line[] = [
  // Authentication and errors
  { says: '401 without a key', ask: () => ({ path: '/stream', isPublic: true }), status: 401 },
  {
    says: '401 for an unknown key, which is echoed',
    ask: () => ({ path: '/stream', ...bearer('unknown-key-1') }),
    status: 401,
    check: ({ reply }) => assert.match(errorsOf(reply).join(), /unknown-key-1/),
  },
  {
    says: '401 for a malformed key',
    ask: () => ({ path: '/stream', headers: { authorization: 'Basic x' } }),
    status: 401,
  },
  { says: '403 for any origin', ask: () => ({ path: '/stream', headers: { origin: 'https://x.test' } }), status: 403 },
  {
    says: '403 for a key for browsers',
    given: ({ demo }) => demo.control.acceptBrowserKey('browser-key-1'),
    ask: () => ({ path: '/stream', ...bearer('browser-key-1') }),
    status: 403,
    check: ({ reply }) => assert.doesNotMatch(reply.text, /browser-key-1/),
  },
  { says: '404 for a stream that is not there', ask: () => ({ path: '/stream/none' }), status: 404 },
  {
    says: '400 for malformed filters',
    ask: () => ({ path: '/stream?filters=%5B%7B' }),
    status: 400,
    check: ({ reply }) => errorsOf(reply),
  },
  {
    says: '422 for a body with an unknown field, one JSON-encoded entry an error',
    ask: () => ({ path: '/stream', method: 'POST', ...jsonOf({ name: 'x', color: 1, record: 'yes' }) }),
    status: 422,
    check: ({ reply }) =>
      assert.equal(
        errorsOf(reply)
          .map((entry) => typeof JSON.parse(entry))
          .join(),
        'object,object',
      ),
  },
  // Lists
  {
    says: '20 rows a page without a limit',
    ask: () => ({ path: '/stream' }),
    check: ({ rows }) => assert.equal(rows.length, 20),
  },
  {
    says: 'at most 1,000 rows a page',
    given: ({ demo }) => Array.from({ length: 1000 }, () => demo.control.addStream()),
    ask: () => ({ path: '/stream?limit=5000' }),
    check: ({ rows }) => assert.equal(rows.length, 1000),
  },
  {
    says: 'the next page as a cursor that is an offset, in an address made of the Host header',
    ask: () => ({ path: '/stream?limit=7&streamsonly=1' }),
    headers: { link: /^<http:\/\/127\.0\.0\.1:\d+\/api\/stream\?.*cursor=skip7.*>; rel="next"$/ },
  },
  {
    says: 'the page at a cursor',
    ask: () => ({ path: '/stream?limit=7&cursor=skip7' }),
    check: ({ rows }) => assert.equal(rows.length, 7),
  },
  {
    says: 'no next page after one that is not full',
    ask: () => ({ path: '/stream?limit=1000' }),
    headers: { link: undefined },
  },
  {
    says: 'an empty page after a last one that was full',
    ask: ({ demo }) => ({ path: `/stream?limit=1&cursor=skip${demo.control.streams().length}` }),
    check: ({ rows }) => assert.equal(rows.length, 0),
  },
  {
    says: 'rows in an order, descending with true',
    ask: () => ({ path: '/stream?limit=1000&order=createdAt-true,id-true' }),
    check: ({ rows }) =>
      isAll(rows, (row) => Number(row.createdAt) <= Number(rows[Math.max(0, rows.indexOf(row) - 1)]?.createdAt)),
  },
  {
    says: 'rows by lastSeen, newest first, without an order',
    ask: () => ({ path: '/stream?limit=1000' }),
    check: ({ rows }) =>
      isAll(rows, (row) => Number(row.lastSeen) <= Number(rows[Math.max(0, rows.indexOf(row) - 1)]?.lastSeen)),
  },
  {
    says: 'a total with count=1',
    ask: () => ({ path: '/stream?limit=3&count=1' }),
    headers: { 'x-total-count': /^\d+$/ },
  },
  { says: 'no total unasked', ask: () => ({ path: '/stream?limit=3' }), headers: { 'x-total-count': undefined } },
  {
    says: 'no total of no rows',
    ask: () => ({ path: `/stream?count=1&${filters({ id: 'name', value: 'no such name' })}` }),
    headers: { 'x-total-count': undefined },
    check: ({ rows }) => assert.equal(rows.length, 0),
  },
  {
    says: 'a page of a stream’s sessions, without a Link',
    ask: ({ idle }) => ({ path: `/stream/${idle}/sessions?limit=2&cursor=skip1` }),
    headers: { link: undefined },
    check: ({ rows }) => assert.equal(rows.length, 2),
  },
  {
    says: 'no session that began seconds ago among a stream’s',
    given: ({ demo, live }) => {
      demo.control.endBroadcast(live);
      demo.control.startBroadcast(live);
    },
    ask: ({ live }) => ({ path: `/stream/${live}/sessions` }),
    check: ({ rows }, { demo, live }) => {
      const [newest] = demo.control.sessions(live);
      assert.ok(!rows.some(({ id }) => id === newest?.id));
    },
  },
  {
    says: 'the user’s sessions by their stream, with a Link, whether recorded or not',
    ask: ({ idle }) => ({ path: `/session?parentId=${idle}&limit=2&record=1&order=createdAt-true,id-true` }),
    headers: { link: /cursor=skip2/ },
    check: ({ rows }, { idle }) => isAll(rows, (row) => row.parentId === idle),
  },
  {
    says: 'the user’s sessions with their whole stream, its key among it, also of one that was deleted',
    given: ({ demo, idle }) => demo.control.deleteStream(idle),
    ask: ({ idle }) => ({ path: `/session?parentId=${idle}` }),
    check: ({ rows }, { name }) =>
      isAll(
        rows,
        ({ parentStream }) =>
          (parentStream as Row).name === name && typeof (parentStream as Row).streamKey === 'string',
      ),
  },
  ...(
    [
      ['a number', { id: 'lastSeen', value: 0 }, (row) => row.lastSeen === 0],
      ['a comparison', { id: 'lastSeen', value: { gt: 0, lte: 9e12 } }, (row) => Number(row.lastSeen) > 0],
      ['a part of the name, in any case', { id: 'name', value: 'KEYN' }, (row) => row.name === 'Keynote'],
      ['% and _ in a name', { id: 'name', value: 'K%n_te' }, (row) => row.name === 'Keynote'],
      ['a text exactly', { id: 'createdByTokenName', value: 'ci' }, (row) => row.createdByTokenName === 'ci'],
    ] satisfies readonly (readonly [string, Row, (row: Row) => boolean])[]
  ).map(
    ([what, filter, test]): Line => ({
      says: `rows filtered by ${what}`,
      // A literal percent sign is encoded twice, as the service decodes twice.
      ask: () => ({ path: `/stream?limit=1000&streamsonly=1&${filters(filter).replaceAll('%25', '%2525')}` }),
      check: ({ rows }) => isAll(rows, test),
    }),
  ),
  ...['%', '_', '\\'].map(
    (sign): Line => ({
      says: `rows whose names hold a literal ${sign}, escaped`,
      given: ({ demo }) => demo.control.addStream({ name: `a${sign}b` }),
      ask: () => ({ path: `/stream?${filters({ id: 'name', value: `a\\${sign}b` }).replaceAll('%25', '%2525')}` }),
      check: ({ rows }) => assert.deepEqual(fieldsOf(rows, 'name'), [`a${sign}b`]),
    }),
  ),
  {
    says: '400 for a boolean as text',
    ask: () => ({ path: `/stream?${filters({ id: 'isActive', value: 'true' })}` }),
    status: 400,
  },
  {
    says: '400 for the comparison eq',
    ask: () => ({ path: `/stream?${filters({ id: 'lastSeen', value: { eq: 1 } })}` }),
    status: 400,
  },
  {
    says: 'active streams by active=true',
    ask: () => ({ path: '/stream?active=true' }),
    check: ({ rows }) => isAll(rows, (row) => row.isActive === true),
  },
  {
    says: 'all streams by active=false',
    ask: () => ({ path: '/stream?active=false&limit=1000' }),
    check: ({ rows }) => assert.ok(rows.some((row) => row.isActive === true)),
  },
  {
    says: 'a weak ETag, uncompressed',
    ask: () => ({ path: '/stream?limit=3&order=id-true', headers: { 'accept-encoding': 'gzip, br' } }),
    headers: { etag: /^W\/"/, 'content-encoding': undefined },
  },
  // Streams and sessions
  {
    says: '500 for the sessions of a stream of which one is broken',
    given: ({ demo, idle }) => demo.control.breakSession(String(demo.control.sessions(idle).at(-1)?.id)),
    ask: ({ idle }) => ({ path: `/stream/${idle}/sessions?limit=1` }),
    status: 500,
  },
  {
    says: 'the same sessions by their stream all the same',
    given: ({ demo, idle }) => demo.control.breakSession(String(demo.control.sessions(idle).at(-1)?.id)),
    ask: ({ idle }) => ({ path: `/session?parentId=${idle}&limit=1000` }),
    check: ({ rows }, { demo, idle }) => assert.equal(rows.length, demo.control.sessions(idle).length),
  },
  {
    says: 'one session, which its deleted stream outlives',
    given: ({ demo, idle }) => demo.control.deleteStream(idle),
    ask: ({ demo, idle }) => ({ path: `/session/${demo.control.sessions(idle)[0]?.id}` }),
    check: ({ row }) => assertSession(row),
  },
  {
    says: 'an MP4 of a ready recording alone, and a playlist of one that is waited for',
    given: ({ demo, live }) => {
      demo.control.endBroadcast(live);
      demo.control.setStream(live, { record: true });
      demo.control.startBroadcast(live);
    },
    ask: () => ({ path: '/session?limit=1000' }),
    check: ({ rows }) => {
      isAll(
        rows.filter((row) => row.mp4Url !== undefined),
        (row) => row.recordingStatus === 'ready',
      );
      const words = new Set(rows.map((row) => row.recordingStatus));
      for (const word of ['ready', 'waiting', 'failed', 'none']) assert.ok(words.has(word), word);
    },
  },
  // Changes
  {
    says: 'a new stream: 201, with its key',
    ask: () => ({ path: '/stream', method: 'POST', ...jsonOf({ name: 'New', record: true, profiles: [] }) }),
    status: 201,
    check: ({ row }) => {
      assertStream(row);
      assert.deepEqual([row.name, row.record, row.lastSeen], ['New', true, 0]);
    },
  },
  ...(
    [
      ['a new name', { name: 'Renamed' }],
      ['recording off', { record: false }],
      ['suspended', { suspended: true }],
    ] as const
  ).map(
    ([what, patch]): Line => ({
      says: `${what}: 204 without a body, and there to be read`,
      ask: ({ idle }) => ({ path: `/stream/${idle}`, method: 'PATCH', ...jsonOf(patch) }),
      status: 204,
      check: async ({ reply }, { row, idle }) => {
        assert.equal(reply.text, '');
        const [[field, value] = ['', undefined]] = Object.entries(patch);
        assert.equal(String((await row(`/stream/${idle}`))[field]), String(value));
      },
    }),
  ),
  {
    says: '400 for recording on a live stream',
    ask: ({ live }) => ({ path: `/stream/${live}`, method: 'PATCH', ...jsonOf({ record: true }) }),
    status: 400,
  },
  {
    says: 'suspended while live: still active for a while',
    ask: ({ live }) => ({ path: `/stream/${live}`, method: 'PATCH', ...jsonOf({ suspended: true }) }),
    status: 204,
    check: async (_answer, { row, live, clock }) => {
      assert.equal(String((await row(`/stream/${live}`)).isActive), 'true');
      await clock.advance(10_000);
      assert.equal(String((await row(`/stream/${live}`)).isActive), 'false');
    },
  },
  {
    says: 'the end of a broadcast: 204',
    ask: ({ live }) => ({ path: `/stream/${live}/terminate`, method: 'DELETE' }),
    status: 204,
  },
  {
    says: '429 for a second end within 5 s',
    given: ({ call, live }) => call(`/stream/${live}/terminate`, { method: 'DELETE' }),
    ask: ({ live }) => ({ path: `/stream/${live}/terminate`, method: 'DELETE' }),
    status: 429,
  },
  {
    says: 'a deletion: 204, the sessions stay',
    ask: ({ idle }) => ({ path: `/stream/${idle}`, method: 'DELETE' }),
    status: 204,
    check: async (_answer, { call, rows, idle }) => {
      assert.equal((await call(`/stream/${idle}`)).status, 404);
      assert.ok((await rows(`/session?parentId=${idle}`)).length > 0);
    },
  },
  {
    says: 'what was just changed as it was before, from a replica that lags behind, and then as it is',
    given: async ({ demo, call, idle }) => {
      demo.control.lagBehind(3000);
      await call(`/stream/${idle}`, { method: 'PATCH', ...jsonOf({ name: 'Renamed' }) });
    },
    ask: ({ idle }) => ({ path: `/stream/${idle}` }),
    check: async ({ row }, subject) => {
      const { idle, name, clock, demo } = subject;
      const namesNow = async () => [
        (await subject.row(`/stream/${idle}`)).name,
        (await subject.rows('/stream?limit=1000')).find(({ id }) => id === idle)?.name,
      ];
      assert.equal(row.name, name);
      assert.deepEqual(await namesNow(), [name, name]);
      const made = await subject.call('/stream', { method: 'POST', ...jsonOf({ name: 'New' }) });
      const { id } = JSON.parse(made.text) as { id: string };
      assert.equal((await subject.call(`/stream/${id}`)).status, 404);
      await clock.advance(3000);
      assert.deepEqual(await namesNow(), ['Renamed', 'Renamed']);
      assert.equal((await subject.row(`/stream/${id}`)).name, 'New');
      await subject.call(`/stream/${id}`, { method: 'DELETE' });
      assert.equal((await subject.call(`/stream/${id}`)).status, 200);
      await clock.advance(3000);
      assert.equal((await subject.call(`/stream/${id}`)).status, 404);
      assert.equal(demo.control.streams().find((stream) => stream.id === idle)?.name, 'Renamed');
    },
  },
  // Addresses
  {
    says: 'where a stream plays, without a key: HLS, MP4, a thumbnail',
    given: ({ demo, idle }) => demo.control.startBroadcast(idle),
    ask: ({ playbackId }) => ({ path: `/playback/${playbackId}`, isPublic: true }),
    check: ({ row }) => {
      const { source } = row.meta as { readonly source: readonly Row[] };
      const types = source.map(({ type }) => String(type)).join();
      for (const type of ['vnd.apple.mpegurl', 'video/mp4', 'image/jpeg']) assert.ok(types.includes(type), type);
      isAll(source, ({ url }) => /^http:\/\/127\.0\.0\.1:\d+\//.test(String(url)));
    },
  },
  {
    says: 'with the key where a recorded broadcast plays from its beginning, if that is asked for',
    given: ({ demo, idle }) => {
      demo.control.setStream(idle, { record: true });
      demo.control.startBroadcast(idle);
    },
    ask: ({ playbackId }) => ({ path: `/playback/${playbackId}?recordings=true` }),
    check: async ({ row }, { demo, call, playbackId, live }) => {
      const dvrOf = (info: Row) => (info.meta as Row).dvrPlayback;
      const [{ type, url } = {}] = dvrOf(row) as readonly Row[];
      assert.equal(type, 'html5/application/vnd.apple.mpegurl');
      assert.equal((await send(String(url))).status, 200);
      const path = `/playback/${playbackId}`;
      assert.equal(dvrOf(JSON.parse((await call(path)).text)), undefined);
      const withoutKey = await send(`${demo.baseUrl}${path}?recordings=true`);
      assert.equal(dvrOf(JSON.parse(withoutKey.text)), undefined);
      demo.control.setStream(live, { isActive: false, record: false });
      demo.control.startBroadcast(live);
      const unrecorded = demo.control.streams().find(({ id }) => id === live);
      const info = await call(`/playback/${unrecorded?.playbackId}?recordings=true`);
      assert.equal(dvrOf(JSON.parse(info.text)), undefined, 'it is not recorded');
    },
  },
  {
    says: 'the playback policy, of a stream and of its playback info, and plays what needs a token for nobody',
    given: ({ demo, live }) => demo.control.setStream(live, { playbackPolicy: { type: 'jwt' } }),
    ask: ({ live }) => ({ path: `/stream/${live}` }),
    check: async ({ row }, { demo }) => {
      assert.deepEqual(row.playbackPolicy, { type: 'jwt' });
      const info = JSON.parse((await send(`${demo.baseUrl}/playback/${row.playbackId}`)).text) as Row;
      assert.deepEqual((info.meta as Row).playbackPolicy, { type: 'jwt' });
      const address = (demo.addresses.hls ?? '').replace('{playbackId}', String(row.playbackId));
      assert.equal((await send(address)).status, 403);
    },
  },
  {
    says: 'where it takes and plays streams, without a key',
    ask: () => ({ path: '/ingest', isPublic: true }),
    check: ({ rows: [said = {}] }) => {
      assert.match(String(said.ingest), /^rtmp:\/\/127\.0\.0\.1:\d+\/live$/);
      assert.match(String(said.playback), /^http:\/\/127\.0\.0\.1:\d+\/hls$/);
    },
  },
  {
    says: '404 for a playback ID that nothing has',
    ask: () => ({ path: '/playback/none', isPublic: true }),
    status: 404,
  },
];

async function answerTo(subject: Subject, line: Line): Promise<Reply> {
  const { path, isPublic = false, ...options } = line.ask(subject);
  return isPublic ? send(subject.demo.baseUrl + path, options) : subject.call(path, options);
}

function on(face: DemoFace, test: (subject: Subject) => Promise<void>): () => Promise<void> {
  return withDemo({ face }, (fixture) => {
    const named = (name: string) => {
      const stream = fixture.demo.control.streams().find((each) => each.name === name);
      assert.ok(stream?.playbackId, name);
      return { id: stream.id, playbackId: stream.playbackId, name };
    };
    const { id: idle, playbackId, name } = named('Slow Kitchen: bread week');
    return test({ ...fixture, live: named('Bird nest cam').id, idle, playbackId, name });
  });
}

async function assertAnswered(subject: Subject, line: Line): Promise<void> {
  await line.given?.(subject);
  const reply = await answerTo(subject, line);
  assert.equal(reply.status, line.status ?? 200, reply.text.slice(0, 200));
  for (const [name, pattern] of Object.entries(line.headers ?? {})) {
    if (pattern === undefined) assert.equal(reply.headers[name], undefined, name);
    else assert.match(reply.headers[name] ?? '', pattern, name);
  }
  const isJson = /^application\/json\b/.test(reply.headers['content-type'] ?? '');
  const json: unknown = isJson ? JSON.parse(reply.text) : undefined;
  assert.ok(isJson || reply.text === '', 'JSON, or nothing');
  await line.check?.({ rows: Array.isArray(json) ? json : [], row: (json ?? {}) as Row, reply }, subject);
}

for (const face of ['full', 'strict', 'indifferent'] as const) {
  describe(`what is stated, by the service that is ${face}`, () => {
    for (const line of STATED)
      it(
        `is ${line.says}`,
        on(face, (subject) => assertAnswered(subject, line)),
      );
  });
}

describe('what is seen, by the service that is full', () => {
  for (const line of SEEN)
    it(
      `is ${line.says}`,
      on('full', (subject) => assertAnswered(subject, line)),
    );

  it(
    'is 304 for what is known already, unless the request says no-cache',
    on('full', async ({ call }) => {
      const path = '/stream?limit=3&order=id-true';
      const { etag = '' } = (await call(path)).headers;
      const known = { 'if-none-match': etag };
      const again = await call(path, { headers: known });
      assert.deepEqual([again.status, again.text], [304, '']);
      assert.equal((await call(path, { headers: { ...known, 'cache-control': 'no-cache' } })).status, 200);
      assert.equal((await call(path, { headers: { ...known, 'cache-control': 'max-age=0' } })).status, 304);
    }),
  );

  it(
    'is 500 for the sessions of one of its own streams, so that the way round is met',
    on('full', async ({ demo, call, rows }) => {
      const broken = [];
      for (const { id, parentId, name } of demo.control.streams()) {
        if (parentId !== undefined || (await call(`/stream/${id}/sessions`)).status === 200) continue;
        broken.push(name);
        assert.equal((await rows(`/session?parentId=${id}`)).length, demo.control.sessions(id).length);
      }
      assert.deepEqual(broken, ['Parish council']);
    }),
  );

  it(
    'is a page of HTML, or none, where the address lacks its path',
    on('full', async ({ demo, origin }) => {
      for (const [path, status] of [
        ['', 200],
        ['/dashboard', 200],
        ['/stream?streamsonly=1', 404],
        ['/dashboard/x/stream', 404],
      ] as const) {
        const reply = await send(origin + path, { headers: { authorization: `Bearer ${demo.apiKey}` } });
        assert.deepEqual([reply.status, /^text\/html/.test(reply.headers['content-type'] ?? '')], [status, true], path);
      }
    }),
  );
});

/** Answers by which a client learns that a service has none of it. */
const REFUSALS: readonly number[] = [400, 404, 405, 422, 501];

describe('what is only seen, by the service that is strict', () => {
  const isRefusable = ({ says, status }: Line) => status !== 401 && status !== 403 && !/unless|historic/.test(says);
  for (const line of SEEN.filter(isRefusable)) {
    it(
      `is not had, or answered as it is stated: ${line.says}`,
      on('strict', async (subject) => {
        const { method = 'GET', path, body = '' } = line.ask(subject);
        const isStated = method === 'GET' && /^\/(stream|session)(\/[^/?]+(\/sessions)?)?$/.test(path);
        const { status } = await subject.call(path, { method, body });
        const isRight = REFUSALS.includes(status) || (isStated && status === 200);
        assert.ok(isRight, `${path}: ${status}`);
      }),
    );
  }
});
