import assert from 'node:assert/strict';
import { AgentTools } from '../../../src/agents/agentTools.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

type Row = Readonly<Record<string, unknown>>;

const HOUR = 3_600_000;

function rowsOf(answer: Row, name: string): readonly Row[] {
  const rows = answer[name];
  return Array.isArray(rows) ? rows : assert.fail(`no ${name} in ${JSON.stringify(answer)}`);
}

const idsOf = (answer: Row, name: string) => rowsOf(answer, name).map(({ id }) => id);

/** The service answers requests whose query has this word with 400, as if it didn't know the parameter. */
function refuse({ service }: AgentFixture, word: string): void {
  service.control.fault(({ query }) => (query.includes(word) ? { status: 400, body: '{}' } : undefined));
}

function recordedAt(createdAt: number) {
  return { record: true, createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
}

describe('The tool that lists streams', () => {
  it(
    'has active streams first, and each group by when data last arrived, in whatever order they come',
    withAgents({ demo: { face: 'strict' } }, async ({ call, service }) => {
      for (const { id } of service.control.streams()) service.control.deleteStream(id);
      const now = Date.now();
      const add = (name: string, isActive: boolean, hours: number | undefined) => {
        const { id } = service.control.addStream({ name, isActive });
        if (hours !== undefined) service.control.setStream(id, { lastSeen: now - hours * HOUR });
      };
      for (const hours of [undefined, 1, 5, 3]) add(`idle, ${hours}`, false, hours);
      for (const hours of [2, 4]) add(`active, ${hours}`, true, hours);
      for (let times = 0; times < 5; times++) {
        const answer = await call('liveStreams_list', { state: 'all' });
        assert.deepEqual(fieldsOf(rowsOf(answer, 'streams'), 'name'), [
          'active, 2',
          'active, 4',
          'idle, 1',
          'idle, 3',
          'idle, 5',
          'idle, undefined',
        ]);
        assert.deepEqual([answer.total, answer.isComplete, answer.notShown], [6, true, undefined]);
      }
    }),
  );

  it(
    'counts what matches where the service has not: all of them if it has no more, or else none',
    withAgents({}, async (fixture) => {
      const { call, service } = fixture;
      for (const name of ['Twin 1', 'Twin 2', 'Twin 3']) service.control.addStream({ name });
      refuse(fixture, 'name');
      const all = await call('liveStreams_list', { state: 'idle', nameContains: 'twin' });
      assert.deepEqual([all.total, all.isComplete, idsOf(all, 'streams').length], [3, true, 3]);
      const some = await call('liveStreams_list', { state: 'idle', nameContains: 'twin', limit: 2 });
      assert.deepEqual([some.total, some.isComplete, idsOf(some, 'streams').length], [undefined, false, 0]);
    }),
  );

  it(
    'shows no more streams than its limit where the service ignores the limit, and remembers the shown ones',
    withAgents({ demo: { face: 'indifferent', streamCount: 1 } }, async ({ call, tools, service }) => {
      for (let count = 0; count < 3; count++) service.control.addStream({ name: `New ${count}` });
      const answer = await call('liveStreams_list', { state: 'idle', nameContains: 'New', limit: 2 });
      const shown = idsOf(answer, 'streams');
      assert.equal(shown.length, 2);
      const asked = async (id: unknown) => (await tools.prepare('liveStreams_setRecording', { id, on: true }))?.message;
      for (const id of shown) assert.match((await asked(id)) ?? '', /"New \d"/);
      const other = service.control.streams().find(({ id, name }) => name.startsWith('New') && !shown.includes(id));
      assert.equal(await asked(other?.id), undefined);
    }),
  );
});

describe('The tool that gets a stream', () => {
  it(
    'takes exactly one property',
    withAgents({}, async ({ call, requests }) => {
      for (const input of [{}, { id: 'a', name: 'b' }, { playbackId: 'a', name: 'b' }]) {
        const { problem, next } = await call('liveStreams_get', input);
        assert.equal(problem, 'The tool input is invalid.');
        assert.match(String(next), /Specify exactly one of id, playbackId, or name\.$/);
      }
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'shows the ten newest of its sessions',
    withAgents({}, async ({ call, service }) => {
      const { id } = service.control.addStream({ name: 'Long' });
      const sessions = Array.from({ length: 12 }, (_, at) =>
        service.control.addSession(id, recordedAt(Date.now() - (at + 1) * HOUR)),
      );
      const answer = await call('liveStreams_get', { id });
      assert.deepEqual(idsOf(answer, 'sessions'), fieldsOf(sessions.slice(0, 10), 'id'));
      const states = rowsOf(answer, 'sessions').map(({ recording }) => recording);
      assert.ok(!states.includes('running'), states.join());
    }),
  );

  it(
    'shows sessions that were not recorded',
    withAgents({}, async ({ call, service }) => {
      const { id } = service.control.addStream({ name: 'Unrecorded' });
      const session = service.control.addSession(id, { ...recordedAt(Date.now() - HOUR), record: false });
      const [shown] = rowsOf(await call('liveStreams_get', { id }), 'sessions');
      assert.deepEqual([shown?.id, shown?.recording], [session.id, 'notRecorded']);
    }),
  );

  it(
    'leaves out the sessions where two requests were needed for the stream, and says how to get them',
    withAgents({}, async (fixture) => {
      const { call, service, requests } = fixture;
      const { id, playbackId } = service.control.addStream({ name: 'Sought' });
      refuse(fixture, 'playbackId');
      const answer = await call('liveStreams_get', { playbackId });
      assert.deepEqual([Object(answer.stream).id, answer.sessions, requests().length], [id, undefined, 2]);
      assert.equal(answer.next, 'Call the tool again with the ID to get the sessions.');
      assert.match(String(answer.howToStream), /Copy Stream Key/);
    }),
  );
});

describe('The tool that lists recordings', () => {
  it(
    'leaves them out where two requests were needed for the stream, and says how to get them',
    withAgents({}, async (fixture) => {
      const { call, service, requests } = fixture;
      const { id } = service.control.addStream({ name: 'Sought' });
      refuse(fixture, 'name');
      const answer = await call('liveStreams_recordings', { stream: 'Sought' });
      assert.deepEqual([Object(answer.stream).id, answer.recordings, requests().length], [id, undefined, 2]);
      assert.equal(answer.next, 'Call the tool again with the ID of the stream to get its recordings.');
    }),
  );

  it(
    'says which are running: the newest of each stream that is live',
    withAgents({ demo: { streamCount: 2 } }, async ({ call, service, context }) => {
      const { control } = service;
      for (const { id } of control.streams()) control.deleteStream(id);
      const [one, other] = ['One', 'Other'].map((name) => control.addStream({ name, record: true }).id);
      assert.ok(one !== undefined && other !== undefined);
      const earlier = control.addSession(one, recordedAt(Date.UTC(2026, 10, 20, 8))).id;
      const running = [control.startBroadcast(one).id, control.startBroadcast(other).id];
      await context.loader.refresh();
      const rows = rowsOf(await call('liveStreams_recordings'), 'recordings');
      const states = [...running, earlier].map((id) => rows.find((each) => each.id === id)?.recording);
      assert.deepEqual(states, ['running', 'running', 'unknown']);
    }),
  );

  it(
    'counts days back from now, to the millisecond',
    withAgents({}, async ({ context, service, call, requests }) => {
      const { id } = service.control.addStream({ name: 'Recorded' });
      await call('liveStreams_get', { id });
      service.control.clearRequests();
      const now = Date.now();
      const [before, at] = [-1, 0].map((more) => service.control.addSession(id, recordedAt(now - 48 * HOUR + more)).id);
      const tools = new AgentTools({
        ...context,
        clock: { ...context.clock, now: () => now },
        settings: { ...context.settings, agentTools: () => 'read' },
      });
      const shown = async (input: unknown) =>
        idsOf(
          JSON.parse(await tools.invoke('liveStreams_recordings', input, new AbortController().signal)),
          'recordings',
        );
      assert.deepEqual(await shown({ stream: id, days: 2 }), [at]);
      assert.deepEqual(requests(), [`GET /api/stream/${id}/sessions?record=1&limit=100`]);
      assert.deepEqual(await shown({ stream: id }), [at, before]);
    }),
  );

  it(
    'shows twenty unless it is told otherwise, of the 200 newest sessions, and says whether these are all',
    withAgents({ demo: { streamCount: 1 } }, async ({ call, service }) => {
      const { id } = service.control.addStream({ name: 'Recorded' });
      const add = (ago: number) => service.control.addSession(id, recordedAt(Date.now() - ago)).id;
      const newest = [HOUR, 2 * HOUR, 3 * HOUR].map(add);
      for (let count = 0; count < 30; count++) add((48 + count) * HOUR);
      const some = await call('liveStreams_recordings');
      assert.deepEqual([idsOf(some, 'recordings').length, some.isComplete], [20, false]);
      assert.deepEqual(idsOf(some, 'recordings').slice(0, 3), newest);
      const ofOne = await call('liveStreams_recordings', { stream: id, limit: 50 });
      assert.deepEqual([idsOf(ofOne, 'recordings').length, ofOne.isComplete], [33, true]);
      const few = await call('liveStreams_recordings', { days: 1 });
      assert.deepEqual([idsOf(few, 'recordings'), few.isComplete], [newest, true]);
      for (let count = 0; count < 200; count++) add((100 + count) * HOUR);
      const ofMany = await call('liveStreams_recordings', { days: 1 });
      assert.deepEqual([idsOf(ofMany, 'recordings'), ofMany.isComplete], [newest, false]);
      const ofOneWithMany = await call('liveStreams_recordings', { stream: id, days: 1 });
      assert.deepEqual([idsOf(ofOneWithMany, 'recordings'), ofOneWithMany.isComplete], [newest, false]);
    }),
  );
});

describe('Tools for agents, when they end', () => {
  it(
    'is after 25 seconds for a check',
    withAgents({ addresses: {}, demo: { saysAddresses: false } }, async ({ context, service }) => {
      const clock = heldClock();
      const tools = new AgentTools({ ...context, clock, settings: { ...context.settings, agentTools: () => 'read' } });
      const { id } = service.control.addStream({ name: 'Live', isActive: true });
      const asked = Promise.withResolvers<void>();
      service.control.fault(({ path }) => {
        if (!path.includes('/playback/')) return undefined;
        asked.resolve();
        return 'hang';
      });
      let isOver = false;
      const late = tools.invoke('liveStreams_check', { id }, new AbortController().signal).finally(() => {
        isOver = true;
      });
      await asked.promise;
      await clock.advance(24_999);
      assert.equal(isOver, false);
      await clock.advance(1);
      assert.equal(JSON.parse(await late).problem, "The service didn't respond within 25 seconds.");
    }),
  );

  const waits: readonly (readonly [string, (id: string) => unknown, string])[] = [
    ['liveStreams_list', () => ({}), '/stream'],
    ['liveStreams_get', (id) => ({ id }), '/stream/ID'],
    ['liveStreams_get', (id) => ({ id }), '/stream/ID/sessions'],
    ['liveStreams_get', () => ({ name: 'Slow' }), '/stream'],
    ['liveStreams_recordings', () => ({}), '/session'],
    ['liveStreams_recordings', (id) => ({ stream: id }), '/stream/ID/sessions'],
    ['liveStreams_snippet', (id) => ({ id, language: 'html' }), '/stream/ID'],
  ];
  for (const [name, inputFor, path] of waits) {
    it(
      `is at once for a call that is canceled while it waits for ${path}: ${name}`,
      withAgents({}, async ({ tools, service }) => {
        const { id } = service.control.addStream({ name: 'Slow' });
        const call = new AbortController();
        service.control.fault((request) => {
          if (request.path !== `/api${path.replace('ID', id)}`) return undefined;
          call.abort();
          return 'hang';
        });
        await assert.rejects(tools.invoke(name, inputFor(id), call.signal), { name: 'AbortError' });
      }),
    );
  }

  it(
    'is at once for a call that was canceled before',
    withAgents({}, async ({ tools, requests }) => {
      for (const [name, input] of [
        ['liveStreams_list', {}],
        ['liveStreams_create', { name: 'A' }],
      ] as const) {
        await tools.prepare(name, input);
        await assert.rejects(tools.invoke(name, input, AbortSignal.abort()), { name: 'AbortError' });
      }
      assert.deepEqual(requests(), []);
    }),
  );
});
