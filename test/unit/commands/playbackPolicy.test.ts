import assert from 'node:assert/strict';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { aWebhook, webhooksState } from '../../support/model/fakeWebhooks.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const saidIn = ({ ui }: Fixture) => ui.seen.messages.join('\n');

function idleStream({ service }: Fixture) {
  const streams = service.control.streams().filter(({ parentId, suspended }) => parentId === undefined && !suspended);
  return streams.find(({ isActive }) => !isActive) ?? assert.fail('No stream is idle');
}

function policyOf({ service }: Fixture, id: string): unknown {
  return service.control.streams().find((stream) => stream.id === id)?.playbackPolicy;
}

describe('Setting a playback policy', () => {
  it(
    'sends what is given, asks for nothing, and reads it back',
    withCommands({}, async (fixture) => {
      const { run, ui, context } = fixture;
      const { id, name } = idleStream(fixture);
      const allowedOrigins = ['https://a.example', 'http://localhost:3000'];
      await run('setPlaybackPolicy', { id, type: 'jwt', allowedOrigins });
      assert.deepEqual(policyOf(fixture, id), { type: 'jwt', allowedOrigins });
      const read = context.store.snapshot.streams.get(id)?.stream.playbackPolicy;
      assert.deepEqual(read, { type: 'jwt', webhookId: undefined, allowedOrigins });
      assert.deepEqual(ui.seen.flashes, [`Updated the playback policy for "${name}"`]);
      assert.deepEqual([ui.seen.picks, ui.seen.inputs], [[], []]);
      await run('setPlaybackPolicy', { id, type: 'public' });
      assert.deepEqual(policyOf(fixture, id), { type: 'public', allowedOrigins }, 'origins stay unless they are given');
      await run('setPlaybackPolicy', { id, type: 'public', allowedOrigins: [] });
      assert.deepEqual(policyOf(fixture, id), { type: 'public' });
    }),
  );

  it(
    'asks for nothing where it was given, and then offers a signing key that tokens need, unless that can’t be read',
    withCommands({}, async (fixture) => {
      const { run, ui, service } = fixture;
      const { id, name } = idleStream(fixture);
      await run('setPlaybackPolicy', { id, type: 'public' });
      assert.deepEqual(ui.seen.said, []);
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      const sentence = `Viewers of "${name}" need a signed token, but your account has no signing key.`;
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [[sentence, ['Create Signing Key…']]]);
      let isFailing = true;
      service.control.fault(({ path }) => (isFailing && path.includes('signing-key') ? { status: 500 } : undefined));
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      isFailing = false;
      await run('createSigningKey', { name: 'Key' });
      const before = ui.seen.said.length;
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.equal(ui.seen.said.length, before);
      assert.equal(ui.seen.messages.filter((each) => each === sentence).length, 1);
      assert.equal(ui.seen.flashes.length, 4);
    }),
  );

  it(
    'asks before it makes a live stream private, also one that has just gone live, and not before it makes one public',
    withCommands({ answers: { confirms: [false, true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const { id, name } = idleStream(fixture);
      service.control.setStream(id, { isActive: true, lastSeen: fixture.context.clock.now() });
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.deepEqual(policyOf(fixture, id), { type: 'public' });
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.deepEqual(policyOf(fixture, id), { type: 'jwt' });
      await run('setPlaybackPolicy', { id, type: 'jwt', allowedOrigins: ['https://a.example'] });
      await run('setPlaybackPolicy', { id, type: 'public', allowedOrigins: [] });
      assert.deepEqual(policyOf(fixture, id), { type: 'public' });
      const asked = [
        `Make "${name}" private?`,
        'This stream is live. Its viewers may be disconnected.',
        'Set Playback Policy',
      ];
      assert.deepEqual(fieldsOf(ui.seen.questions, 'message', 'detail', 'act'), [asked, asked]);
    }),
  );

  it(
    'asks for what is missing: who, and from which websites',
    withCommands(
      { answers: { picks: ['Signed Token'], inputs: ['a.example', 'https://a.example/ *'] } },
      async (fixture) => {
        fixture.service.control.addSigningKey('Site');
        const { id, name } = idleStream(fixture);
        await fixture.run('setPlaybackPolicy', id);
        assert.deepEqual(policyOf(fixture, id), { type: 'jwt', allowedOrigins: ['https://a.example', '*'] });
        const [picked] = fixture.ui.seen.picks;
        assert.equal(picked?.placeholder, `Select who can watch "${name}"`);
        assert.deepEqual(fieldsOf(picked?.items, 'label', 'description', 'icon'), [
          ['Public', 'current', undefined],
          ['Signed Token', undefined, undefined],
          ['Webhook', undefined, undefined],
        ]);
        assert.deepEqual(fixture.ui.seen.corrections, [
          `"a.example" isn't a valid origin. Enter one like https://example.com.`,
        ]);
      },
    ),
  );

  it(
    'leads back from the websites to the webhook, and from there to the kind, with what was entered',
    withCommands(
      {
        webhooks: { state: webhooksState({ webhooks: [aWebhook({ id: 'gate', name: 'Gate' })] }) },
        answers: {
          picks: ['Webhook', 'Gate', '(back)', 'Webhook', 'Gate'],
          inputs: ['(back) https://a.example', '(as suggested)'],
        },
      },
      async (fixture) => {
        const { id } = idleStream(fixture);
        const events = ['playback.accessControl'];
        fixture.service.control.addWebhook({ id: 'gate', name: 'Gate', url: 'https://www.example.com/gate', events });
        await fixture.run('setPlaybackPolicy', id);
        const { picks, inputs } = fixture.ui.seen;
        assert.deepEqual(
          picks.map(({ placeholder }) => placeholder?.split(' ').slice(0, 3).join(' ')),
          ['Select who can', 'Select a webhook', 'Select a webhook', 'Select who can', 'Select a webhook'],
        );
        assert.deepEqual(fieldsOf(inputs, 'title', 'value'), [
          ['Set Playback Policy', ''],
          ['Set Playback Policy', 'https://a.example'],
        ]);
        const wanted = { type: 'webhook', webhookId: 'gate', allowedOrigins: ['https://a.example'] };
        assert.deepEqual(policyOf(fixture, id), wanted);
      },
    ),
  );

  it(
    'changes nothing if a box is dismissed',
    withCommands({ answers: { picks: ['Signed Token'] } }, async (fixture) => {
      const { id } = idleStream(fixture);
      await fixture.run('setPlaybackPolicy', id);
      await fixture.run('setPlaybackPolicy', id);
      assert.deepEqual(policyOf(fixture, id), { type: 'public' });
    }),
  );

  it(
    'refuses what is no policy and what is no origin, before anything is sent',
    withCommands({}, async (fixture) => {
      const { run, requests } = fixture;
      const { id } = idleStream(fixture);
      await run('setPlaybackPolicy', { id, type: 'secret' });
      for (const origin of ['a.example', 'ftp://a.example', 'https://a.example/path', 'https://u:p@a.example', 7, '']) {
        await run('setPlaybackPolicy', { id, type: 'jwt', allowedOrigins: [origin] });
      }
      assert.deepEqual(requests(), []);
      const [first, ...others] = saidIn(fixture).split('\n');
      assert.equal(first, 'The playback policy must be "public", "jwt", or "webhook".');
      assert.equal(others.length, 6);
      for (const sentence of others)
        assert.match(sentence, /isn't a valid origin. Enter one like https:\/\/example\.com\.$/);
    }),
  );

  it(
    'says in words why the service rejects a policy, and shows the policy as it was before',
    withCommands({}, async (fixture) => {
      const { run, service, context } = fixture;
      const { id } = idleStream(fixture);
      const errors = [JSON.stringify({ dataPath: '.playbackPolicy', message: 'is not for this account' })];
      service.control.fault(({ method }) =>
        method === 'PATCH' ? { status: 422, body: JSON.stringify({ errors }) } : undefined,
      );
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.match(saidIn(fixture), /rejected the request: "\.playbackPolicy is not for this account\."$/);
      assert.equal(context.store.snapshot.streams.get(id)?.stream.playbackPolicy?.type, 'public');
    }),
  );

  it(
    'says that the service does not have playback policies, and hides the command until a refresh',
    withCommands({}, async (fixture) => {
      const { run, service, context } = fixture;
      const { id } = idleStream(fixture);
      service.control.fault(({ method }) => (method === 'PATCH' ? { status: 501 } : undefined));
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.match(saidIn(fixture), /doesn't support playback policies\.$/);
      assert.equal(context.store.snapshot.abilities.playbackPolicy, false);
      await run('refresh');
      assert.equal(context.store.snapshot.abilities.playbackPolicy, true);
    }),
  );

  it(
    'counts as done if the response is lost and the stream shows it, and is sent once',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, service, requests } = fixture;
      const { id } = idleStream(fixture);
      service.control.fault(({ method }) => {
        if (method !== 'PATCH') return undefined;
        service.control.setStream(id, { playbackPolicy: { type: 'jwt' } });
        return { status: 500 };
      });
      await run('setPlaybackPolicy', { id, type: 'jwt' });
      assert.match(saidIn(fixture), /However, the change was applied/);
      assert.equal(requests().filter((line) => line.startsWith('PATCH')).length, 1);
    }),
  );
});

