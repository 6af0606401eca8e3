import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { needsConfirmation } from '../../model/changes.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Question } from '../../services.ts';
import type { CommandContext } from '../context.ts';
import { listNames, quotedName, withConnection } from '../messages.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'current'>;

const ACTS: Partial<Record<Operation, () => string>> = {
  deleting: () => t('Delete'),
  suspending: () => t('Suspend'),
  endingBroadcast: () => t('End Broadcast'),
};

/** Shows a modal confirmation if the change can't be undone or ends a broadcast. Returns true if none is needed. */
export async function confirmChange(
  context: Context,
  operation: Operation,
  streams: readonly Stream[],
): Promise<boolean> {
  if (!needsConfirmation(operation, streams)) return true;
  return context.ui.confirm(questionOf(context, operation, streams));
}

function questionOf(context: Context, operation: Operation, streams: readonly Stream[]): Question {
  const [first] = streams;
  const isOne = streams.length === 1 && first !== undefined;
  const subject = withConnection(context, isOne ? quotedName(first) : t('{0} streams', streams.length));
  const lines = isOne ? linesOfOne(operation, first) : linesOfSeveral(operation, streams);
  return {
    message: messageOf(operation, subject),
    detail: lines.join('\n'),
    act: ACTS[operation]?.() ?? t('Continue'),
  };
}

function messageOf(operation: Operation, subject: string): string {
  if (operation === 'deleting') return t('Delete {0}?', subject);
  return operation === 'suspending' ? t('Suspend {0}?', subject) : t('End the broadcast of {0}?', subject);
}

function linesOfOne(operation: Operation, { isActive }: Stream): readonly string[] {
  if (operation === 'endingBroadcast') return [t('The encoder may reconnect at once.')];
  const live = isActive ? [t('It is live: its broadcast ends.')] : [];
  if (operation === 'suspending') return [...live, t('It takes no broadcast until it is resumed.')];
  return [...live, t('Its sessions and recordings stay at the service.')];
}

function linesOfSeveral(operation: Operation, streams: readonly Stream[]): readonly string[] {
  const live = streams.filter((stream) => stream.isActive).length;
  const liveLine =
    live === 1 ? t('1 of them is live: its broadcast ends.') : t('{0} of them are live: their broadcasts end.', live);
  const last =
    operation === 'suspending'
      ? t('They take no broadcast until they are resumed.')
      : t('Their sessions and recordings stay at the service.');
  return [...(live > 0 ? [liveLine] : []), listNames(streams), last];
}
