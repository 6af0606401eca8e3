import assert from 'node:assert/strict';
import { ApiError, type ApiErrorCause } from '../../../src/api/errors.ts';
import { type Abilities, ALL_ABILITIES } from '../../../src/api/types.ts';
import { mayHaveHappened } from '../../../src/model/account/sentOnce.ts';
import { apiOver, type Canned } from './support.ts';

const full = {
  parentsOnly: true,
  limit: 500,
  order: 'createdAt-true,id-true',
  filters: [{ id: 'isActive', value: false }],
} as const;
const STATED = 'GET /stream?streamsonly=1&filters=%5B%7B%22id%22%3A%22isActive%22%2C%22value%22%3Afalse%7D%5D';

/** A service that refuses every parameter it does not promise. */
const strict =
  (status: number) =>
  ({ url }: { url: string }) =>
    /limit|cursor|order|count|name/.test(url) ? { status, body: { errors: ['unknown'] } } : { body: [{ id: 'a' }] };

describe('a service of which only the stated part is there', () => {
  for (const status of [400, 404, 405, 422, 501]) {
    it(`is asked the stated request after it answered ${status} to what is only seen, and this is remembered`, async () => {
      const { api, asked } = apiOver(strict(status));
      assert.equal((await api.listStreams(full)).items.length, 1);
      assert.equal(api.abilities.listExtras, false);
      await api.listStreams(full);
      assert.equal(asked().length, 3);
      assert.deepEqual(asked().slice(1), [STATED, STATED]);
    });
  }

  it('tells once, and again after a reset', async () => {
    const told: Abilities[] = [];
    const { api } = apiOver(strict(400), { onDidChangeAbilities: (abilities) => told.push(abilities) });
    await api.listStreams(full);
    await api.listUserSessions({ limit: 5 });
    assert.deepEqual(told, [{ ...ALL_ABILITIES, listExtras: false }]);
    api.resetAbilities();
    api.resetAbilities();
    assert.deepEqual(told.slice(1), [ALL_ABILITIES]);
    await api.listStreams(full);
    assert.equal(told.length, 3);
  });

  it('is asked without filters that are not stated', async () => {
    const { api, asked } = apiOver(strict(400));
    await api.listStreams({
      parentsOnly: false,
      filters: [
        { id: 'name', value: 'x' },
        { id: 'record', value: true },
      ],
    });
    assert.equal(asked()[1], 'GET /stream?filters=%5B%7B%22id%22%3A%22record%22%2C%22value%22%3Atrue%7D%5D');
  });

  it('has one page of each list', async () => {
    const link = { link: '<?cursor=skip1>; rel="next"' };
    const { api } = apiOver(({ url }) =>
      /limit/.test(url) ? { status: 400 } : { body: [{ id: 'a' }], headers: link },
    );
    assert.equal((await api.listStreams({ parentsOnly: true, limit: 1 })).next, undefined);
    assert.equal((await api.listSessions('a', { limit: 1 })).next, undefined);
    assert.equal((await api.listStreams({ parentsOnly: true })).next, undefined);
  });

  it('is not concluded from a refusal that the stated request meets as well', async () => {
    const { api, asked } = apiOver(() => ({ status: 404 }));
    await assert.rejects(api.listSessions('gone', { limit: 20 }), { reason: 'notFound' });
    assert.equal(asked().length, 2);
    assert.equal(api.abilities.listExtras, true);
  });

  it('is not concluded from a stated request that gets HTML', async () => {
    const { api } = apiOver(({ url }) => (/limit/.test(url) ? { status: 404 } : { body: '<html>' }));
    await assert.rejects(api.listStreams(full), { why: 'html' });
    assert.equal(api.abilities.listExtras, true);
  });

  it('is not looked for where nothing but the stated was sent, or the answer is another', async () => {
    const plain = apiOver(() => ({ status: 400 }));
    await assert.rejects(plain.api.listStreams({ parentsOnly: true, filters: [{ id: 'record', value: true }] }));
    const busy = apiOver(() => ({ status: 503 }));
    await assert.rejects(busy.api.listStreams(full), { reason: 'unavailable' });
    assert.deepEqual([plain.asked().length, busy.asked().length], [1, 1]);
  });
});

