import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { errorsOf, type Fixture, type Row, send, withDemo } from './demoFixture.ts';

const PATH = '/access-control/signing-key';
const HOUR_S = 3600;

async function createKey({ call }: Fixture, name = 'Site'): Promise<Row> {
  const reply = await call(PATH, { method: 'POST', body: JSON.stringify({ name }) });
  assert.equal(reply.status, 201, reply.text);
  return JSON.parse(reply.text) as Row;
}

function startPrivate({ demo }: Fixture): { readonly id: string; readonly playbackId: string; readonly url: string } {
  const { id, playbackId = '' } = demo.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
  demo.control.startBroadcast(id);
  return { id, playbackId, url: (demo.addresses.hls ?? '').replace('{playbackId}', playbackId) };
}

function sign(
  fixture: Fixture,
  key: Row,
  claims: Readonly<Record<string, unknown>>,
  algorithm: jwt.Algorithm = 'ES256',
) {
  const iat = Math.floor(fixture.clock.now() / 1000);
  const all = { action: 'pull', iss: 'tests', pub: key.publicKey, video: 'none', iat, exp: iat + HOUR_S, ...claims };
  return jwt.sign(all, atob(String(key.privateKey)), { algorithm });
}

describe('The signing keys of the demo', () => {
  it(
    'are P-256, and tell their private half once',
    withDemo({}, async (fixture) => {
      const key = await createKey(fixture);
      const pem = atob(String(key.publicKey));
      const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
      assert.deepEqual([asymmetricKeyType, asymmetricKeyDetails?.namedCurve], ['ec', 'prime256v1']);
      assert.match(atob(String(key.privateKey)), /^-----BEGIN PRIVATE KEY-----\n/);
      const { privateKey: _, ...listed } = key;
      assert.deepEqual(await fixture.rows(PATH), [listed]);
    }),
  );

  it(
    'are deleted once, and then no list names them',
    withDemo({}, async (fixture) => {
      const { id } = await createKey(fixture);
      const remove = async () => (await fixture.call(`${PATH}/${id}`, { method: 'DELETE' })).status;
      assert.deepEqual([await remove(), await remove()], [204, 404]);
      assert.deepEqual(await fixture.rows(PATH), []);
    }),
  );

  it(
    'are not there on a service that offers what is stated alone',
    withDemo({ face: 'strict' }, async ({ call }) => {
      assert.equal((await call(PATH)).status, 404);
      assert.equal((await call(PATH, { method: 'POST', body: '{}' })).status, 404);
    }),
  );
});

