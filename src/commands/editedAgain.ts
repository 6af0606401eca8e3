import { isApiError } from '../api/errors.ts';
import { editLabel } from '../texts/lateLabels.ts';
import { reportFailure } from './boundary.ts';
import type { CommandContext } from './context.ts';

/** If the service fails, the message leads back to what was entered, with the reason if it rejected that. */
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
    if (!isApiError(error)) throw error;
    const message = reportFailure(context, error, { info, act: { run: (next) => entered.again(next) } });
    const run = (next: CommandContext) => entered.again(next, message.sentence);
    const edit = { label: editLabel(), connection: info, run };
    const isEdited = error.reason === 'rejected' && error.why === undefined;
    context.showMessage({ ...message, actions: [...(isEdited ? [edit] : []), ...message.actions] });
  }
}
