import assert from 'node:assert/strict';
import {
  deliveryNode,
  localDeliveryNode,
  thisComputerNode,
  webhookEndNode,
  webhookNode,
} from '../../../../src/model/webhooks/webhookNodes.ts';
import {
  aDelivery,
  aLocalDelivery,
  aWebhook,
  deliveryDetails,
  deliveryRows,
  webhooksState,
} from '../../../support/model/fakeWebhooks.ts';
import { heldClock } from '../../../support/model/heldClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type Fixture, type FixtureOptions, withCommands } from '../fixture.ts';

const URL_HERE = 'http://localhost:3000/api/webhook';
const REQUEST = { method: 'POST', headers: {}, body: '{}' };
const state = webhooksState({
  webhooks: [aWebhook({ events: ['stream.started', 'stream.idle'] })],
  deliveries: { hook: deliveryRows([aDelivery()]) },
});
const callsOf = ({ hooks: { calls } }: Fixture, name: string) =>
  calls.filter(([called]) => called === name).map(([, ...args]) => args);
const streamOf = ({ context }: Fixture) =>
  [...context.store.snapshot.streams.values()][0]?.stream ?? { id: '', name: '' };

function on(options: FixtureOptions, test: (fixture: Fixture) => Promise<void>) {
  return withCommands({ webhooks: { state }, ...options }, test);
}

