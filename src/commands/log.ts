import type { CommandContext } from './context.ts';

export function showLog({ ui }: Pick<CommandContext, 'ui'>): void {
  ui.showLog();
}