describe('a service that pages, and refuses filters that are not stated', () => {
  const named = { ...full, count: true, filters: [...full.filters, { id: 'name', value: 'x' }] } as const;
  const PAGED = `${STATED}&limit=500&order=createdAt-true%2Cid-true&count=1`;
  const picky =
    (status: number) =>
    ({ url }: { url: string }) =>
      /name|parentId/.test(decodeURIComponent(url))
        ? { status }
        : { body: [{ id: 'a' }], headers: { link: '<?cursor=skip1>; rel="next"', 'x-total-count': '900' } };

  const namedLike = (value: string) => ({ ...full, count: true, filters: [...full.filters, { id: 'name', value }] });

  for (const status of [400, 422]) {
    it(`is asked for pages without two names that it answered ${status} to, and this is remembered`, async () => {
      const { api, asked } = apiOver(picky(status));
      const page = await api.listStreams(named);
      assert.equal(page.next, 'skip1');
      assert.equal(page.total, undefined, 'the count is of more than was asked for');
      assert.equal(api.abilities.listFilters, true, 'it may be about this one name');
      assert.equal((await api.listStreams(named)).next, 'skip1');
      assert.deepEqual(asked().slice(1), [PAGED, PAGED], 'the same name is not tried again');
      await api.listStreams(namedLike('y'));
      assert.deepEqual(api.abilities, { ...ALL_ABILITIES, listFilters: false });
      await api.listStreams(namedLike('z'));
      assert.deepEqual(asked().slice(4), [PAGED, PAGED]);
      assert.equal((await api.listStreams({ ...full, count: true })).total, 900);
      api.resetAbilities();
      await api.listStreams(named);
      assert.equal(asked().length, 9);
    });
  }

  it('is not asked with another name after it answered 405 to one', async () => {
    const { api, asked } = apiOver(picky(405));
    await api.listStreams(named);
    assert.deepEqual(api.abilities, { ...ALL_ABILITIES, listFilters: false });
    await api.listStreams(namedLike('y'));
    assert.deepEqual(asked().slice(1), [PAGED, PAGED]);
  });

  it('filters in the window by the names that a service refuses, and at the service by the others', async () => {
    const { api, asked } = apiOver(({ url }) =>
      /bad/.test(url) ? { status: 400 } : { body: [{ id: 'a' }], headers: { 'x-total-count': '1' } },
    );
    assert.equal((await api.listStreams(namedLike('good'))).total, 1);
    assert.equal((await api.listStreams(namedLike('bad'))).total, undefined);
    await api.listStreams(namedLike('bad too'));
    assert.deepEqual(api.abilities, ALL_ABILITIES);
    assert.equal((await api.listStreams(namedLike('better'))).total, 1);
    assert.match(asked().at(-1) ?? '', /better/);
  });

  it('keeps its pages where nothing but such a filter was asked for', async () => {
    const { api, asked } = apiOver(picky(405));
    const page = await api.listStreams({ parentsOnly: false, filters: [{ id: 'parentId', value: 'p' }] });
    assert.equal(page.next, 'skip1');
    assert.deepEqual(api.abilities, { ...ALL_ABILITIES, listFilters: false });
    assert.equal(asked()[1], 'GET /stream');
    const sessions = await api.listUserSessions({ limit: 5, filters: [{ id: 'parentId', value: 'p' }] });
    assert.equal(sessions.next, 'skip1');
    assert.equal(asked()[2], 'GET /session?limit=5&order=createdAt-true%2Cid-true');
  });

  it('is told from one that refuses paging as well, which is asked three times once', async () => {
    const { api, asked } = apiOver(strict(400));
    await api.listStreams(named);
    await api.listStreams(named);
    assert.equal(api.abilities.listExtras, false);
    assert.deepEqual(asked().slice(1), [PAGED, STATED, STATED]);
  });

  it('is not concluded from a refusal that every request meets', async () => {
    const { api, asked } = apiOver(() => ({ status: 400 }));
    await assert.rejects(api.listStreams(named), { reason: 'rejected' });
    assert.equal(asked().length, 3);
    assert.deepEqual(api.abilities, ALL_ABILITIES);
  });
});

