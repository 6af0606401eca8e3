import { t } from '@vscode/l10n';
import { isApiError } from '../../api/errors.ts';
import { isId } from '../../api/ids.ts';
import type { Stream } from '../../api/types.ts';
import type { CommandContext } from '../context.ts';
import { nameOf } from '../messages.ts';
import { Refusal } from '../refusal.ts';

/**
 * Reads a stream by id and updates the store. Returns undefined if it is gone; its row is then removed too. If the
 * store doesn't trust the 404, because a replica may lag behind, returns the known stream. Throws ApiError.
 */
export async function readStream(
  { current, store }: Pick<CommandContext, 'current' | 'store'>,
  id: string,
): Promise<Stream | undefined> {
  const { generation } = store.snapshot;
  const isOld = () => store.snapshot.generation !== generation;
  try {
    const read = await current.api.getStream(id);
    // The store's streams don't include historic child streams.
    if (!isOld() && read.value.parentId === undefined) store.read(read.value, read);
    return read.value;
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'notFound') throw error;
    if (isOld()) return undefined;
    store.notFound(id, error.turn);
    return store.snapshot.streams.get(id)?.stream;
  }
}

export function requireId(id: unknown): string {
  if (isId(id)) return id;
  throw new Refusal(t('This is not the id of a stream or session, so nothing was asked.'));
}

export function streamIsGone(stream: { readonly id: string; readonly name: string }): Refusal {
  return new Refusal(t('"{0}" is gone. It was deleted at the service.', nameOf(stream)));
}

export function sessionIsGone(): Refusal {
  return new Refusal(t('This session is gone. The service does not have it any more.'));
}
