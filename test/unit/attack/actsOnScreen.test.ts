import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { changeOne } from '../../../src/commands/changes/changeStreams.ts';
import { fakeUi } from '../../support/model/fakes.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { CLIENTS, type ClientName, describeWith } from '../../support/service/clients.ts';
import { until } from '../api/support.ts';
import { resultOf, watchRejections } from './attacked.ts';
import { FAULTS, type Outcome } from './faults.ts';
import { openScreen, outcomeFor, patienceFor, type Screen } from './screen.ts';

/** Pages of two rows, so that groups and recordings have more than is shown. */
async function openPaged(client: ClientName, timeoutMs: number): Promise<Screen> {
  const screen = await openScreen({ client, timeoutMs, pageSize: 2 });
  screen.model.store.recordingsShown(true);
  await rowsOf(screen);
  return screen;
}

async function rowsOf({ model, recordings }: Screen): Promise<readonly string[]> {
  return [...(await model.rows()), ...(await recordings())];
}

async function rename({ model, clock, log }: Screen, id: string, name: string): Promise<Outcome> {
  const stream = model.store.snapshot.streams.get(id)?.stream;
  assert.ok(stream);
  const context = { ...model, clock, log, ui: fakeUi() };
  const { account, info } = model.connection;
  assert.ok(info);
  const result = await changeOne(context, {
    ...{ account, info },
    stream,
    change: { operation: 'renaming', name },
  });
  if (result.kind === 'done') return 'ok';
  assert.ok(result.kind === 'failed' || result.kind === 'uncertain', result.kind);
  const { reason, why } = result.error;
  return why === undefined ? [reason] : [reason, why];
}

describeWith(CLIENTS, 'What is on screen while somebody acts', (client) => {
  watchRejections();

  const wrong = FAULTS.filter((fault) => outcomeFor(fault, 'list', client) !== 'ok');
  for (const each of sampleOf(wrong, 4)) {
    it(`stays there while the service ${each.what}: Load more, recordings, details and a new name`, async () => {
      const screen = await openPaged(client, patienceFor(each));
      const { model, service, data, clock } = screen;
      const { connection, loader, store } = model;
      const before = await rowsOf(screen);
      const beforeOne = store.snapshot.streams.get('one')?.stream;
      assert.deepEqual(before.filter((row) => row.trim().startsWith('Load More')).length, 3);
      assert.equal(before.filter((row) => /^\d\d:\d\d one$/.test(row.trim())).length, 10);

      service.fault = each.fault;
      const [details, renamed] = await Promise.all([
        resultOf(connection.account.readStream('one', { settle: true })),
        rename(screen, 'one', 'Renamed'),
        loader.loadMore('idle'),
        loader.loadMoreRecordings(),
        loader.reloadRecordings(),
      ]);
      assert.deepEqual(details.outcome, outcomeFor(each, 'one', client));
      assert.deepEqual(renamed, outcomeFor(each, 'change', client));
      assert.deepEqual(await rowsOf(screen), before);
      assert.deepEqual(store.snapshot.streams.get('one')?.stream, beforeOne);
      assert.equal(store.snapshot.operations.size, 0);
      const { lists, recordings } = store.snapshot;
      for (const { trouble, isLoading, isLoadingMore, isLoaded } of [lists.idle, recordings]) {
        assert.ok(isApiError(trouble?.error));
        const { reason, why } = trouble.error;
        assert.deepEqual(why === undefined ? [reason] : [reason, why], outcomeFor(each, 'list', client));
        assert.deepEqual(
          { isLoading, isLoadingMore, isLoaded },
          { isLoading: false, isLoadingMore: false, isLoaded: true },
        );
      }

      service.fault = undefined;
      await loader.refresh();
      // The service had made the change, and only its answer was lost. On a busy machine the time may be over before.
      const wasSent = service.requests.some(({ method }) => method === 'PATCH');
      assert.ok(wasSent || renamed.includes('timeout'));
      const name = wasSent ? 'Renamed' : 'one';
      assert.equal(data.streams.get('one')?.name ?? 'one', name);
      assert.deepEqual(
        await rowsOf(screen),
        before.map((row) => row.replace(/\bone\b/, name)),
      );
      await Promise.all([loader.loadMore('idle'), loader.loadMoreRecordings()]);
      assert.deepEqual([store.snapshot.lists.idle.ids.length, store.snapshot.recordings.items.length], [3, 12]);
      await until(() => clock.timers === 0);
      await screen.end();
    });
  }
});
