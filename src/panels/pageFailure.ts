import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import { isRefusal } from '../commands/refusal.ts';
import type { Log, Ui } from '../services.ts';

export interface PageFailureContext {
  readonly ui: Pick<Ui, 'notify' | 'showLog'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Reports the failure of a page's request in one message. Commands report their own errors, and cancellations are not
 * reported. Never rejects. Do not await it: the message may stay open for long.
 * @param name the page's name, for the log
 */
export async function tellPageFailure({ ui, log }: PageFailureContext, name: string, error: unknown): Promise<void> {
  if (isAbortError(error)) return;
  const showLog = t('Show Log');
  try {
    if (isRefusal(error)) return void (await ui.notify(error.severity, error.sentence));
    log.error(`The ${name} page could not do what was asked`, error);
    const sentence = describeError(error, { service: t('The service') });
    if ((await ui.notify('error', sentence, showLog)) === showLog) ui.showLog();
  } catch (failure) {
    log.error('A failure could not be told', failure);
  }
}
