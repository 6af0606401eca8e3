import assert from 'node:assert/strict';
import { createTabs } from '../../../src/host/panels/webviewTabs.ts';
import type { KeptTarget } from '../../../src/model/pages/panelState.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';

type Options = Parameters<typeof createTabs<KeptTarget>>[0];
type Panel = ReturnType<Options['open']>;

const TARGET: KeptTarget = { connection: 'c1', kind: 'stream', id: 's1' };

describe('Tabs of one thing each', () => {
  function make() {
    const done: string[] = [];
    const used = new Set<string>();
    const pinned = new Set<string>();
    const close: (() => void)[] = [];
    const keepers = new Map<string, () => void>();
    const opened: { title: string; viewColumn: number; active: boolean; move(column: number): void }[] = [];
    const panel = (title = '') => {
      const listeners: (() => void)[] = [];
      const made = {
        title,
        viewColumn: 1,
        active: false,
        webview: { html: '' },
        move(column: number) {
          made.viewColumn = column;
          for (const listener of listeners) listener();
        },
        onDidChangeViewState: (run: () => void) => void listeners.push(run),
        onDidDispose: (run: () => void) => void close.push(run),
        reveal() {},
        dispose: () => void done.push('closed'),
      };
      opened.push(made);
      return made as unknown as Panel;
    };
    const tabs = createTabs<KeptTarget>({
      open: (title) => {
        done.push('open');
        return panel(title);
      },
      isPinned: ({ title }) => pinned.has(title),
      make(_, { id }, keep) {
        keepers.set(id, keep);
        return {
          get isInUse() {
            return used.has(id);
          },
          showAgain: () => void done.push(`again ${id}`),
          load: async ({ startsItself }) => void done.push(`load ${id} ${startsItself}`),
          dispose: () => void done.push(`end ${id}`),
        };
      },
    });
    return {
      tabs,
      done,
      opened,
      used,
      pinned,
      panel: () => panel(),
      close: () => close.shift()?.(),
      keep: (id: string) => keepers.get(id)?.(),
    };
  }

  const OTHER = { ...TARGET, id: 's2' };

  it('are opened once, and shown by the second call', async () => {
    const { tabs, done, used } = make();
    await tabs.show(TARGET, 'Keynote');
    used.add('s1');
    await tabs.show(OTHER, 'Other');
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done, ['open', 'load s1 true', 'open', 'load s2 true', 'again s1']);
    const third = { ...TARGET, id: 's3' };
    assert.deepEqual(
      [TARGET, OTHER, third].map((target) => tabs.find(target) !== undefined),
      [true, true, false],
    );
  });

  it('know which of them is the active tab, also after it shows something else', async () => {
    const { tabs, opened, used, close } = make();
    used.add('s1');
    await tabs.show(TARGET, 'Keynote');
    await tabs.show(OTHER, 'Other');
    assert.equal(tabs.find(), undefined);
    for (const each of opened.slice(1)) each.active = true;
    assert.deepEqual(tabs.find()?.target, OTHER);
    const third = { ...TARGET, id: 's3' };
    await tabs.show(third, 'Third');
    assert.deepEqual(tabs.find()?.target, third);
    close();
    close();
    assert.equal(tabs.find(), undefined);
  });

  it('are reused by the next click, and close with what they showed last', async () => {
    const { tabs, done, opened, close } = make();
    await tabs.show(TARGET, 'Keynote');
    await tabs.show(OTHER, 'Other');
    assert.deepEqual(done, ['open', 'load s1 true', 'end s1', 'load s2 true']);
    assert.deepEqual(fieldsOf(opened, 'title'), ['Other']);
    close();
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done.slice(4), ['end s2', 'open', 'load s1 true']);
  });

  it('are listed with what they show, until they are closed', async () => {
    const { tabs, close } = make();
    await tabs.show(TARGET, 'Keynote');
    const shown = () => [...tabs.all].map(({ target }) => target);
    assert.deepEqual(shown(), [TARGET]);
    await tabs.show(OTHER, 'Other');
    assert.deepEqual(shown(), [OTHER]);
    close();
    assert.deepEqual(shown(), []);
  });

  it('are not reused once they were moved to another column', async () => {
    const { tabs, done, opened } = make();
    await tabs.show(TARGET, 'Keynote');
    opened[0]?.move(1);
    opened[0]?.move(2);
    await tabs.show(OTHER, 'Other');
    await tabs.show({ ...TARGET, id: 's3' }, 'Third');
    assert.deepEqual(
      done.filter((each) => each.startsWith('open')),
      ['open', 'open'],
    );
  });

  it('are not reused once a link in them was followed', async () => {
    const { tabs, done, keep } = make();
    await tabs.show(TARGET, 'Keynote');
    keep('s1');
    await tabs.show(OTHER, 'Other');
    keep('s1');
    await tabs.show({ ...TARGET, id: 's3' }, 'Third');
    assert.deepEqual(done, ['open', 'load s1 true', 'open', 'load s2 true', 'end s2', 'load s3 true']);
  });

  it('are not reused while they are in use, whatever is in front', async () => {
    const { tabs, done, used } = make();
    await tabs.show(TARGET, 'Keynote');
    used.add('s1');
    await tabs.show(OTHER, 'Other');
    used.clear();
    await tabs.show({ ...TARGET, id: 's3' }, 'Third');
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done, [
      ...['open', 'load s1 true', 'open', 'load s2 true'],
      ...['end s2', 'load s3 true', 'again s1'],
    ]);
  });

  it('are not reused while they are pinned', async () => {
    const { tabs, done, pinned } = make();
    await tabs.show(TARGET, 'Keynote');
    pinned.add('Keynote');
    await tabs.show(OTHER, 'Other');
    await tabs.show({ ...TARGET, id: 's3' }, 'Third');
    assert.deepEqual(done, ['open', 'load s1 true', 'open', 'load s2 true', 'end s2', 'load s3 true']);
  });

  it('are opened anew after they were closed', async () => {
    const { tabs, done, close } = make();
    await tabs.show(TARGET, 'Keynote');
    close();
    await tabs.show(TARGET, 'Keynote');
    assert.deepEqual(done, ['open', 'load s1 true', 'end s1', 'open', 'load s1 true']);
  });

  it('come back quietly, and only where there is none of the same thing', async () => {
    const { tabs, done, panel } = make();
    await tabs.restore(panel(), TARGET);
    await tabs.restore(panel(), TARGET);
    await tabs.restore(panel(), undefined);
    assert.deepEqual(done, ['load s1 false', 'closed', 'closed']);
  });
});
