import { isApiError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import { walk } from '../../api/walk.ts';
import type { CommandContext } from '../context.ts';
import { sessionIsGone } from './readStream.ts';

const PAGE_SIZE = 1000;
const MAX_PAGES = 20;

/**
 * Finds a session by id alone. If the service has no request for one session, searches the newest 20,000 sessions of
 * the account. Throws a Refusal if it isn't found, and ApiError.
 */
export async function findSessionById({ current }: Pick<CommandContext, 'current'>, id: string): Promise<Session> {
  try {
    return (await current.api.getSession(id)).value;
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'notFound') throw error;
  }
  const { api } = current;
  const ask = (cursor: string | undefined) => {
    const query = { limit: PAGE_SIZE };
    return api.listUserSessions(cursor === undefined ? query : { ...query, cursor });
  };
  for await (const { items } of walk(ask, undefined, MAX_PAGES)) {
    const found = items.find((session) => session.id === id);
    if (found !== undefined) return found;
  }
  throw sessionIsGone();
}
