import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { runCommand } from '../../../src/commands/boundary.ts';
import { addConnection } from '../../../src/commands/connection/connect.ts';
import { openConnection } from '../../../src/commands/connection/openConnection.ts';
import type { PickOptions, Ui } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { fakeSecrets } from '../../support/model/fakes.ts';
import { settle } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const UNCONNECTED = { isConnected: false } as const;

function given({ service }: Fixture, over: Readonly<Record<string, unknown>> = {}) {
  return { name: 'Test', baseUrl: service.baseUrl, apiKey: service.apiKey, ...over };
}

/** The open connection has another key than the service: that of another account. */
async function withOldKey({ context }: Fixture): Promise<void> {
  await context.connections.update(context.connection.info?.id ?? '', { apiKey: 'old' });
}

function host({ service }: Fixture): string {
  return new URL(service.baseUrl).host;
}

describe('Connect to a Service', () => {
  it(
    'asks for the service, its address and the key, checks each, and is called as the service calls the account',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context, secretStore } = fixture;
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(` ${service.baseUrl}/ `, ` ${service.apiKey}\n`);
      await fixture.run('addConnection');
      const name = 'Studio at home';
      assert.equal(context.connection.info?.name, name);
      assert.deepEqual(
        [...secretStore.values.values()].map((text) => JSON.parse(text)),
        [{ name, baseUrl: service.baseUrl, apiKey: service.apiKey, insecureAccepted: false }],
      );
      assert.equal(context.store.snapshot.connectionCount, 1);
      assert.equal((await context.connections.chosenOf(await context.connections.list()))?.name, name);
      assert.deepEqual(ui.seen.flashes, [`Connected to "${name}"`]);
      assert.deepEqual([ui.seen.questions, ui.seen.corrections, ui.seen.said], [[], [], []]);
      assert.deepEqual(
        fieldsOf(ui.seen.inputs, 'title', 'step', 'prompt'),
        [
          ['Connect to a Service', undefined, "Enter the base URL of the service's API"],
          ['Connect to a Service', undefined, `Paste an API key from ${new URL(service.baseUrl).host}`],
        ],
        'without step numbers: the first choice decides how many boxes follow',
      );
    }),
  );

  it(
    'asks for the key in a password box with a link to where keys are made',
    withCommands(UNCONNECTED, async (fixture) => {
      fixture.ui.answers.picks.push('Livepeer Studio');
      fixture.ui.answers.inputs.push('(link) Get an API Key');
      await fixture.run('addConnection');
      const [box] = fixture.ui.seen.inputs;
      assert.deepEqual([box?.isPassword, box?.prompt], [true, 'Paste an API key from livepeer.studio']);
      assert.equal(fixture.ui.seen.inputs.length, 1, 'the box stays');
      assert.deepEqual(fixture.ui.seen.opened, ['https://livepeer.studio/dashboard/developers/api-keys']);
      assert.deepEqual(fixture.requests(), []);
    }),
  );

  it(
    'checks the key with the request that first paint sends, and with that alone',
    withCommands(UNCONNECTED, async (fixture) => {
      const { fault } = fixture.service.control;
      fault(() => ({ status: 400, body: '{"errors":["no"]}' }));
      await fixture.run('addConnection', given(fixture));
      const filters = encodeURIComponent('[{"id":"isActive","value":true}]');
      const [first] = fixture.requests();
      assert.equal(first, `GET /api/stream?streamsonly=1&filters=${filters}`);
      assert.equal(fixture.secretStore.values.size, 0);
    }),
  );

  it(
    'takes {name, baseUrl, apiKey} without asking, and makes the name unique',
    withCommands({}, async (fixture) => {
      await fixture.run('addConnection', given(fixture, { name: 'Production' }));
      assert.equal(fixture.context.connection.info?.name, 'Production 2');
      assert.deepEqual([fixture.ui.seen.inputs, fixture.ui.seen.picks, fixture.ui.seen.said], [[], [], []]);
      assert.equal(fixture.context.store.snapshot.connectionCount, 2);
      assert.deepEqual(fixture.ui.seen.flashes, ['Connected to "Production 2"']);
    }),
  );

  it(
    'refuses a given name of several lines or endless length before any request, as the box does, and keeps the demo’s name free',
    withCommands({}, async (fixture) => {
      const { run, ui, context } = fixture;
      for (const name of ['x'.repeat(10_000), 'two\nlines', 'bell\u0007']) {
        await run('addConnection', given(fixture, { name }));
        assert.equal(fixture.ui.seen.messages.at(-1), 'Enter a name of up to 100 characters, without line breaks.');
      }
      assert.equal((await context.connections.list()).length, 1);
      assert.deepEqual(fixture.requests(), []);
      await run('addConnection', given(fixture, { name: 'demo' }));
      assert.equal(context.connection.info?.name, 'demo 2');
      ui.answers.inputs.push('Demo');
      await run('renameConnection', 'Production');
      assert.deepEqual(ui.seen.corrections, ['A connection with this name already exists.']);
    }),
  );

  it(
    'asks for a name only if the service’s own is taken, suggests one that is free, and corrects another one',
    withCommands({ demo: { account: { projects: ['Production'] } } }, async (fixture) => {
      const { baseUrl, apiKey } = given(fixture);
      await withOldKey(fixture);
      fixture.ui.answers.inputs.push(' production ', '', ' Second ');
      await fixture.run('addConnection', { baseUrl, apiKey });
      assert.deepEqual(fieldsOf(fixture.ui.seen.inputs, 'prompt', 'value'), [
        ['A connection named "Production" already exists. Enter another name.', 'Production 2'],
      ]);
      assert.deepEqual(fixture.ui.seen.corrections, ['A connection with this name already exists.', 'Enter a name.']);
      assert.equal(fixture.context.connection.info?.name, 'Second');
    }),
  );

  it(
    'opens the connection that has the account already, unless it was given a name of its own',
    withCommands({ demo: { account: { projects: ['Production'] } } }, async (fixture) => {
      const { ui, context, service } = fixture;
      const { baseUrl, apiKey } = given(fixture);
      const { id } = context.connection.info ?? {};
      const ids = async () => (await context.connections.list()).map((each) => each.id);
      await fixture.run('addConnection', { baseUrl, apiKey });
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(service.baseUrl, apiKey);
      await fixture.run('addConnection');
      assert.deepEqual([await ids(), context.connection.info?.id, ui.seen.inputs.length], [[id], id, 2]);
      await fixture.run('addConnection', { baseUrl, apiKey, name: 'Second' });
      assert.equal((await ids()).length, 2);
    }),
  );

  it(
    'says that the service refused a key, stores nothing, repeats the key nowhere, and takes another',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui } = fixture;
      ui.answers.presses.push('Set API Key…');
      ui.answers.inputs.push(fixture.service.apiKey);
      await fixture.run('addConnection', given(fixture, { apiKey: 'wrong-key-77' }));
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'error',
          message: `${host(fixture)} rejected this API key. Make sure that it's complete and hasn't been revoked.`,
          actions: ['Set API Key…', 'Change URL…', 'Show Log'],
        },
      ]);
      await waitUntil(() => fixture.context.connection.info !== undefined);
      assert.equal(fixture.context.connection.info?.name, 'Test');
      assert.equal(fixture.secretStore.values.size, 1);
      assert.ok(!fixture.readable().includes('wrong-key-77'));
    }),
  );

  it(
    'stores nothing of a refused key when nobody gives another',
    withCommands(UNCONNECTED, async (fixture) => {
      await fixture.run('addConnection', given(fixture, { apiKey: 'wrong-key-77' }));
      assert.equal(fixture.secretStore.values.size, 0);
      assert.equal(fixture.context.connection.info, undefined);
    }),
  );

  it(
    'refuses keys and addresses that will not do with a sentence, before any request',
    withCommands(UNCONNECTED, async (fixture) => {
      const bad = [
        { apiKey: '' },
        { apiKey: 'first-line\nsecond-line' },
        { baseUrl: 'file:///etc/passwd' },
        { baseUrl: 'javascript:alert(1)' },
        { baseUrl: 'https://user:hunter2@example.com' },
        { baseUrl: 'not a url' },
      ];
      for (const over of bad) await fixture.run('addConnection', given(fixture, over));
      assert.equal(fixture.ui.seen.messages.length, bad.length);
      assert.doesNotMatch(fixture.readable(), /hunter2|first-line/);
      assert.deepEqual(fixture.requests(), []);
      assert.equal(fixture.secretStore.values.size, 0);
    }),
  );

  it(
    'corrects bad addresses and keys in their boxes',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service } = fixture;
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push('file:///x', '', service.baseUrl, 'two words', ' ', service.apiKey);
      await fixture.run('addConnection');
      assert.deepEqual(ui.seen.corrections, [
        'URLs that start with "file:" aren\'t supported. Enter a URL that starts with https://.',
        "Enter the base URL of the service's API.",
        "API keys can't contain spaces. Paste only the key.",
        'Paste an API key.',
      ]);
      assert.equal(fixture.context.connection.info?.name, 'Studio at home');
    }),
  );

  it(
    'asks before a key goes unencrypted to another machine, and goes no further when it is dismissed',
    withCommands(UNCONNECTED, async (fixture) => {
      await fixture.run('addConnection', given(fixture, { baseUrl: 'http://studio.example:81/api' }));
      const [question] = fixture.ui.seen.questions;
      assert.equal(question?.message, 'Send the API key to studio.example:81 without encryption?');
      assert.equal(question?.act, 'Connect Anyway');
      assert.match(fixture.ui.seen.messages[0] ?? '', /^Couldn't connect\./);
      assert.equal(fixture.secretStore.values.size, 0);
    }),
  );

  it(
    'remembers with the connection that unencrypted was accepted',
    withCommands({ ...UNCONNECTED, answers: { confirms: [true] } }, async (fixture) => {
      const { service, context, secretStore } = fixture;
      const checkService: typeof context.checkService = (_, signal) => context.checkService(service, signal);
      const here = { ...context, checkService };
      await addConnection(here, given(fixture, { baseUrl: 'http://studio.example/api' }));
      assert.match([...secretStore.values.values()].join(), /"insecureAccepted":true/);
    }),
  );

  it(
    'says what is wrong with a service that answers something else, and tries again with what was given',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service } = fixture;
      let isBroken = true;
      service.control.fault(() => {
        if (!isBroken) return undefined;
        isBroken = false;
        return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
      });
      ui.answers.presses.push('Retry');
      await fixture.run('addConnection', given(fixture));
      await waitUntil(() => fixture.context.connection.info !== undefined);
      assert.match(fixture.ui.seen.messages[0] ?? '', /returned a web page/);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Change URL…', 'Retry', 'Show Log']);
      assert.deepEqual(ui.seen.inputs, []);
    }),
  );

  const origin = ({ service }: Fixture) => new URL(service.baseUrl).origin;
  for (const [what, path] of [
    ['without its path', ''],
    ['of a page of the dashboard', '/dashboard/projects/p1/streams/s1?tab=health#top'],
    ['with a path of its own before it', '/studio'],
  ] as const) {
    it(
      `finds the service where an address ${what} was typed, before it asks for a key`,
      withCommands(UNCONNECTED, async (fixture) => {
        const { ui, service, context } = fixture;
        ui.answers.picks.push('Other Service…');
        ui.answers.inputs.push(`${origin(fixture)}${path}`, `(link) Use ${service.baseUrl}`, service.apiKey);
        await fixture.run('addConnection');
        assert.deepEqual(ui.seen.corrections, [
          `The API of ${host(fixture)} is at a different URL. [Use ${service.baseUrl}]`,
        ]);
        assert.equal(context.connection.info?.baseUrl, service.baseUrl);
        assert.deepEqual([ui.seen.inputs.length, ui.seen.said, fixture.secretStore.values.size], [2, [], 1]);
        const { requests } = service.control;
        const withKey = requests.filter(({ headers }) => headers.authorization !== undefined);
        assert.ok(withKey.length > 0 && withKey.every(({ path: sent }) => sent.startsWith('/api/')), 'no key before');
      }),
    );
  }

  it(
    'finds the service with the key where an address lets nobody see that it is wrong',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(`${service.baseUrl}/stream`, service.apiKey, `(link) Use ${service.baseUrl}`);
      await fixture.run('addConnection');
      assert.deepEqual(ui.seen.corrections, [
        `The API of ${host(fixture)} is at a different URL. [Use ${service.baseUrl}] [Change URL…] [Retry]`,
      ]);
      assert.deepEqual([context.connection.info?.baseUrl, ui.seen.inputs.length], [service.baseUrl, 2]);
    }),
  );

  it(
    'says at the address that a host does not answer, or that something else does, and checks again with a retry',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
      const answers = [{ status: 429 }, { status: 500 }, html, html];
      service.control.fault(({ headers }) => (headers.authorization === undefined ? answers.shift() : undefined));
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push('http://127.0.0.1:1/api', service.baseUrl, '(link) Retry', '(link) Retry');
      ui.answers.inputs.push('(link) Continue Anyway', service.apiKey);
      await fixture.run('addConnection');
      const here = host(fixture);
      assert.deepEqual(ui.seen.corrections, [
        '127.0.0.1:1 refused the connection. Check the URL and port. [Retry]',
        `${here} is receiving too many requests. Wait a moment, and then try again. [Retry]`,
        `${here} is unavailable (500). [Retry]`,
        `${here} returned a web page. Check the URL, or check for a sign-in page. [Continue Anyway]`,
      ]);
      assert.equal(context.connection.info?.baseUrl, service.baseUrl);
      assert.deepEqual([ui.seen.inputs.length, ui.seen.said], [2, []]);
    }),
  );

  it(
    'says what a key may not do if the service does not',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service } = fixture;
      const answers = [{ status: 403 }];
      service.control.fault(({ headers }) => (headers.authorization === undefined ? undefined : answers.shift()));
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(service.baseUrl, 'other-key-78');
      await fixture.run('addConnection');
      const actions = '[Get an API Key] [Change URL…]';
      assert.deepEqual(ui.seen.corrections, [
        `This API key doesn't have permission to list streams on ${host(fixture)}. ${actions}`,
      ]);
    }),
  );

  for (const [status, sentence] of [
    [429, 'Too many requests. Try again in 2 s. [Retry] [Change URL…]'],
    [500, 'HOST is unavailable (500). [Retry] [Change URL…]'],
  ] as const) {
    it(
      `keeps the key in its box after a ${status}, and sends the key again`,
      withCommands(UNCONNECTED, async (fixture) => {
        const { ui, service, context } = fixture;
        const answers = [{ status, headers: { 'retry-after': '2' } }];
        service.control.fault(({ headers }) => (headers.authorization === undefined ? undefined : answers.shift()));
        ui.answers.picks.push('Other Service…');
        ui.answers.inputs.push(service.baseUrl, service.apiKey, '(link) Retry');
        await fixture.run('addConnection');
        assert.deepEqual(ui.seen.corrections, [sentence.replace('HOST', host(fixture))]);
        const withKey = service.control.requests.filter(({ headers }) => headers.authorization !== undefined);
        assert.deepEqual(
          fieldsOf(withKey, 'path'),
          ['/api/stream', '/api/stream', '/api/project', '/api/user/me'],
          'the first answer was said at once',
        );
        assert.deepEqual([context.connection.info?.name, ui.seen.inputs.length], ['Studio at home', 2]);
      }),
    );
  }

  it(
    'takes a key that was pasted with quotation marks, or with the words before it in a header',
    withCommands(UNCONNECTED, async (fixture) => {
      const { service, secretStore } = fixture;
      const pasted = [`"${service.apiKey}"`, `'${service.apiKey}' `, `\u201c${service.apiKey}\u201d`];
      for (const apiKey of [...pasted, `Bearer ${service.apiKey}`, `Authorization: Bearer ${service.apiKey}`]) {
        await fixture.run('addConnection', given(fixture, { apiKey }));
        assert.deepEqual(fixture.ui.seen.messages, []);
      }
      const stored = [...secretStore.values.values()].map((text) => JSON.parse(text).apiKey);
      assert.deepEqual(new Set(stored), new Set([service.apiKey]));
      assert.equal(stored.length, 5);
    }),
  );

  it(
    'takes an address with a slash at its end as it is',
    withCommands(UNCONNECTED, async (fixture) => {
      await fixture.run('addConnection', given(fixture, { baseUrl: `${fixture.service.baseUrl}/` }));
      assert.equal(fixture.context.connection.info?.baseUrl, fixture.service.baseUrl);
    }),
  );

  it(
    'offers the address that works in a message where all was given',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      ui.answers.presses.push(`Use ${service.baseUrl}`);
      await fixture.run('addConnection', { baseUrl: origin(fixture), apiKey: service.apiKey });
      assert.deepEqual(ui.seen.picks, []);
      assert.deepEqual(ui.seen.said.at(-1)?.actions, [`Use ${service.baseUrl}`, 'Change URL…', 'Retry', 'Show Log']);
      await waitUntil(() => context.connection.info?.baseUrl === service.baseUrl);
      assert.deepEqual(ui.seen.inputs, []);
    }),
  );

  it(
    'sends the key to no other origin while it looks for the address',
    withCommands(UNCONNECTED, async (fixture) => {
      const { context, service } = fixture;
      const asked: string[] = [];
      const checkService: typeof context.checkService = (connection, signal) => {
        asked.push(connection.baseUrl);
        return context.checkService({ ...connection, baseUrl: `${origin(fixture)}/nothing` }, signal);
      };
      const elsewhere = 'https://studio.test/a/b';
      await assert.rejects(addConnection({ ...context, checkService }, { ...given(fixture), baseUrl: elsewhere }));
      assert.deepEqual(asked, [elsewhere, `${elsewhere}/api`, 'https://studio.test/api']);
      assert.ok(!fixture.readable().includes(service.apiKey));
    }),
  );

  for (const status of [401, 403]) {
    it(
      `says in the box that a key got a ${status}, and takes another key in the same box`,
      withCommands(UNCONNECTED, async (fixture) => {
        const { ui, service, context } = fixture;
        if (status === 403) service.control.acceptBrowserKey('browser-key-77');
        ui.answers.picks.push('Other Service…');
        ui.answers.inputs.push(service.baseUrl, 'browser-key-77', service.apiKey);
        await fixture.run('addConnection');
        assert.deepEqual(ui.seen.corrections, [
          status === 401
            ? `${host(fixture)} rejected this API key. Make sure that it's complete and hasn't been revoked. [Get an API Key] [Change URL…]`
            : `${host(fixture)} rejected the request: "The key is for browsers, and this request comes from none." [Get an API Key] [Change URL…]`,
        ]);
        assert.deepEqual([context.connection.info?.name, ui.seen.inputs.length], ['Studio at home', 2]);
        assert.deepEqual([ui.seen.said, ui.seen.picks.length], [[], 1]);
        assert.ok(!fixture.readable().includes('browser-key-77'));
      }),
    );
  }

  it(
    'ends without a message when the box is dismissed after a failure, and stores nothing',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service } = fixture;
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(service.baseUrl, 'wrong-key-77');
      await fixture.run('addConnection');
      assert.equal(ui.seen.corrections.length, 1);
      assert.deepEqual([ui.seen.said, ui.seen.flashes, fixture.secretStore.values.size], [[], [], 0]);
    }),
  );

  it(
    'takes another address from the key’s box, keeps the key at the same origin, and sends it to no other',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      const elsewhere = service.baseUrl.replace('127.0.0.1', 'localhost');
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(elsewhere, 'key-of-localhost', '(link) Change URL…');
      ui.answers.inputs.push(`${elsewhere}/`, '(back)', service.baseUrl, service.apiKey);
      await fixture.run('addConnection');
      const { host: there } = new URL(elsewhere);
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'prompt', 'value'), [
        ["Enter the base URL of the service's API", ''],
        [`Paste an API key from ${there}`, ''],
        ["Enter the base URL of the service's API", elsewhere],
        [`Paste an API key from ${there}`, 'key-of-localhost'],
        ["Enter the base URL of the service's API", `${elsewhere}/`],
        [`Paste an API key from ${host(fixture)}`, ''],
      ]);
      assert.equal(context.connection.info?.name, 'Studio at home');
      const sent = service.control.requests.filter(({ headers }) =>
        headers.authorization?.includes('key-of-localhost'),
      );
      assert.ok(sent.length > 0 && sent.every(({ headers }) => headers.host === there));
    }),
  );

  it(
    'goes back from each box to the one before, with what was typed, and sends a key to no other service',
    withCommands({ demo: { account: { projects: ['Production'] } } }, async (fixture) => {
      const { ui, service, context } = fixture;
      await withOldKey(fixture);
      ui.answers.picks.push('Other Service…', 'Other Service…', 'Livepeer Studio', 'Other Service…');
      ui.answers.inputs.push('(back) 127.0.0.1', service.baseUrl, '(back) key-of-another', '(back)');
      ui.answers.inputs.push('(back) key-of-studio', '(as suggested)', service.apiKey, '(back)', '(as suggested)');
      ui.answers.inputs.push('Cameras');
      await fixture.run('addConnection');
      assert.deepEqual(
        ui.seen.inputs.map(({ prompt, value }) => [prompt?.replace(/^(Enter|Paste) .*? (\S+)$/, '$1 $2'), value]),
        [
          ['Enter API', ''],
          ['Enter API', '127.0.0.1'],
          [`Paste ${host(fixture)}`, ''],
          ['Enter API', service.baseUrl],
          ['Paste livepeer.studio', ''],
          ['Enter API', service.baseUrl],
          [`Paste ${host(fixture)}`, ''],
          ['A connection named "Production" already exists. Enter another name.', 'Production 2'],
          [`Paste ${host(fixture)}`, service.apiKey],
          ['A connection named "Production" already exists. Enter another name.', 'Production 2'],
        ],
      );
      assert.equal(context.connection.info?.name, 'Cameras');
      assert.ok(service.control.requests.every(({ headers }) => !headers.authorization?.includes('key-of-')));
    }),
  );

  it(
    'goes on with what is typed where no service matches and it is no URL, and says what is wrong with it',
    withCommands({}, async ({ run, ui }) => {
      ui.answers.typed.push('nothost');
      ui.answers.picks.push('Other Service…');
      await run('addConnection');
      const { value, problem } = ui.seen.inputs.at(-1) ?? assert.fail();
      assert.deepEqual(
        [value, problem?.sentence],
        ['nothost', "This isn't a complete URL. Enter one like https://example.com/api."],
      );
    }),
  );

  it(
    'offers a URL that is typed among the services, and goes on with it',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      const row = `Other Service: ${service.baseUrl}`;
      ui.answers.typed.push(service.baseUrl);
      ui.answers.picks.push(row);
      ui.answers.inputs.push('(back)', '(as suggested)', service.apiKey);
      await fixture.run('addConnection');
      const { label, isAlwaysShown } = ui.seen.picks[0]?.items.at(-1) ?? {};
      assert.deepEqual([label, isAlwaysShown], [row, true]);
      assert.deepEqual(
        ui.seen.inputs.map(({ prompt = '', value }) => [prompt.split(' ')[0], value]),
        [
          ['Paste', ''],
          ['Enter', service.baseUrl],
          ['Paste', ''],
        ],
      );
      assert.deepEqual(ui.seen.said, []);
      assert.equal(context.connection.info?.baseUrl, service.baseUrl);
      for (const typed of ['demo', 'Livepeer Studio', 'https://', 'https://user:password@example.com']) {
        ui.answers.typed.push(typed);
        await fixture.run('addConnection');
        const rows = ui.seen.picks.at(-1)?.items ?? [];
        assert.equal(rows.length, 3, typed);
        // Else the list may be empty, and an Enter that is faster than the row for a URL would do nothing.
        const kept = rows.filter(({ isAlwaysShown }) => isAlwaysShown === true).map((kept) => kept.label);
        assert.deepEqual(kept, ['Other Service…'], typed);
      }
    }),
  );

  it(
    'goes on with a URL whose row Enter was faster than',
    withCommands(UNCONNECTED, async ({ ui, service, context, run }) => {
      ui.answers.typed.push(`(quick) ${service.baseUrl}`);
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(service.apiKey);
      await run('addConnection');
      assert.equal(ui.seen.inputs.length, 1, 'for the key alone');
      assert.equal(context.connection.info?.baseUrl, service.baseUrl);
    }),
  );

  it(
    'checks a URL that is typed among the services before it asks for a key, and says what is wrong in its box',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, service, context } = fixture;
      const typed = 'http://127.0.0.1:1/api';
      ui.answers.typed.push(typed);
      ui.answers.picks.push(`Other Service: ${typed}`);
      ui.answers.inputs.push(service.baseUrl, service.apiKey);
      await fixture.run('addConnection');
      const [box, ...others] = ui.seen.inputs;
      assert.deepEqual([box?.value, box?.isPassword, others.length], [typed, undefined, 1]);
      assert.equal(box?.problem?.sentence, '127.0.0.1:1 refused the connection. Check the URL and port.');
      assert.deepEqual(
        box?.problem?.links.map(({ label }) => label),
        ['Retry'],
      );
      assert.equal(context.connection.info?.baseUrl, service.baseUrl);
    }),
  );

  it(
    'says nothing in that box of a URL that was typed before',
    withCommands(UNCONNECTED, async ({ ui, run }) => {
      const typed = 'http://127.0.0.1:1/api';
      ui.answers.typed.push(typed);
      ui.answers.picks.push(`Other Service: ${typed}`, 'Other Service…');
      ui.answers.inputs.push('(back)');
      await run('addConnection');
      const [first, second] = ui.seen.inputs;
      assert.match(first?.problem?.sentence ?? '', /refused the connection/);
      assert.ok(second !== undefined && second.problem === undefined);
    }),
  );

  it(
    'takes a text that finds Other Service… for no URL',
    withCommands(UNCONNECTED, async ({ ui, run }) => {
      ui.answers.typed.push('other');
      ui.answers.picks.push('Other Service…');
      await run('addConnection');
      assert.equal(ui.seen.inputs.at(-1)?.value, '');
    }),
  );

  it(
    'asks before it goes on with a typed URL that does not encrypt the key',
    withCommands({ ...UNCONNECTED, answers: { confirms: [false] } }, async ({ ui, run }) => {
      ui.answers.typed.push('http://example.com/api');
      ui.answers.picks.push('Other Service: http://example.com/api');
      await run('addConnection');
      assert.equal(ui.seen.questions.length, 1);
      assert.deepEqual(
        [ui.seen.inputs[0]?.value, ui.seen.inputs[0]?.isPassword],
        ['http://example.com/api', undefined],
      );
    }),
  );

  it(
    'offers the demo among the services, unless it is open',
    withCommands(UNCONNECTED, async (fixture) => {
      const { ui, context, demoCalls, service } = fixture;
      ui.answers.picks.push('Try the Demo');
      await fixture.run('addConnection');
      assert.deepEqual(demoCalls, ['start']);
      context.connection.open({ ...service, id: 'demo-1', name: 'Demo', insecureAccepted: false }, true);
      await fixture.run('addConnection');
      assert.deepEqual(
        ui.seen.picks.map(({ items }) => items.map(({ label }) => label)),
        [
          ['Livepeer Studio', 'Other Service…', 'Try the Demo'],
          ['Livepeer Studio', 'Other Service…'],
        ],
      );
    }),
  );

  for (const [what, account, name] of [
    [
      'its only project',
      { projects: ['Cameras\u0007 of\nthe $(flame) zoo'], email: 'a@b.example' },
      'Cameras of the $(flame) zoo',
    ],
    [
      'the account’s email address, if it has several projects',
      { projects: ['A', 'B'], email: 'a@b.example' },
      'a@b.example',
    ],
    [
      'the account’s email address, if its project has no name',
      { projects: [' '], email: 'a@b.example' },
      'a@b.example',
    ],
    ['its host, if the service says nothing', { projects: [] }, undefined],
  ] as const) {
    it(
      `calls a connection by ${what}`,
      withCommands({ ...UNCONNECTED, demo: { account } }, async (fixture) => {
        const { baseUrl, apiKey } = fixture.service;
        await fixture.run('addConnection', { baseUrl, apiKey });
        assert.equal(fixture.context.connection.info?.name, name ?? host(fixture));
      }),
    );
  }

  for (const what of ['strict', 'mute', 'refused'] as const) {
    it(
      `calls a connection by its host where the requests for its names are ${what}`,
      withCommands(
        { ...UNCONNECTED, isHurried: true, ...(what === 'strict' && { demo: { face: 'strict' } }) },
        async (fixture) => {
          const { service, context } = fixture;
          service.control.fault(({ path }) => {
            if (!/project|user/.test(path)) return undefined;
            return what === 'mute' ? new Promise(() => {}) : { status: 403 };
          });
          await fixture.run('addConnection', { baseUrl: service.baseUrl, apiKey: service.apiKey });
          assert.equal(context.connection.info?.name, host(fixture));
        },
      ),
    );
  }

  it(
    'asks for the name with the key’s own requests only after the key was accepted, and not if one was given',
    withCommands(UNCONNECTED, async (fixture) => {
      const { baseUrl, apiKey } = fixture.service;
      const namesAsked = () => fixture.requests().filter((line) => /project|user/.test(line));
      await fixture.run('addConnection', { baseUrl, apiKey: 'wrong-key-77' });
      await fixture.run('addConnection', given(fixture));
      assert.deepEqual(namesAsked(), []);
      await fixture.run('addConnection', { baseUrl, apiKey });
      assert.deepEqual(namesAsked().toSorted(), ['GET /api/project', 'GET /api/user/me']);
    }),
  );

  it(
    'never shows a key as the name that a service gives a connection',
    withCommands(UNCONNECTED, async (fixture) => {
      const { service, context } = fixture;
      service.control.fault(({ path }) =>
        path.endsWith('/project')
          ? { status: 200, body: JSON.stringify([{ id: 'p', name: `Key ${service.apiKey}` }]) }
          : undefined,
      );
      await fixture.run('addConnection', { baseUrl: service.baseUrl, apiKey: service.apiKey });
      assert.equal(context.connection.info?.name, 'Key …');
    }),
  );

  it(
    'says nothing of streaming URLs, which nothing needs yet',
    withCommands({ ...UNCONNECTED, addresses: {}, demo: { face: 'strict' } }, async (fixture) => {
      const { ui, service } = fixture;
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(service.baseUrl, service.apiKey);
      await fixture.run('addConnection');
      assert.deepEqual([fixture.context.connection.info?.name, ui.seen.said], [host(fixture), []]);
    }),
  );

  it(
    'asks in the flow before a key goes unencrypted, and goes back to the address when that is declined',
    withCommands({ ...UNCONNECTED, answers: { confirms: [false, true] } }, async (fixture) => {
      const { ui, context, service } = fixture;
      const plain = 'http://studio.example/api';
      const asked: string[] = [];
      const here = {
        ...context,
        findService: async (url: string) => void asked.push(url),
        checkService: (_: unknown, signal: AbortSignal) => context.checkService(service, signal),
      };
      ui.answers.picks.push('Other Service…');
      ui.answers.inputs.push(plain, '(as suggested)', service.apiKey);
      await addConnection(here);
      assert.deepEqual(ui.seen.inputs.map(({ problem }) => problem?.sentence).filter(Boolean), [
        "Couldn't connect. studio.example doesn't use HTTPS, so the API key would be sent unencrypted.",
      ]);
      assert.deepEqual(
        [ui.seen.inputs.map(({ value }) => value), asked],
        [
          ['', plain, ''],
          [plain, plain],
        ],
      );
      assert.equal(ui.seen.questions.length, 2);
      assert.match([...fixture.secretStore.values.values()].join(), /"insecureAccepted":true/);
    }),
  );

  it(
    'stops at each dismissed box, silently',
    withCommands({}, async (fixture) => {
      const { ui, service } = fixture;
      await fixture.run('addConnection');
      ui.answers.picks.push('Other Service…');
      await fixture.run('addConnection');
      await fixture.run('addConnection', { baseUrl: service.baseUrl });
      assert.deepEqual(fixture.requests(), []);
      await withOldKey(fixture);
      await fixture.context.connections.add({
        ...service,
        name: 'Studio at home',
        apiKey: 'old',
        insecureAccepted: false,
      });
      await fixture.run('addConnection', { baseUrl: service.baseUrl, apiKey: service.apiKey });
      assert.equal(ui.seen.inputs.at(-1)?.value, 'Studio at home 2');
      assert.deepEqual([ui.seen.said, fixture.secretStore.values.size], [[], 2]);
    }),
  );

  it(
    'ends silently when the person cancels the check',
    withCommands(
      { ...UNCONNECTED, ui: { progress: (_title, task) => task(() => {}, AbortSignal.abort()) } },
      async (fixture) => {
        await fixture.run('addConnection', given(fixture));
        assert.deepEqual([fixture.ui.seen.said, fixture.secretStore.values.size], [[], 0]);
      },
    ),
  );

  it(
    'goes on in memory when the secret storage rejects, and says so once',
    withCommands(
      { ...UNCONNECTED, secrets: { store: async () => Promise.reject(new Error('locked')) } },
      async (fixture) => {
        await fixture.run('addConnection', given(fixture));
        assert.equal(fixture.context.connection.info?.name, 'Test');
        assert.match(fixture.ui.seen.messages.join('|'), /^Couldn't save the API key to secret storage[^|]*$/);
      },
    ),
  );

  it(
    'takes the place of the demo',
    withCommands(UNCONNECTED, async (fixture) => {
      const { service, context } = fixture;
      context.connection.open({ ...service, id: 'demo-1', name: 'Demo', insecureAccepted: false }, true);
      await fixture.run('addConnection', given(fixture));
      assert.deepEqual(fixture.demoCalls, [], 'it runs on');
      assert.equal(context.connection.info?.isDemo, false);
    }),
  );
});