describe('a single session', () => {
  const noSuchRequest =
    (status: number, sessions: Record<string, readonly unknown[]>) =>
    ({ url }: { url: string }) => {
      const { pathname, search } = new URL(url);
      return pathname.includes('/session/') ? { status } : { body: sessions[`${pathname.slice(4)}${search}`] ?? [] };
    };

  for (const status of [404, 405, 501]) {
    it(`is looked for among its stream's sessions after a ${status}`, async () => {
      const answer = noSuchRequest(status, {
        '/stream/p/sessions?limit=1000': [{ id: 'x' }, { id: 's', mp4URL: 'https://m' }],
      });
      const { api } = apiOver(answer);
      assert.equal((await api.getSession('s', { parentId: 'p' })).value.mp4Url, 'https://m');
      assert.deepEqual(await api.getSessionJson('s', { parentId: 'p' }), { id: 's', mp4URL: 'https://m' });
    });
  }

  it('is looked for among the recorded ones last, and then is gone', async () => {
    const { api } = apiOver(noSuchRequest(404, { '/stream/p/sessions?record=1&limit=1000': [{ id: 's' }] }));
    assert.equal((await api.getSession('s', { parentId: 'p' })).value.id, 's');
    await assert.rejects(api.getSession('t', { parentId: 'p' }), { reason: 'notFound' });
  });

  it('is looked for among the newest of the user if its stream isn’t known, and then is gone', async () => {
    const { api, asked } = apiOver(({ url }) => {
      const { pathname, search } = new URL(url);
      if (pathname !== '/api/session') return { status: 404 };
      return search === '' ? { body: [{ id: 'x' }, { id: 's', parentId: 'p' }] } : { status: 400 };
    });
    assert.equal((await api.getSession('s')).value.parentId, 'p');
    await assert.rejects(api.getSession('t'), { reason: 'notFound', status: 404 });
    assert.deepEqual(asked().length, 5);
  });
});