describe('deliveries', () => {
  it(
    'open from a row, by their IDs, or from two pickers',
    on(
      { webhooks: { state, local: [aLocalDelivery()] }, answers: { picks: ['Production', 'stream.started'] } },
      async (fixture) => {
        await fixture.run('openDelivery', deliveryNode('hook', 'delivery'));
        await fixture.run('openDelivery', { webhookId: 'hook', id: 'a' });
        await fixture.run('openDelivery', localDeliveryNode('local'));
        await fixture.run('openDelivery');
        assert.deepEqual(callsOf(fixture, 'openDelivery'), [
          ['hook', 'delivery'],
          ['hook', 'a'],
          ['', 'local'],
          ['hook', 'delivery'],
        ]);
      },
    ),
  );

  it(
    'open with the last attempt, from the row and from the picker',
    on(
      {
        webhooks: {
          local: [
            aLocalDelivery({ id: 'second', eventId: 'e', attempt: 2 }),
            aLocalDelivery({ id: 'first', eventId: 'e', isSuccess: false }),
          ],
        },
        answers: { picks: ['stream.started'] },
      },
      async (fixture) => {
        await fixture.run('openDelivery', localDeliveryNode('first'));
        await fixture.run('openDelivery');
        assert.deepEqual(callsOf(fixture, 'openDelivery'), [
          ['', 'second'],
          ['', 'second'],
        ]);
      },
    ),
  );

  it(
    'are refused with IDs that are not safe in a path, and when they are gone',
    on({}, async (fixture) => {
      await fixture.run('openDelivery', { webhookId: '../x', id: 'a' });
      await fixture.run('openDelivery', localDeliveryNode('gone'));
      assert.deepEqual(callsOf(fixture, 'openDelivery'), []);
      assert.equal(fixture.ui.seen.messages[1], 'This delivery is no longer available.');
    }),
  );

  it(
    'are sent again by the service, after a question if they were delivered',
    on({}, async (fixture) => {
      const { ui } = fixture;
      await fixture.run('resendDelivery', deliveryNode('hook', 'delivery'));
      assert.deepEqual(callsOf(fixture, 'resend'), []);
      assert.equal(ui.seen.questions[0]?.message, 'Resend stream.started?');
      ui.answers.confirms.push(true);
      await fixture.run('resendDelivery', deliveryNode('hook', 'delivery'));
      assert.deepEqual(callsOf(fixture, 'resend'), [['hook', 'delivery']]);
      const { webhooks } = fixture.context;
      const failed = deliveryDetails({ webhookId: 'hook', id: 'failed', isSuccess: false });
      Object.assign(webhooks, { readDelivery: async () => failed } satisfies Partial<typeof webhooks>);
      await fixture.run('resendDelivery', deliveryNode('hook', 'failed'));
      assert.equal(ui.seen.questions.length, 2);
      assert.deepEqual(callsOf(fixture, 'resend').length, 2);
      assert.match(fixture.ui.seen.flashes[0] ?? '', /Resent stream\.started · 200 · 120 ms/);
    }),
  );

  it(
    "are offered to be sent again only if they are the service's",
    on({ webhooks: { state, local: [aLocalDelivery({ id: 'here' })] } }, async (fixture) => {
      const { context, ui } = fixture;
      const shown = {
        kind: 'delivery',
        connection: context.connection.info?.id ?? '',
        webhookId: '',
        id: 'here',
      } as const;
      Object.assign(context, { findDelivery: () => shown } satisfies Partial<typeof context>);
      await fixture.run('resendDelivery');
      const offered = ui.seen.picks.flatMap(({ items }) => items.map(({ label }) => label));
      assert.ok(offered.length > 0 && !offered.includes('This Computer'), [...offered, ...ui.seen.messages].join());
      assert.deepEqual(ui.seen.messages, []);
    }),
  );

  it(
    'are those of the active tab from the palette, if they are of the open connection',
    on({}, async (fixture) => {
      const { context, ui } = fixture;
      const shown = { kind: 'delivery', connection: 'other', webhookId: 'hook', id: 'delivery' } as const;
      Object.assign(context, { findDelivery: () => shown } satisfies Partial<typeof context>);
      await fixture.run('resendDelivery');
      assert.deepEqual(callsOf(fixture, 'resend'), []);
      const asked = ui.seen.picks.length;
      assert.ok(asked > 0);
      const connection = context.connection.info?.id ?? '';
      ui.answers.confirms.push(true);
      Object.assign(context, { findDelivery: () => ({ ...shown, connection }) } satisfies Partial<typeof context>);
      await fixture.run('resendDelivery');
      assert.deepEqual([callsOf(fixture, 'resend'), ui.seen.picks.length], [[['hook', 'delivery']], asked]);
    }),
  );

  it('are sent once by a double click, from whichever places, and again a second later', async () => {
    const clock = heldClock();
    await on({ clock }, async (fixture) => {
      const row = deliveryNode('hook', 'delivery');
      const given = { webhookId: 'hook', id: 'delivery' };
      const sends = () => callsOf(fixture, 'resend').length;
      fixture.ui.answers.confirms.push(...Array.from({ length: 6 }, () => true));
      await Promise.all([row, given, { ...given, isOnPage: true }].map((each) => fixture.run('resendDelivery', each)));
      assert.equal(sends(), 1);
      await fixture.run('resendDelivery', row);
      assert.deepEqual([sends(), fixture.ui.seen.flashes.length], [1, 1], 'the service was faster than the hand');
      await fixture.run('resendDelivery', { webhookId: 'hook', id: 'other' });
      assert.equal(sends(), 2);
      await clock.advance(1000);
      await fixture.run('resendDelivery', row);
      assert.equal(sends(), 3);
    })();
  });

  it('are replayed once to a URL by a double click, and again a second later', async () => {
    const clock = heldClock();
    await on({ clock, webhooks: { state, lastUrl: URL_HERE } }, async (fixture) => {
      const row = deliveryNode('hook', 'delivery');
      const given = { webhookId: 'hook', id: 'delivery' };
      const replays = () => callsOf(fixture, 'replay').length;
      await Promise.all([row, { ...given, isOnPage: true }].map((each) => fixture.run('replayDelivery', each)));
      await fixture.run('replayDelivery', row);
      assert.deepEqual([replays(), fixture.ui.seen.flashes.length], [1, 1]);
      await fixture.run('replayDelivery', { ...given, url: '127.0.0.1:5000/x' });
      assert.equal(replays(), 2, 'another handler');
      fixture.ui.answers.confirms.push(true);
      await fixture.run('resendDelivery', row);
      assert.equal(callsOf(fixture, 'resend').length, 1, 'by the service');
      await clock.advance(1000);
      await fixture.run('replayDelivery', row);
      assert.equal(replays(), 3);
    })();
  });

  it(
    'are replayed to where this window listens, or listened last, and ask for a URL only where none is known',
    on(
      { webhooks: { state, lastUrl: 'http://localhost:4000/' }, answers: { inputs: ['(as suggested)'] } },
      async (fixture) => {
        await fixture.run('replayDelivery', deliveryNode('hook', 'delivery'));
        await fixture.run('replayDelivery', { webhookId: 'hook', id: 'delivery', url: '127.0.0.1:5000/x' });
        fixture.hooks.lastUrl = undefined;
        await fixture.run('replayDelivery', deliveryNode('hook', 'delivery'));
        assert.deepEqual(callsOf(fixture, 'replay'), [
          ['delivery', 'http://localhost:4000/'],
          ['delivery', 'http://127.0.0.1:5000/x'],
          ['delivery', URL_HERE],
        ]);
        assert.equal(fixture.ui.seen.inputs.length, 1);
      },
    ),
  );

  it(
    'are replayed to where this window sent them, or else to the same path of this computer, as the box suggests',
    on({ answers: { inputs: ['(as suggested)'] } }, async (fixture) => {
      const sentTo = (id: string, url: string) => aLocalDelivery({ id, request: { ...REQUEST, url } });
      fixture.hooks.local = [
        sentTo('a', 'http://[::1]:5000/here'),
        sentTo('b', 'https://api.example.com/hooks/live?a=b'),
      ];
      await fixture.run('replayDelivery', localDeliveryNode('a'));
      await fixture.run('replayDelivery', localDeliveryNode('b'));
      assert.deepEqual(callsOf(fixture, 'replay'), [
        ['a', 'http://[::1]:5000/here'],
        ['b', 'http://localhost:3000/hooks/live'],
      ]);
      assert.equal(fixture.ui.seen.inputs.length, 1);
    }),
  );

  it(
    'are replayed to where this window listens by now, though this window sent them to another URL',
    on({}, async (fixture) => {
      const url = 'http://localhost:5000/before';
      fixture.hooks.local = [aLocalDelivery({ id: 'a', request: { ...REQUEST, url } })];
      fixture.hooks.listening = { url: URL_HERE, events: undefined, webhookId: undefined, since: 0 };
      await fixture.run('replayDelivery', localDeliveryNode('a'));
      assert.deepEqual(callsOf(fixture, 'replay'), [['a', URL_HERE]]);
    }),
  );

  it(
    'are replayed to another URL, which is asked for although one is known',
    on(
      { webhooks: { state, lastUrl: 'http://localhost:4000/' }, answers: { inputs: ['localhost:5000/x'] } },
      async (fixture) => {
        await fixture.run('replayDelivery', { webhookId: 'hook', id: 'delivery', isElsewhere: true });
        assert.equal(fixture.ui.seen.inputs[0]?.value, 'http://localhost:4000/');
        assert.deepEqual(callsOf(fixture, 'replay'), [['delivery', 'http://localhost:5000/x']]);
      },
    ),
  );

  it(
    'are not replayed unasked to what a service other than the demo recorded as a URL of this computer',
    on({}, async (fixture) => {
      const request = { ...REQUEST, url: 'http://localhost:6379/admin' };
      fixture.context.webhooks.readDelivery = async () => deliveryDetails({ request });
      await fixture.run('replayDelivery', deliveryNode('hook', 'delivery'));
      assert.deepEqual([callsOf(fixture, 'replay').length, fixture.ui.seen.inputs.length], [0, 1]);
    }),
  );

  it(
    'say that they went with the old signature, and why they failed',
    on({ webhooks: { state, lastUrl: URL_HERE, outcome: { signature: 'recorded' } } }, async (fixture) => {
      await fixture.run('replayDelivery', deliveryNode('hook', 'delivery'));
      assert.match(fixture.ui.seen.flashes[0] ?? '', /original signature/);
      fixture.hooks.outcome = {
        isSuccess: false,
        statusCode: undefined,
        error: 'Nothing is listening at localhost:3000.',
      };
      await fixture.run('replayDelivery', deliveryNode('hook', 'other'));
      assert.match(fixture.ui.seen.messages[0] ?? '', /Nothing is listening at localhost:3000/);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Show Delivery Details']);
      await fixture.run('replayDelivery', { webhookId: 'hook', id: 'delivery', isOnPage: true });
      assert.equal(fixture.ui.seen.messages.length, 1, 'the page says it');
    }),
  );
});

