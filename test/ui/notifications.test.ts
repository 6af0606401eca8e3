import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { untilNotification } from '../support/messages.ts';
import { connectTo } from '../support/playerConnection.ts';
import { inProject } from '../support/projectFolder.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { suiteWorkbench } from '../support/suiteWorkbench.ts';
import { createTestClock } from '../support/testClock.ts';

describe('Notifications', () => {
  const workbench = suiteWorkbench({
    // A workspace cannot choose them, and an open workbench does not always follow a settings file: so from the start.
    settings: { 'liveStreams.notifications': ['streamStarted'], 'liveStreams.refreshInterval': 5 },
  });
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false };
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
  });
  after(() => service.dispose());

  it('tell of a stream that goes live, when that is chosen, and not of those that were live before', async () => {
    const { page } = workbench();
    await connectTo(page, service);
    service.control.addStream({ name: 'Breaking news', isActive: true });
    const said = await untilNotification(page, '"Breaking news" went live');
    assert.deepEqual([said.severity, said.buttons], ['info', ['Watch']]);
    await takeScreenshot(page, 'notification');
  });
});
