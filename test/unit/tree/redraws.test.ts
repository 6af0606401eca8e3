import assert from 'node:assert/strict';
import { groupNode } from '../../../src/model/rows/nodes.ts';
import { createRedraws, drawGivenRow, Settling, ShownTooltips } from '../../../src/tree/view/redraws.ts';
import { aLiveStream, aSnapshot } from '../../support/model/builders.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { heldTree } from './heldTree.ts';

/** group > stream > session, and another group; the stream is open. */
function compose() {
  const parents = new Map([
    ['stream', 'group'],
    ['session', 'stream'],
  ]);
  const open = new Set(parents.values());
  const given = new Set(['group', 'stream', 'session', 'other']);
  const clock = heldClock();
  const parent = (row: string) => parents.get(row);
  const settling = new Settling<string>({ clock, parent });
  const redraws = createRedraws<string>(
    {
      isSettling: (row) => settling.has(row),
      has: (row) => given.has(row),
      parent,
      fired(rows = []) {
        for (const row of rows) if (open.has(row)) settling.fired(row);
      },
    },
    clock,
  );
  const events: (string[] | undefined)[] = [];
  redraws.onDidChange((rows) => events.push(rows));
  return { clock, settling, redraws, given, events };
}

describe('Redraws', () => {
  it('come as one event for each burst, each row once', async () => {
    const { clock, redraws, events } = compose();
    redraws.add(['session', 'other']);
    redraws.add(['other']);
    assert.deepEqual(events, []);
    await clock.advance(0);
    await clock.advance(0);
    assert.deepEqual(events, [['session', 'other']]);
    redraws.add(['session']);
    redraws.add(undefined);
    await clock.advance(0);
    assert.deepEqual(events.slice(1), [undefined]);
  });

  it('do not name a row under one that they name', async () => {
    const { clock, redraws, events } = compose();
    redraws.add(['session', 'stream', 'group', 'other']);
    await clock.advance(0);
    assert.deepEqual(events, [['group', 'other']]);
  });

  it('do not name a row that VS Code was given others instead of', async () => {
    const { clock, settling, redraws, given, events } = compose();
    const asked = settling.begin('group');
    redraws.add(['stream', 'session', 'other']);
    await clock.advance(0);
    given.delete('stream');
    given.delete('session');
    asked();
    await clock.advance(5000);
    assert.deepEqual(events, [['other']]);
  });

  it('wait under a row that was fired until VS Code has had the time to ask for its rows', async () => {
    const { clock, settling, redraws, events } = compose();
    redraws.add(['group']);
    await clock.advance(0);
    redraws.add(['stream']);
    await clock.advance(300);
    assert.deepEqual(events, [['group']]);
    const asked = settling.begin('group');
    await clock.advance(2000);
    assert.deepEqual(events, [['group']]);
    asked();
    await clock.advance(600);
    assert.deepEqual(events, [['group'], ['stream']]);
  });

  it('come all the same where VS Code asks for nothing: the row is closed, or the view hidden', async () => {
    const { clock, redraws, events } = compose();
    redraws.add(['group']);
    await clock.advance(0);
    redraws.add(['group', 'stream']);
    await clock.advance(600);
    assert.deepEqual(events, [['group'], ['group']]);
  });

  it('are drained once all that can be fired was', async () => {
    const { clock, settling, redraws, events } = compose();
    const asked = settling.begin('group');
    redraws.add(['stream']);
    let isDrained = false;
    void redraws.drain().then(() => {
      isDrained = true;
    });
    await clock.advance(1000);
    assert.equal(isDrained, false);
    asked();
    await clock.advance(1000);
    assert.deepEqual([isDrained, events], [true, [['stream']]]);
    redraws.dispose();
    assert.equal(clock.timerCount, 0);
  });
});

describe('A row that VS Code draws', () => {
  it('has its list redrawn if it is gone: VS Code may have lost the redraw that removed it', async () => {
    const tree = heldTree(aSnapshot({ streams: [aLiveStream({ id: 'live' })] }));
    const stream = await tree.openPath('active', 'active/live');
    const added: (readonly (string | undefined)[])[] = [];
    const redraws = {
      add: (rows: readonly { id: string }[] | undefined) => added.push((rows ?? []).map(({ id }) => id)),
    };
    const draw = (node = stream) => drawGivenRow(tree.model, redraws, node).label;
    assert.notEqual(draw(), '…');
    assert.deepEqual(added, []);
    tree.change(aSnapshot({}));
    assert.equal(draw(), '…');
    assert.deepEqual(added, [['active']]);
    assert.notEqual(draw(groupNode('active')), '…');
    assert.equal(added.length, 1);
  });
});

describe('The tooltips that VS Code has', () => {
  it('are requested anew when they would say something else, but not while somebody may read them', async () => {
    const clock = heldClock();
    const shown = new ShownTooltips<string>(clock);
    shown.note('same', 'a');
    shown.note('changed', 'b');
    shown.note('with a picture', undefined);
    const now: Readonly<Record<string, string>> = { same: 'a', changed: 'c', 'with a picture': 'd' };
    const take = () => shown.takeOutdated((row) => now[row]);
    assert.deepEqual(take(), []);
    await clock.advance(15_000);
    shown.note('just shown', 'e');
    assert.deepEqual(take(), ['changed', 'with a picture']);
    assert.deepEqual(take(), [], 'VS Code requests them with the next hover');
    await clock.advance(15_000);
    assert.deepEqual(take(), ['just shown'], 'its row is gone');
  });
});
