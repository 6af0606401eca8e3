import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { type ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import type { ServiceAccess } from '../../model/connection/connections.ts';
import { settingActions, showLogAction } from '../../texts/actions.ts';
import { Refusal } from '../../texts/refusal.ts';
import { createDeadline } from '../../util/deadline.ts';
import type { CommandContext, MessageAction } from '../context.ts';

/** `found` is the service's URL at the same origin, if it isn't at the given one. */
export interface CheckFailure {
  readonly error: ApiError;
  readonly host: string;
  readonly found: string | undefined;
  /** When it failed: Unix time in milliseconds. */
  readonly failedAt: number;
}

/** A remedy: another key, another URL, the URL where the service was found, or a retry. */
export type Remedy = 'otherKey' | 'otherUrl' | 'foundUrl' | 'retry';

const NAMED_WITHIN_MS = 2000;

/**
 * Sends the request that the view's first paint needs, with this key. If the service isn't found at the URL, tries the
 * usual URLs of the same origin as well. Returns undefined if the connection works.
 */
export function checkKey(
  context: CommandContext,
  { baseUrl, apiKey }: ServiceAccess,
  signal: AbortSignal,
): Promise<CheckFailure | undefined> {
  return check(context, baseUrl, (url) => context.checkService({ baseUrl: url, apiKey }, signal));
}

/** Looks for the service at this URL and at the usual ones of the same origin, without a key. */
export function checkUrl(context: CommandContext, url: string, signal: AbortSignal): Promise<CheckFailure | undefined> {
  return check(context, url, (each) => context.findService(each, signal));
}

/** Returns the service's own name for the account of a key; undefined if it has none, or doesn't say it soon. */
export async function nameAccount(
  { readAccountName, clock }: CommandContext,
  access: ServiceAccess,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deadline = createDeadline(clock, NAMED_WITHIN_MS, signal);
  try {
    return await readAccountName(access, deadline.signal);
  } catch (error) {
    if (deadline.isOver && isAbortError(error)) return undefined;
    throw error;
  } finally {
    deadline.dispose();
  }
}

export function sentenceOf({ error, host, found, failedAt }: CheckFailure): string {
  if (found !== undefined) return t('The API of {0} is at a different URL.', host);
  switch (error.reason) {
    case 'notFound':
      return t("Couldn't find the API on {0} (404). Check the URL.", host);
    case 'unauthorized':
      return t("{0} rejected this API key. Make sure that it's complete and hasn't been revoked.", host);
    case 'rateLimited':
      if (error.retryAt !== undefined) break;
      return t('{0} is receiving too many requests. Wait a moment, and then try again.', host);
    case 'forbidden':
      if (error.detail !== undefined) break;
      return t("This API key doesn't have permission to list streams on {0}.", host);
  }
  return describeError(error, { service: host, now: failedAt });
}

/** Returns the remedies, the most helpful first. */
export function remediesOf({ error, found }: CheckFailure): readonly Remedy[] {
  if (isKeyRefusal(error)) return ['otherKey', 'otherUrl'];
  if (found !== undefined) return ['foundUrl', 'otherUrl', 'retry'];
  return error.isTransient ? ['retry', 'otherUrl'] : ['otherUrl', 'retry'];
}

async function check(
  { clock, log }: CommandContext,
  url: string,
  send: (url: string) => Promise<void>,
): Promise<CheckFailure | undefined> {
  const tryAt = (each: string) => failureOf(send(each));
  const error = await tryAt(url);
  if (error === undefined) return undefined;
  log.warn(`Checking a connection failed (${error.reason}): ${error.message}`);
  const found = isElsewhere(error) ? await findBaseUrl(otherBaseUrls(url), tryAt) : undefined;
  return { error, host: new URL(url).host, found, failedAt: clock.now() };
}

async function failureOf(checked: Promise<void>): Promise<ApiError | undefined> {
  try {
    await checked;
    return undefined;
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
}

/** Returns the first URL where a service responds, even if it refuses the key. */
async function findBaseUrl(
  urls: readonly string[],
  tryAt: (url: string) => Promise<ApiError | undefined>,
): Promise<string | undefined> {
  for (const url of urls) {
    const error = await tryAt(url);
    if (error === undefined || isKeyRefusal(error)) return url;
    if (!isElsewhere(error)) return undefined;
  }
  return undefined;
}

export function isKeyRefusal({ reason }: ApiError): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

export function isElsewhere({ reason, why }: ApiError): boolean {
  return reason === 'notFound' || (reason === 'invalidResponse' && why !== 'tooLarge');
}

export function checkRefusal(failure: CheckFailure, ways: readonly MessageAction[]): Refusal<MessageAction> {
  return new Refusal(sentenceOf(failure), {
    severity: 'error',
    actions: [...ways, ...settingActions(failure.error), showLogAction()],
  });
}

/** Other URLs where the API may be. All have the same origin, so that the key may be sent there. */
function otherBaseUrls(url: string): readonly string[] {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const at = (end: number) => `${origin}/${[...parts.slice(0, end), 'api'].join('/')}`;
  const within = ['api', 'dashboard'].map((part) => parts.indexOf(part)).filter((end) => end !== -1);
  const ends = within.length > 0 ? within : [parts.length];
  return [...new Set([...ends, 0].map(at))].filter((other) => other !== url);
}
