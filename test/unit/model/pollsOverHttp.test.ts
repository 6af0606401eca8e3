import assert from 'node:assert/strict';
import { startDemo } from '../../../src/demo/demoService.ts';
import { Poller } from '../../../src/model/poller.ts';
import { fakeLog } from '../../support/fakes.ts';
import { heldClock } from '../../support/heldClock.ts';
import { inProject } from '../../support/projectFolder.ts';
import { composeRealModel } from '../../support/realModel.ts';

const always = { dispose() {} };

describe('Looking at a service over HTTP', () => {
  it('makes ten list requests in ten looks, and not one more, with 50 live and 100,000 idle streams', async () => {
    const clock = heldClock();
    const options = { seed: 7, isLively: false, streamCount: 100_050, liveCount: 50 };
    const service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
    const { baseUrl, apiKey, control } = service;
    const model = composeRealModel({ baseUrl, apiKey, clock, log: fakeLog(), timeoutMs: 60_000 });
    const poller = new Poller({
      ...{ store: model.store, loader: model.loader, interest: model.interest, clock, random: () => 0 },
      presence: { isViewVisible: () => true, isFocused: () => true, onDidChange: () => always },
      settings: { refreshInterval: () => 15, notifications: () => new Set(), onDidChange: () => always },
    });
    try {
      model.connect();
      for (let look = 1; look <= 10; look++) {
        await clock.advance(look === 1 ? 0 : 15_000);
        await untilSo(() => model.store.snapshot.lists.active.loadedAt === clock.now());
      }
      assert.equal(model.store.snapshot.streams.size, 50);
      assert.deepEqual(
        control.requests.map(({ path }) => path),
        Array.from({ length: 10 }, () => '/api/stream'),
      );
      assert.ok(control.requests.every(({ query }) => decodeURIComponent(query).includes('"isActive","value":true')));
    } finally {
      poller.dispose();
      model.dispose();
      service.dispose();
    }
  }).timeout(30_000);
});

async function untilSo(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, 'Not within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
