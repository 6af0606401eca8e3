import { isApiError } from '../api/errors.ts';
import { editLabel } from '../texts/lateLabels.ts';
import { isRefusal } from '../texts/refusal.ts';
import { reportFailure } from './boundary.ts';
import type { CommandContext } from './context.ts';

/** If the service fails, the message leads back to the input, with the reason if that was rejected. */
export async function orEdited(
  context: CommandContext,
  entered: {
    readonly send: () => Promise<void>;
    readonly again: (context: CommandContext, reason?: string) => Promise<void>;
  },
): Promise<void> {
  const { info } = context.connection;
  try {
    await entered.send();
  } catch (error) {
    const isUncertain = isRefusal(error) && error.canEdit === true;
    const isRejected = isApiError(error, 'rejected') && error.why === undefined;
    if (!isUncertain && !isApiError(error)) throw error;
    const message = reportFailure(context, error, { info, act: { run: (next) => entered.again(next) } });
    const run = (next: CommandContext) => entered.again(next, message.sentence);
    const edit = { label: editLabel(), connection: info, run };
    const edits = isUncertain || isRejected ? [edit] : [];
    // After Refresh, which shows whether the change was applied.
    context.showMessage({ ...message, actions: message.actions.toSpliced(isUncertain ? 1 : 0, 0, ...edits) });
  }
}