describe('Set API Key', () => {
  it(
    'keeps what is on screen until the service accepted the new key',
    withCommands({}, async (fixture) => {
      const { context, service, ui, secretStore } = fixture;
      const before = context.store.snapshot.generation;
      await fixture.run('setApiKey', { apiKey: 'wrong-key-77' });
      assert.equal(context.store.snapshot.generation, before);
      assert.ok(context.store.snapshot.streams.size > 0);
      assert.match([...secretStore.values.values()].join(), new RegExp(service.apiKey));
      assert.deepEqual(fixture.ui.seen.messages, [
        `${host(fixture)} rejected this API key. Make sure that it's complete and hasn't been revoked.`,
      ]);
      context.connection.account.writer.refused(new ApiError('unauthorized', 'Rejected'));
      ui.answers.inputs.push('wrong-key-78', service.apiKey);
      await fixture.run('setApiKey');
      assert.deepEqual(ui.seen.corrections, [
        `${host(fixture)} rejected this API key. Make sure that it's complete and hasn't been revoked. [Get an API Key]`,
      ]);
      assert.equal(context.store.snapshot.connection.kind, 'open');
      assert.ok(context.store.snapshot.generation > before);
      assert.deepEqual(ui.seen.flashes, ['Updated the API key for "Production"']);
      assert.ok(!fixture.readable().includes(service.apiKey));
    }),
  );

  it(
    'gives a connection whose secret is gone a new key',
    withCommands({}, async (fixture) => {
      const { context, service, secretStore } = fixture;
      const id = context.connection.info?.id ?? '';
      secretStore.values.clear();
      context.connection.openWithoutKey({ id, name: 'Production', baseUrl: service.baseUrl, isDemo: false });
      await fixture.run('setApiKey', { apiKey: service.apiKey });
      assert.equal(context.store.snapshot.connection.kind, 'open');
      assert.equal(context.connection.info?.name, 'Production');
      assert.equal(secretStore.values.size, 1);
    }),
  );

  it(
    'asks again before a key goes unencrypted where it is not known any more that this was accepted, and heeds a no',
    withCommands({}, async (fixture) => {
      const { context, ui, secretStore } = fixture;
      const plain = { name: 'Cameras', baseUrl: 'http://cameras.invalid/api', apiKey: 'old', insecureAccepted: true };
      const { id, name, baseUrl } = await context.connections.add(plain);
      secretStore.values.clear();
      context.connection.openWithoutKey({ id, name, baseUrl, isDemo: false });
      await fixture.run('setApiKey', { apiKey: 'new-key-78' });
      assert.deepEqual(fieldsOf(ui.seen.questions, 'message'), [
        'Send the API key to cameras.invalid without encryption?',
      ]);
      assert.deepEqual(fixture.ui.seen.messages, [
        "Couldn't connect. cameras.invalid doesn't use HTTPS, so the API key would be sent unencrypted.",
      ]);
      assert.equal(secretStore.values.size, 0);
    }),
  );

  it(
    'has nothing to set in the demo, or without a connection',
    withCommands({ ...UNCONNECTED, isHurried: true }, async (fixture) => {
      await fixture.run('setApiKey', { apiKey: 'x' });
      fixture.context.connection.open({ ...fixture.service, id: 'd', name: 'Demo', insecureAccepted: false }, true);
      await fixture.run('setApiKey', { apiKey: 'x' });
      assert.deepEqual(fixture.ui.seen.messages, [
        'There are no connections yet.',
        "You can't change the demo's API key.",
      ]);
    }),
  );
});

