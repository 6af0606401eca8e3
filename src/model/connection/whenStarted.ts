import { onDispose } from '../../util/disposable.ts';
import type { ModelContext } from '../context.ts';

/** How long a command waits. The keyring may be waiting for the user's password. */
const STARTED_WITHIN_MS = 5000;

/** Resolves once storage has returned this window's connection, or after a few seconds. */
export async function whenStarted({ store, clock }: ModelContext): Promise<void> {
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
