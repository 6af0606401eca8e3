import { isApiError } from '../../api/errors.ts';
import type { CommandContext } from '../context.ts';

/** A 401 marks the key as refused wherever it is met, unless another connection is open by then. @param generation of what was asked */
export function noteRefusedKey({ store }: Pick<CommandContext, 'store'>, error: unknown, generation: number): void {
  const isRefused = isApiError(error) && error.reason === 'unauthorized';
  if (isRefused && store.snapshot.generation === generation) store.refused();
}
