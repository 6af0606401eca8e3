import { t } from '@vscode/l10n';
import type { CommandContext } from './context.ts';
import type { Action } from './refusal.ts';

export function showLog({ ui }: Pick<CommandContext, 'ui'>): void {
  ui.showLog();
}

export function showLogAction(): Action {
  return { label: t('Show Log'), run: showLog, isForAny: true };
}
