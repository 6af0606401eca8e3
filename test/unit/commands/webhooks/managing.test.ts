import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import { signBody } from '../../../../src/model/webhooks/signature.ts';
import { webhookEndNode, webhookNode } from '../../../../src/model/webhooks/webhookNodes.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { aTrouble, NOW } from '../../../support/model/builders.ts';
import { aWebhook, deliveryDetails, deliveryRows, webhooksState } from '../../../support/model/fakeWebhooks.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type Fixture, type FixtureOptions, withCommands } from '../fixture.ts';

const GIVEN = { name: 'Staging', url: 'https://staging.example.com/hook', events: ['stream.started'] };
const hooks = { state: webhooksState({ webhooks: [aWebhook(), aWebhook({ id: 'other', name: 'Other' })] }) };
const callsOf = ({ hooks: { calls } }: Fixture, name: string) =>
  calls.filter(([called]) => called === name).map(([, ...args]) => args);
function on(options: FixtureOptions, test: (fixture: Fixture) => Promise<void>) {
  return withCommands({ webhooks: hooks, ...options }, test);
}

describe('Create Webhook', () => {
  it(
    'asks for nothing when it is given a name, a URL and events, and makes a secret that is kept and never shown',
    on({}, async (fixture) => {
      await fixture.run('createWebhook', GIVEN);
      const [[form]] = callsOf(fixture, 'create') as [[Record<string, unknown>]];
      const { sharedSecret, ...rest } = form;
      assert.deepEqual(rest, { ...GIVEN, streamId: undefined });
      assert.match(String(sharedSecret), /^[0-9a-f]{64}$/);
      assert.deepEqual([...fixture.hooks.secrets.values()], [sharedSecret]);
      assert.deepEqual(fixture.ui.seen.inputs, []);
      assert.deepEqual(callsOf(fixture, 'reveal'), [['new']]);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Copy Secret']);
      assert.ok(!fixture.readable().includes(String(sharedSecret)));
    }),
  );

  it(
    'asks for name and URL, and shows the rest until it is to be created, with what was entered before Back',
    on(
      {
        answers: {
          inputs: ['Staging', '(back) https://a.example.com', '(as suggested)', 'https://b.example.com', 'a secret'],
          picksMany: [['stream.started', 'recording.ready']],
          picks: ['Events', 'Secret', 'Enter Secret…', 'Create'],
        },
      },
      async (fixture) => {
        await fixture.run('createWebhook');
        const expected = {
          ...{ name: 'Staging', url: 'https://b.example.com', events: ['stream.started', 'recording.ready'] },
          ...{ streamId: undefined, sharedSecret: 'a secret' },
        };
        assert.deepEqual(callsOf(fixture, 'create'), [[expected]]);
        const { inputs, picks } = fixture.ui.seen;
        assert.deepEqual(inputs[0]?.step, { current: 1, total: 3 });
        assert.equal(inputs[3]?.value, 'https://a.example.com', 'kept while the name was changed');
        assert.equal(inputs[4]?.isPassword, true);
        const lists = picks.filter(({ step }) => step?.current === 3);
        const rowsOf = (at: number) =>
          lists.at(at)?.items.map(({ label, description }) => [label, description].filter(Boolean).join(': '));
        assert.deepEqual(rowsOf(0), [
          ...['Create: Staging', 'Settings', 'Name: Staging', 'URL: https://b.example.com/'],
          ...['Events: stream.started, stream.idle, recording.ready', 'Stream: All Streams', 'Secret: Generated'],
        ]);
        assert.equal(rowsOf(-1)?.at(-1), 'Secret: Entered');
      },
    ),
  );

  it(
    'sends the usual events and a secret that it makes if nothing but name and URL is entered',
    on({ answers: { inputs: ['A', 'https://a.example.com'], picks: ['Create'] } }, async (fixture) => {
      await fixture.run('createWebhook');
      const [[form]] = callsOf(fixture, 'create') as [[Record<string, unknown>]];
      assert.deepEqual(form.events, ['stream.started', 'stream.idle', 'recording.ready']);
      assert.match(String(form.sharedSecret), /^[0-9a-f]{64}$/);
    }),
  );

  it(
    'asks for events again if none was selected, and says so',
    on({ answers: { inputs: ['A', 'https://a.example.com'], picks: ['Events'], picksMany: [[]] } }, async (fixture) => {
      await fixture.run('createWebhook');
      const asked = fixture.ui.seen.picks.slice(1, 3).map(({ placeholder }) => placeholder);
      assert.deepEqual(asked, ['Select the events to receive', 'Select at least one event.']);
      assert.deepEqual(fixture.ui.seen.messages, ['Select at least one event.']);
    }),
  );

  it(
    'describes each event in the picker, and begins with the usual ones',
    on({ answers: { inputs: ['A', 'https://a.example.com'], picks: ['Events'] } }, async (fixture) => {
      await fixture.run('createWebhook');
      const { items = [] } = fixture.ui.seen.picks[1] ?? {};
      assert.ok(items.length >= 20);
      const picked = items.filter((item) => 'isPicked' in item && item.isPicked);
      assert.deepEqual(fieldsOf(picked, 'label'), ['stream.started', 'stream.idle', 'recording.ready']);
      assert.deepEqual(
        items.filter(({ description }) => description === undefined),
        [],
      );
    }),
  );

  for (const url of ['http://localhost:3000', 'http://192.168.1.2/x', 'https://intranet/hook', 'http://[::1]/']) {
    it(
      `says before anything is saved that the service never delivers to ${url}, and offers to listen instead`,
      on({ answers: { inputs: ['A', url, '(link) Listen for Webhook Events…'] } }, async (fixture) => {
        Object.assign(fixture.context.connection.info ?? {}, { baseUrl: 'https://studio.example/api' });
        await fixture.run('createWebhook');
        assert.match(fixture.ui.seen.corrections[0] ?? '', /can't reach this URL.*\[Listen for Webhook Events…\]/);
        assert.deepEqual(callsOf(fixture, 'create'), []);
        await fixture.run('createWebhook', { ...GIVEN, url });
        assert.match(fixture.ui.seen.messages.at(-1) ?? '', /can't reach this URL/);
        assert.deepEqual(callsOf(fixture, 'create'), []);
      }),
    );
  }

  it(
    'refuses what is no URL, no name, and no list of events',
    on({}, async (fixture) => {
      for (const wrong of [
        { url: 'nowhere' },
        { url: 'ftp://a.example.com' },
        { name: ' ' },
        { events: [] },
        { streamId: '../x' },
      ]) {
        await fixture.run('createWebhook', { ...GIVEN, ...wrong });
      }
      assert.equal(fixture.ui.seen.messages.length, 5);
      assert.deepEqual(callsOf(fixture, 'create'), []);
    }),
  );
});

describe('Edit Webhook', () => {
  it(
    'changes just what it is given',
    on({}, async (fixture) => {
      await fixture.run('editWebhook', { id: 'hook', name: 'New name' });
      assert.deepEqual(callsOf(fixture, 'change'), [['hook', { name: 'New name' }]]);
      assert.deepEqual([...fixture.hooks.secrets], []);
    }),
  );

  it(
    'shows what can be changed, with what is there, until it is to be saved, and sends nothing before',
    on(
      {
        answers: {
          inputs: ['Staging', 'https://staging.example.com/hook?token=t', '(as suggested)'],
          picks: ['Name', 'URL', 'Events', 'Secret', 'Generate a Secret', 'Name', 'Save'],
          confirms: [true],
          picksMany: [['stream.idle']],
        },
      },
      async (fixture) => {
        const { ui, context, run } = fixture;
        const callsAtList: number[] = [];
        const { pick } = context.ui;
        context.ui.pick = (options) => {
          callsAtList.push(callsOf(fixture, 'change').length);
          return pick(options);
        };
        await run('editWebhook', webhookNode('hook'));
        const lists = ui.seen.picks.filter(({ items }) => items.some(({ label }) => label === 'URL'));
        const icons = ui.seen.picks.flatMap(({ items }) => items.map((item) => 'icon' in item && item.icon));
        assert.ok(!icons.includes('sparkle'), 'which VS Code uses for AI');
        const rowsOf = (at: number) =>
          lists.at(at)?.items.map(({ label, description }) => [label, description].filter(Boolean).join(': '));
        assert.deepEqual(rowsOf(0), [
          ...['Name: Production', 'URL: https://api.example.com/live', 'Events: stream.started'],
          ...['Stream: All Streams', 'Secret'],
        ]);
        assert.deepEqual(rowsOf(-1), [
          ...['Save: Staging', '', 'Name: Staging', 'URL: https://staging.example.com/hook', 'Events: stream.idle'],
          ...['Stream: All Streams', 'Secret: Generated'],
        ]);
        assert.deepEqual(
          [0, 1, -1].map((at) => lists.at(at)?.placeholder),
          ['Select what to change', ...Array(2).fill('Save the webhook, or make more changes')],
        );
        assert.deepEqual(new Set(callsAtList), new Set([0]));
        assert.ok(ui.seen.inputs.every(({ back, step }) => back !== undefined && step === undefined));
        const [[, { sharedSecret, ...form }] = [undefined, { sharedSecret: '' }], ...more] = callsOf(
          fixture,
          'change',
        ) as [[string, Record<string, unknown>]];
        assert.deepEqual(
          [form, more],
          [{ name: 'Staging', url: 'https://staging.example.com/hook?token=t', events: ['stream.idle'] }, []],
        );
        assert.deepEqual([...fixture.hooks.secrets.values()], [sharedSecret]);
        assert.deepEqual(ui.seen.flashes.length, 1);
      },
    ),
  );

  it(
    'leaves a part as it was if its box is dismissed or left with Back, and saves nothing if the list is dismissed',
    on(
      {
        answers: {
          inputs: ['(back) https:', 'Staging'],
          picks: ['URL', 'Stream', '(back)', 'Name', 'Secret', '(dismissed)'],
        },
      },
      async (fixture) => {
        const { ui, context, run } = fixture;
        const { pick } = context.ui;
        context.ui.pick = (options) => {
          if (ui.answers.picks[0] !== '(dismissed)') return pick(options);
          ui.answers.picks.shift();
          return Promise.resolve(undefined);
        };
        await run('editWebhook', webhookNode('hook'));
        const lists = ui.seen.picks.filter(({ items }) => items.some(({ label }) => label === 'URL'));
        assert.deepEqual(
          lists.map(({ items }) => items.find(({ label }) => label === 'Save')?.description),
          [undefined, undefined, undefined, 'Staging', 'Staging'],
        );
        assert.deepEqual(
          lists.map(({ items }) => items.find(({ label }) => label === 'URL')?.description),
          Array(5).fill('https://api.example.com/live'),
        );
        assert.deepEqual([callsOf(fixture, 'change'), ui.seen.flashes], [[], []]);
      },
    ),
  );

  it(
    'asks before it sends another secret, and leads back to what was entered',
    on(
      {
        answers: {
          inputs: ['Staging', 'wrong-secret-123'],
          picks: ['Name', 'Secret', 'Enter Secret…', 'Save', 'Save'],
          confirms: [false, true],
        },
      },
      async (fixture) => {
        const { ui, run, context, readable } = fixture;
        const sent: number[] = [];
        const { confirm } = context.ui;
        context.ui.confirm = (question) => {
          sent.push(callsOf(fixture, 'change').length);
          return confirm(question);
        };
        await run('editWebhook', webhookNode('hook'));
        const { message, detail } = ui.seen.questions[0] ?? {};
        assert.match(`${message} ${detail}`, /"Production".*will reject all deliveries until they have the new one/);
        assert.deepEqual(sent, [0, 0]);
        assert.deepEqual(callsOf(fixture, 'change'), [['hook', { name: 'Staging', sharedSecret: 'wrong-secret-123' }]]);
        assert.doesNotMatch(readable(), /wrong-secret/);
        await run('editWebhook', { id: 'hook', secret: 'another' });
        assert.deepEqual([ui.seen.questions.length, callsOf(fixture, 'change').length], [3, 1]);
      },
    ),
  );

  it(
    'only keeps the secret that signed a delivery, and says while it is entered that another did not',
    on({ answers: { inputs: ['wrong-secret-123', ' whsec-123 '] } }, async (fixture) => {
      const { context, hooks: fakes, ui, run, readable } = fixture;
      const body = '{"event":"stream.started"}';
      const headers = { 'livepeer-signature': signBody('whsec-123', body, NOW) };
      const request = { url: GIVEN.url, method: 'POST', headers, body };
      context.webhooks.readDelivery = async (webhookId, id) => deliveryDetails({ webhookId, id, request });
      const key = `${context.connection.info?.id}/hook`;
      await run('editWebhook', { id: 'hook', deliveryId: 'd1' });
      assert.deepEqual(ui.seen.corrections, ["The secret doesn't match the signature of this delivery."]);
      assert.deepEqual([ui.seen.inputs[0]?.isPassword, fakes.secrets.get(key)], [true, 'whsec-123']);
      assert.doesNotMatch(readable(), /whsec-123/);
      assert.doesNotMatch(readable(), /wrong-secret/);
      assert.deepEqual([callsOf(fixture, 'change'), ui.seen.questions], [[], []]);
      fakes.secrets.set(key, 'generated here');
      for (const isReplaced of [false, true]) {
        ui.answers.inputs.push('whsec-123');
        ui.answers.confirms.push(isReplaced);
        await run('editWebhook', { id: 'hook', deliveryId: 'd1' });
        assert.equal(fakes.secrets.get(key), isReplaced ? 'whsec-123' : 'generated here');
      }
      assert.deepEqual(callsOf(fixture, 'change'), []);
    }),
  );

  it(
    'says that a delivery without a signature verifies no secret',
    on({ answers: { inputs: ['a'] } }, async (fixture) => {
      await fixture.run('editWebhook', { id: 'hook', deliveryId: 'd1' });
      assert.deepEqual(fixture.ui.seen.messages, ["The request isn't signed."]);
      assert.deepEqual(fixture.ui.seen.inputs, []);
    }),
  );

  it(
    'does not offer to save what is as it was',
    on(
      {
        answers: {
          inputs: ['Staging', 'Production', '(as suggested)'],
          picksMany: [['stream.started']],
          picks: ['Name', 'Name', 'URL', 'Events', 'Stream', 'All Streams'],
        },
      },
      async (fixture) => {
        await fixture.run('editWebhook', webhookNode('hook'));
        const hasSave = fixture.ui.seen.picks
          .filter(({ items }) => items.some(({ label }) => label === 'URL'))
          .map(({ items }) => items.some(({ label }) => label === 'Save'));
        assert.deepEqual(hasSave, [false, true, false, false, false, false]);
        assert.deepEqual(callsOf(fixture, 'change'), []);
      },
    ),
  );

  for (const [what, error, button] of [
    ['rejects it', new ApiError('rejected', 'Refused', { status: 422, detail: 'not like that' }), 'Edit…'],
    ['is unavailable', new ApiError('unavailable', 'No', { status: 503 }), 'Retry'],
  ] as const) {
    it(
      `keeps all that was changed if the service ${what}`,
      on(
        {
          answers: {
            inputs: ['Staging', 'https://staging.example.com', 'Staging 2'],
            picks: ['Name', 'URL', 'Save', 'Name', 'Save'],
            presses: [button],
          },
        },
        async (fixture) => {
          const { ui, context, run } = fixture;
          const { change } = context.webhooks;
          const failures: Error[] = [error];
          context.webhooks.change = async (...args) => {
            const failure = failures.shift();
            if (failure !== undefined) throw failure;
            return change(...args);
          };
          await run('editWebhook', webhookNode('hook'));
          await waitUntil(() => ui.seen.flashes.length === 1);
          assert.equal(ui.seen.said.length, 1);
          assert.equal(ui.seen.inputs[2]?.value, 'Staging');
          assert.deepEqual(callsOf(fixture, 'change'), [
            ['hook', { name: 'Staging 2', url: 'https://staging.example.com' }],
          ]);
        },
      ),
    );
  }

  it(
    'offers another webhook where the service cannot go back from one stream to all',
    on({ webhooks: { state: webhooksState({ webhooks: [aWebhook({ streamId: 's' })] }) } }, async (fixture) => {
      await fixture.run('editWebhook', { id: 'hook', streamId: null });
      assert.deepEqual(callsOf(fixture, 'change'), [['hook', { streamId: null }]]);
      const [{ message, actions } = { message: '', actions: [] }] = fixture.ui.seen.said;
      assert.match(message, /can't change a webhook for one stream/);
      assert.deepEqual(actions, ['Create Webhook']);
    }),
  );

  it(
    'asks which one from the palette',
    on({ answers: { picks: ['Other', 'Name'] } }, async (fixture) => {
      await fixture.run('editWebhook');
      assert.deepEqual(fieldsOf(fixture.ui.seen.picks[0]?.items, 'label'), ['Production', 'Other']);
      assert.equal(fixture.ui.seen.inputs[0]?.value, 'Other');
    }),
  );
});

describe('Delete Webhook', () => {
  it(
    'asks first, and forgets the secret',
    on({ answers: { confirms: [false, true] } }, async (fixture) => {
      await fixture.run('createWebhook', GIVEN);
      fixture.hooks.secrets.clear();
      await fixture.run('deleteWebhook', webhookNode('hook'));
      assert.deepEqual(callsOf(fixture, 'delete'), []);
      fixture.hooks.secrets.set(`${fixture.context.connection.info?.id}/hook`, 's');
      await fixture.run('deleteWebhook', { id: 'hook' });
      assert.deepEqual(callsOf(fixture, 'delete'), [['hook']]);
      assert.deepEqual([...fixture.hooks.secrets], []);
      assert.match(fixture.ui.seen.questions[0]?.message ?? '', /"Production"/);
      assert.equal(fixture.ui.seen.questions[0]?.act, 'Delete');
    }),
  );

  it(
    'says so if the webhook is gone, or the service has none',
    on({}, async (fixture) => {
      await fixture.run('deleteWebhook', { id: 'gone' });
      fixture.hooks.state = webhooksState({ isOffered: false });
      await fixture.run('deleteWebhook', { id: 'gone' });
      await fixture.run('deleteWebhook');
      fixture.hooks.state = webhooksState({});
      await fixture.run('deleteWebhook');
      assert.deepEqual(fixture.ui.seen.messages, [
        'This webhook no longer exists.',
        "This service doesn't support webhooks.",
        "This service doesn't support webhooks.",
        'There are no webhooks yet.',
      ]);
      assert.deepEqual(fixture.ui.seen.questions, []);
    }),
  );

  it(
    'reports why webhooks could not be loaded',
    on({}, async (fixture) => {
      fixture.hooks.state = webhooksState({ list: { isLoaded: false, trouble: aTrouble('network') } });
      await fixture.run('deleteWebhook');
      assert.equal(fixture.ui.seen.messages.length, 1);
      assert.deepEqual(fixture.ui.seen.said[0]?.severity, 'error');
    }),
  );
});

describe('Filter Deliveries', () => {
  it(
    'sets what it is given, and one part in the picker, keeping the others',
    on({ answers: { picks: ['By Event…', 'stream.started'] } }, async (fixture) => {
      await fixture.run('filterDeliveries', { id: 'hook', failedOnly: true });
      const filtered = deliveryRows([], { filter: { failedOnly: true } });
      fixture.hooks.state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: filtered } });
      await fixture.run('filterDeliveries', webhookNode('hook'));
      await fixture.run('clearDeliveryFilter', webhookNode('hook'));
      assert.deepEqual(callsOf(fixture, 'setFilter'), [
        ['hook', { failedOnly: true, event: undefined, streamId: undefined }],
        ['hook', { failedOnly: true, event: 'stream.started' }],
        ['hook', {}],
      ]);
    }),
  );
});

