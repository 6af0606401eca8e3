import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import { MAX_PAGES } from '../../../../src/api/paging.ts';
import type { TokenRequest } from '../../../../src/model/access/token.ts';
import { Account, hlsAddress } from '../../../../src/model/account/account.ts';
import { changesOf } from '../../../../src/model/account/accountChanges.ts';
import { readPages } from '../../../../src/model/account/pages.ts';
import type { Change } from '../../../../src/model/changes.ts';
import { StreamStore } from '../../../../src/model/store/store.ts';
import { aStream } from '../../../support/model/builders.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { heldClock, settle } from '../../../support/model/heldClock.ts';
import { withCommands } from '../../commands/fixture.ts';

const ENDING: Change = { operation: 'endingBroadcast' };

function compose() {
  const model = composeModel();
  model.connect();
  model.service.add({ id: 'a', name: 'A', isActive: true }, { id: 'b', name: 'B' });
  const { account } = model.connection;
  return { ...model, account };
}

describe('The account', () => {
  it('sends a change as one request with nothing in it but what changes', async () => {
    const { account, service } = compose();
    const sent: unknown[] = [];
    service.fault = ({ method, url, body }) => {
      if (method !== 'GET') sent.push([method, new URL(url).pathname, body && JSON.parse(body)]);
      return undefined;
    };
    const changes: readonly Change[] = [
      { operation: 'renaming', name: 'new' },
      { operation: 'turningRecordingOn' },
      { operation: 'turningRecordingOff' },
      { operation: 'suspending' },
      { operation: 'resuming' },
      { operation: 'settingPolicy', policy: { type: 'jwt', webhookId: undefined, allowedOrigins: [] } },
      ENDING,
      { operation: 'deleting' },
    ];
    for (const change of changes)
      assert.equal((await changesOf(account).change('b', change)).kind, 'done', change.operation);
    assert.deepEqual(sent, [
      ['PATCH', '/stream/b', { name: 'new' }],
      ['PATCH', '/stream/b', { record: true }],
      ['PATCH', '/stream/b', { record: false }],
      ['PATCH', '/stream/b', { suspended: true }],
      ['PATCH', '/stream/b', { suspended: false }],
      ['PATCH', '/stream/b', { playbackPolicy: { type: 'jwt' } }],
      ['DELETE', '/stream/b/terminate', undefined],
      ['DELETE', '/stream/b', undefined],
    ]);
  });

  it('makes tokens for private streams by the clock of the service, an hour off or not', async () => {
    for (const aheadMs of [-3_600_000, 0, 3_600_000]) {
      const clock = heldClock();
      const store = new StreamStore({ clock });
      const date = () => new Date(clock.now() + aheadMs).toUTCString();
      const send = async () => ({ status: 200, headers: { date: date() }, body: new TextEncoder().encode('[]') });
      const asked: TokenRequest[] = [];
      const makeToken = async (request: TokenRequest) => {
        asked.push(request);
        return 'a.b.c';
      };
      const parts = { baseUrl: 'https://service.test', apiKey: 'key', transport: { send }, log: fakeLog() };
      const account = new Account({ ...parts, store, clock, makeToken });
      await account.listLiveStreams();
      const policy = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
      const stream = aStream({ id: 's', playbackId: 'play1', playbackPolicy: policy });
      assert.equal(await account.viewerToken(stream), 'a.b.c');
      assert.equal(await account.viewerToken({ ...stream, playbackPolicy: { ...policy, type: 'webhook' } }), undefined);
      assert.equal(await account.viewerToken({ ...stream, playbackPolicy: undefined }), undefined);
      assert.deepEqual(asked, [{ playbackId: 'play1', seconds: 3600, now: clock.now() + aheadMs }]);
    }
  });

  it('makes the next end of a broadcast wait only if the one before may have happened', async () => {
    for (const [why, kind] of [
      ['nameNotFound', 'failed'],
      ['reset', 'uncertain'],
    ] as const) {
      const { account, clock, service } = compose();
      service.fault = ({ method }) => {
        if (method === 'GET') return undefined;
        throw new ApiError('network', 'for the log', { why });
      };
      const changing = changesOf(account).change('a', ENDING);
      await settle();
      assert.equal(changesOf(account).pauseBeforeEnding('a'), kind === 'uncertain' ? 5000 : 0);
      assert.equal(changesOf(account).pauseBeforeEnding('b'), 0);
      for (let second = 0; second < 6; second++) await clock.advance(1000);
      assert.equal((await changing).kind, kind);
    }
  });

  it('marks the key as refused, whatever it was asked for', async () => {
    const asks: readonly ((account: ReturnType<typeof compose>['account']) => Promise<unknown>)[] = [
      (account) => account.listLiveStreams(),
      (account) => account.readStream('a'),
      (account) => account.findSession('s'),
      (account) => account.readStreamJson('a'),
      (account) =>
        account
          .listStreamsJson(undefined, { withChildren: false, signal: new AbortController().signal })
          [Symbol.asyncIterator]()
          .next(),
      (account) => changesOf(account).create({ name: 'C' }),
      (account) => changesOf(account).change('a', ENDING),
    ];
    for (const [index, ask] of asks.entries()) {
      const { account, service, store } = compose();
      service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
      await ask(account).catch((error: unknown) => assert.equal((error as ApiError).reason, 'unauthorized'));
      assert.equal(store.snapshot.connection.kind, 'refused', String(index));
    }
  });

  it('marks nothing once it is closed: the key was that of another connection', async () => {
    const { account, connect, service, store } = compose();
    service.isHolding = true;
    const changing = changesOf(account).change('a', ENDING);
    await settle();
    connect('two');
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    service.waiting.shift()?.release();
    assert.equal((await changing).kind, 'failed');
    assert.equal(store.snapshot.connection.kind, 'open');
  });

  it('begins no search once it is closed, and leaves none behind that nobody waits for', async () => {
    const { account, connection, service } = compose();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      connection.close();
      service.requests.length = 0;
      const ways = await Promise.allSettled(account.searchStreams('longenough', new AbortController().signal));
      await settle();
      assert.ok(ways.every((way) => way.status === 'rejected' && way.reason.name === 'AbortError'));
      assert.deepEqual([ways.length, unhandled, service.requests], [3, [], []]);
    } finally {
      process.removeListener('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });

  it('lets a change that is under way come to its end when it is closed, and asks nothing more', async () => {
    const { account, connect, service } = compose();
    service.isHolding = true;
    const changing = changesOf(account).change('b', { operation: 'renaming', name: 'new' });
    await settle();
    connect('two');
    service.isHolding = false;
    const before = service.requests.length;
    service.waiting.shift()?.release();
    assert.deepEqual(await changing, { kind: 'done' });
    assert.equal(service.streams.get('b')?.name, 'new');
    assert.equal(service.requests.length, before);
    await assert.rejects(account.readStream('a'), { name: 'AbortError' });
    assert.equal(service.requests.length, before);
  });
});

const infoOf = (...source: readonly unknown[]) => ({ type: 'live', meta: { live: 1, source } });

describe('The HLS source in a playback info', () => {
  it('is its first HLS source, whatever stands before it', () => {
    const mp4 = { type: 'html5/video/mp4', url: 'https://a.test/x.mp4' };
    for (const type of ['html5/application/vnd.apple.mpegurl', 'application/x-mpegURL', 'audio/mpegurl']) {
      assert.equal(hlsAddress(infoOf(mp4, { type, url: ' https://a.test/x.m3u8 ' })), 'https://a.test/x.m3u8');
    }
  });

  it('is unknown where there is none, and for what is no such info', () => {
    const type = 'html5/application/vnd.apple.mpegurl';
    for (const info of [
      ...[undefined, null, 'x', {}, { meta: null }, { meta: { source: {} } }, infoOf()],
      ...[
        infoOf({ type }),
        infoOf({ type, url: 7 }),
        infoOf({ type: 'text/html', url: 'https://a.test' }),
        infoOf(null),
      ],
    ]) {
      assert.equal(hlsAddress(info), undefined);
    }
  });
});

describe('Reading the pages of a list', () => {
  it('takes a page of more rows than a call takes arguments', async () => {
    const items = Array.from({ length: 300_000 }, (_, index) => ({ id: `s${index}` }));
    const page = {
      items,
      unreadable: 0,
      isFiltered: true,
      next: undefined,
      total: undefined,
      requestSeq: 1,
      startedAt: 0,
      serverDate: 0,
    };
    const read = await readPages(() => Promise.resolve(page), { pages: MAX_PAGES });
    assert.equal(read.items.length, items.length);
  });
});

describe('A session of which the id alone is known', () => {
  for (const status of [404, 405, 501]) {
    it(
      `is looked for page by page where the service answers ${status} to its id`,
      withCommands({}, async ({ context, service, requests }) => {
        service.control.fault(({ path, query }) => {
          if (path.endsWith('/session/s')) return { status, body: '{}' };
          const isSecond = query.includes('cursor=');
          const headers = isSecond ? {} : { link: '<http://x/?cursor=second>; rel="next"' };
          return { status: 200, headers, body: JSON.stringify([{ id: isSecond ? 's' : 'other' }]) };
        });
        assert.equal((await context.connection.account.findSession('s'))?.id, 's');
        assert.match(requests().at(-1) ?? '', /^GET \/api\/session\?.*cursor=second/);
      }),
    );
  }

  it(
    'is nowhere when no page has the session',
    withCommands({}, async ({ context }) => {
      assert.equal(await context.connection.account.findSession('nobody'), undefined);
    }),
  );

  it(
    'is not looked for where the service could not be asked, or will not say',
    withCommands({ isHurried: true }, async ({ context, service, requests }) => {
      for (const [status, reason] of [
        [403, 'forbidden'],
        [401, 'unauthorized'],
        [500, 'unavailable'],
      ] as const) {
        service.control.clearRequests();
        service.control.fault(() => ({ status, body: '{}' }));
        await assert.rejects(context.connection.account.findSession('s'), { reason });
        assert.ok(!requests().some((request) => request.includes('/session?')), requests().join());
      }
    }),
  );
});
