import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { dismissQuickInput, quickInput } from '../support/page/quickInput.ts';
import * as tree from '../support/page/treeView.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

// Not before each change: on a machine that is busy with other suites, VS Code draws rows too late (src/host/README.md).
describe('A box that a command opens when it has read the stream of its row', () => {
  const workbench = suiteWorkbench({ folderSettings: { 'liveStreams.refreshInterval': 5 } });
  const times = 12;
  let service: DemoService;

  before(async () => {
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false };
    service = await startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), ...options });
    await connectTo(workbench().page, service);
  });
  after(() => service.dispose());

  it('stays open, and has the focus, though the row is drawn anew at that moment', async () => {
    const { page } = workbench();
    const { id } = service.control.addStream({ name: 'Renamed 0', isActive: true, record: true });
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Renamed 0'));
    for (let at = 1; at <= times; at++) {
      service.control.setStream(id, { name: `Renamed ${at}` });
      // A poll may have brought the new name already.
      const label = (await tree.readRows(page)).find((row) => row.label.startsWith('Renamed'))?.label ?? '';
      await tree.chooseFromContextMenu(page, label, 'Create Clip…');
      await quickInput(page, 'Create Clip').waitFor();
      await tree.untilRows(page, (rows) => rows.some((row) => row.label === `Renamed ${at}`));
      const focused = quickInput(page, 'Create Clip').locator('input.input:focus');
      assert.equal(await focused.count(), 1, `The box lost the focus when it was opened for the ${at}th time`);
      await dismissQuickInput(page);
    }
  });
});
