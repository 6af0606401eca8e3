import type { CommandContext } from '../context.ts';

/** Starts the embedded service and shows it; a reload of this window starts it again. */
export async function startDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.start();
}

/** Stops the embedded service and brings back what was there before. */
export async function stopDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.stop();
}