describe('Filter Deliveries without a webhook', () => {
  it(
    'filters those of the only webhook',
    on({ answers: { picks: ['Failed Only'] } }, async (fixture) => {
      fixture.hooks.state = webhooksState({ webhooks: [aWebhook()] });
      await fixture.run('filterDeliveries');
      await fixture.run('clearDeliveryFilter');
      assert.deepEqual(callsOf(fixture, 'setFilter'), [
        ['hook', { failedOnly: true }],
        ['hook', {}],
      ]);
    }),
  );

  it(
    'asks for the webhook if there are several',
    on({ answers: { picks: ['Other', 'Failed Only'] } }, async (fixture) => {
      await fixture.run('filterDeliveries');
      assert.deepEqual(callsOf(fixture, 'setFilter'), [['other', { failedOnly: true }]]);
    }),
  );
});

describe('Refresh of webhooks', () => {
  it(
    'reads the streams again too while the service fails or rejects the key, so that the view knows',
    on({}, async (fixture) => {
      const { context, run, service } = fixture;
      const kind = () => context.store.snapshot.connection.kind;
      service.control.fault(() => ({ status: 401 }));
      await context.loader.refreshActive();
      assert.equal(kind(), 'refused');
      service.control.fault(() => undefined);
      await run('refreshWebhooks');
      assert.deepEqual([kind(), fixture.hooks.calls], ['open', [['refresh']]]);
      const { loadedAt } = context.store.snapshot.lists.active;
      await run('refreshWebhooks');
      assert.equal(context.store.snapshot.lists.active.loadedAt, loadedAt, 'webhooks alone while all is well');
    }),
  );
});

describe('the last rows of webhooks', () => {
  it(
    'load more, or load the list anew',
    on({}, async (fixture) => {
      await fixture.run('loadMore', webhookEndNode('more'));
      await fixture.run('loadMore', webhookEndNode('more', 'hook'));
      await fixture.run('retry', webhookEndNode('retry'));
      await fixture.run('retry', webhookEndNode('retry', 'hook'));
      assert.deepEqual(fixture.hooks.calls, [
        ['loadMore'],
        ['loadMoreDeliveries', 'hook'],
        ['refresh'],
        ['setFilter', 'hook', {}],
      ]);
    }),
  );
});

describe('A webhook that was created elsewhere after the list was loaded', () => {
  it(
    'is found',
    on({}, async (fixture) => {
      const { hooks: fake } = fixture;
      const { refresh } = fixture.context.webhooks;
      fixture.context.webhooks.refresh = async () => {
        await refresh();
        fake.state = webhooksState({ webhooks: [aWebhook({ id: 'new', name: 'New' })] });
      };
      await fixture.run('editWebhook', { id: 'new', name: 'Renamed' });
      assert.deepEqual(callsOf(fixture, 'change'), [['new', { name: 'Renamed' }]]);
    }),
  );
});
