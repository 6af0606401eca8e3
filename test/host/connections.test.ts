import assert from 'node:assert/strict';
import { fieldsOf } from '../support/fieldsOf.ts';
import { eventually } from './eventually.ts';
import { type Product, untilDescribed, withProduct } from './product.ts';
import { replace } from './replace.ts';

async function assertNothingStored(product: Product): Promise<void> {
  assert.deepEqual(await product.secretKeys(), []);
  assert.equal(product.state(), '[[],[]]');
  assert.deepEqual(await product.rows(), []);
}

/** The secret of the one connection that is stored. */
async function stored({ context }: Product): Promise<Record<string, unknown>> {
  const keys = await context.secrets.keys();
  assert.equal(keys.length, 1);
  return JSON.parse((await context.secrets.get(keys[0] ?? '')) ?? 'null');
}

describe('Connecting', () => {
  it(
    'keeps the connection as one secret, and its key nowhere else',
    withProduct({}, async (product) => {
      const { baseUrl, apiKey } = product.service;
      assert.match((await product.secretKeys())[0] ?? '', /^connection\/[0-9a-f-]{36}$/);
      const secret = { name: 'Production', baseUrl, apiKey, insecureAccepted: false };
      assert.deepEqual(await stored(product), secret);
      await product.rows();
      await product.run('refresh');
      assert.match(product.state(), /Production/);
      assert.ok(!product.state().includes(apiKey));
      assert.ok(!product.log.join().includes(apiKey));
      assert.ok(!product.window.readable().includes(apiKey));
    }),
  );

  it(
    'sends the key in its header, and in no address',
    withProduct({}, async (product) => {
      await product.rows();
      const { requests } = product.service.control;
      assert.ok(requests.length > 0);
      for (const { headers, path, query } of requests) {
        assert.equal(headers.authorization, `Bearer ${product.service.apiKey}`);
        assert.ok(!`${path}${query}`.includes(product.service.apiKey));
      }
    }),
  );

  it(
    'takes spaces around the key away',
    withProduct({ isConnected: false }, async (product) => {
      const { baseUrl, apiKey } = product.service;
      await product.run('addConnection', { name: 'Production', baseUrl: ` ${baseUrl}/ `, apiKey: `  ${apiKey}\t` });
      assert.deepEqual(product.window.said, []);
      assert.deepEqual(await stored(product), { name: 'Production', baseUrl, apiKey, insecureAccepted: false });
    }),
  );

  it(
    'stores nothing of a key that the service refuses, and does not repeat it',
    withProduct({ isConnected: false }, async (product) => {
      const { baseUrl, apiKey, control } = product.service;
      await product.run('addConnection', { name: 'A', baseUrl, apiKey: 'wrong-key-1' });
      control.revokeKey();
      await product.run('addConnection', { name: 'A', baseUrl, apiKey });
      const actions = ['Set API Key…', 'Change URL…', 'Show Log'];
      const refused = {
        severity: 'error',
        text: `${new URL(baseUrl).host} rejected this API key. Make sure that it's complete and hasn't been revoked.`,
        actions,
      };
      assert.deepEqual(product.window.said, [refused, refused]);
      assert.equal(control.requests.length, 2);
      for (const text of [product.window.readable(), product.log.join(), product.state()]) {
        assert.ok(!text.includes('wrong-key-1') && !text.includes(apiKey));
      }
      await assertNothingStored(product);
    }),
  );

  it(
    'refuses keys that cannot be keys before any request',
    withProduct({ isConnected: false }, async (product) => {
      const { baseUrl, control } = product.service;
      const keys = ['', '   ', 'one-key\nother-key', 'one-key other-key', 'k\u0000', 'ключ'];
      for (const apiKey of keys) await product.run('addConnection', { name: 'A', baseUrl, apiKey });
      assert.equal(product.window.said.length, keys.length);
      assert.deepEqual(control.requests, []);
      assert.doesNotMatch(product.window.readable(), /one-key|other-key|ключ/);
      await assertNothingStored(product);
    }),
  );

  it(
    'refuses addresses that will not do with a sentence, before any request',
    withProduct({ isConnected: false }, async (product) => {
      const { apiKey, control } = product.service;
      const addresses = [
        ...['file:///etc/passwd', 'javascript:alert(1)', 'ftp://a.example', 'not a url', 'https://'],
        ...['https://me:secret-1@a.example/api', 'https://a.example/api?key=1', 'https://a.example/api#x'],
      ];
      for (const baseUrl of addresses) await product.run('addConnection', { name: 'A', baseUrl, apiKey });
      assert.equal(product.window.said.length, addresses.length);
      assert.equal(new Set(product.window.said.map(({ severity }) => severity)).size, 1);
      assert.ok(!product.window.readable().includes('secret-1'));
      assert.ok(!product.window.readable().includes(apiKey));
      assert.deepEqual(control.requests, []);
      await assertNothingStored(product);
    }),
  );

  it(
    'asks modally before a key goes unencrypted to another machine, and stores nothing when that is dismissed',
    withProduct({ isConnected: false }, async (product) => {
      await product.run('addConnection', { name: 'A', baseUrl: 'http://streams.example/api', apiKey: 'key-1' });
      assert.deepEqual(product.window.questions, ['Send the API key to streams.example without encryption?']);
      assert.equal(product.window.said.length, 1);
      await assertNothingStored(product);
    }),
  );
});

