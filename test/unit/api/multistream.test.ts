import assert from 'node:assert/strict';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { MultistreamApi } from '../../../src/api/multistreamApi.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { apiOver, BASE, type Canned, KEY, NOW, reasonsOf } from './support.ts';

const PATH = '/multistream/target';
const SECRET = 'k3y-0f-another-service';
const NEW = { name: 'Channel', url: `rtmps://live.example:443/app/${SECRET}`, profile: '720p0' };
const ROW = { id: 't', name: 'Channel', disabled: true, userId: 'u', createdAt: 5 };
const TARGET = { id: 't', name: 'Channel', isDisabled: true, createdAt: 5 };

function over(answer: (method: string, path: string) => Canned) {
  const secrets = new KnownSecrets();
  const { transport, asked, requests } = apiOver(({ method, url }) => {
    const path = url.replace(BASE, '');
    return path === '/user/me' ? { body: { id: 'u' } } : answer(method, path);
  });
  const lacking: string[] = [];
  const parts = { baseUrl: BASE, apiKey: KEY, transport, clock: heldClock(NOW), secrets };
  const api = new MultistreamApi({ ...parts, onNotOffered: () => void lacking.push('targets') });
  return { api, asked, requests, secrets, lacking };
}

describe('The requests about multistream targets', () => {
  it('list the targets of the own user, whose id is read once, and drop a URL that is sent all the same', async () => {
    const { api, asked, secrets } = over(() => ({ body: [{ ...ROW, url: NEW.url }, { name: 'without an id' }, 7] }));
    assert.deepEqual(await api.listTargets(), [TARGET]);
    await api.listTargets();
    const list = `GET ${PATH}?userId=u&limit=1000`;
    assert.deepEqual(asked(), ['GET /user/me', list, list]);
    assert.equal(secrets.strip(`It is ${SECRET}!`), 'It is …!');
  });

  it('list them without a limit where a service refuses one', async () => {
    const { api, asked } = over((_method, path) => (path.includes('limit') ? { status: 422 } : { body: [ROW] }));
    assert.deepEqual(await api.listTargets(), [TARGET]);
    assert.equal(asked().at(-1), `GET ${PATH}?userId=u`);
  });

  it('add one with nothing but what the service takes, whether it sends the target back or not', async () => {
    for (const [answer, target] of [
      [{ body: ROW }, TARGET],
      [{ status: 204 }, undefined],
    ] as const) {
      const { api, asked, requests, secrets } = over(() => answer);
      assert.deepEqual(await api.addTarget('s', NEW), target);
      assert.deepEqual(asked(), ['POST /stream/s/create-multistream-target']);
      const { name, url, profile } = NEW;
      assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { profile, spec: { name, url } });
      assert.equal(secrets.strip(`Bad URL ${url}, ${SECRET}`), 'Bad URL …, …');
    }
  });

  it('turn one off and on, and remove one from a stream', async () => {
    const { api, asked, requests } = over(() => ({ status: 204 }));
    await api.patchTarget('t', { isDisabled: true });
    await api.removeTarget('s', 't');
    assert.deepEqual(asked(), [`PATCH ${PATH}/t`, 'DELETE /stream/s/multistream/t']);
    assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { disabled: true });
    for (const call of [
      () => api.patchTarget('../x', { isDisabled: true }),
      () => api.removeTarget('s', '..'),
      () => api.getTarget(''),
    ]) {
      assert.equal((await reasonsOf(call()))[0], 'rejected');
    }
    assert.equal(asked().length, 2);
  });

  it('change where one sends, and note its URL as a secret before it is sent', async () => {
    const body = JSON.stringify({ errors: [`Bad URL ${NEW.url}`] });
    const { api, asked, requests, secrets } = over(() => ({ status: 422, body }));
    assert.deepEqual((await reasonsOf(api.patchTarget('t', { name: 'Channel', url: NEW.url })))[0], 'rejected');
    assert.deepEqual(asked(), [`PATCH ${PATH}/t`]);
    assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { name: 'Channel', url: NEW.url });
    assert.equal(secrets.strip(`Bad URL ${NEW.url}, ${SECRET}`), 'Bad URL …, …');
  });

  const changes = (api: MultistreamApi) => [
    () => api.addTarget('s', NEW),
    () => api.removeTarget('s', 't'),
    () => api.patchTarget('t', { name: 'New', url: NEW.url }),
  ];

  it('say that a service has no targets by the status alone, except 404', async () => {
    for (const status of [405, 501]) {
      const { api, lacking } = over(() => ({ status }));
      for (const call of [...changes(api), () => api.listTargets()]) {
        assert.deepEqual(await reasonsOf(call()), ['rejected', 'notOffered']);
        assert.equal(lacking.pop(), 'targets');
      }
    }
  });

  it('distinguish by a 404 what is gone, a service without targets, and a replica that lags behind', async () => {
    const lagging = (list: Canned) => (method: string, path: string) => {
      if (method !== 'GET') return { status: 404 };
      if (path.includes('userId')) return list;
      return path.startsWith('/stream') ? { body: { id: 's', name: 'S' } } : { body: ROW };
    };
    for (const at of [0, 1, 2]) {
      const run = (answer: (method: string, path: string) => Canned) => {
        const { api, lacking } = over(answer);
        const call = changes(api)[at] ?? assert.fail();
        return reasonsOf(call()).then((error) => [...error, lacking.length]);
      };
      assert.deepEqual(await run(() => ({ status: 404 })), ['notFound', undefined, 0]);
      assert.deepEqual(await run(lagging({ status: 404 })), ['rejected', 'notOffered', 1]);
      assert.deepEqual(await run(lagging({ body: [ROW] })), ['rejected', 'changeNotFound', 0]);
    }
  });
});
