import type { CommandContext } from '../context.ts';

/** Starts the embedded service and shows it. Reloading this window starts it again. */
export async function startDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.start();
}

/** Stops the embedded service and restores what was open before. */
export async function stopDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.stop();
}
