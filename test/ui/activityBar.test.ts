import assert from 'node:assert/strict';
import { listCommands } from '../support/quickInput.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { suiteWorkbench } from '../support/suiteWorkbench.ts';
import { paneOf, readViewTexts, showContainer, treeOf } from '../support/treeView.ts';

describe('The packaged extension in a real workbench', () => {
  const workbench = suiteWorkbench();

  it('has an entry in the activity bar that shows the Streams view', async () => {
    const { page } = workbench();
    await showContainer(page);
    await treeOf(page).or(paneOf(page).locator('.welcome-view-content:visible')).first().waitFor();
    assert.equal((await readViewTexts(page)).title, 'Streams');
    assert.equal((await readViewTexts(page, 'Recordings')).title, 'Recordings');
    await takeScreenshot(page, 'first-start');
  });

  it('offers its commands in the palette', async () => {
    const commands = await listCommands(workbench().page, 'Live Streams: ');
    assert.ok(commands.includes('liveStreams.addConnection'), commands.join('\n'));
    assert.ok(commands.includes('liveStreams.startDemo'), commands.join('\n'));
  });
});
