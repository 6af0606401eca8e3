import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { signingKeysOf } from '../../../../src/model/account/accountSigningKeys.ts';
import { type DemoFace, type DemoService, startDemo } from '../../../support/demo/demoService.ts';
import { composeRealModel, type RealModel } from '../../../support/model/realModel.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { recordingLog } from '../../api/support.ts';
import { MEDIA_ROOT } from '../../demo/demoFixture.ts';

interface OverDemo extends RealModel {
  readonly demo: DemoService;
  readonly log: ReturnType<typeof recordingLog>;
}

function overDemo(face: DemoFace, test: (parts: OverDemo) => Promise<void>) {
  return async () => {
    const [clock, log] = [createTestClock(4), recordingLog()];
    const demo = await startDemo({ clock, mediaRoot: MEDIA_ROOT, seed: 1, isLively: false, streamCount: 2, face });
    const model = composeRealModel({ ...demo, clock, log, timeoutMs: 30_000 });
    try {
      model.connect();
      await test({ ...model, demo, log });
    } finally {
      model.dispose();
      demo.dispose();
    }
  };
}

describe('The signing keys of an account', () => {
  for (const face of ['full', 'indifferent'] as const) {
    it(
      `are created, listed, and deleted, without a trace of the private half (${face})`,
      overDemo(face, async ({ connection, store, log }) => {
        const keys = signingKeysOf(connection.account);
        assert.equal(signingKeysOf(connection.account), keys);
        const { key, privateKey } = await keys.create('Site');
        assert.deepEqual(await keys.list(), [key]);
        await keys.delete(key.id);
        await keys.delete(key.id);
        assert.deepEqual(await keys.list(), []);
        const traces = inspect([store.snapshot, log.lines, key], { depth: 20 });
        for (const secret of [privateKey, atob(privateKey)]) assert.ok(!traces.includes(secret));
      }),
    );
  }

  it(
    'are not offered by a service that answers 404, until the user refreshes',
    overDemo('strict', async ({ connection }) => {
      const keys = signingKeysOf(connection.account);
      await assert.rejects(keys.list(), { why: 'notOffered' });
      assert.equal(keys.isOffered, false);
      connection.account.resetAbilities();
      assert.equal(keys.isOffered, true);
    }),
  );

  it(
    'are deleted if the answer was lost, as the list shows, and not if the list still has them',
    overDemo('full', async ({ connection, demo }) => {
      const keys = signingKeysOf(connection.account);
      const { key } = await keys.create('Site');
      demo.control.fault(({ method }) => (method === 'DELETE' ? { status: 500 } : undefined));
      await assert.rejects(keys.delete(key.id), { reason: 'unavailable' });
      demo.control.fault(({ method, path }) => {
        if (method === 'DELETE') return { status: 500 };
        return path.endsWith('/signing-key') ? { status: 200, body: '[]' } : undefined;
      });
      await keys.delete(key.id);
    }),
  );

  it(
    'mark the connection as refused if the key is',
    overDemo('full', async ({ connection, demo, store }) => {
      demo.control.revokeKey();
      await assert.rejects(signingKeysOf(connection.account).create('Site'), { reason: 'unauthorized' });
      assert.equal(store.snapshot.connection.kind, 'refused');
    }),
  );
});
