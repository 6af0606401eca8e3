import assert from 'node:assert/strict';
import { Poller } from '../../../../src/model/loading/poller.ts';
import { type DemoService, startDemo } from '../../../support/demo/demoService.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { fakeLog, fakeSettings } from '../../../support/model/fakes.ts';
import { type HeldClock, heldClock } from '../../../support/model/heldClock.ts';
import { composeRealModel } from '../../../support/model/realModel.ts';
import { inProject } from '../../../support/projectFolder.ts';

const always = { dispose() {} };

/** A model that looks at a service every 15 s, with somebody watching. */
function composePolling({ baseUrl, apiKey }: DemoService, clock: HeldClock) {
  const model = composeRealModel({ baseUrl, apiKey, clock, log: fakeLog(), timeoutMs: 60_000 });
  const { store, loader, interest } = model;
  const poller = new Poller({
    ...{ store, loader, interest, clock, random: () => 0 },
    presence: { isViewVisible: () => true, isFocused: () => true, onDidChange: () => always },
    settings: fakeSettings({ refreshInterval: () => 15 }),
  });
  return { model, poller };
}

describe('Looking at a service over HTTP', () => {
  it('makes ten list requests in ten looks, and not one more, with 50 live and 100,000 idle streams', async () => {
    const clock = heldClock();
    const options = { seed: 7, isLively: false, streamCount: 100_050, liveCount: 50 };
    const service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
    const { control } = service;
    const { model, poller } = composePolling(service, clock);
    try {
      model.connect();
      for (let look = 1; look <= 10; look++) {
        await clock.advance(look === 1 ? 0 : 15_000);
        await untilSo(() => model.store.snapshot.lists.active.loadedAt === clock.now());
      }
      assert.equal(model.store.snapshot.streams.size, 50);
      // Health is read of the few streams with multistream targets.
      const lists = control.requests.filter(({ path }) => !path.endsWith('/health'));
      assert.deepEqual(
        fieldsOf(lists, 'path'),
        Array.from({ length: 10 }, () => '/api/stream'),
      );
      assert.ok(lists.every(({ query }) => decodeURIComponent(query).includes('"isActive","value":true')));
    } finally {
      poller.dispose();
      model.dispose();
      service.dispose();
    }
  }).timeout(30_000);

  it('makes 40 small requests in ten minutes for each open live stream, and 10 for Recordings, beside the 40 looks', async () => {
    const clock = heldClock();
    const options = { seed: 7, isLively: false, streamCount: 20, liveCount: 2 };
    const service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
    const { control } = service;
    const requests = () => control.requests.filter(({ path }) => !path.endsWith('/health'));
    const [live, second, idle] = control.streams().toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
    assert.ok(live?.isActive && second?.isActive && idle?.isActive === false);
    const createdAt = clock.now() - 60_000;
    control.addSession(idle.id, {
      createdAt,
      lastSeen: createdAt + 5000,
      sourceSegmentsDuration: 5,
      record: true,
      recordingStatus: 'waiting',
    });
    const { model, poller } = composePolling(service, clock);
    try {
      model.connect();
      await clock.advance(0);
      await untilSo(() => model.store.snapshot.lists.active.isLoaded);
      model.store.recordingsShown(true);
      await model.loader.ensureRecordings();
      for (const { id } of [live, second, idle]) {
        model.interest.opened(`row/${id}`, { kind: 'stream', streamId: id });
        await model.loader.ensureSessions(id);
      }
      control.clearRequests();
      const { timerCount } = clock;
      for (let look = 1; look <= 40; look++) {
        await clock.advance(15_000);
        const expected = look * 4 + Math.ceil(look / 4);
        await untilSo(() => requests().length === expected && clock.timerCount === timerCount);
        await untilSo(() =>
          [live, second, idle].every(({ id }) => model.store.snapshot.sessions.get(id)?.loadedAt === clock.now()),
        );
      }
      const statuses = (path: string) =>
        control.requests.filter((seen) => seen.path === path).map(({ status }) => status);
      assert.equal(statuses('/api/stream').length, 40);
      for (const { id } of [live, second]) assert.equal(statuses(`/api/stream/${id}/sessions`).length, 40);
      assert.deepEqual(statuses(`/api/stream/${idle.id}/sessions`), [200, ...Array(39).fill(304)]);
      assert.equal(statuses('/api/session').length, 10);
      const limits = requests()
        .filter(({ path }) => path !== '/api/stream')
        .map(({ query }) => Number(new URLSearchParams(query).get('limit')));
      assert.ok(Math.max(...limits) <= 40, `${Math.max(...limits)} rows`);
    } finally {
      poller.dispose();
      model.dispose();
      service.dispose();
    }
  }).timeout(60_000);
});

async function untilSo(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, 'Not within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
