import assert from 'node:assert/strict';
import { beginCall } from '../../../src/agents/call.ts';
import { TOOLS } from '../../../src/agents/tools.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

const SET_RECORDING = 'liveStreams_setRecording';

/** An idle stream that isn't recorded, and that the tools have read. */
async function readStream(
  { service, call }: AgentFixture,
  given: Parameters<typeof service.control.addStream>[0] = {},
) {
  const { id } = service.control.addStream({ name: 'Opening', record: false, ...given });
  await call('liveStreams_get', { id });
  service.control.clearRequests();
  return id;
}

/** Runs the tool as after the question, with a call that began now. */
async function turnOnLater({ context }: AgentFixture, id: string) {
  const call = await beginCall(context, new AbortController().signal);
  const tool = TOOLS[SET_RECORDING]?.ready({ id, on: true }) ?? assert.fail();
  return async () => {
    try {
      return (await tool.run(call)).facts;
    } catch (error) {
      return Object(error).facts;
    }
  };
}

describe('A change that an agent wants', () => {
  it(
    'is refused, before the person is asked, where it is not possible',
    withAgents({}, async (fixture) => {
      const { service, call, tools, context, requests } = fixture;
      const parentId = await readStream(fixture, { name: 'Parent' });
      const child = await readStream(fixture, { parentId });
      const recorded = await readStream(fixture, { record: true, isActive: true });
      const busy = await readStream(fixture);
      const operation = context.connection.account.writer.beginOperation(busy, 'renaming');
      const given: readonly (readonly [string, boolean, string])[] = [
        [child, true, "This is a deprecated child stream. It can't be changed."],
        [busy, true, 'The stream is being changed. Try again when the change is complete.'],
        [recorded, true, 'Recording is already on.'],
        [recorded, false, "Recording can't be changed while the stream is live."],
      ];
      for (const [id, on, problem] of given) {
        assert.equal(await tools.prepare(SET_RECORDING, { id, on }), undefined);
        const answer = await call(SET_RECORDING, { id, on });
        assert.deepEqual([answer.connection, answer.problem, answer.next], ['Production', problem, undefined]);
      }
      operation.dispose();
      const { id: unread } = service.control.addStream({ name: 'Unread' });
      const { problem, next } = await call(SET_RECORDING, { id: unread, on: true });
      assert.equal(problem, 'This stream must be read before it can be changed.');
      assert.match(String(next), /^Call liveStreams_get with the ID, and then call this tool again/);
      const live = await readStream(fixture, { isActive: true });
      assert.equal((await call(SET_RECORDING, { id: live, on: false })).problem, 'Recording is already off.');
      assert.deepEqual(requests(), []);
      assert.equal(service.control.streams().find(({ id }) => id === recorded)?.record, true);
    }),
  );

  it(
    'is not made where that became impossible after the question',
    withAgents({}, async (fixture) => {
      const { service, context, requests } = fixture;
      const id = await readStream(fixture);
      const run = await turnOnLater(fixture, id);
      service.control.startBroadcast(id);
      await context.loader.refresh();
      service.control.clearRequests();
      assert.deepEqual(await run(), {
        problem: "Recording can't be changed while the stream is live.",
        next: undefined,
      });
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'is not made over a connection that was opened after the question',
    withAgents({}, async (fixture) => {
      const { service, context, requests } = fixture;
      const run = await turnOnLater(fixture, await readStream(fixture));
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
      const { problem } = await run();
      assert.equal(problem, 'Nothing was changed because the user switched connections.');
      assert.deepEqual(
        requests().filter((request) => request.startsWith('PATCH')),
        [],
      );
    }),
  );

  it(
    'says that the stream is gone, and that the key may not do it',
    withAgents({}, async (fixture) => {
      const { service, call } = fixture;
      const id = await readStream(fixture);
      service.control.fault(({ method }) => (method === 'PATCH' ? { status: 403, body: '{}' } : undefined));
      const forbidden = await call(SET_RECORDING, { id, on: true });
      assert.deepEqual(
        [forbidden.problem, forbidden.next],
        ["This API key doesn't have permission to do that.", 'The user needs an API key that has this permission.'],
      );
      service.control.fault(undefined);
      service.control.deleteStream(id);
      assert.equal((await call(SET_RECORDING, { id, on: true })).problem, 'The stream no longer exists.');
    }),
  );

  it(
    'says what became of it where the service lost its answer, and what to do',
    withAgents({ isHurried: true }, async (fixture) => {
      const { service, call, context } = fixture;
      const known = [...context.store.snapshot.streams.values()].find(({ stream }) => !stream.isActive);
      const { id, name } = known?.stream ?? assert.fail();
      service.control.setStream(id, { record: false });
      service.control.fault(({ method }) => (method === 'PATCH' ? { status: 502, body: '{}' } : undefined));
      const lost = await call(SET_RECORDING, { id, on: true });
      assert.deepEqual(
        [lost.problem, lost.next],
        [
          'Production is unavailable (502). However, the change may have been applied.',
          'Call liveStreams_get with the ID before you try again.',
        ],
      );
      service.control.fault(({ method }) => {
        if (method !== 'PATCH') return undefined;
        service.control.setStream(id, { record: true });
        return { status: 502, body: '{}' };
      });
      const made = await call(SET_RECORDING, { id, on: true });
      assert.deepEqual(
        [made.done, made.stream, 'problem' in made],
        ['Production is unavailable (502). However, the change was applied.', { id, name, recording: true }, false],
      );
    }),
  );

  it(
    'is asked about by the name of the stream without secrets, or else by its ID',
    withAgents({}, async (fixture) => {
      const { tools, service } = fixture;
      const [secret, blank] = [
        await readStream(fixture, { name: `Key ${service.apiKey}` }),
        await readStream(fixture, { name: ' ' }),
      ];
      const asked = async (name: string, input: unknown) => (await tools.prepare(name, input))?.message ?? '';
      for (const on of [true, false]) {
        assert.match(await asked(SET_RECORDING, { id: secret, on }), /for "Key …" on "Production"/);
        assert.ok((await asked(SET_RECORDING, { id: blank, on })).includes(`for "${blank}" on "Production"`));
      }
      const broadcast = await asked('liveStreams_testBroadcast', { id: secret, seconds: 5 });
      assert.match(broadcast, /viewers of "Key …" on "Production"/);
    }),
  );

  it(
    'needs a question of its own, which is the last of at most 100',
    withAgents({}, async ({ tools, requests }) => {
      const ask = (name: string) => tools.prepare('liveStreams_create', { name });
      const create = async (name: string) =>
        JSON.parse(await tools.invoke('liveStreams_create', { name }, new AbortController().signal));
      const { problem, next } = await create('A');
      assert.deepEqual(
        [problem, next],
        ["Nothing was changed because the user wasn't asked about this change.", 'Call the tool again.'],
      );
      await ask('A');
      await ask('B');
      for (let count = 0; count < 99; count++) await ask(`${count}`);
      assert.match((await create('A')).problem, /wasn.t asked/);
      assert.match((await create('B')).done, /created/);
      assert.deepEqual(requests(), ['POST /api/stream']);
    }),
  );
});

describe('A stream that an agent creates', () => {
  it(
    'has a name of one line, and is known to the tools afterwards',
    withAgents({}, async (fixture) => {
      const { call, tools, service, context } = fixture;
      for (const name of ['a\nb', 'a\u2028b', 'a\u2029b', 'a\u0000b']) {
        const { next } = await call('liveStreams_create', { name });
        assert.equal(next, 'Call the tool again with these properties and no others. The name must be a single line.');
      }
      const { stream, done, howToStream } = await call('liveStreams_create', { name: ' Opening ' });
      const { id, name, state, recording } = Object(stream);
      assert.deepEqual([name, state, recording], ['Opening', 'idle', false]);
      assert.equal(done, 'The stream was created.');
      assert.match(String(howToStream), /Copy Stream Key/);
      assert.equal(service.control.streams().find((each) => each.id === id)?.name, 'Opening');
      const question = await tools.prepare(SET_RECORDING, { id, on: true });
      assert.match(question?.message ?? '', /"Opening"/);
      context.connection.account.writer.gone(id);
      assert.equal(context.store.snapshot.streams.has(id), false);
      const again = await tools.prepare(SET_RECORDING, { id, on: true });
      assert.deepEqual(again, question, 'also where the views have dropped it');
    }),
  );

  it(
    'is refused without a request where the service has refused one',
    withAgents({}, async ({ call, tools, service, requests }) => {
      service.control.fault(({ method }) => (method === 'POST' ? { status: 405, body: '{}' } : undefined));
      await call('liveStreams_create', { name: 'A' });
      service.control.clearRequests();
      assert.equal(await tools.prepare('liveStreams_create', { name: 'A' }), undefined);
      const { problem } = await call('liveStreams_create', { name: 'A' });
      assert.deepEqual([problem, requests()], ["Production doesn't support creating streams.", []]);
    }),
  );

  it(
    'may exist where the answer was lost, but not where the service rejects the request',
    withAgents({ isHurried: true }, async ({ call, service, log }) => {
      service.control.fault(({ method }) =>
        method === 'POST' ? { status: 422, body: '{"errors":["Too long"]}' } : undefined,
      );
      const rejected = await call('liveStreams_create', { name: 'A' });
      assert.equal(rejected.problem, 'Production rejected the request: "Too long."');
      assert.equal(rejected.next, undefined);
      service.control.fault(({ method }) => (method === 'POST' ? { status: 500, body: '{}' } : undefined));
      const lost = await call('liveStreams_create', { name: 'A' });
      assert.deepEqual(
        [lost.problem, lost.next],
        [
          'Production is unavailable (500). However, the stream may have been created.',
          'Call liveStreams_list with nameContains before you try again.',
        ],
      );
      const told = log.lines.filter((line) => line.startsWith('Creating a stream failed (unavailable)'));
      assert.equal(told.length, 1, log.lines.join('\n'));
    }),
  );
});

describe('A test broadcast that an agent wants', () => {
  it(
    'is not asked about where no RTMP URL is known, or the service cannot be asked for one',
    withAgents({ addresses: {}, demo: { face: 'strict' } }, async (fixture) => {
      const { tools, call, service } = fixture;
      const input = { id: await readStream(fixture), seconds: 5 };
      service.control.fault(() => ({ status: 500, body: '{}' }));
      assert.equal(await tools.prepare('liveStreams_testBroadcast', input), undefined);
      const unread = await call('liveStreams_testBroadcast', input);
      assert.deepEqual([unread.problem, unread.next], ['Production is unavailable (500).', 'Try again later.']);
      service.control.fault(undefined);
      assert.equal(await tools.prepare('liveStreams_testBroadcast', input), undefined);
      const { problem } = await call('liveStreams_testBroadcast', input);
      assert.match(String(problem), /^No RTMP URL is configured for 127\.0\.0\.1/);
    }),
  );
});
