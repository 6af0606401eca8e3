import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { watchRejections } from './attacked.ts';
import { FAULTS, type Outcome } from './faults.ts';
import { openScreen, outcomeFor, patienceFor } from './screen.ts';

describe('What is on screen', () => {
  watchRejections();

  for (const each of FAULTS.filter((fault) => outcomeFor(fault, 'list') !== 'ok')) {
    it(`stays there while the service ${each.what}, and is as it was when that has passed`, async () => {
      const { model, service, end } = await openScreen({ timeoutMs: patienceFor(each) });
      const before = await model.rows();
      assert.equal(before.filter((line) => line.includes('(stream.')).length, 7, before.join('\n'));
      service.fault = each.fault;
      await model.loader.refresh();
      assert.deepEqual(await model.rows(), before);
      const { trouble, lists, sessions } = model.store.snapshot;
      const [reason, why] = outcomeFor(each, 'list') as Exclude<Outcome, 'ok'>;
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