describe('Listen for Webhook Events', () => {
  it(
    'proposes the last URL of the folder, and starts with all events',
    on(
      { webhooks: { lastUrl: 'http://localhost:4000/' }, answers: { inputs: ['(as suggested)'] } },
      async (fixture) => {
        await fixture.run('listenForEvents');
        assert.deepEqual(callsOf(fixture, 'start').at(0), [
          { url: 'http://localhost:4000/', events: undefined, webhookId: undefined, streamId: undefined },
        ]);
        assert.deepEqual(fixture.ui.seen.flashes, ['Sending events to localhost:4000/']);
      },
    ),
  );

  it(
    'says that nothing listens at the URL, and what to do, not that events are sent',
    on({}, async (fixture) => {
      await fixture.run('listenForEvents', { url: 'http://localhost:4000/nobody' });
      assert.deepEqual(fixture.ui.seen.messages, [
        "Nothing is listening at localhost:4000, so events can't be delivered. Start your server, or check the host and port.",
      ]);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Change URL…', 'Stop Listening']);
      assert.deepEqual(fixture.ui.seen.flashes, []);
      await fixture.run('listenForEvents', { url: URL_HERE });
      assert.match(fixture.ui.seen.messages[1] ?? '', /^Events from this computer are signed/, 'once it is there');
    }),
  );

  it(
    'leaves it to the Webhooks view, while that is visible, to say that nothing listens at the URL',
    on({}, async (fixture) => {
      fixture.hooks.isViewVisible = true;
      await fixture.run('listenForEvents', { url: 'http://localhost:4000/nobody' });
      assert.equal(callsOf(fixture, 'start').length, 1);
      const { messages, flashes } = fixture.ui.seen;
      assert.match(messages.join('|'), /^Events from this computer are signed[^|]*$/, 'what a handler needs');
      assert.deepEqual(flashes, []);
    }),
  );

  it(
    'lets the URL be changed where nothing listens, and keeps the webhook and its events',
    on({ answers: { presses: ['Change URL…'], inputs: [URL_HERE] } }, async (fixture) => {
      await fixture.run('listenForEvents', { url: 'http://localhost:4000/nobody', webhookId: 'hook' });
      const started = () => callsOf(fixture, 'start').flat();
      await waitUntil(() => started().length === 2);
      const [first, second] = started();
      assert.deepEqual(second, { ...Object(first), url: URL_HERE });
      assert.equal(fixture.ui.seen.inputs[0]?.value, 'http://localhost:4000/nobody');
    }),
  );

  it(
    'changes only the URL from the row that says that nothing listens there',
    on({ answers: { inputs: [URL_HERE] } }, async (fixture) => {
      const sent = { events: ['stream.idle'], webhookId: 'hook', streamId: 'one' };
      fixture.hooks.listening = { ...sent, url: 'http://localhost:4000/nobody', since: 0, isUnanswered: true };
      await fixture.run('listenForEvents', webhookEndNode('unanswered', thisComputerNode().id));
      assert.deepEqual(callsOf(fixture, 'start'), [[{ ...sent, url: URL_HERE }]]);
    }),
  );

  it(
    'offers the secret that the handler needs, once in a folder',
    on({ answers: { presses: ['Copy Secret'] } }, async (fixture) => {
      await fixture.run('listenForEvents', { url: URL_HERE });
      await fixture.run('listenForEvents', { url: URL_HERE });
      assert.deepEqual(fixture.ui.seen.copied, ['folder secret']);
      assert.equal(fixture.ui.seen.said.length, 1);
    }),
  );

  it(
    'says that a webhook delivers to the URL as well',
    on({ answers: { presses: ['Stop Listening'] } }, async (fixture) => {
      const here = aWebhook({ name: 'Mine', url: URL_HERE });
      fixture.hooks.state = { ...state, webhooks: { ...state.webhooks, items: [here] } };
      fixture.hooks.listening = { url: URL_HERE, events: undefined, webhookId: undefined, since: 0 };
      await fixture.run('listenForEvents', { url: URL_HERE });
      assert.match(fixture.ui.seen.messages[0] ?? '', /"Mine" also delivers to this URL/);
      assert.equal(callsOf(fixture, 'stop').length, 1);
    }),
  );

  it(
    'takes the events and the secret of a webhook',
    on({ answers: { inputs: ['(as suggested)'] } }, async (fixture) => {
      await fixture.run('listenForEvents', webhookNode('hook'));
      await fixture.run('listenForEvents', { url: '8080', events: ['stream.idle'], webhookId: 'hook' });
      assert.deepEqual(callsOf(fixture, 'start'), [
        [{ url: URL_HERE, events: ['stream.started', 'stream.idle'], webhookId: 'hook', streamId: undefined }],
        [{ url: 'http://localhost:8080/', events: ['stream.idle'], webhookId: 'hook', streamId: undefined }],
      ]);
    }),
  );

  for (const url of [
    'https://example.com/x',
    'http://localhost:70000',
    'ftp://localhost',
    'http://user:pass@localhost/',
  ]) {
    it(
      `refuses ${url} in words, in the box and as an argument`,
      on({ answers: { inputs: [url] } }, async (fixture) => {
        await fixture.run('listenForEvents');
        assert.equal(fixture.ui.seen.corrections.length, 1);
        await fixture.run('listenForEvents', { url });
        assert.equal(fixture.ui.seen.messages.length, 1);
        assert.deepEqual(callsOf(fixture, 'start'), []);
      }),
    );
  }

  it(
    'says that another window listens there already, and goes on if the user wants to',
    on({ answers: { presses: ['Listen Anyway'] } }, async (fixture) => {
      fixture.hooks.isInUse = true;
      await fixture.run('listenForEvents', { url: URL_HERE });
      assert.match(fixture.ui.seen.messages[0] ?? '', /Another window/);
      assert.deepEqual(
        callsOf(fixture, 'start').map(([request]) => (request as { isShared?: boolean }).isShared),
        [undefined, true],
      );
    }),
  );

  it(
    'stops, and says so where nothing is listened for',
    on({}, async (fixture) => {
      await fixture.run('stopListening');
      assert.equal(fixture.ui.seen.said[0]?.severity, 'info');
      fixture.hooks.listening = { url: URL_HERE, events: undefined, webhookId: undefined, since: 0 };
      await fixture.run('stopListening');
      assert.deepEqual(callsOf(fixture, 'stop'), [[]]);
    }),
  );
});

