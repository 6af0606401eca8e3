import assert from 'node:assert/strict';
import type { FoundLeaks, LeakSearch } from '../../../src/commands/context.ts';
import { withCommands } from './fixture.ts';

describe('Find Leaked Keys in Workspace', () => {
  const searchOf = (found: FoundLeaks, hasFolder = true): LeakSearch & { shown: number } => ({
    shown: 0,
    findStream: async () => undefined,
    hasFolder: () => hasFolder,
    async findInFolders(report) {
      report(0, found.files);
      return found;
    },
    envPlaces: () => [],
    async showMarks() {
      this.shown += 1;
    },
  });

  it('says how many keys there are, and offers the problems', async () => {
    const leakSearch = searchOf({ files: 1200, leaks: 2, tooLarge: 1 });
    await withCommands({ leakSearch, answers: { presses: ['Show Problems'] } }, async ({ run, ui }) => {
      await run('findLeakedKeys');
      assert.deepEqual(ui.seen.messages, ['Found 2 leaked keys. Files over 5 MB were skipped: 1.']);
      assert.equal(leakSearch.shown, 1);
    });
  });

  it('says so where there is none', async () => {
    const leakSearch = searchOf({ files: 1200, leaks: 0, tooLarge: 0 });
    await withCommands({ leakSearch }, async ({ run, ui }) => {
      await run('findLeakedKeys');
      assert.deepEqual(ui.seen.messages, [
        'No leaked keys found. Files searched: 1,200. Only API keys of your connections, stream keys of connections that you used in this window, and private keys and tokens of the current connection are detected.',
      ]);
      assert.equal(leakSearch.shown, 0);
    });
  });

  it('says so if it ended because another connection was opened, and nothing if it was canceled', async () => {
    for (const isSwitched of [true, false]) {
      const leakSearch = searchOf({ files: 0, leaks: 0, tooLarge: 0 });
      await withCommands({ leakSearch }, async ({ context, run, ui }) => {
        leakSearch.findInFolders = async () => {
          if (isSwitched) context.connection.close();
          throw new DOMException('Aborted', 'AbortError');
        };
        await run('findLeakedKeys');
        const said = isSwitched ? ['The command was canceled because you switched connections.'] : [];
        assert.deepEqual(ui.seen.messages, said);
      });
    }
  });

  it('needs a folder', async () => {
    const leakSearch = searchOf({ files: 0, leaks: 0, tooLarge: 0 }, false);
    await withCommands({ leakSearch }, async ({ run, ui }) => {
      await run('findLeakedKeys');
      assert.deepEqual(ui.seen.messages, ['Open a folder first.']);
    });
  });
});
