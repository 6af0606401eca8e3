import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { type FaultService, startFaultService } from '../../support/faultService.ts';
import { composeRealModel, type RealModel } from '../../support/realModel.ts';
import { ScriptedService } from '../../support/scriptedService.ts';
import { recordingLog, until } from '../api/support.ts';
import { countingClock, KEY, watchRejections } from './attacked.ts';
import { FAULTS, type FaultCase, type Outcome } from './faults.ts';

const TIMEOUT_MS = 250;

interface Screen {
  readonly model: RealModel;
  readonly service: FaultService;
  end(): Promise<void>;
}

/** A tree with every group and stream open, over a service with streams of all kinds. */
async function openScreen(timeoutMs = TIMEOUT_MS): Promise<Screen> {
  const data = new ScriptedService(Date.now);
  data.add(
    { id: 'live', name: 'Keynote', isActive: true, lastSeen: Date.now(), playbackId: 'p' },
    { id: 'both', isActive: true, record: true, lastSeen: Date.now() },
    ...['one', 'two', 'three'].map((id) => ({ id, record: id === 'two' })),
  );
  data.sessions.set('one', [{ id: 's', parentId: 'one', createdAt: 5, lastSeen: 6, record: true }]);
  const service = await startFaultService(async ({ method, path, query }) => {
    const url = `http://x${path}${query === '' ? '' : `?${query}`}`;
    const { status, headers, body } = await data.send({ method: method as 'GET', url, headers: {} });
    return { status, headers, body };
  });
  const clock = countingClock();
  const log = recordingLog();
  const model = composeRealModel({ baseUrl: service.url, apiKey: KEY, clock, log, timeoutMs });
  model.connect();
  return {
    ...{ model, service },
    async end() {
      assert.equal(clock.timers, 0, 'timers');
      model.dispose();
      await until(() => service.sockets.size === 0);
      await service.close();
      assert.deepEqual(model.listenerErrors, []);
      assert.ok(!log.lines.join().includes(KEY));
      assert.deepEqual(
        log.lines.filter((line) => line.startsWith('error')),
        [],
      );
    },
  };
}

function ofLists({ outcome }: FaultCase): Outcome {
  return typeof outcome === 'object' && 'list' in outcome ? outcome.list : outcome;
}

describe('What is on screen', () => {
  watchRejections();

  for (const each of FAULTS.filter((fault) => ofLists(fault) !== 'ok')) {
    it(`stays there while the service ${each.what}, and is as it was when that has passed`, async () => {
      // What comes to an end by itself is given time for it, however busy the machine.
      const { model, service, end } = await openScreen(
        JSON.stringify(each.outcome).includes('timeout') ? undefined : 8000,
      );
      const before = await model.rows();
      assert.equal(before.filter((line) => line.includes('(stream.')).length, 7, before.join('\n'));
      service.fault = each.fault;
      await model.loader.refresh();
      assert.deepEqual(await model.rows(), before);
      const { trouble, lists, sessions } = model.store.snapshot;
      const [reason, why] = ofLists(each) as Exclude<Outcome, 'ok'>;
      for (const one of [trouble, lists.idle.trouble, lists.recording.trouble, sessions.get('one')?.trouble]) {
        assert.deepEqual([one?.error.reason, one?.error.why], [reason, why]);
      }
      for (const list of Object.values(lists)) assert.deepEqual([list.isLoading, list.isLoaded], [false, true]);
      service.fault = undefined;
      await model.loader.refresh();
      assert.deepEqual(await model.rows(), before);
      assert.equal(model.store.snapshot.trouble, undefined);
      await end();
    });
  }

  it('is nothing but Retry when the first look fails, and comes with the first that does not', async () => {
    const { model, service, end } = await openScreen();
    service.fault = (reply) => ({ ...reply, cut: { at: 'inBody', how: 'stall' } });
    assert.deepEqual(
      (await model.rows()).map((line) => line.trim()),
      ['Active (group.active)', 'Idle (group.idle)', 'Recording (group.recording)'],
    );
    service.fault = undefined;
    await model.loader.refresh();
    assert.equal((await model.rows()).filter((line) => line.includes('(stream.')).length, 7);
    await end();
  });

  it('is not touched by answers that come after another connection was opened', async () => {
    const { model, service, end } = await openScreen();
    await model.rows();
    service.fault = (reply) => ({ ...reply, drip: { ms: 1, from: 'body' } });
    const refreshing = model.loader.refresh();
    await wait(20);
    model.current.close();
    service.fault = undefined;
    await refreshing;
    assert.deepEqual([...model.store.snapshot.streams], []);
    await end();
  });
});
