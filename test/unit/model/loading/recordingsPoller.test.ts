import assert from 'node:assert/strict';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Fault = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** A poller over an account with sessions, whose Recordings view is on screen. */
function composeRecordings(options: { refreshInterval?: number } = {}) {
  const composed = composePoller(options);
  const { clock, connect, loader, service, store } = composed;
  async function begin(...sessions: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    service.userSessions.push(...sessions);
    connect();
    store.recordingsShown(true);
    await clock.advance(0);
    await loader.ensureRecordings();
    await clock.advance(0);
  }
  /** Requests for sessions while so much time passes. */
  async function asked(ms: number): Promise<readonly string[]> {
    service.requests.length = 0;
    await clock.advance(ms);
    return service.requests.filter((request) => request.startsWith('GET /session'));
  }
  const session = (id: string, ago: number, recordingStatus: string) => {
    const createdAt = clock.now() - ago;
    return {
      id,
      parentId: 'a',
      parentStream: { name: 'Keynote' },
      record: true,
      createdAt,
      lastSeen: createdAt,
      recordingStatus,
    };
  };
  return { ...composed, begin, asked, session };
}

describe('Looking at recordings by itself', () => {
  it('happens once a minute while one is being made, one small request each, and stops when it is ready', async () => {
    const { service, begin, asked, session } = composeRecordings();
    await begin(session('new', MINUTE, 'ready'), session('made', 5 * MINUTE, 'waiting'), session('old', HOUR, 'ready'));
    const since = service.userSessions[1]?.createdAt;
    const filters = JSON.stringify([{ id: 'createdAt', value: { gte: since } }]);
    const expected = `GET /session?filters=${filters}&limit=22&order=createdAt-true,id-true`;
    assert.deepEqual(await asked(3 * MINUTE), Array(3).fill(expected));
    service.userSessions[1] = { ...service.userSessions[1], recordingStatus: 'ready' };
    assert.equal((await asked(MINUTE)).length, 1);
    assert.deepEqual(await asked(10 * MINUTE), []);
  });

  it('shows what a look found, and keeps what is further down', async () => {
    const { store, service, begin, asked, session } = composeRecordings();
    const old = Array.from({ length: 50 }, (_, n) => session(`old${n}`, (n + 2) * HOUR, 'ready'));
    await begin(session('made', 5 * MINUTE, 'waiting'), ...old);
    service.userSessions[0] = { ...service.userSessions[0], recordingStatus: 'ready' };
    service.userSessions.push(session('new', 0, 'ready'));
    await asked(MINUTE);
    const { items } = store.snapshot.recordings;
    assert.deepEqual(fieldsOf(items.slice(0, 2), 'id', 'recordingStatus'), [
      ['new', 'ready'],
      ['made', 'ready'],
    ]);
    assert.equal(items.length, 52);
  });

  for (const word of ['ready', 'failed', 'none', 'in-progress']) {
    it(`does not wait where a recording is "${word}"`, async () => {
      const { begin, asked, session } = composeRecordings();
      await begin(session('s', MINUTE, word));
      assert.deepEqual(await asked(MINUTE), []);
    });
  }

  it('does not wait for one that should have been made a day ago', async () => {
    const { begin, asked, session } = composeRecordings();
    await begin(session('stuck', 25 * HOUR, 'waiting'));
    assert.deepEqual(await asked(MINUTE), []);
  });

  it('does not wait for one that the view leaves out', async () => {
    const { begin, asked, session } = composeRecordings();
    await begin({ ...session('s', MINUTE, 'waiting'), record: false });
    assert.deepEqual(await asked(MINUTE), []);
  });

  it('does not go on while the view is hidden or the window has lost the focus', async () => {
    const { store, become, begin, asked, session } = composeRecordings();
    await begin(session('made', MINUTE, 'waiting'));
    store.recordingsShown(false);
    assert.deepEqual(await asked(MINUTE), []);
    store.recordingsShown(true);
    become({ isFocused: false });
    assert.deepEqual(await asked(MINUTE), []);
  });

  it('waits as long as a 429 tells it to', async () => {
    const { service, begin, asked, session } = composeRecordings();
    await begin(session('made', MINUTE, 'waiting'));
    service.fault = ({ url }) =>
      url.includes('/session') ? { status: 429, headers: { 'retry-after': '600' }, body: new Uint8Array() } : undefined;
    assert.equal((await asked(15 * SECOND)).length, 1);
    assert.deepEqual(await asked(9 * MINUTE), []);
    service.fault = undefined;
    assert.ok((await asked(2 * MINUTE)).length > 0);
  });

  describe('after their first load failed', () => {
    /** The service lists streams all the time, but no sessions until it recovers. */
    async function beginFailing(fault: Fault, refreshInterval?: number) {
      const composed = composeRecordings(refreshInterval === undefined ? {} : { refreshInterval });
      const { service, store, begin, session } = composed;
      service.fault = ({ url }) =>
        url.includes('/session') ? { body: new Uint8Array(), headers: {}, ...fault } : undefined;
      await begin(session('s', HOUR, 'ready'));
      assert.equal(store.snapshot.trouble, undefined);
      return { ...composed, recover: () => (service.fault = undefined) };
    }

    it('tries again once a minute, says when, and stops once it succeeds', async () => {
      const { clock, store, asked, recover } = await beginFailing({ status: 500 });
      for (let n = 0; n < 3; n++) {
        assert.equal(store.snapshot.recordings.trouble?.nextTryAt, clock.now() + MINUTE);
        assert.equal((await asked(59 * SECOND)).length, 0);
        assert.equal((await asked(SECOND)).length, 1);
      }
      recover();
      await asked(MINUTE);
      assert.equal(store.snapshot.recordings.trouble, undefined);
      assert.equal(store.snapshot.recordings.items.length, 1);
      assert.deepEqual(await asked(10 * MINUTE), []);
    });

    it('tries at once when the view is seen again', async () => {
      const { store, asked, recover } = await beginFailing({ status: 500 });
      store.recordingsShown(false);
      assert.equal(store.snapshot.recordings.trouble?.nextTryAt, undefined);
      await asked(2 * SECOND);
      store.recordingsShown(true);
      assert.equal((await asked(0)).length, 0, 'just tried');
      store.recordingsShown(false);
      recover();
      assert.deepEqual(await asked(10 * SECOND), []);
      store.recordingsShown(true);
      assert.equal((await asked(0)).length, 1);
      assert.equal(store.snapshot.recordings.isLoaded, true);
    });

    it('waits as long as a 429 tells it to, and says so', async () => {
      const { clock, store, asked, recover } = await beginFailing({ status: 429, headers: { 'retry-after': '300' } });
      assert.equal(store.snapshot.recordings.trouble?.nextTryAt, clock.now() + 5 * MINUTE);
      store.recordingsShown(false);
      assert.equal(store.snapshot.recordings.trouble?.nextTryAt, undefined);
      await asked(MINUTE);
      store.recordingsShown(true);
      assert.deepEqual(await asked(239 * SECOND), []);
      recover();
      assert.equal((await asked(SECOND)).length, 1);
      assert.equal(store.snapshot.recordings.isLoaded, true);
    });

    it('does not try again, and says nothing of it, where the interval is 0 or trying is pointless', async () => {
      const off = await beginFailing({ status: 429, headers: { 'retry-after': '30' } }, 0);
      assert.equal(off.store.snapshot.recordings.trouble?.nextTryAt, undefined);
      assert.deepEqual(await off.asked(HOUR), []);
      const lacks = await beginFailing({ status: 404 });
      assert.equal(lacks.store.snapshot.recordings.trouble?.nextTryAt, undefined);
      assert.deepEqual(await lacks.asked(HOUR), []);
    });
  });

  it('reads them again when the view is seen again after two minutes, once, and not before', async () => {
    const { store, begin, asked, session } = composeRecordings();
    await begin(session('s', HOUR, 'ready'));
    for (const [away, expected] of [
      [MINUTE, 0],
      [3 * MINUTE, 1],
      [30 * SECOND, 0],
    ] as const) {
      store.recordingsShown(false);
      assert.deepEqual(await asked(away), [], 'nothing while it is hidden');
      store.recordingsShown(true);
      assert.equal((await asked(0)).length, expected);
    }
  });

  it('reads them again when the window comes back after two minutes, once though the view comes back as well', async () => {
    const { clock, service, state, store, become, begin, asked, session } = composeRecordings();
    await begin(session('s', HOUR, 'ready'));
    become({ isViewVisible: false });
    store.recordingsShown(false);
    await asked(5 * MINUTE);
    service.requests.length = 0;
    // The view says so first, then whoever watches it.
    state.isViewVisible = true;
    store.recordingsShown(true);
    become({});
    await clock.advance(0);
    assert.equal(service.requests.filter((request) => request.startsWith('GET /session')).length, 1);
  });

  it('asks for nothing by itself where the interval is 0, or the view was never seen', async () => {
    const off = composeRecordings({ refreshInterval: 0 });
    await off.begin(off.session('made', MINUTE, 'waiting'));
    off.store.recordingsShown(false);
    assert.deepEqual(await off.asked(10 * MINUTE), []);
    off.store.recordingsShown(true);
    assert.deepEqual(await off.asked(10 * MINUTE), []);
    const unseen = composeRecordings();
    unseen.connect();
    assert.deepEqual(await unseen.asked(10 * MINUTE), []);
  });

  it('is not kept up by a refresh by hand while the view is hidden', async () => {
    const { store, loader, begin, asked, session, service } = composeRecordings();
    await begin(session('s', HOUR, 'ready'));
    service.requests.length = 0;
    await loader.refresh();
    assert.equal(service.requests.filter((request) => request.startsWith('GET /session')).length, 1);
    store.recordingsShown(false);
    service.requests.length = 0;
    await loader.refresh();
    assert.deepEqual(
      service.requests.filter((request) => request.startsWith('GET /session')),
      [],
    );
    assert.deepEqual(await asked(0), []);
  });
});