describe('A private stream of the demo', () => {
  it(
    'plays with a token of a key of the account, down to its segments, whether in the address or in a header',
    withDemo({}, async (fixture) => {
      const [key, { playbackId, url }] = [await createKey(fixture), startPrivate(fixture)];
      const token = sign(fixture, key, { sub: playbackId });
      const address = `${url}?jwt=${token}`;
      const master = await send(address);
      assert.equal(master.status, 200);
      const [rendition = ''] = master.text.split('\n').filter((line) => /^[^#]/.test(line));
      const list = await send(new URL(rendition, address).href);
      assert.equal(list.status, 200, rendition);
      const [segment = ''] = list.text.split('\n').filter((line) => /^[^#]/.test(line));
      assert.equal((await send(new URL(segment, new URL(rendition, address)).href)).status, 200, segment);
      assert.equal((await send(url, { headers: { 'livepeer-jwt': token } })).status, 200);
      const picture = url.replace('index.m3u8', 'thumbnails/latest.jpg');
      assert.deepEqual([(await send(picture)).status, (await send(`${picture}?jwt=${token}`)).status], [403, 200]);
    }),
  );

  it(
    'plays for nobody without a token, with one of another key, stream, or time, or with one that is no viewer’s',
    withDemo({}, async (fixture) => {
      const [key, gone] = [await createKey(fixture), await createKey(fixture, 'Old')];
      await fixture.call(`${PATH}/${gone.id}`, { method: 'DELETE' });
      const [{ playbackId: sub, url }, other] = [startPrivate(fixture), startPrivate(fixture)];
      const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const pem = foreign.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      const iat = Math.floor(fixture.clock.now() / 1000);
      const tokens: Readonly<Record<string, string>> = {
        nothing: '',
        'no token': 'x.y.z',
        'another stream': sign(fixture, key, { sub: other.playbackId }),
        'a deleted key': sign(fixture, gone, { sub }),
        'a foreign key': sign(fixture, { publicKey: key.publicKey, privateKey: btoa(pem) }, { sub }),
        'an expired one': sign(fixture, key, { sub, iat: iat - 2 * HOUR_S, exp: iat - 1 }),
        'one of the future': sign(fixture, key, { sub, iat: iat + HOUR_S, exp: iat + 2 * HOUR_S }),
        'one to send with': sign(fixture, key, { sub, action: 'push' }),
        'one that is not signed': jwt.sign({ sub, pub: key.publicKey, exp: iat + HOUR_S }, '', { algorithm: 'none' }),
      };
      for (const [what, token] of Object.entries(tokens)) {
        assert.equal((await send(`${url}?jwt=${token}`)).status, 403, what);
      }
      assert.equal((await send(`${url}?jwt=${sign(fixture, key, { sub })}`)).status, 200);
    }),
  );

  it(
    'plays with a token what was recorded of it so far',
    withDemo({}, async (fixture) => {
      const { demo } = fixture;
      const key = await createKey(fixture);
      const { id, playbackId = '' } = demo.control.addStream({ record: true, playbackPolicy: { type: 'jwt' } });
      const session = demo.control.startBroadcast(id);
      const address = `${fixture.origin}/dvr/${session.id}/index.m3u8`;
      const token = sign(fixture, key, { sub: playbackId });
      assert.deepEqual([(await send(address)).status, (await send(`${address}?jwt=${token}`)).status], [403, 200]);
    }),
  );

  it(
    'says on its page in a browser that it needs a token, and plays there with one',
    withDemo({}, async (fixture) => {
      const [key, { playbackId }] = [await createKey(fixture), startPrivate(fixture)];
      const page = (fixture.demo.addresses.player ?? '').replace('{playbackId}', playbackId);
      assert.match((await send(page)).text, /Only viewers with a token/);
      const token = sign(fixture, key, { sub: playbackId });
      assert.match((await send(`${page}&jwt=${token}`)).text, new RegExp(`index\\.m3u8\\?jwt=${token}"`));
    }),
  );
});

describe('The playback policy of a stream of the demo', () => {
  const change = async ({ call }: Fixture, id: string, playbackPolicy: unknown) => {
    const reply = await call(`/stream/${id}`, { method: 'PATCH', body: JSON.stringify({ playbackPolicy }) });
    return [reply.status, ...(reply.status === 204 ? [] : errorsOf(reply))].join(' ');
  };

  it(
    'is set as a whole, and read back',
    withDemo({}, async (fixture) => {
      const { id } = fixture.demo.control.addStream();
      const { id: webhookId } = fixture.demo.control.addWebhook();
      const policy = { type: 'webhook', webhookId, allowedOrigins: ['https://a.example', '*'] };
      assert.equal(await change(fixture, id, policy), '204');
      assert.deepEqual((await fixture.row(`/stream/${id}`)).playbackPolicy, policy);
      assert.equal(await change(fixture, id, { type: 'jwt' }), '204');
      assert.deepEqual((await fixture.row(`/stream/${id}`)).playbackPolicy, { type: 'jwt' });
    }),
  );

  it(
    'is refused with an unknown type, field, or webhook, and with what is no origin',
    withDemo({}, async (fixture) => {
      const { id } = fixture.demo.control.addStream();
      assert.match(await change(fixture, id, { type: 'secret' }), /^422 .*playbackPolicy\.type/);
      assert.match(await change(fixture, id, { type: 'jwt', password: 'x' }), /^422 .*additional/);
      assert.match(await change(fixture, id, {}), /^422 .*'type'/);
      assert.equal(await change(fixture, id, { type: 'webhook', webhookId: 'gone' }), '400 webhook gone not found');
      for (const origin of ['a.example', 'https://a.example/', 'ftp://a.example', 7]) {
        assert.match(await change(fixture, id, { type: 'public', allowedOrigins: [origin] }), /^422 .*origins/);
      }
      assert.equal((await fixture.row(`/stream/${id}`)).playbackPolicy, undefined);
    }),
  );
});
