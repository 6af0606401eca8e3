import assert from 'node:assert/strict';
import { decodeHealth } from '../../../src/api/decodeHealth.ts';
import { isApiError } from '../../../src/api/errors.ts';
import { apiOver, BASE, KEY, NOW } from './support.ts';

const stream = { id: 'a', name: 'Keynote' };

describe('the documented requests', () => {
  const cases: [what: string, call: (api: ReturnType<typeof apiOver>['api']) => Promise<unknown>, expected: string][] =
    [
      ['list streams', (api) => api.listStreams({ parentsOnly: false }), 'GET /stream'],
      [
        'without deprecated child streams',
        (api) => api.listStreams({ parentsOnly: true }),
        'GET /stream?streamsonly=1',
      ],
      [
        'active',
        (api) => api.listStreams({ parentsOnly: false, filters: [{ id: 'isActive', value: true }] }),
        'GET /stream?filters=%5B%7B%22id%22%3A%22isActive%22%2C%22value%22%3Atrue%7D%5D',
      ],
      [
        'idle',
        (api) => api.listStreams({ parentsOnly: false, filters: [{ id: 'isActive', value: false }] }),
        'GET /stream?filters=%5B%7B%22id%22%3A%22isActive%22%2C%22value%22%3Afalse%7D%5D',
      ],
      [
        'recording, parents only',
        (api) => api.listStreams({ parentsOnly: true, filters: [{ id: 'record', value: true }] }),
        'GET /stream?streamsonly=1&filters=%5B%7B%22id%22%3A%22record%22%2C%22value%22%3Atrue%7D%5D',
      ],
      [
        'with all that is only seen',
        (api) =>
          api.listStreams({
            parentsOnly: true,
            limit: 500,
            cursor: 'skip500',
            order: 'createdAt-true,id-true',
            count: true,
          }),
        'GET /stream?streamsonly=1&limit=500&cursor=skip500&order=createdAt-true%2Cid-true&count=1',
      ],
      ['sessions of a stream', (api) => api.listSessions('a'), 'GET /stream/a/sessions'],
      ['recorded sessions', (api) => api.listSessions('a', { recordedOnly: true }), 'GET /stream/a/sessions?record=1'],
      ['all sessions of a stream', (api) => api.listSessions('a', { recordedOnly: false }), 'GET /stream/a/sessions'],
      ['sessions of the user', (api) => api.listUserSessions(), 'GET /session'],
      [
        'sessions of the user, newest first',
        (api) => api.listUserSessions({ limit: 5, order: 'createdAt-true,id-true' }),
        'GET /session?limit=5&order=createdAt-true%2Cid-true',
      ],
    ];
  for (const [what, call, expected] of cases) {
    it(`${what}: ${expected}`, async () => {
      const { api, asked, requests } = apiOver(() => ({ body: [] }));
      await call(api);
      assert.deepEqual(asked(), [expected]);
      assert.deepEqual(requests[0]?.headers, { accept: 'application/json', authorization: `Bearer ${KEY}` });
      assert.equal(requests[0]?.body, undefined);
    });
  }

  it('encode a literal % in a filter twice, as the service decodes it twice', async () => {
    const { api, requests } = apiOver(() => ({ body: [] }));
    await api.listStreams({ parentsOnly: false, filters: [{ id: 'name', value: '50% ö&+' }] });
    const query = new URL(requests[0]?.url ?? '').searchParams.get('filters') ?? '';
    assert.equal(query, '[{"id":"name","value":"50\\\\%25 ö&+"}]');
    assert.deepEqual(JSON.parse(decodeURIComponent(query)), [{ id: 'name', value: '50\\% ö&+' }]);
    assert.match(requests[0]?.url ?? '', /50%5C%5C%2525/);
  });

  it('hold limits to what the service takes', async () => {
    const { api, asked } = apiOver(() => ({ body: [] }));
    await api.listStreams({ parentsOnly: false, limit: 5000 });
    await api.listStreams({ parentsOnly: false, limit: 0 });
    const order = 'order=createdAt-true%2Cid-true';
    assert.deepEqual(asked(), [`GET /stream?limit=1000&${order}`, `GET /stream?limit=1&${order}`]);
  });

  it('retrieve one stream and one session', async () => {
    const { api, asked } = apiOver(() => ({ body: stream }));
    assert.equal((await api.getStream('a')).value.name, 'Keynote');
    assert.deepEqual(await api.getStreamJson('a'), stream);
    assert.equal((await api.getSession('s_1-2')).value.id, 'a');
    assert.deepEqual(await api.getSessionJson('s'), stream);
    assert.deepEqual(asked(), ['GET /stream/a', 'GET /stream/a', 'GET /session/s_1-2', 'GET /session/s']);
  });

  it('create, change, end and delete, sending only what was given', async () => {
    const { api, asked, requests } = apiOver(({ method }) =>
      method === 'POST' ? { status: 201, body: stream } : { status: 204 },
    );
    assert.equal((await api.createStream({ name: 'Keynote', record: true })).value.id, 'a');
    await api.patchStream('a', { record: false });
    await api.patchStream('a', { suspended: true });
    await api.endBroadcast('a');
    await api.deleteStream('a');
    assert.deepEqual(asked(), [
      'POST /stream',
      'PATCH /stream/a',
      'PATCH /stream/a',
      'DELETE /stream/a/terminate',
      'DELETE /stream/a',
    ]);
    const bodies = requests.map(({ body }) => body);
    assert.deepEqual(bodies, [
      '{"name":"Keynote","record":true}',
      '{"record":false}',
      '{"suspended":true}',
      undefined,
      undefined,
    ]);
    assert.equal(requests[0]?.headers['content-type'], 'application/json');
    assert.equal(requests[4]?.headers['content-type'], undefined);
  });

  it("read a stream's health as conditions, whatever a service makes of them", async () => {
    const { api, asked } = apiOver(() => ({
      body: {
        id: 'a',
        healthy: false,
        conditions: [
          { type: 'Active', status: true, frequency: 10, lastProbeTime: NOW, lastTransitionTime: NOW - 60_000 },
          { type: 'TranscodeRealTime', status: 'false', lastProbeTime: 0 },
          { type: 'Multistreaming', status: null },
          { status: true },
          'Transcoding',
        ],
        multistream: [
          { target: { id: 't', name: 'YouTube', profile: 'source' }, connected: false },
          { target: { name: 'without an id' }, connected: true },
          7,
        ],
      },
    }));
    assert.deepEqual(decodeHealth(await api.getStreamHealthJson('a')), [
      { type: 'Active', isMet: true, since: NOW - 60_000, checkedAt: NOW },
      { type: 'TranscodeRealTime', isMet: false, since: undefined, checkedAt: undefined },
      { type: 'Multistreaming', isMet: undefined, since: undefined, checkedAt: undefined },
      {
        ...{ type: 'Multistreaming', isMet: false, since: undefined, checkedAt: undefined },
        target: { id: 't', name: 'YouTube', profile: 'source' },
      },
    ]);
    for (const wrong of [undefined, [], {}, { conditions: 'x' }]) assert.equal(decodeHealth(wrong), undefined);
    assert.deepEqual(asked(), ['GET /data/stream/a/health']);
    await assert.rejects(api.getStreamHealthJson('../a'), { reason: 'rejected' });
  });

  it('ask for playback info without the key', async () => {
    const { api, requests, asked } = apiOver(() => ({ body: { type: 'live', meta: {} } }));
    assert.deepEqual(await api.getPlaybackInfo('play1'), { type: 'live', meta: {} });
    assert.deepEqual(asked(), ['GET /playback/play1']);
    assert.deepEqual(requests[0]?.headers, { accept: 'application/json' });
  });

  it('do not call the key refused where playback info wants one', async () => {
    const { api } = apiOver(() => ({ status: 401 }));
    await assert.rejects(api.getPlaybackInfo('play1'), { reason: 'rejected', why: 'notOffered' });
  });

  it('ask with the key where a broadcast plays from its beginning', async () => {
    const source = { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: 'https://x.test/a.m3u8?s=1' };
    const dvrPlayback = [{ type: 'html5/video/mp4', url: 'https://x.test/a.mp4' }, source];
    const { api, requests, asked } = apiOver(() => ({ body: { meta: { dvrPlayback } } }));
    assert.equal(await api.getDvrUrl('play1'), source.url);
    assert.deepEqual(asked(), ['GET /playback/play1?recordings=true']);
    assert.match(requests[0]?.headers?.authorization ?? '', /^Bearer ./);
    await assert.rejects(api.getDvrUrl('../a'), { reason: 'rejected' });
    for (const meta of [undefined, {}, { dvrPlayback: 'x' }, { dvrPlayback: [null, [], { ...source, url: 7 }] }]) {
      assert.equal(await apiOver(() => ({ body: { meta } })).api.getDvrUrl('play1'), undefined);
    }
    const long = { ...source, url: `https://x.test/${'a'.repeat(20_000)}` };
    assert.equal(await apiOver(() => ({ body: { meta: { dvrPlayback: [long] } } })).api.getDvrUrl('p'), undefined);
  });

  it('keep the base URL, with its path and without its last slash', async () => {
    const { api, requests } = apiOver(() => ({ body: [] }), { baseUrl: ` ${BASE}// ` });
    await api.listStreams({ parentsOnly: false });
    assert.equal(requests[0]?.url, `${BASE}/stream`);
    assert.equal(api.baseUrl, BASE);
  });
});

