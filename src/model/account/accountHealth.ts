import { decodeHealth } from '../../api/decodeHealth.ts';
import { ApiError } from '../../api/errors.ts';
import type { HealthCondition } from '../../api/types.ts';

/** Returns a stream's health conditions; undefined if the service doesn't know or offer them. Throws ApiError. */
export async function readHealth(
  account: { readHealthJson(id: string): Promise<unknown> },
  id: string,
): Promise<readonly HealthCondition[] | undefined> {
  const json = await account.readHealthJson(id);
  if (json === undefined) return undefined;
  const health = decodeHealth(json);
  if (health === undefined) throw new ApiError('invalidResponse', 'Health without conditions', { why: 'wrongShape' });
  return health;
}