describe('Send Test Event', () => {
  it(
    'sends what it is given without a question',
    on({}, async (fixture) => {
      const { id } = streamOf(fixture);
      await fixture.run('sendTestEvent', { event: 'stream.started', id, url: URL_HERE });
      const [[sent]] = callsOf(fixture, 'send') as [
        [{ event: string; url: string; subject: { stream: { id: string } } }],
      ];
      assert.deepEqual([sent.event, sent.url, sent.subject.stream.id], ['stream.started', URL_HERE, id]);
      assert.deepEqual(fixture.ui.seen.picks, []);
    }),
  );

  it(
    'asks for the event, and then for the stream that it is about',
    on({ webhooks: { lastUrl: URL_HERE }, answers: { picks: ['stream.idle'] } }, async (fixture) => {
      fixture.ui.answers.picks.push(streamOf(fixture).name);
      await fixture.run('sendTestEvent', thisComputerNode());
      assert.equal(callsOf(fixture, 'send').length, 1);
    }),
  );

  it(
    'offers recorded sessions alone for an event about a recording',
    on({ webhooks: { lastUrl: URL_HERE }, answers: { picks: ['recording.ready'] } }, async (fixture) => {
      const { control } = fixture.service;
      for (const record of [true, false]) {
        const { id } = control.addStream({ name: record ? 'Recorded' : 'Not recorded' });
        control.addSession(id, { record, createdAt: Date.now() });
      }
      await fixture.run('sendTestEvent');
      const names = fixture.ui.seen.picks.at(-1)?.items.map(({ label }) => label) ?? [];
      assert.deepEqual([names.includes('Recorded'), names.includes('Not recorded')], [true, false]);
    }),
  );

  it(
    'sends an event of a webhook with its secret, and to its URL if that is on this computer',
    on({ answers: { picks: ['stream.idle'], inputs: ['(as suggested)'] } }, async (fixture) => {
      const here = aWebhook({ id: 'here', url: 'http://localhost:9/hook', events: ['stream.started'] });
      fixture.hooks.state = { ...state, webhooks: { ...state.webhooks, items: [...state.webhooks.items, here] } };
      const { name } = streamOf(fixture);
      fixture.ui.answers.picks.push(name, 'stream.started', name);
      await fixture.run('sendTestEvent', webhookNode('hook'));
      await fixture.run('sendTestEvent', 'here');
      assert.deepEqual(
        callsOf(fixture, 'send').map(([sent]) => {
          const { event, webhookId, url } = sent as { event: string; webhookId: string; url: string };
          return [event, webhookId, url];
        }),
        [
          ['stream.idle', 'hook', URL_HERE],
          ['stream.started', 'here', 'http://localhost:9/hook'],
        ],
      );
    }),
  );

  it(
    'opens the envelope to be edited, which is sent as it is',
    on(
      { webhooks: { lastUrl: URL_HERE }, languageId: 'json', text: '{"event":"stream.idle","stream":"mine"}|' },
      async (fixture) => {
        fixture.ui.answers.picks.push('stream.idle > Edit as JSON First', streamOf(fixture).name);
        await fixture.run('sendTestEvent');
        const { id } = streamOf(fixture);
        assert.deepEqual(fixture.ui.seen.edited, [
          { fileName: 'stream.idle.event.json', text: JSON.stringify({ event: 'stream.idle', stream: id }) },
        ]);
        assert.deepEqual(callsOf(fixture, 'send'), []);
        await fixture.run('sendEditedEvent');
        const body = '{"event":"stream.idle","stream":"mine"}';
        assert.deepEqual(callsOf(fixture, 'send'), [[{ event: 'stream.idle', body, url: URL_HERE }]]);
      },
    ),
  );

  it(
    'refuses an edited text that is no event',
    on({ languageId: 'json', text: '{"stream":{}}|' }, async (fixture) => {
      await fixture.run('sendEditedEvent');
      assert.match(fixture.ui.seen.messages[0] ?? '', /must be a JSON object/);
    }),
  );

  it(
    'refuses an edited text that is no JSON',
    on({ languageId: 'json', text: '{"event":|' }, async (fixture) => {
      await fixture.run('sendEditedEvent');
      assert.deepEqual(fixture.ui.seen.messages, ["The event isn't valid JSON."]);
    }),
  );
});