describe('A connection that is removed in another window meanwhile', () => {
  /** Removes it while the service is asked, as from another window. */
  async function removeWhileChecked(fixture: Fixture, id: string): Promise<void> {
    fixture.service.control.fault(() => {
      void fixture.context.connections.remove(id);
      return undefined;
    });
  }

  it(
    'gets no key, is not this window’s, and nobody says so',
    withCommands({}, async (fixture) => {
      const { context, service, secretStore, ui } = fixture;
      const id = context.connection.info?.id ?? '';
      const { generation } = context.store.snapshot;
      await removeWhileChecked(fixture, id);
      await fixture.run('setApiKey', { apiKey: service.apiKey });
      assert.deepEqual(ui.seen.flashes, []);
      assert.deepEqual(fixture.ui.seen.messages, ['The connection "Production" no longer exists.']);
      assert.deepEqual([secretStore.values.size, context.store.snapshot.generation], [0, generation]);
      assert.deepEqual(await context.connections.list(), []);
    }),
  );

  it(
    'is not renamed',
    withCommands({ ui: {} }, async (fixture) => {
      const { context, ui } = fixture;
      const id = context.connection.info?.id ?? '';
      const input = async () => {
        await context.connections.remove(id);
        return 'Renamed';
      };
      await runCommand({ ...context, ui: { ...ui, input } }, 'renameConnection', ['Production']);
      assert.deepEqual(fixture.ui.seen.messages, ['The connection "Production" no longer exists.']);
      assert.deepEqual([context.connection.info?.name, await context.connections.list()], ['Production', []]);
    }),
  );

  it(
    'does not become the window’s when it is picked',
    withCommands({}, async (fixture) => {
      const { context, service, ui } = fixture;
      const { baseUrl, apiKey } = service;
      const { id } = await context.connections.add({ name: 'Second', baseUrl, apiKey, insecureAccepted: false });
      const pick = async (options: PickOptions<unknown>) => {
        await context.connections.remove(id);
        ui.answers.picks.push('Second');
        return ui.pick(options);
      };
      await runCommand({ ...context, ui: { ...ui, pick } as Ui }, 'switchConnection');
      assert.deepEqual(fixture.ui.seen.messages, ['The connection "Second" no longer exists.']);
      assert.equal(context.connection.info?.name, 'Production');
      assert.equal((await context.connections.chosenOf(await context.connections.list()))?.name, 'Production');
    }),
  );
});

