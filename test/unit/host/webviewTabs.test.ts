import assert from 'node:assert/strict';
import { createTabs } from '../../../src/host/panels/webviewTabs.ts';
import type { KeptSubject } from '../../../src/model/pages/panelState.ts';

type Options = Parameters<typeof createTabs<KeptSubject>>[0];
type Panel = ReturnType<Options['open']>;

const TARGET: KeptSubject = { connection: 'c1', kind: 'stream', id: 's1' };

describe('Tabs of one thing each', () => {
  function make() {
    const done: string[] = [];
    const close: (() => void)[] = [];
    const panel = () =>
      ({
        onDidDispose: (run: () => void) => void close.push(run),
        dispose: () => void done.push('closed'),
      }) as unknown as Panel;
    const tabs = createTabs<KeptSubject>({
      open: panel,
      make: (_, { id }) => ({
        showAgain: () => void done.push(`again ${id}`),
        load: async ({ startsItself }) => void done.push(`load ${id} ${startsItself}`),
        dispose: () => void done.push(`end ${id}`),
      }),
    });
    return { tabs, done, panel, close: () => close.shift()?.() };
  }

  it('are opened once, and shown again after that', async () => {
    const { tabs, done } = make();
    await tabs.show(TARGET, 'Keynote');
    await tabs.show({ ...TARGET, id: 's2' }, 'Other');
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done, ['load s1 true', 'load s2 true', 'again s1']);
  });

  it('are opened anew after they were closed', async () => {
    const { tabs, done, close } = make();
    await tabs.show(TARGET, 'Keynote');
    close();
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done, ['load s1 true', 'end s1', 'load s1 true']);
  });

  it('come back quietly, and only where there is none of the same thing', async () => {
    const { tabs, done, panel } = make();
    await tabs.restore(panel(), TARGET);
    await tabs.restore(panel(), TARGET);
    await tabs.restore(panel(), undefined);
    assert.deepEqual(done, ['load s1 false', 'closed', 'closed']);
  });
});
