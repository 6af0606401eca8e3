import assert from 'node:assert/strict';
import { beginCall } from '../../../src/agents/call.ts';
import { findStream, referenceOf, remember, rememberedStream } from '../../../src/agents/streams.ts';
import { aStream } from '../../support/model/builders.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

const beginCallOf = ({ context }: AgentFixture) => beginCall(context, new AbortController().signal);

function withCall(test: (call: Awaited<ReturnType<typeof beginCall>>, fixture: AgentFixture) => Promise<void> | void) {
  return withAgents({ demo: { streamCount: 2 } }, async (fixture) => test(await beginCallOf(fixture), fixture));
}

describe('The streams in answers of tools', () => {
  it(
    'are the last 1,000',
    withCall((call) => {
      const streams = Array.from({ length: 1000 }, (_, at) => aStream({ id: `s${at}` }));
      const isKnown = (id: string) => rememberedStream(call, id) !== undefined;
      remember(call.account, streams);
      assert.ok(streams.every(({ id }) => isKnown(id)));
      remember(call.account, [aStream({ id: 's0', name: 'Read again' })]);
      assert.deepEqual([rememberedStream(call, 's0')?.name, isKnown('s1')], ['Read again', true]);
      remember(call.account, [aStream({ id: 'new' })]);
      assert.deepEqual(['s0', 's1', 's2', 'new'].map(isKnown), [true, false, true, true]);
    }),
  );

  it(
    'are as the views have them, and known to their account alone',
    withCall((call, { context, service }) => {
      const [shown] = [...context.store.snapshot.streams.values()];
      assert.ok(shown);
      remember(call.account, [{ ...shown.stream, name: 'Older' }, aStream({ id: 'read' })]);
      assert.equal(rememberedStream(call, shown.stream.id)?.name, shown.stream.name);
      assert.equal(rememberedStream(call, 'read')?.id, 'read');
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
      assert.equal(rememberedStream({ ...call, context, account: context.connection.account }, 'read'), undefined);
    }),
  );
});

describe('What names a stream', () => {
  it(
    'means a known stream by its ID, playback ID, or name',
    withCall((call, { context }) => {
      const [shown] = [...context.store.snapshot.streams.values()];
      assert.ok(shown);
      const { id, name, playbackId = '' } = shown.stream;
      for (const text of [id, name, playbackId]) assert.deepEqual(referenceOf(call, text), { id });
      remember(call.account, [aStream({ id: 'read', name: 'Read before', playbackId: 'p1' })]);
      for (const text of ['read', 'Read before', 'p1']) assert.deepEqual(referenceOf(call, text), { id: 'read' });
    }),
  );

  it(
    'is taken by its form where it is not known',
    withCall((call) => {
      const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
      for (const id of [uuid, uuid.toUpperCase()]) assert.deepEqual(referenceOf(call, id), { id });
      for (const playbackId of ['abcdefghijklmno1', '1bcdefghijklmnop', 'abcd1234efgh5678']) {
        assert.deepEqual(referenceOf(call, playbackId), { playbackId });
      }
      const names = [
        ...[`${uuid}0`, `x${uuid}`, uuid.replaceAll('-', ''), uuid.replace('f', 'g'), uuid.slice(9)],
        ...['abcdefghijklmnop', 'Abcdefghijklmno1', 'abcdefghijklmn1', 'abcdefghijklmnop1', '-bcdefghijklmno1'],
        ...['ABCDEFGHIJKLMN 1', 'No such name'],
      ];
      for (const name of names) assert.deepEqual(referenceOf(call, name), { name });
    }),
  );
});

describe('Finding a stream for a tool', () => {
  it(
    'says of a deprecated child stream whether data arrives',
    withCall(async (call, { service }) => {
      const { id: parentId } = service.control.addStream({ name: 'Parent' });
      const { id } = service.control.addStream({ name: 'Child', parentId });
      const { fact, isCostly } = await findStream(call, { id });
      const { now } = call.context.clock;
      assert.equal(isCostly, false);
      assert.deepEqual([fact.stream.parentId, fact.requestSeq], [parentId, 0]);
      for (const time of [fact.startedAt, fact.serverDate]) assert.ok(Math.abs(time - now()) < 60_000, String(time));
    }),
  );

  it(
    'takes the stream with exactly this name where others contain the name',
    withCall(async (call, { service, requests }) => {
      for (const name of ['Twin peaks', 'twin', 'Twin']) service.control.addStream({ name });
      const found = await findStream(call, { name: 'Twin' });
      assert.equal(found.fact.stream.name, 'Twin');
      assert.equal(rememberedStream(call, found.fact.stream.id)?.name, 'Twin');
      assert.match(requests().join(), /[?&]limit=50(&|$)/);
    }),
  );

  it(
    'offers at most ten of the streams that match, whose references are known afterwards',
    withCall(async (call, { service }) => {
      for (let count = 0; count < 12; count++) service.control.addStream({ name: 'Many' });
      await assert.rejects(findStream(call, { name: 'Many' }), (error) => {
        const { problem, streams, next } = Object(Object(error).facts);
        assert.deepEqual([problem, streams.length], ['12 streams match this name.', 10]);
        assert.equal(next, 'Call the tool again with the ID of one of them.');
        for (const { id, state } of streams) {
          assert.deepEqual([rememberedStream(call, id)?.name, state], ['Many', 'idle']);
        }
        return true;
      });
    }),
  );

  it(
    'says that two requests were sent where a service refuses to search',
    withCall(async (call, { service, requests }) => {
      const { playbackId = '' } = service.control.addStream({ name: 'Sought' });
      service.control.fault(({ query }) => (query.includes('playbackId') ? { status: 400, body: '{}' } : undefined));
      assert.equal((await findStream(call, { playbackId })).isCostly, true);
      assert.equal(requests().length, 2);
    }),
  );
});
