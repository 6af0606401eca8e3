import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_PAGES } from '../../../../src/api/paging.ts';
import { Poller } from '../../../../src/model/loading/poller.ts';
import { fakeLog, fakeSettings } from '../../../support/model/fakes.ts';
import { type HeldClock, heldClock, settle } from '../../../support/model/heldClock.ts';
import { composeRealModel, type RealModel } from '../../../support/model/realModel.ts';
import { startServer, type TestServer } from '../../../support/service/testServer.ts';

const always = { dispose() {} };
const INTERVAL_S = 15;

interface Polled {
  readonly model: RealModel;
  readonly clock: HeldClock;
  readonly server: TestServer;
  /** Lets so many seconds of polls pass, and returns how many requests for such a path there were. */
  pollFor(seconds: number, path: string): Promise<number>;
}

/** A poller that looks at a real HTTP service while somebody watches the view. */
async function polling(answer: (url: URL, response: ServerResponse) => void, test: (polled: Polled) => Promise<void>) {
  const clock = heldClock();
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    answer(new URL(request.url ?? '', 'http://service.test'), response);
  };
  const server = await startServer(respond);
  const model = composeRealModel({
    ...{ baseUrl: server.url, apiKey: 'key-of-tests', clock, log: fakeLog(), timeoutMs: () => 60_000, pageSize: 20 },
  });
  const { store, loader, interest } = model;
  const atRest = followPolls(model);
  const poller = new Poller({
    ...{ store, loader, interest, clock, random: () => 0 },
    presence: { isViewVisible: () => true, isFocused: () => true, onDidChange: () => always },
    settings: fakeSettings({ refreshInterval: () => INTERVAL_S }),
  });
  const pollFor = async (seconds: number, path: string): Promise<number> => {
    server.requests.length = 0;
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000);
      await atRest();
    }
    return server.requests.filter(({ url }) => url?.startsWith(path)).length;
  };
  try {
    model.connect();
    await clock.advance(0);
    await atRest();
    await test({ model, clock, server, pollFor });
  } finally {
    poller.dispose();
    model.dispose();
    await server.close();
  }
}

/** Knows what the poller has asked for: resolves when that has been answered, and nothing was asked for after it. */
function followPolls({ loader }: RealModel): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const follow = (polled: Promise<void>): Promise<void> => {
    underWay.add(polled);
    return polled.finally(() => underWay.delete(polled));
  };
  const { poll, pollSessions } = loader;
  Object.assign(loader, {
    poll: () => follow(poll()),
    pollSessions: (ids: readonly string[]) => follow(pollSessions(ids)),
  });
  return async () => {
    for (await settle(); underWay.size > 0; await settle()) await Promise.all(underWay);
  };
}

const live = (id: string) => ({ id, name: id, isActive: true, lastSeen: Date.now(), record: false });

describe('Polling a service that makes it costly', () => {
  it('walks a list without end once in five minutes, and at once when the person refreshes', async () => {
    let pages = 0;
    const answer = (_: URL, response: ServerResponse) => {
      pages += 1;
      response.setHeader('link', `<https://service.test/stream?cursor=next${pages}>; rel="next"`);
      response.end(JSON.stringify([live(`stream-${pages}`)]));
    };
    await polling(answer, async ({ model, server, pollFor }) => {
      assert.equal(server.requests.length, MAX_PAGES);
      assert.equal(await pollFor(240, '/stream'), 0);
      server.requests.length = 0;
      await model.loader.reloadList('active');
      assert.ok(server.requests.length >= MAX_PAGES, `${server.requests.length} requests`);
    });
  }).timeout(60_000);

  for (const [count, fewest, most] of [
    [30, 15, 17],
    [100_000, 0, 1],
  ] as const) {
    it(`asks at most ${most} times in four minutes for the ${count.toLocaleString('en')} sessions of a live stream, sent all at once`, async () => {
      const sessions = Array.from({ length: count }, (_, index) => ({
        ...{ id: `session-${index}`, parentId: 'one', record: false },
        createdAt: Date.UTC(2026, 10, 20) - index,
      }));
      const body = JSON.stringify(sessions);
      const answer = ({ pathname }: URL, response: ServerResponse) =>
        response.end(pathname === '/stream/one/sessions' ? body : JSON.stringify([live('one')]));
      await polling(answer, async ({ model, pollFor }) => {
        model.interest.opened('active/one', { kind: 'stream', streamId: 'one' });
        await model.loader.ensureSessions('one');
        const asked = await pollFor(240, '/stream/one/sessions');
        assert.ok(asked >= fewest && asked <= most, `${asked} times`);
        await model.loader.reloadSessions('one');
        assert.equal(model.store.snapshot.sessions.get('one')?.items.length, count);
      });
    }).timeout(60_000);
  }
});