describe('ids and keys that no request can have', () => {
  const { api, requests } = apiOver(() => ({ body: [] }));
  for (const id of ['', '../x', 'a/b', 'a?b', 'x'.repeat(10_000), 'a%2Fb', 'ä']) {
    it(`refuses the id ${JSON.stringify(id.slice(0, 20))} before any request`, async () => {
      const calls = [
        api.getStream(id),
        api.getStreamJson(id),
        api.listSessions(id),
        api.getSession(id),
        api.patchStream(id, { name: 'x' }),
        api.endBroadcast(id),
        api.deleteStream(id),
        api.getPlaybackInfo(id),
      ];
      for (const call of calls) await assert.rejects(call, { tag: 'ApiError', reason: 'rejected' });
      assert.equal(requests.length, 0);
    });
  }

  it('refuses a key that no header can hold before any request', async () => {
    for (const apiKey of ['', '  ', 'two\nlines', 'kéy', 'a b']) {
      const keyed = apiOver(() => ({ body: [] }), { apiKey });
      await assert.rejects(keyed.api.listStreams({ parentsOnly: true }), { reason: 'unauthorized' });
      assert.equal(keyed.requests.length, 0);
    }
  });

  it('takes spaces around a key away', async () => {
    const keyed = apiOver(() => ({ body: [] }), { apiKey: ` ${KEY}\n` });
    await keyed.api.listStreams({ parentsOnly: true });
    assert.equal(keyed.requests[0]?.headers.authorization, `Bearer ${KEY}`);
  });
});

