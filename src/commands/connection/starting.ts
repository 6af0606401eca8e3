import { onDispose } from '../../util/disposable.ts';
import type { CommandContext } from '../context.ts';

/** So long a command waits; the keyring may be asking the person for a password. */
const STARTED_WITHIN_MS = 5000;

/** Resolves once storage has told which connection this window has, or after a few seconds. */
export async function whenStarted({ store, clock }: Pick<CommandContext, 'store' | 'clock'>): Promise<void> {
  const isStarting = () => store.snapshot.connection.kind === 'starting';
  if (!isStarting()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, STARTED_WITHIN_MS);
  const following = store.onDidChange(() => {
    if (!isStarting()) resolve();
  });
  const end = onDispose(() => {
    timer.dispose();
    following.dispose();
  });
  await promise.finally(() => end.dispose());
}
