import assert from 'node:assert/strict';
import type { DeliveryFilter } from '../../../src/api/webhooks.ts';
import { webhooksOf } from '../../../src/model/account/accountWebhooks.ts';
import type { PagesRead } from '../../../src/model/account/pages.ts';
import { BEGINNING } from '../../../src/model/account/pages.ts';
import { aDelivery, aLocalDelivery, aWebhook, deliveryDetails } from '../../support/model/fakeWebhooks.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

const SEND = 'liveStreams_testEvent';
const URL_OF_HANDLER = 'http://localhost:3000/api/webhook';

function pageOf<T>(items: readonly T[]): PagesRead<T> {
  const meta = { requestSeq: 1, startedAt: 0, serverDate: 0 };
  const rest = { total: undefined, unreadable: 0, isFiltered: true, hasNextPage: false, lastPageRows: items.length };
  return { ...meta, ...rest, items, bookmark: BEGINNING };
}

/** Takes the place of what the service says of webhooks. */
function answerWith({ context }: AgentFixture, body: string) {
  const filters: DeliveryFilter[] = [];
  const headers = { 'Livepeer-Signature': 't=1,v1=0123' };
  const request = { url: 'https://h.example/hook?token=hidden', method: 'POST', headers, body };
  const response = { status: 500, statusText: '', body: 'broken' };
  const webhooks = webhooksOf(context.connection.account);
  Object.assign(webhooks, {
    listWebhooks: async () => pageOf([aWebhook({ url: 'https://h.example/hook?token=hidden' })]),
    listDeliveries: async (_: string, filter: DeliveryFilter) => {
      filters.push(filter);
      return pageOf([aDelivery({ isSuccess: false })]);
    },
    readDelivery: async (webhookId: string, id: string) =>
      deliveryDetails({ webhookId, id, isSuccess: false, request, response }),
  } satisfies Partial<typeof webhooks>);
  return filters;
}

describe('What agents learn of webhooks', () => {
  it(
    'are names, events, and failures, without the query of a URL, headers, or secrets',
    withAgents({ access: 'read' }, async (fixture) => {
      const { apiKey } = fixture.service;
      const filters = answerWith(fixture, JSON.stringify({ event: 'stream.idle', note: apiKey }));
      const list = await fixture.answer('liveStreams_webhooks');
      assert.match(list, /"id":"hook","name":"Production","url":"https:\/\/h\.example\/hook"/);
      const given = { webhookId: 'hook', failedOnly: true, event: 'stream.idle' };
      const rows = await fixture.answer('liveStreams_deliveries', given);
      assert.match(rows, /"deliveries":\[\{"id":"delivery","event":"stream\.started","at":"[^"]+","isSuccess":false/);
      assert.deepEqual(filters, [{ failedOnly: true, event: 'stream.idle' }]);
      const one = await fixture.answer('liveStreams_deliveries', { webhookId: 'hook', id: 'd1' });
      assert.match(one, /"status":500,"body":"broken"/);
      assert.match(one, /stream\.idle/);
      for (const answer of [list, rows, one]) {
        for (const secret of ['hidden', 'v1=', 'Signature', apiKey]) assert.ok(!answer.includes(secret), answer);
      }
    }),
  );

  it(
    'is no body over 2 KB',
    withAgents({}, async (fixture) => {
      answerWith(fixture, 'ü'.repeat(1025));
      const answer = await fixture.answer('liveStreams_deliveries', { webhookId: 'hook', id: 'd1' });
      assert.match(answer, /"bodyBytes":2050/);
      assert.ok(!answer.includes('üü'));
    }),
  );

  it(
    'is that a service has none',
    withAgents({}, async (fixture) => {
      fixture.service.control.fault(() => ({ status: 404, body: '{}' }));
      const { problem } = await fixture.call('liveStreams_webhooks');
      assert.equal(problem, "Production doesn't support webhooks.");
    }),
  );
});

describe('A test event that an agent wants to send', () => {
  const sent = ({ hooks }: AgentFixture) => hooks.calls.filter(([name]) => name === 'send');

  it(
    'is sent to this computer after the question, and answered with what came of it',
    withAgents({ webhooks: { outcome: aLocalDelivery({ statusCode: 204 }) } }, async (fixture) => {
      const { id, name } = fixture.service.control.addStream({ name: 'Opening' });
      await fixture.call('liveStreams_get', { id });
      const input = { event: 'stream.started', id, url: URL_OF_HANDLER };
      const question = await fixture.tools.prepare(SEND, input);
      assert.deepEqual(question, {
        title: 'Send a test event?',
        message: `An agent wants to send the event "stream.started" about "${name}" to ${URL_OF_HANDLER}.`,
      });
      assert.deepEqual(sent(fixture), []);
      const answer = await fixture.call(SEND, input);
      assert.equal(answer.done, `The event was sent to ${URL_OF_HANDLER}.`);
      assert.match(JSON.stringify(answer.delivery), /"statusCode":204/);
      assert.match(JSON.stringify(sent(fixture)), /"event":"stream\.started","subject":\{"stream":\{"id":/);
    }),
  );

  it(
    'is not sent to another computer, without a URL, about a stream that was not read, or without the question',
    withAgents({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Opening' });
      const unread = await fixture.call(SEND, { event: 'stream.idle', id, url: URL_OF_HANDLER });
      assert.equal(unread.problem, 'This stream must be read before it can be changed.');
      await fixture.call('liveStreams_get', { id });
      for (const url of ['https://h.example/hook', 'http://10.0.0.1/', undefined]) {
        const input = { event: 'stream.idle', id, url };
        assert.equal(await fixture.tools.prepare(SEND, input), undefined);
        assert.ok(typeof (await fixture.call(SEND, input)).problem === 'string');
      }
      const input = { event: 'stream.idle', id, url: URL_OF_HANDLER };
      const answer = JSON.parse(await fixture.tools.invoke(SEND, input, new AbortController().signal));
      assert.match(answer.problem, /wasn't asked/);
      assert.deepEqual(sent(fixture), []);
    }),
  );

  it(
    'needs the setting that allows changes',
    withAgents({ access: 'read' }, async (fixture) => {
      const answer = await fixture.call(SEND, { event: 'stream.idle', id: 'a', url: URL_OF_HANDLER });
      assert.equal(answer.problem, "The user hasn't enabled this tool.");
      assert.deepEqual(sent(fixture), []);
    }),
  );
});
