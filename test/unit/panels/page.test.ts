import assert from 'node:assert/strict';
import { PageReceiver } from '../../../src/panels/page.ts';
import { fakeLog, fakeUi } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The pages of a tab', () => {
  let now = 0;

  function openTab() {
    const seen: string[] = [];
    const [log, ui] = [fakeLog(), fakeUi()];
    const receiver = new PageReceiver<string>({
      ...{ log, ui, name: 'player', clock: { ...heldClock(), elapsed: () => now } },
      read: (said) => (typeof said === 'string' ? said : undefined),
      onReady: () => void seen.push('ready'),
      onSaid: (said) => {
        if (said === 'fail') throw new Error('odd');
        seen.push(said);
      },
      onSeenOrHidden: () => {},
      draw: (page) => void seen.push(`page ${page}`),
      sendPing: () => void seen.push('ping'),
    });
    receiver.draw();
    const ready = (page: unknown) => receiver.receive({ page, said: { kind: 'ready' } });
    return { receiver, seen, log, ui, ready };
  }

  it('have numbers of their own, and only the last counts', async () => {
    const { receiver, seen, ready } = openTab();
    receiver.draw();
    for (const other of [1, undefined, '2', Number.NaN]) await ready(other);
    await receiver.receive({ page: 1, said: 'old' });
    assert.equal(receiver.isReady, false);
    await ready(2);
    await receiver.receive({ page: 2, said: 'new' });
    assert.equal(receiver.isReady, true);
    assert.deepEqual(seen, ['page 1', 'page 2', 'ready', 'new']);
    receiver.draw();
    assert.equal(receiver.isReady, false, 'the next one takes nothing yet');
  });

  it('may say only what is known, and their failures are reported', async () => {
    const { receiver, seen, log, ui } = openTab();
    for (const message of [{ page: 1, said: 7 }, { page: 1 }, 'nothing', undefined]) await receiver.receive(message);
    assert.deepEqual(log.lines, Array(2).fill('Rejected an invalid message from the player page'));
    await receiver.receive({ page: 1, said: 'fail' });
    assert.deepEqual(ui.seen.messages, ['Something went wrong. See the log for details.']);
    assert.deepEqual(seen, ['page 1']);
  });

  it('answer pings in order; one that is loading, or made again, once it is ready', async () => {
    const { receiver, seen, ready } = openTab();
    const answered: string[] = [];
    const ping = (name: string) => receiver.ping().then(() => answered.push(name));
    const pong = (page: number) => receiver.receive({ page, said: { kind: 'pong' } });
    const early = ping('early');
    assert.deepEqual(seen, ['page 1']);
    await ready(1);
    await ready(1);
    assert.deepEqual(seen.splice(0), ['page 1', 'ready', 'ping', 'ready']);
    const [second, third] = [ping('second'), ping('third')];
    assert.deepEqual(seen.splice(0), ['ping', 'ping']);
    await pong(1);
    await early;
    receiver.draw();
    await pong(1);
    await ready(2);
    assert.deepEqual(seen, ['page 2', 'ready', 'ping', 'ping']);
    assert.deepEqual(answered, ['early']);
    await pong(2);
    await second;
    assert.deepEqual(answered, ['early', 'second']);
    receiver.dispose();
    await third;
    await pong(2);
  });

  it('are made again where an older one is still heard after a while', async () => {
    const { receiver, seen, ready } = openTab();
    receiver.draw();
    now += 1999;
    await ready(1);
    assert.equal(seen.length, 2, 'the newer one may still be loading');
    now += 1;
    await ready(1);
    assert.deepEqual(seen, ['page 1', 'page 2', 'page 3']);
  });

  it('are given longer after each loss, so that a slow machine makes no end of them', async () => {
    const { receiver, seen, ready } = openTab();
    receiver.draw();
    const losses: number[] = [];
    for (const start = now; now - start < 40_000; now += 500) {
      const before = seen.length;
      await ready(1);
      if (seen.length > before) losses.push(now - start);
    }
    assert.deepEqual(losses, [2000, 6000, 14_000, 30_000]);
    await ready(6);
    assert.equal(receiver.isReady, true);
    receiver.draw();
    now += 2000;
    await ready(1);
    assert.equal(seen.at(-1), 'page 8', 'as at first, once a page has come');
  });
});