describe('changes that a service does not offer', () => {
  type Api = ReturnType<typeof apiOver>['api'];
  const changes: [ability: keyof Abilities, change: (api: Api) => Promise<unknown>][] = [
    ['patch', (api) => api.patchStream('a', { name: 'x' })],
    ['suspend', (api) => api.patchStream('a', { suspended: true })],
    ['playbackPolicy', (api) => api.setPlaybackPolicy('a', { type: 'jwt', webhookId: undefined, allowedOrigins: [] })],
    ['endBroadcast', (api) => api.endBroadcast('a')],
    ['delete', (api) => api.deleteStream('a')],
    ['create', (api) => api.createStream({ name: 'x' })],
  ];
  for (const [ability, change] of changes) {
    it(`${ability}: one 404, while the stream is there, takes nothing away; a second one in a row does`, async () => {
      const there = ability === 'create' ? [] : { id: 'a' };
      const { api, asked } = apiOver(({ method }) => (method === 'GET' ? { body: there } : { status: 404 }));
      await assert.rejects(change(api), { reason: 'rejected', why: 'changeNotFound', status: 404 });
      assert.deepEqual(api.abilities, ALL_ABILITIES);
      await assert.rejects(change(api), { reason: 'rejected', why: 'notOffered' });
      assert.deepEqual(api.abilities, { ...ALL_ABILITIES, [ability]: false });
      assert.equal(asked().length, 4);
    });

    it(`${ability}: 404s with a success or a manual refresh in between take nothing away`, async () => {
      const answers: (() => Canned)[] = [];
      const there = ability === 'create' ? [] : { id: 'a' };
      const { api } = apiOver(({ method }) =>
        method === 'GET' ? { body: there } : (answers.shift()?.() ?? { status: 404 }),
      );
      await assert.rejects(change(api), { why: 'changeNotFound' });
      answers.push(() => ({ body: { id: 'a' } }));
      await change(api);
      await assert.rejects(change(api), { why: 'changeNotFound' });
      api.resetAbilities();
      await assert.rejects(change(api), { why: 'changeNotFound' });
      assert.deepEqual(api.abilities, ALL_ABILITIES);
    });

    for (const status of [405, 501]) {
      it(`${ability}: a ${status}, while the stream is there, means not offered`, async () => {
        const there = ability === 'create' ? [] : { id: 'a' };
        const { api, asked } = apiOver(({ method }) => (method === 'GET' ? { body: there } : { status }));
        await assert.rejects(change(api), { reason: 'rejected', why: 'notOffered' });
        assert.deepEqual(api.abilities, { ...ALL_ABILITIES, [ability]: false });
        assert.equal(asked().length, 2);
      });
    }
  }

  it('are told apart from a stream that is gone', async () => {
    const { api } = apiOver(() => ({ status: 404 }));
    for (const [, change] of changes) await assert.rejects(change(api), { reason: 'notFound' });
    assert.deepEqual(api.abilities, ALL_ABILITIES);
  });

  it('are not concluded when the stream cannot be retrieved', async () => {
    const { api } = apiOver(({ method }) => (method === 'GET' ? { status: 503 } : { status: 404 }));
    await assert.rejects(api.deleteStream('a'), { reason: 'unavailable' });
    assert.deepEqual(api.abilities, ALL_ABILITIES);
  });

  it('are never repeated', async () => {
    for (const status of [400, 404, 405, 422, 429, 500, 501, 502, 503, 504]) {
      const { api, asked } = apiOver(({ method }) => (method === 'GET' ? { body: { id: 'a' } } : { status }));
      await assert.rejects(api.patchStream('a', { record: true }));
      assert.equal(asked().filter((line) => !line.startsWith('GET')).length, 1);
    }
  });
});

describe('health that a service does not have', () => {
  for (const status of [405, 501]) {
    it(`is not asked for again after a ${status}, until a manual refresh`, async () => {
      const { api } = apiOver(() => ({ status }));
      await assert.rejects(api.getStreamHealthJson('a'), { reason: 'rejected', why: 'notOffered' });
      assert.deepEqual(api.abilities, { ...ALL_ABILITIES, health: false });
      api.resetAbilities();
      assert.deepEqual(api.abilities, ALL_ABILITIES);
    });
  }

  it('is told from that of a stream of which nothing is known', async () => {
    const { api } = apiOver(() => ({ status: 404 }));
    await assert.rejects(api.getStreamHealthJson('a'), { reason: 'notFound' });
    assert.deepEqual(api.abilities, ALL_ABILITIES);
  });
});

describe('a change that failed', () => {
  const failed = (reason: ApiError['reason'], why?: ApiErrorCause) => new ApiError(reason, 'x', why ? { why } : {});

  it('may have happened after a 5xx, a lost answer, one that cannot be read, and an end halfway', () => {
    assert.ok(mayHaveHappened(failed('unavailable')));
    assert.ok(mayHaveHappened(failed('timeout')));
    assert.ok(mayHaveHappened(failed('network', 'reset')));
    assert.ok(mayHaveHappened(failed('network')));
    assert.ok(mayHaveHappened(failed('invalidResponse', 'html')));
    assert.ok(mayHaveHappened(new DOMException('ended', 'AbortError')));
  });

  it('has not happened when the service refused the request or never got it', () => {
    for (const reason of ['unauthorized', 'forbidden', 'notFound', 'rejected', 'rateLimited'] as const) {
      assert.ok(!mayHaveHappened(failed(reason)), reason);
    }
    for (const why of ['nameNotFound', 'refused', 'certificate', 'proxyAuthentication', 'proxyUnsupported'] as const) {
      assert.ok(!mayHaveHappened(failed('network', why)), why);
    }
    assert.ok(!mayHaveHappened(failed('invalidResponse', 'redirect')));
    assert.ok(!mayHaveHappened(new TypeError('a bug')));
  });
});