describe('Copy Webhook Secret', () => {
  it(
    'copies a webhook’s secret, or the one that signs events from this computer, and never shows it',
    on({ answers: { picks: ['This Computer'] } }, async (fixture) => {
      fixture.hooks.secrets.set(`${fixture.context.connection.info?.id}/hook`, 'hook secret');
      await fixture.run('copyWebhookSecret', webhookNode('hook'));
      await fixture.run('copyWebhookSecret');
      await fixture.run('copyWebhookSecret', thisComputerNode());
      await fixture.run('copyWebhookSecret', { id: '' });
      await fixture.run('copyWebhookSecret', '');
      assert.deepEqual(fixture.ui.seen.copied, ['hook secret', ...Array(4).fill('folder secret')]);
      assert.match(fixture.ui.seen.flashes[0] ?? '', /webhook "Production"/);
      assert.match(fixture.ui.seen.flashes[1] ?? '', /this folder's secret/);
      assert.doesNotMatch(fixture.readable(), /(hook|folder) secret/);
    }),
  );

  it(
    'says so where the secret was set elsewhere, and offers to set a new one',
    on({ webhooks: { state: webhooksState({ webhooks: [aWebhook()] }) } }, async (fixture) => {
      await fixture.run('copyWebhookSecret', { id: 'hook' });
      assert.match(fixture.ui.seen.messages[0] ?? '', /The secret for "Production" is unknown/);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Edit Webhook…']);
      assert.deepEqual(fixture.ui.seen.copied, []);
    }),
  );

  it(
    'offers to enter the secret in use where a delivery can check it',
    on({}, async (fixture) => {
      await fixture.run('copyWebhookSecret', { id: 'hook' });
      assert.match(fixture.ui.seen.messages[0] ?? '', /Enter the secret that your handler uses/);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Enter Secret…', 'Edit Webhook…']);
    }),
  );
});
