import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { SigningKeyApi } from '../../../src/api/signingKeyApi.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { apiOver, BASE, type Canned, failureOf, KEY, NOW } from './support.ts';

const PATH = '/access-control/signing-key';
const ROW = { id: 'k', name: 'Site', publicKey: 'cHVibGlj', createdAt: 5, userId: 'u' };
const LISTED = { id: 'k', name: 'Site', publicKey: 'cHVibGlj', createdAt: 5 };
const PEM = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n';

function overKeys(answer: (method: string, path: string) => Canned | Error) {
  const secrets = new KnownSecrets();
  const { transport, asked, requests } = apiOver(({ method, url }) => answer(method, url.replace(BASE, '')));
  const lacking: string[] = [];
  const parts = { baseUrl: BASE, apiKey: KEY, transport, clock: heldClock(NOW), secrets };
  const api = new SigningKeyApi({ ...parts, onNotOffered: () => void lacking.push('signing keys') });
  return { api, asked, requests, secrets, lacking };
}

describe('The requests about signing keys', () => {
  it('list the keys with an id and a public half, without anything else', async () => {
    const { api, asked } = overKeys(() => ({ body: [ROW, { id: 'no-half' }, { publicKey: 'x' }, 7] }));
    assert.deepEqual(await api.listSigningKeys(), [LISTED]);
    assert.deepEqual(asked(), [`GET ${PATH}?limit=1000`]);
  });

  it('list them without a limit where a service refuses one', async () => {
    const { api, asked } = overKeys((_method, path) => (path.includes('?') ? { status: 422 } : { body: [ROW] }));
    assert.deepEqual(await api.listSigningKeys(), [LISTED]);
    assert.deepEqual(asked(), [`GET ${PATH}?limit=1000`, `GET ${PATH}`]);
  });

  it('send a name alone, and return the private key apart from the row, which texts never show from then on', async () => {
    const privateKey = btoa(PEM);
    const { api, requests, secrets } = overKeys(() => ({ status: 201, body: { ...ROW, privateKey } }));
    assert.deepEqual(await api.createSigningKey('Site'), { key: LISTED, privateKey });
    assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { name: 'Site' });
    assert.equal(secrets.strip(`It is ${privateKey}!`), 'It is …!');
    assert.equal(secrets.strip(`It is\n${PEM}.`), 'It is\n…\n.');
  });

  it('do not take an answer without a private key for a new key', async () => {
    const { api } = overKeys(() => ({ status: 201, body: ROW }));
    const error = await failureOf(api.createSigningKey('Site'));
    assert.ok(isApiError(error));
    assert.deepEqual([error.reason, error.why], ['invalidResponse', 'wrongShape']);
  });

  for (const status of [404, 405, 501]) {
    it(`say that a service has no signing keys if it answers ${status}`, async () => {
      const { api, lacking } = overKeys(() => ({ status, body: { errors: ['no'] } }));
      for (const call of [() => api.listSigningKeys(), () => api.createSigningKey('Site')]) {
        const error = await failureOf(call());
        assert.ok(isApiError(error));
        assert.deepEqual([error.reason, error.why], ['rejected', 'notOffered']);
        assert.equal(lacking.pop(), 'signing keys');
      }
    });
  }

  it('distinguish a key that is gone from a service that deletes none', async () => {
    const over = (rows: readonly unknown[]) =>
      overKeys((method) => (method === 'DELETE' ? { status: 404 } : { body: rows })).api;
    const gone = await failureOf(over([]).deleteSigningKey('k'));
    assert.ok(isApiError(gone));
    assert.equal(gone.reason, 'notFound');
    const lacking = await failureOf(over([ROW]).deleteSigningKey('k'));
    assert.ok(isApiError(lacking));
    assert.equal(lacking.why, 'notOffered');
  });

  it('send no id that can’t stand in a path', async () => {
    const { api, asked } = overKeys(() => ({ status: 204 }));
    await assert.rejects(api.deleteSigningKey('../x'), { reason: 'rejected' });
    await api.deleteSigningKey('k');
    assert.deepEqual(asked(), [`DELETE ${PATH}/k`]);
  });
});
