import { createCaller } from '../../api/calls.ts';
import { listProjects, probeStreams, readEmail } from '../../api/connectRequests.ts';
import { isApiError } from '../../api/errors.ts';
import { KnownSecrets } from '../../api/knownSecrets.ts';
import { StreamApi } from '../../api/streamApi.ts';
import { isBlank, oneLine } from '../../util/text.ts';
import { type AccountOptions, LIVE } from './account.ts';

type Options = Omit<AccountOptions, 'store'>;

const LONGEST_NAME = 100;
/** The user is waiting in an input box and can try again. */
const LONGEST_WAIT = 1000;

/** Sends the view's first request, so that a key gets the same response as in the view. Throws ApiError. */
export async function tryService(options: Options, signal: AbortSignal): Promise<void> {
  await new StreamApi({ ...options, longestWait: LONGEST_WAIT }).listStreams(LIVE, { signal });
}

/** Resolves if a service is at this base URL. Sends no key. Throws ApiError. */
export async function findService(options: Omit<Options, 'apiKey'>, signal: AbortSignal): Promise<void> {
  const call = createCaller({ ...options, apiKey: '', longestWait: LONGEST_WAIT }, new KnownSecrets(options.secrets));
  await probeStreams(call, LIVE, { signal });
}

/**
 * Returns the name of a key's account, in one line: its project, if there is only one, or otherwise its email address.
 * Undefined if the service provides neither. Throws an AbortError if the signal aborts.
 */
export async function readAccountName(options: Options, signal: AbortSignal): Promise<string | undefined> {
  const secrets = new KnownSecrets(options.secrets);
  secrets.noteKey(options.apiKey);
  const call = createCaller(options, secrets);
  const [projects, email] = await Promise.all([
    orUndefined(listProjects(call, { signal })),
    orUndefined(readEmail(call, { signal })),
  ]);
  const names = [projects?.length === 1 ? projects[0]?.name : undefined, email];
  return names
    .filter((name) => name !== undefined)
    .map((name) => oneLine(secrets.strip(name), LONGEST_NAME))
    .find((name) => !isBlank(name));
}

export async function orUndefined<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}
