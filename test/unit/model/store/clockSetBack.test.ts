import assert from 'node:assert/strict';
import { SETTLED_FOR_MS } from '../../../../src/model/store/facts.ts';
import { shownIds } from '../../../../src/model/store/streams.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('A clock that is set back by an hour', () => {
  it('does not make what is asked for later seem older', async () => {
    const { clock, connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a', name: 'old', isActive: true }, { id: 'b', isActive: true }, { id: 'c' });
    connect();
    await loader.refreshActive();
    await loader.ensureList('idle');
    clock.jump(-HOUR);
    service.change('a', { name: 'new' });
    service.change('b', { isActive: false });
    service.change('c', { name: 'also new' });
    await loader.refresh();
    const nameOf = (id: string) => store.snapshot.streams.get(id)?.stream.name;
    assert.deepEqual([nameOf('a'), nameOf('c')], ['new', 'also new']);
    assert.deepEqual([shownIds(store.snapshot, 'active'), shownIds(store.snapshot, 'idle')], [['a'], ['c', 'b']]);
    service.change('a', { name: 'newest' });
    await connection.account.readStream('a', { settle: true });
    assert.equal(nameOf('a'), 'newest');
  });

  it('does not let a change that was read back outweigh lists for that hour', async () => {
    const { clock, connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a', name: 'mine', isActive: true }, { id: 'b', isActive: true });
    connect();
    await loader.refreshActive();
    await connection.account.readStream('a', { settle: true });
    const gone = service.streams.get('b');
    service.streams.delete('b');
    await connection.account.readStream('b', { settle: true });
    clock.jump(-HOUR);
    service.change('a', { name: 'of somebody else' });
    if (gone !== undefined) service.streams.set('b', gone);
    await clock.advance(SETTLED_FOR_MS);
    await loader.refreshActive();
    assert.equal(store.snapshot.streams.get('a')?.stream.name, 'of somebody else');
    assert.deepEqual(shownIds(store.snapshot, 'active').toSorted(), ['a', 'b']);
  });

  it('does not end the looks, whatever makes them be planned anew', async () => {
    const { clock, connect, service, become } = composePoller();
    connect();
    await clock.advance(0);
    clock.jump(-HOUR);
    become({ isFocused: false });
    become({ isFocused: true });
    await clock.advance(15 * SECOND);
    const asked = service.requests.length;
    assert.ok(asked >= 2);
    await clock.advance(60 * SECOND);
    assert.equal(service.requests.length, asked + 4);
  });

  it('does not make a failed look wait for that hour, nor one that was told to wait', async () => {
    for (const status of [500, 429]) {
      const { clock, connect, service, become } = composePoller({ notifications: ['streamStarted'] });
      service.fault = () => ({ status, headers: { 'retry-after': '60' }, body: new Uint8Array() });
      connect();
      await clock.advance(0);
      clock.jump(-HOUR);
      become({ refreshInterval: 15 });
      await clock.advance(60 * SECOND);
      assert.ok(service.requests.length >= 2, `${status}`);
    }
  });

  it('does not stop open groups from being read again on coming back', async () => {
    const { clock, connect, interest, loader, service, become } = composePoller();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    interest.opened('idle', { kind: 'list', list: 'idle' });
    become({ isFocused: false });
    clock.jump(-HOUR);
    await clock.advance(180 * SECOND);
    become({ isFocused: true });
    await clock.advance(0);
    assert.equal(service.requests.filter((request) => request.includes('"value":false')).length, 2);
  });
});