describe('a page', () => {
  it('knows its total, its next page, what was dropped, and how old it is', async () => {
    const { api, log } = apiOver(() => ({
      body: [{ id: 'a' }, { name: 'no id' }],
      headers: {
        link: '<http://evil.test/?cursor=skip2>; rel="next"',
        'x-total-count': '2340',
        date: 'Sun, 01 Mar 2026 11:00:00 GMT',
      },
    }));
    const page = await api.listStreams({ parentsOnly: true, limit: 2, count: true });
    assert.deepEqual(
      { ...page, items: page.items.length },
      {
        ...{ items: 1, next: 'skip2', total: 2340, unreadable: 1, isFiltered: true },
        ...{ requestSeq: 1, startedAt: NOW, serverDate: NOW - 3_600_000 },
      },
    );
    assert.ok(log.lines.some((line) => line.startsWith('warn GET /stream: left out 1')));
  });

  it('is not an empty list if none of its rows can be read', async () => {
    const { api } = apiOver(() => ({ body: [{}, null, { name: 'no id' }] }));
    const isWrongShape = (error: unknown) => isApiError(error) && error.why === 'wrongShape';
    await assert.rejects(api.listStreams({ parentsOnly: true }), isWrongShape);
    await assert.rejects(api.listSessions('x'), isWrongShape);
  });

  it('takes the local clock where there is no date, and no total that is no number', async () => {
    const { api } = apiOver(() => ({ body: [], headers: { 'x-total-count': '-1', date: 'yesterday' } }));
    const page = await api.listStreams({ parentsOnly: true });
    assert.equal(page.serverDate, NOW);
    assert.equal(page.total, undefined);
  });

  it('is the last page of streams without Link, full or not', async () => {
    const { api } = apiOver(() => ({ body: [{ id: 'a' }, { id: 'b' }] }));
    assert.equal((await api.listStreams({ parentsOnly: true, limit: 2 })).next, undefined);
  });

  it('is followed by the next offset when a page of sessions is full, unreadable rows counted', async () => {
    const { api } = apiOver(() => ({ body: [{ id: 'a' }, null] }));
    assert.equal((await api.listSessions('x', { limit: 2 })).next, 'skip2');
    assert.equal((await api.listSessions('x', { limit: 2, cursor: 'skip2' })).next, 'skip4');
    assert.equal((await api.listSessions('x', { limit: 3 })).next, undefined);
  });
});

