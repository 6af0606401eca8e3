import { isApiError } from '../../api/errors.ts';
import type { CommandContext } from '../context.ts';

/**
 * Marks the key as refused on any 401, unless another connection is open by then.
 * @param generation The snapshot's generation when the request was sent.
 */
export function noteRefusedKey({ store }: Pick<CommandContext, 'store'>, error: unknown, generation: number): void {
  const isRefused = isApiError(error) && error.reason === 'unauthorized';
  if (isRefused && store.snapshot.generation === generation) store.refused();
}
