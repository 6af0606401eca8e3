import { isApiError } from '../../api/errors.ts';
import { type AccountTargets, targetsOf } from '../../model/account/accountTargets.ts';
import { multistreamNotOffered } from '../../texts/multistream.ts';
import type { CommandContext } from '../context.ts';

/** Reads or changes multistream targets. Throws a Refusal if the service has none. */
export async function withOfferedTargets<T>(
  { connection }: CommandContext,
  run: (targets: AccountTargets) => Promise<T>,
): Promise<T> {
  try {
    return await run(targetsOf(connection.account));
  } catch (error) {
    throw isApiError(error, 'notOffered') ? multistreamNotOffered(connection.info?.name) : error;
  }
}
