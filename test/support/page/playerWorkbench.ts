import type { DemoService } from '../demo/demoService.ts';
import { suiteWorkbench } from '../vscode/suiteWorkbench.ts';
import type { Workbench, WorkbenchOptions } from '../vscode/workbench.ts';
import { connectTo } from './playerConnection.ts';
import { settingsFor, startPlayerService } from './playerService.ts';

interface PlayerWorkbench {
  readonly workbench: () => Workbench;
  readonly service: () => DemoService;
}

/** One workbench for a mocha suite, connected to a service of its own with recordings to play. */
export function suitePlayerWorkbench(
  options: Pick<WorkbenchOptions, 'browser' | 'settings' | 'size'> = {},
): PlayerWorkbench {
  let started: DemoService | undefined;
  const service = (): DemoService => {
    if (started === undefined) throw new Error('The service is there only while tests run');
    return started;
  };
  const workbench = suiteWorkbench(async () => {
    started = await startPlayerService();
    return { ...options, ...settingsFor(started, options.settings) };
  });

  before(async () => {
    await connectTo(workbench().page, service());
  });
  after(() => started?.dispose());

  return { workbench, service };
}
