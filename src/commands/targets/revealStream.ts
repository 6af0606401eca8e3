import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { matchesFilter } from '../../model/store/streams.ts';
import type { CommandContext } from '../context.ts';
import { applyFilter } from '../filterCommands.ts';
import { nameOf } from '../messages.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'loader'>;

/** Reveals the row of a stream in the store. Clears a filter that hides it. */
export async function revealStream(context: Context, stream: Stream): Promise<void> {
  clearHidingFilter(context, stream);
  await context.ui.reveal({ kind: 'stream', id: stream.id });
}

export function clearHidingFilter(context: Context, stream: Pick<Stream, 'id' | 'name'>): void {
  if (matchesFilter(stream, context.store.snapshot.filter)) return;
  applyFilter(context, '');
  context.ui.flash(t('Cleared the filter to show "{0}"', nameOf(stream)));
}
