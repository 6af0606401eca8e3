import assert from 'node:assert/strict';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../support/service/clients.ts';
import { startFaultService } from '../../support/service/faultService.ts';
import { until } from '../api/support.ts';
import { KEY, watchRejections } from './attacked.ts';
import { FAULTS, type Outcome } from './faults.ts';
import { openScreen, outcomeFor, patienceFor, type Screen } from './screen.ts';

describeWith(CLIENTS, 'What is on screen', (client) => {
  watchRejections();

  const wrong = FAULTS.filter((fault) => outcomeFor(fault, 'list', client) !== 'ok');
  for (const each of sampleOf(wrong, 5)) {
    it(`stays there while the service ${each.what}, and is as it was when that has passed`, async () => {
      const { model, service, clock, end } = await openScreen({ client, timeoutMs: patienceFor(each) });
      const before = await model.rows();
      // What is read in the background has more patience.
      await until(() => clock.timers === 0);
      assert.equal(before.filter((line) => line.includes('(stream.')).length, 7, before.join('\n'));
      service.fault = each.fault;
      await model.loader.refresh();
      assert.deepEqual(await model.rows(), before);
      const { trouble, lists, sessions } = model.store.snapshot;
      const [reason, why] = outcomeFor(each, 'list', client) as Exclude<Outcome, 'ok'>;
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
    const { model, service, end } = await openScreen({ client });
    service.fault = (reply) => ({ ...reply, cut: { at: 'inBody', how: 'stall' } });
    assert.deepEqual(await model.rows(), []);
    service.fault = undefined;
    await model.loader.refresh();
    assert.equal((await model.rows()).filter((line) => line.includes('(stream.')).length, 7);
    await end();
  });

  it('is not touched by answers that come after the connection was closed', async () => {
    const { model, service, end } = await openScreen({ client });
    await model.rows();
    const refreshing = refreshSlowly(model, service);
    await until(() => service.waiting.size > 0);
    model.connection.close();
    service.fault = undefined;
    await refreshing;
    assert.deepEqual([...model.store.snapshot.streams], []);
    await end();
  });

  it('is that of the other connection, whatever of the one before comes after it was opened', async () => {
    const { model, service, end } = await openScreen({ client });
    const other = await startFaultService(async () => ({ status: 200, headers: {}, body: '[{"id":"there"}]' }));
    await model.rows();
    const refreshing = refreshSlowly(model, service);
    await until(() => service.waiting.size > 0);
    model.connection.open({ id: 'two', name: 'two', baseUrl: other.url, apiKey: KEY, insecureAccepted: false });
    service.fault = undefined;
    await refreshing;
    await model.loader.ensureList('idle');
    const { streams, connection, trouble } = model.store.snapshot;
    assert.deepEqual([[...streams.keys()], trouble], [['there'], undefined]);
    assert.equal(connection.kind === 'open' && connection.info.id, 'two');
    await end();
    await other.close();
  });
});

/** A refresh whose answers come byte by byte. */
function refreshSlowly({ loader }: Screen['model'], service: Screen['service']): Promise<void> {
  service.fault = (reply) => ({ ...reply, drip: { ms: 1, from: 'body' } });
  return loader.refresh();
}
