import assert from 'node:assert/strict';
import { ClipApi } from '../../../src/api/clipApi.ts';
import { decodeClip } from '../../../src/api/clips.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { apiOver, BASE, type Canned, KEY, NOW, reasonsOf } from './support.ts';

const ASSET = {
  ...{ id: 'c', name: 'Goal', playbackId: 'p', createdAt: 5, size: 7, type: 'video', userId: 'u' },
  source: { type: 'clip', sessionId: 's', playbackId: 'q' },
  status: { phase: 'processing', progress: 0.5, updatedAt: 6 },
};
const CLIP = {
  ...{ id: 'c', name: 'Goal', sessionId: 's', createdAt: 5, phase: 'processing', progress: 0.5 },
  ...{ problem: undefined, seconds: undefined, downloadUrl: undefined, playbackUrl: undefined },
};
const NEW = { playbackId: 'q', startTime: 10, endTime: 20, name: 'Goal', sessionId: 's' };

function over(answer: (method: string, path: string) => Canned) {
  const { transport, asked, requests } = apiOver(({ method, url }) => answer(method, url.replace(BASE, '')));
  const lacking: string[] = [];
  const parts = { baseUrl: BASE, apiKey: KEY, transport, clock: heldClock(NOW), secrets: new KnownSecrets() };
  return { api: new ClipApi({ ...parts, onNotOffered: () => void lacking.push('clips') }), asked, requests, lacking };
}

describe('The requests about clips', () => {
  it('keep the secrets of what a service says of a failure out of a clip', async () => {
    const status = { phase: 'failed', errorMessage: 'No abcd-efgh-ijkl-mnop at https://u:p@media.example/x?sig=1' };
    const { api } = over(() => ({ body: { ...ASSET, status } }));
    assert.equal((await api.getClip('c')).problem, 'No … at https://…@media.example/x?…');
  });

  it('create one with nothing but what the service takes', async () => {
    const { api, asked, requests } = over(() => ({ body: { task: { id: 't' }, asset: ASSET } }));
    assert.deepEqual(await api.createClip({ ...NEW, extra: 1 } as typeof NEW), CLIP);
    await api.createClip({ playbackId: 'q', startTime: 10, endTime: 20 });
    assert.deepEqual(asked(), ['POST /clip', 'POST /clip']);
    assert.deepEqual(
      requests.map(({ body }) => JSON.parse(body ?? '')),
      [NEW, { playbackId: 'q', startTime: 10, endTime: 20 }],
    );
  });

  it('read and delete one, by an id that may be in a path', async () => {
    const { api, asked } = over((method) => (method === 'GET' ? { body: ASSET } : { status: 204 }));
    assert.deepEqual(await api.getClip('c'), CLIP);
    await api.deleteClip('c');
    assert.deepEqual(asked(), ['GET /asset/c', 'DELETE /asset/c']);
    for (const call of [() => api.getClip('../x'), () => api.deleteClip('')]) {
      assert.equal((await reasonsOf(call()))[0], 'rejected');
    }
    assert.equal(asked().length, 2);
  });

  it('read when those begin that were ordered last, of tasks in any shape', async () => {
    const task = (outputAssetId: unknown, clip: unknown) => ({
      id: 't',
      type: 'clip',
      outputAssetId,
      params: { clip },
    });
    const tasks = [
      task('c', { clipStrategy: { startTime: 10, endTime: 20, playbackId: 'q' }, url: 'https://u:p@media.example' }),
      task('d', { clipStrategy: { startTime: 'soon' } }),
      ...[task('../x', { clipStrategy: { startTime: 10 } }), task('e', undefined), { type: 'upload' }, null, 7],
    ];
    const { api, asked } = over(() => ({ body: tasks }));
    assert.deepEqual([...(await api.listStarts())], [['c', 10]]);
    const filters = encodeURIComponent('[{"id":"type","value":"clip"}]');
    assert.deepEqual(asked(), [
      `GET /task?filters=${filters}&limit=100&order=${encodeURIComponent('createdAt-true,id-true')}`,
    ]);
    const { api: none, lacking } = over(() => ({ status: 405 }));
    assert.equal((await reasonsOf(none.listStarts()))[0], 'rejected');
    assert.deepEqual(lacking, [], 'a service may have clips without tasks');
  });

  it('say that a service has none by the status alone, except 404, and leave a refusal to the reader', async () => {
    const calls = (api: ClipApi) => [() => api.createClip(NEW), () => api.getClip('c'), () => api.deleteClip('c')];
    for (const [status, error, lacks] of [
      [405, ['rejected', 'notOffered'], 1],
      [501, ['rejected', 'notOffered'], 1],
      [404, ['notFound', undefined], 0],
      [403, ['forbidden', undefined], 0],
      [422, ['rejected', undefined], 0],
      [500, ['unavailable', undefined], 0],
    ] as const) {
      for (const at of [0, 1, 2]) {
        const { api, lacking } = over(() => ({ status }));
        assert.deepEqual(await reasonsOf((calls(api)[at] ?? assert.fail())()), error, `${status}`);
        assert.equal(lacking.length, lacks, `${status}`);
      }
    }
  });

  it('list those of a stream, and find out whether the service has any', async () => {
    const list = (status: number, hasStream: boolean) =>
      apiOver(({ url }) => {
        if (!url.includes('/clips')) return hasStream ? { body: { id: 's', name: 'S' } } : { status: 404 };
        return status === 200 ? { body: [ASSET, { name: 'without an id' }] } : { status };
      });
    const { api, asked } = list(200, true);
    assert.deepEqual((await api.listClips('s', { limit: 50 })).items, [CLIP]);
    assert.deepEqual(asked(), ['GET /stream/s/clips?limit=50&order=createdAt-true%2Cid-true']);
    for (const [status, hasStream, hasClips] of [
      [404, true, false],
      [501, true, false],
      [404, false, true],
      [500, true, true],
    ] as const) {
      const lists = list(status, hasStream);
      await assert.rejects(lists.api.listClips('s', { limit: 50 }));
      assert.equal(lists.api.abilities.clips, hasClips, `${status} ${hasStream}`);
    }
  });
});

describe('A clip from the service', () => {
  it('has what is usable of its fields, whatever else is sent', () => {
    const odd = {
      id: 'c',
      name: 7,
      source: 'x',
      status: { phase: null, progress: -1, errorMessage: '' },
      downloadUrl: 5,
    };
    const nothing = { sessionId: undefined, createdAt: undefined, phase: '', progress: undefined };
    assert.deepEqual(decodeClip(odd, new KnownSecrets()), { ...CLIP, ...nothing, name: '7' });
    for (const value of [undefined, null, [], 'x', {}, { id: '../x' }])
      assert.equal(decodeClip(value, new KnownSecrets()), undefined);
  });
});
