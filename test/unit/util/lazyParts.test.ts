import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Disposable, DisposableStore } from '../../../src/util/disposable.ts';
import { createLazyPart } from '../../../src/util/lazyParts.ts';
import { fakeLog } from '../../support/model/fakes.ts';

function kit(tell: () => Promise<void> = async () => {}) {
  const owned = new DisposableStore();
  const log = fakeLog();
  const told: number[] = [];
  const notify = () => {
    told.push(1);
    return tell();
  };
  const late = <T extends Disposable>(load: Parameters<typeof createLazyPart<T>>[1]) =>
    createLazyPart({ owned, log, notify }, load);
  return { owned, log, told, late };
}

/** A part, and whether it was disposed of. */
function part() {
  const made = {
    isDisposed: false,
    dispose() {
      made.isDisposed = true;
    },
  };
  return made;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('A part that is loaded late', () => {
  it('is made when it is first asked for, the same for all who ask, and ends with its owner', async () => {
    const { late, owned } = kit();
    let made = 0;
    const only = part();
    const ask = late(async () => () => {
      made += 1;
      return only;
    });
    assert.equal(made, 0);
    assert.deepEqual(await Promise.all([ask(), ask()]), [only, only]);
    assert.equal(await ask(), only);
    assert.equal(made, 1);
    owned.dispose();
    assert.ok(only.isDisposed);
    assert.equal(await ask(), undefined, 'nobody acts on it any more');
  });

  it('is undefined where it cannot be made, which is logged and reported once for all who waited, and tried again', async () => {
    const { late, log, told } = kit();
    const only = part();
    const starts = [() => assert.fail('torn'), () => assert.fail('torn again'), () => only];
    const ask = late(async () => starts.shift());
    assert.deepEqual(await Promise.all([ask(), ask()]), [undefined, undefined]);
    assert.equal(starts.length, 2, 'tried once for both');
    assert.equal(told.length, 1);
    assert.equal(await ask(), undefined);
    assert.equal(told.length, 2);
    assert.equal(await ask(), only);
    assert.equal(log.lines.filter((line) => line.includes("Couldn't load a part")).length, 2);
  });

  it('is told to be missing though node should go on to refuse the file, and though telling should fail', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'live-streams-late-'));
    try {
      const file = pathToFileURL(join(folder, 'part.mjs')).href;
      await writeFile(new URL(file), "throw new Error('torn');");
      const { late, log, told } = kit(async () => assert.fail('no window'));
      const ask = late(async () => (await import(file)).start);
      assert.equal(await ask(), undefined);
      await writeFile(new URL(file), 'export const start = () => ({ dispose() {} });');
      assert.equal(await ask(), undefined, 'node keeps in mind that it failed');
      await turns();
      assert.equal(told.length, 2);
      assert.ok(log.lines.some((line) => line.includes("Couldn't show a message")));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is undefined where another part that it needs failed, which was reported already', async () => {
    const { late, told, log } = kit();
    const first = late(async () => () => assert.fail('torn'));
    const second = late(async () => ((await first()) === undefined ? undefined : part));
    assert.equal(await second(), undefined);
    assert.deepEqual([told.length, log.lines.length], [1, 1]);
  });

  it('is not made when its owner ends while it is loading, and nothing is told', async () => {
    const { late, owned, told, log } = kit();
    const loading = Promise.withResolvers<void>();
    const made: string[] = [];
    const ask = late(async () => {
      await loading.promise;
      return () => {
        made.push('part');
        return part();
      };
    });
    const failing = late(async () => {
      await loading.promise;
      throw new Error('torn');
    });
    const asked = [ask(), failing()];
    owned.dispose();
    loading.resolve();
    assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
    assert.deepEqual([made, told, log.lines], [[], [], []]);
  });
});