describe('Switches that the secret storage answers late', () => {
  const held = () => {
    const answers = new Map<string, () => void>();
    const values = fakeSecrets();
    const secrets = values.window();
    let isSlow = false;
    const get = async (key: string) => {
      if (isSlow) await new Promise<void>((resolve) => answers.set(key.replace('connection/', ''), resolve));
      return secrets.get(key);
    };
    const slow = (is: boolean) => {
      isSlow = is;
    };
    return { secrets: { ...secrets, get }, answers, slow };
  };

  it('open the last one, in whatever order they are answered', async () => {
    const { secrets, answers, slow } = held();
    await withCommands({ secrets }, async (fixture) => {
      const { context, service } = fixture;
      const { baseUrl, apiKey } = service;
      const add = (name: string) => context.connections.add({ name, baseUrl, apiKey, insecureAccepted: false });
      const [a, b] = [await add('A'), await add('B')];
      slow(true);
      const first = openConnection(context, a);
      const last = openConnection(context, b);
      await settle();
      answers.get(b.id)?.();
      assert.equal(await last, true);
      answers.get(a.id)?.();
      assert.equal(await first, false);
      slow(false);
      assert.equal(context.connection.info?.name, 'B');
      assert.equal((await context.connections.chosenOf(await context.connections.list()))?.name, 'B');
    })();
  });

  it('open no connection again because a key was accepted meanwhile', async () => {
    const { secrets, answers, slow } = held();
    await withCommands({ secrets }, async (fixture) => {
      const { context, service } = fixture;
      const { baseUrl, apiKey } = service;
      const b = await context.connections.add({ name: 'B', baseUrl, apiKey, insecureAccepted: false });
      let switching: Promise<boolean> | undefined;
      service.control.fault(() => {
        slow(true);
        switching ??= openConnection(context, b);
        slow(false);
        return undefined;
      });
      await fixture.run('setApiKey', { apiKey });
      assert.deepEqual(fixture.ui.seen.flashes, ['Updated the API key for "Production"']);
      answers.get(b.id)?.();
      assert.equal(await switching, true);
      assert.equal(context.connection.info?.name, 'B');
    })();
  });
});