describe('Connections in their storage', () => {
  it(
    'are there when the window starts again, with the one that was open',
    withProduct({}, async (product) => {
      const { baseUrl, apiKey } = product.service;
      await product.run('addConnection', { name: 'Staging', baseUrl, apiKey });
      await product.run('switchConnection', 'Production');
      await product.restart();
      await untilDescribed(product, 'Production');
      await product.run('switchConnection', 'Staging');
      await untilDescribed(product, 'Staging');
      await product.restart();
      await untilDescribed(product, 'Staging');
    }),
  );

  it(
    'are renamed without being asked for again, and are gone when removed',
    withProduct({}, async (product) => {
      const before = await product.rows();
      product.service.control.clearRequests();
      await product.run('renameConnection', 'Production', 'Main');
      assert.equal((await stored(product)).name, 'Main');
      await eventually(() => assert.equal(product.view.description, 'Main'));
      assert.deepEqual(await product.rows(), before);
      assert.deepEqual(product.requests(), []);

      await product.run('removeConnection', 'Main');
      assert.equal((await stored(product)).name, 'Main');
      product.window.presses.push('Remove');
      await product.run('removeConnection', 'Main');
      assert.deepEqual(product.window.questions, Array(2).fill('Remove the connection "Main"?'));
      assert.deepEqual(await product.secretKeys(), []);
      assert.ok(!product.state().includes('Main'));
      assert.deepEqual(await product.rows(), []);
    }),
  );

  it(
    'want their key again when the secret is gone',
    withProduct({}, async (product) => {
      await product.rows();
      for (const key of await product.secretKeys()) await product.context.secrets.delete(key);
      await product.restart();
      await untilDescribed(product, 'Production');
      product.service.control.clearRequests();
      assert.deepEqual(await product.rows(), []);
      await product.run('refresh');
      const [said] = product.window.said;
      assert.equal(said?.text, 'The API key for "Production" is no longer in secret storage.');
      assert.deepEqual(said?.actions, ['Set API Key…']);
      assert.deepEqual(product.requests(), []);

      await product.run('setApiKey', { apiKey: product.service.apiKey });
      assert.equal((await stored(product)).apiKey, product.service.apiKey);
      assert.equal((await product.rows()).length, 3);
    }),
  );

  it(
    'go on for this session when the secret storage rejects, which is said once',
    withProduct({ isConnected: false }, async (product) => {
      const { baseUrl, apiKey } = product.service;
      const refuse = async () => {
        throw new Error(`no keyring for ${apiKey}`);
      };
      const broken = replace(Object.getPrototypeOf(product.context.secrets), 'store', refuse);
      try {
        await product.run('addConnection', { name: 'Production', baseUrl, apiKey });
      } finally {
        broken.dispose();
      }
      assert.deepEqual(fieldsOf(product.window.said, 'text'), [
        "Couldn't save the API key to secret storage. You'll stay connected until you close this window.",
      ]);
      assert.deepEqual(await product.secretKeys(), []);
      assert.equal((await product.rows()).length, 3);
      assert.match(product.log.join(), /The secret storage refused \(store\): no keyring/);
      for (const text of [product.log.join(), product.state()]) assert.ok(!text.includes(apiKey));

      await product.restart();
      await untilDescribed(product, 'Production');
      assert.deepEqual(await product.rows(), []);
    }),
  );

  it(
    'keep what is on screen when the key is revoked, and take a new one',
    withProduct({}, async (product) => {
      const before = await product.rows();
      assert.equal(before.length, 3);
      product.service.control.revokeKey();
      await product.run('refresh');
      const [notice, ...groups] = await product.rows();
      assert.equal(notice?.label, 'Set API Key…');
      assert.deepEqual(groups, before);
      await product.run('setApiKey', { apiKey: product.service.apiKey });
      assert.match(
        product.window.said.at(-1)?.text ?? '',
        /^127\.0\.0\.1:\d+ rejected this API key\. Make sure that it's complete and hasn't been revoked\.$/,
      );
      product.service.control.restoreKey();
      await product.run('setApiKey', { apiKey: product.service.apiKey });
      assert.equal((await product.rows())[0]?.label, 'Active');
    }),
  );
});