describe('walking all pages', () => {
  const pages: Record<string, [ids: string, next?: string]> = {
    '': ['ab', 'skip2'],
    skip2: ['bc', 'skip4'],
    skip4: ['', 'skip6'],
  };
  const answer = ({ url }: { url: string }) => {
    const [ids = '', next] = pages[new URL(url).searchParams.get('cursor') ?? ''] ?? [];
    const rows = ids.split('').map((id) => ({ id, streamKey: `key-${id}` }));
    return { body: rows, headers: next ? { link: `<?cursor=${next}>; rel="next"` } : {} };
  };

  it('gives each stream once and stops on the empty page', async () => {
    const { api, asked } = apiOver(answer);
    const ids: string[] = [];
    for await (const page of api.eachStreamPage({ parentsOnly: true, limit: 2 }))
      ids.push(...page.items.map(({ id }) => id));
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.equal(asked().length, 3);
  });

  it('gives rows as they were sent', async () => {
    const { api } = apiOver(answer);
    const rows: unknown[] = [];
    for await (const page of api.eachStreamJsonPage({ parentsOnly: true })) rows.push(...page);
    assert.deepEqual(
      rows,
      ['a', 'b', 'c'].map((id) => ({ id, streamKey: `key-${id}` })),
    );
  });

  it('stops at its maximum', async () => {
    const { api, asked } = apiOver((_, count) => ({
      body: [{ id: `n${count}` }],
      headers: { link: `<?cursor=c${count}>; rel=next` },
    }));
    for await (const page of api.eachStreamPage({ parentsOnly: true }, { maxPages: 3 }))
      assert.equal(page.items.length, 1);
    assert.equal(asked().length, 3);
  });
});

describe('looking for a session that the service does not know by its id', () => {
  const DATE = 'Sun, 01 Mar 2026 11:00:00 GMT';
  /** Only the recorded sessions hold it, on their second page. */
  const answer = ({ url }: { url: string }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith('/session/s')) return { status: 404 };
    if (searchParams.get('record') !== '1') return { body: [{ id: 'other' }] };
    if (searchParams.has('cursor')) return { body: [{ id: 's' }], headers: { date: DATE } };
    return { body: Array.from({ length: 1000 }, (_, index) => ({ id: `r${index}` })) };
  };

  it('asks for all of its stream’s, then for the recorded ones, and knows how old the answer is', async () => {
    const { api, asked } = apiOver(answer);
    const { value, serverDate, startedAt } = await api.getSession('s', { parentId: 'p' });
    assert.equal(value.id, 's');
    assert.deepEqual([serverDate, startedAt], [NOW - 3_600_000, NOW]);
    assert.deepEqual(asked(), [
      'GET /session/s',
      'GET /stream/p/sessions?limit=1000',
      'GET /stream/p/sessions?record=1&limit=1000',
      'GET /stream/p/sessions?record=1&limit=1000&cursor=skip1000',
    ]);
  });

  it('asks for the recorded ones no more where it is among all', async () => {
    const { api, asked } = apiOver(({ url }) =>
      url.endsWith('/session/s') ? { status: 404 } : { body: [{ id: 's' }], headers: { date: DATE } },
    );
    assert.equal((await api.getSession('s', { parentId: 'p' })).serverDate, NOW - 3_600_000);
    assert.equal(asked().length, 2);
  });

  it('says that there is no session where neither the service nor the list has it', async () => {
    const { api, asked } = apiOver(({ url }) => (url.endsWith('/session/s') ? { status: 404 } : { body: [] }));
    await assert.rejects(api.getSession('s', { parentId: 'p' }), { reason: 'notFound' });
    assert.equal(asked().length, 3);
  });
});

describe('A playback policy', () => {
  const context = { webhookContext: { password: 'abcd' }, refreshInterval: 60 };
  const before = { type: 'webhook', webhookId: 'hook', allowedOrigins: ['https://a.example'], ...context };
  const sent = async (policy: { readonly type: string; readonly webhookId?: string }) => {
    const { api, requests } = apiOver(({ method }) =>
      method === 'GET' ? { body: { ...stream, playbackPolicy: before } } : { status: 204 },
    );
    await api.setPlaybackPolicy('a', { webhookId: undefined, allowedOrigins: [], ...policy });
    return requests.map(({ method, body }) => [method, body === undefined ? undefined : JSON.parse(body)]);
  };

  it('is sent in one request, with nothing but what is set', async () => {
    assert.deepEqual(await sent({ type: 'jwt' }), [['PATCH', { playbackPolicy: { type: 'jwt' } }]]);
  });

  it('keeps the context of its webhook, which is not set here, and not that of another', async () => {
    const same = { type: 'webhook', webhookId: 'hook' };
    assert.deepEqual((await sent(same))[1], ['PATCH', { playbackPolicy: { ...same, ...context } }]);
    const other = { type: 'webhook', webhookId: 'other' };
    assert.deepEqual((await sent(other))[1], ['PATCH', { playbackPolicy: other }]);
  });
});