describe('Switch, rename and remove', () => {
  const second = async (fixture: Fixture, over: Readonly<Record<string, unknown>> = {}) => {
    const { baseUrl, apiKey } = fixture.service;
    return fixture.context.connections.add({ name: 'Second', baseUrl, apiKey, insecureAccepted: false, ...over });
  };

  it(
    'switches by name or with a picker that marks the one that is open, and begins with it',
    withCommands({}, async (fixture) => {
      const { context, ui } = fixture;
      await second(fixture);
      await fixture.run('switchConnection', 'second');
      assert.equal(context.connection.info?.name, 'Second');
      ui.answers.picks.push('Production');
      await fixture.run('switchConnection');
      assert.equal(context.connection.info?.name, 'Production');
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label', 'icon'), [
        ['Second', 'check'],
        ['Production', 'blank'],
        ['', undefined],
        ['Connect to a Service…', 'plug'],
        ['Try the Demo', 'beaker'],
      ]);
      assert.equal(ui.seen.picks[0]?.placeholder, 'Select a connection to open in this window');
      context.store.setShowsAllConnections(true);
      await fixture.run('switchConnection');
      assert.equal(
        ui.seen.picks[1]?.placeholder,
        'Select the connection to use for Recordings, Webhooks, and new streams',
      );
      assert.deepEqual(ui.seen.reveals, []);
      await fixture.run('switchConnection', 'second');
      assert.deepEqual(ui.seen.reveals, [{ kind: 'group', list: 'active', keepsFocus: true }], 'all are listed');
      await fixture.run('switchConnection', 'Nobody');
      assert.deepEqual(fixture.ui.seen.messages, ['No connection with this name was found.']);
      assert.equal((await context.connections.chosenOf(await context.connections.list()))?.name, 'Second');
    }),
  );

  it(
    'switches by id, and shows the picker when it gets the focused row, as from the menu of the view',
    withCommands({}, async (fixture) => {
      const { context, ui } = fixture;
      const { id } = await second(fixture);
      await fixture.run('switchConnection', { connectionId: id });
      assert.equal(context.connection.info?.id, id);
      await fixture.run('switchConnection', { connectionId: 'gone' });
      assert.deepEqual(fixture.ui.seen.messages, ['No connection with this name was found.']);
      ui.answers.picks.push('Production');
      await fixture.run('switchConnection', { kind: 'group', id: 'idle', list: 'idle' });
      assert.equal(context.connection.info?.name, 'Production');
    }),
  );

  it(
    'renames and removes in the picker, which is there again and up to date',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { context, ui } = fixture;
      await second(fixture);
      ui.answers.picks.push('Second > Rename Connection', 'Third > Remove Connection', '(back)');
      ui.answers.inputs.push('Third');
      await fixture.run('switchConnection');
      assert.deepEqual(
        ui.seen.picks.map(({ items }) => items.map(({ label }) => label).slice(0, -3)),
        [['Production', 'Second'], ['Production', 'Third'], ['Production']],
      );
      assert.equal(context.connection.info?.name, 'Production');
      assert.deepEqual(ui.seen.flashes, ['Removed "Third"']);
      assert.deepEqual(ui.answers.picks, []);
    }),
  );

  it(
    'sets the key of any connection in the picker',
    withCommands({}, async (fixture) => {
      const { context, ui, service } = fixture;
      const { id } = await second(fixture, { apiKey: 'old-key-1' });
      ui.answers.picks.push('Second > Set API Key', 'Second > Set API Key');
      ui.answers.inputs.push('(back)', service.apiKey);
      await fixture.run('switchConnection');
      assert.equal(ui.seen.picks.length, 2, 'back is the picker');
      assert.equal((await context.connections.get(id))?.apiKey, service.apiKey);
      assert.equal(context.connection.info?.name, 'Production');
    }),
  );

  it(
    'connects and starts and stops the demo from the picker, also without a connection',
    withCommands({ ...UNCONNECTED, isHurried: true }, async (fixture) => {
      const { context, ui, demoCalls } = fixture;
      ui.answers.picks.push('Try the Demo');
      await fixture.run('switchConnection');
      context.connection.open({ ...fixture.service, id: 'd', name: 'Demo', insecureAccepted: false }, true);
      ui.answers.picks.push('Demo', 'Demo > Stop Demo');
      await fixture.run('switchConnection');
      assert.deepEqual(demoCalls, ['start'], 'it is open already');
      await fixture.run('switchConnection');
      assert.deepEqual(demoCalls, ['start', 'stop']);
      assert.deepEqual(ui.seen.flashes, []);
      ui.answers.picks.push('Connect to a Service…', '(back)', 'Connect to a Service…', 'Livepeer Studio');
      await fixture.run('switchConnection');
      assert.equal(ui.seen.inputs[0]?.isPassword, true);
      assert.deepEqual(ui.answers.picks, []);
    }),
  );

  it(
    'lists the demo while it runs beside the open connection, which can be opened again or stopped',
    withCommands({}, async (fixture) => {
      const { context, ui, service, demoCalls } = fixture;
      const { baseUrl, apiKey, addresses } = service;
      Object.assign(context, { demo: { ...context.demo, running: { baseUrl, apiKey, addresses } } });
      ui.answers.picks.push('Demo', 'Demo > Stop Demo');
      await fixture.run('switchConnection');
      await fixture.run('switchConnection');
      assert.deepEqual(demoCalls, ['start', 'stop']);
      assert.ok(!ui.seen.picks[0]?.items.some(({ label }) => label === 'Try the Demo'));
    }),
  );

  it(
    'copies the URL of the demo and its key, which it never shows',
    withCommands(UNCONNECTED, async (fixture) => {
      const { context, ui, service } = fixture;
      const { baseUrl, apiKey, addresses } = service;
      Object.assign(context, { demo: { ...context.demo, running: { baseUrl, apiKey, addresses } } });
      await fixture.run('startDemo');
      context.connection.open({ ...service, id: 'd', name: 'Demo', insecureAccepted: false }, true);
      ui.answers.picks.push('Demo > Copy Base URL', 'Demo > Copy API Key');
      await fixture.run('switchConnection');
      await fixture.run('switchConnection');
      assert.deepEqual(ui.seen.copied, [baseUrl, apiKey]);
      assert.deepEqual(ui.seen.flashes, ["Copied the demo's base URL", "Copied the demo's API key"]);
      assert.ok(!fixture.readable().includes(apiKey));
    }),
  );

  it(
    'switches to one whose secret is gone, which then wants its key',
    withCommands({}, async (fixture) => {
      const { id } = await second(fixture);
      fixture.secretStore.values.delete(`connection/${id}`);
      await fixture.run('switchConnection', { name: 'Second' });
      assert.equal(fixture.context.store.snapshot.connection.kind, 'keyless');
      await fixture.run('copyIngestServer');
      await fixture.run('openJson', { which: 'all' });
      assert.match(fixture.ui.seen.messages[0] ?? '', /API key for "Second" is no longer in secret storage/);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Set API Key…']);
    }),
  );

  it(
    'renames without dropping what is on screen, and refuses a name that is taken',
    withCommands({}, async (fixture) => {
      const { context, ui } = fixture;
      await second(fixture);
      const { generation } = context.store.snapshot;
      ui.answers.inputs.push('SECOND', '  Main ');
      await fixture.run('renameConnection', 'Production');
      assert.equal(context.connection.info?.name, 'Main');
      assert.equal(context.store.snapshot.generation, generation);
      assert.equal(ui.seen.inputs[0]?.value, 'Production');
      await fixture.run('renameConnection', 'Main', 'Second');
      assert.deepEqual(fixture.ui.seen.messages, ['A connection with this name already exists.']);
      assert.deepEqual(fieldsOf(await context.connections.list(), 'name'), ['Main', 'Second']);
    }),
  );

  it(
    'names the connection that was removed, and no other',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      await second(fixture);
      await second(fixture, { name: 'Third' });
      await fixture.run('removeConnection', 'Third');
      assert.equal(fixture.context.store.snapshot.connectionCount, 2);
      assert.deepEqual(fixture.ui.seen.flashes, ['Removed "Third"']);
    }),
  );

  it(
    'deletes the secrets of the webhooks of the connection that was removed, and of no other',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { connections, webhookSecrets } = fixture.context;
      await second(fixture);
      const listed = await connections.list();
      const [removed = '', kept = ''] = ['Production', 'Second'].map(
        (sought) => listed.find(({ name }) => name === sought)?.id,
      );
      await webhookSecrets.set(removed, 'hook', 'one');
      await webhookSecrets.set(kept, 'hook', 'two');
      await fixture.run('removeConnection', 'Production');
      assert.equal(await webhookSecrets.of(removed, 'hook'), undefined);
      assert.equal(await webhookSecrets.of(kept, 'hook'), 'two');
    }),
  );

  it(
    'asks before removing, and goes on with another connection, or with none',
    withCommands({}, async (fixture) => {
      const { context, ui, secretStore } = fixture;
      await second(fixture);
      await fixture.run('removeConnection', 'Production');
      assert.equal(secretStore.values.size, 2);
      ui.answers.confirms.push(true, true);
      await fixture.run('removeConnection', 'Production');
      assert.equal(context.connection.info?.name, 'Second');
      assert.equal(context.store.snapshot.connectionCount, 1);
      await fixture.run('removeConnection', 'Second');
      assert.equal(context.store.snapshot.connection.kind, 'none');
      assert.equal(secretStore.values.size, 0);
      assert.equal(ui.seen.questions[0]?.message, 'Remove the connection "Production"?');
      await fixture.run('removeConnection');
      assert.deepEqual(fixture.ui.seen.messages, ['There are no connections yet.']);
    }),
  );

  it(
    'says before it removes a connection that its private keys are lost, if it has some',
    withCommands({}, async (fixture) => {
      const { access, context, ui } = fixture;
      await fixture.run('removeConnection', 'Production');
      const key = { id: 'k', name: 'Site', publicKey: 'public', privateKey: 'private' };
      await access.keep(context.connection.info?.id ?? '', key);
      await fixture.run('removeConnection', 'Production');
      assert.deepEqual(
        ui.seen.questions.map(({ detail = '' }) => detail.includes("won't show the private keys again")),
        [false, true],
      );
    }),
  );

  it(
    'says when the secret storage does not delete',
    withCommands(
      { secrets: { delete: async () => Promise.reject(new Error('locked')) }, answers: { confirms: [true] } },
      async (fixture) => {
        await fixture.run('removeConnection', 'Production');
        assert.match(fixture.ui.seen.messages[0] ?? '', /^Couldn't remove/);
        assert.equal(fixture.context.connection.info?.name, 'Production');
      },
    ),
  );
});
