import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { type ApiError, isApiError } from '../../api/errors.ts';
import { otherBaseUrls } from '../../model/connection/baseUrl.ts';
import type { CommandContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { showLogAction } from '../showLog.ts';
import { settingAction } from './networkHelp.ts';

export type ConnectContext = Pick<
  CommandContext,
  'ui' | 'settings' | 'store' | 'connections' | 'current' | 'demo' | 'checkService' | 'log'
>;

interface Checked {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly host: string;
}

export interface CheckFailure {
  readonly error: ApiError;
  readonly host: string;
  readonly found: string | undefined;
}

/** A way to continue after a failure: a row of a picker, or a button of a message. */
export interface WayOn {
  readonly label: string;
  readonly run: (context: ConnectContext) => Promise<void>;
}

/**
 * Sends the request of the first paint with this key. If the service isn't found at the address, tries the usual
 * addresses of the same origin as well. Returns undefined if the connection works.
 */
export async function checkConnection(
  { ui, checkService, log }: Pick<ConnectContext, 'ui' | 'checkService' | 'log'>,
  { baseUrl, apiKey, host }: Checked,
): Promise<CheckFailure | undefined> {
  return ui.progress(t('Connecting to {0}', host), async (_, signal) => {
    const tryAt = (url: string) => failureOf(checkService({ baseUrl: url, apiKey }, signal));
    const error = await tryAt(baseUrl);
    if (error === undefined) return undefined;
    log.warn(`Checking a connection failed (${error.reason}): ${error.message}`);
    const found = isElsewhere(error) ? await findBaseUrl(otherBaseUrls(baseUrl), tryAt) : undefined;
    return { error, host, found };
  });
}

export function isKeyRefused({ error: { reason } }: CheckFailure): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

/**
 * Offers the ways to continue: in a picker if the user is answering boxes, else in a message. A dismissed picker
 * becomes a message, so that no input is lost. Throws a Refusal for that message.
 */
export async function offerWaysOn(
  context: ConnectContext,
  failure: CheckFailure,
  { title, ways, isAsking }: { readonly title: string; readonly ways: readonly WayOn[]; readonly isAsking: boolean },
): Promise<void> {
  const sentence = sentenceOf(failure);
  const items = ways.map((way) => ({ label: way.label, value: way }));
  const picked = isAsking ? await context.ui.pick({ title, placeholder: sentence, items }) : undefined;
  if (picked !== undefined) return picked.run(context);
  throw new Refusal(sentence, {
    severity: 'error',
    actions: [...settingsOf(failure), ...ways.map((way) => ({ ...way, isForAny: true })), showLogAction()],
  });
}

function settingsOf({ error }: CheckFailure) {
  const setting = settingAction(error);
  return setting === undefined ? [] : [setting];
}

function sentenceOf({ error, host, found }: CheckFailure): string {
  if (found !== undefined) return t("{0} has no streams at this address. They're at {1}.", host, found);
  if (error.reason === 'notFound') return t('{0} has no streams at this address (404). Check the address.', host);
  return describeError(error, { service: host });
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

function isElsewhere({ reason, why }: ApiError): boolean {
  return reason === 'notFound' || (reason === 'invalidResponse' && why !== 'tooLarge');
}

/** Returns the first address where a service responds, even if it refuses the key. */
async function findBaseUrl(
  urls: readonly string[],
  tryAt: (url: string) => Promise<ApiError | undefined>,
): Promise<string | undefined> {
  for (const url of urls) {
    const error = await tryAt(url);
    if (error === undefined || error.reason === 'unauthorized' || error.reason === 'forbidden') return url;
    if (!isElsewhere(error)) return undefined;
  }
  return undefined;
}