describe('Setting a playback policy that needs a token, in an account without signing keys', () => {
  const NONE = 'Continue Without a Key';
  const CREATE = 'Create Signing Key…';

  it(
    'asks before anything is sent, and creates a key before the policy is set',
    withCommands(
      { answers: { picks: ['Signed Token', CREATE], inputs: ['https://a.example', 'Site'] } },
      async (fixture) => {
        const { run, ui, requests, service } = fixture;
        const { id, name } = idleStream(fixture);
        await run('setPlaybackPolicy', id);
        assert.equal(ui.seen.picks[1]?.placeholder, `"${name}" needs a signing key, and your account has none`);
        assert.deepEqual(fieldsOf(ui.seen.inputs.slice(1), 'title', 'prompt', 'value'), [
          ['Set Playback Policy', 'Enter a name for the signing key', 'VS Code'],
        ]);
        assert.deepEqual(
          requests().map((line) => line.split(' ')[0]),
          ['GET', 'GET', 'POST', 'PATCH', 'GET'],
          'the second GET reads whether the stream is live by now',
        );
        assert.deepEqual(policyOf(fixture, id), { type: 'jwt', allowedOrigins: ['https://a.example'] });
        const kept = await fixture.access.keyOf(fixture.context.connection.info?.id ?? '');
        assert.deepEqual([service.control.signingKeys().map((key) => key.name), kept?.name], [['Site'], 'Site']);
        assert.equal(ui.seen.messages.length, 1, 'that the key was created');
      },
    ),
  );

  it(
    'sets it without a key if somebody wants that, and doesn’t offer one again',
    withCommands({ answers: { picks: ['Signed Token', NONE], inputs: [''] } }, async (fixture) => {
      const { id } = idleStream(fixture);
      await fixture.run('setPlaybackPolicy', id);
      assert.deepEqual(policyOf(fixture, id), { type: 'jwt' });
      assert.deepEqual(fixture.ui.seen.messages, []);
    }),
  );

  it(
    'leads back from the name of the key to the question, and from there to who can watch',
    withCommands(
      {
        answers: {
          picks: ['Signed Token', CREATE, '(back)', 'Public'],
          inputs: ['', '(back) Site', '(back)', ''],
        },
      },
      async (fixture) => {
        const { id } = idleStream(fixture);
        fixture.service.control.setStream(id, { playbackPolicy: { type: 'jwt' } });
        await fixture.run('setPlaybackPolicy', id);
        const { picks, inputs } = fixture.ui.seen;
        assert.equal(picks.length, 4);
        assert.ok(inputs.every(({ back }) => back !== undefined));
        assert.deepEqual(policyOf(fixture, id), { type: 'public' });
        assert.deepEqual(fixture.service.control.signingKeys(), []);
      },
    ),
  );

  it(
    'changes nothing if a box is dismissed',
    withCommands({}, async (fixture) => {
      const { run, ui, requests } = fixture;
      const { id } = idleStream(fixture);
      for (const picks of [['Signed Token'], ['Signed Token', CREATE]]) {
        ui.answers.picks.push(...picks);
        ui.answers.inputs.push('');
        await run('setPlaybackPolicy', id);
      }
      assert.deepEqual(
        requests().filter((line) => !line.startsWith('GET')),
        [],
      );
    }),
  );

  it(
    'creates no key if the change of a live stream is canceled',
    withCommands(
      { answers: { picks: ['Signed Token', CREATE], inputs: ['', 'Site'], confirms: [false] } },
      async (fixture) => {
        const { id } = idleStream(fixture);
        fixture.service.control.setStream(id, { isActive: true, lastSeen: fixture.context.clock.now() });
        await fixture.run('setPlaybackPolicy', id);
        assert.equal(fixture.ui.seen.questions.length, 1);
        assert.deepEqual([policyOf(fixture, id), fixture.service.control.signingKeys()], [{ type: 'public' }, []]);
      },
    ),
  );

  it(
    'is not set if the key is not created',
    withCommands({ answers: { picks: ['Signed Token', CREATE], inputs: ['', 'Site'] } }, async (fixture) => {
      const { id } = idleStream(fixture);
      fixture.service.control.fault(({ method }) => (method === 'POST' ? { status: 403 } : undefined));
      await fixture.run('setPlaybackPolicy', id);
      assert.deepEqual(policyOf(fixture, id), { type: 'public' });
      assert.match(saidIn(fixture), /^Set Playback Policy: This API key doesn't have permission to do that\./);
    }),
  );

  it(
    'asks for no second key if the policy is rejected and edited',
    withCommands(
      {
        answers: {
          picks: ['Signed Token', CREATE],
          inputs: ['https://a.example', 'Site', 'https://b.example'],
          presses: ['Edit…'],
        },
      },
      async (fixture) => {
        const { id } = idleStream(fixture);
        const failures = [{ status: 422, body: JSON.stringify({ errors: ['no such origin'] }) }];
        fixture.service.control.fault(({ method }) => (method === 'PATCH' ? failures.shift() : undefined));
        await fixture.run('setPlaybackPolicy', id);
        await waitUntil(() => fixture.ui.seen.flashes.length > 0);
        assert.deepEqual(fieldsOf(fixture.ui.seen.inputs, 'value'), ['', 'VS Code', 'https://a.example']);
        assert.deepEqual(policyOf(fixture, id), { type: 'jwt', allowedOrigins: ['https://b.example'] });
        assert.equal(fixture.service.control.signingKeys().length, 1);
      },
    ),
  );

  for (const status of [403, 500, 501]) {
    it(
      `asks and says nothing of keys that can’t be read (${status})`,
      withCommands({ isHurried: true, answers: { picks: ['Signed Token'], inputs: [''] } }, async (fixture) => {
        const { id } = idleStream(fixture);
        fixture.service.control.fault(({ path }) => (path.includes('signing-key') ? { status } : undefined));
        await fixture.run('setPlaybackPolicy', id);
        assert.deepEqual(policyOf(fixture, id), { type: 'jwt' });
        assert.deepEqual(fixture.ui.seen.messages, []);
      }),
    );
  }
});

describe('Setting a webhook as the playback policy', () => {
  const HOOK = { name: 'Gate', url: 'https://www.example.com/gate', events: ['playback.accessControl'] };
  const listed = (id: string) => ({
    webhooks: {
      state: webhooksState({ webhooks: [aWebhook({ id, name: 'Gate' })] }),
    },
  });

  it(
    'takes one of the account, keeps its context, and refuses one that was deleted',
    withCommands(listed('gate'), async (fixture) => {
      const { run, service } = fixture;
      const { id } = idleStream(fixture);
      const webhookContext = { plan: 'gold' };
      service.control.addWebhook({ ...HOOK, id: 'gate' });
      service.control.setStream(id, { playbackPolicy: { type: 'webhook', webhookId: 'gate', webhookContext } });
      await fixture.context.connection.account.readStream(id);
      await run('setPlaybackPolicy', { id, type: 'webhook', allowedOrigins: ['*'] });
      const policy = { type: 'webhook', webhookId: 'gate', webhookContext, allowedOrigins: ['*'] };
      assert.deepEqual(policyOf(fixture, id), policy);
      await run('setPlaybackPolicy', { id, type: 'webhook', webhookId: 'gone' });
      assert.match(saidIn(fixture), /webhook no longer exists/);
      assert.deepEqual(policyOf(fixture, id), policy);
    }),
  );

  it(
    'asks for the webhook',
    withCommands({ ...listed('gate'), answers: { picks: ['Webhook', 'Gate'], inputs: [''] } }, async (fixture) => {
      const { id } = idleStream(fixture);
      fixture.service.control.addWebhook({ ...HOOK, id: 'gate' });
      await fixture.run('setPlaybackPolicy', id);
      assert.deepEqual(policyOf(fixture, id), { type: 'webhook', webhookId: 'gate' });
    }),
  );
});
