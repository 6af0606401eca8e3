import { t } from '@vscode/l10n';
import { checkLocalUrl, isLocalUrlError, resolveLocal } from '../../model/webhooks/localUrl.ts';
import { explainLocalUrl } from '../../texts/localUrls.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { CommandContext } from '../context.ts';

const SUGGESTED_ORIGIN = 'http://localhost:3000';

/**
 * Returns the given URL, or asks for one. Returns undefined if dismissed. Throws a Refusal unless it's a URL of this
 * computer.
 * @param path the path to suggest if no URL is known for this folder
 */
export async function askLocalUrl(
  { ui, eventListener }: CommandContext,
  given: string | undefined,
  title: string,
  path = '/api/webhook',
): Promise<string | undefined> {
  const text =
    given ??
    (await ui.input({
      title,
      prompt: t('Enter the URL of your handler on this computer'),
      value: eventListener.listening?.url ?? eventListener.lastUrl ?? `${SUGGESTED_ORIGIN}${path}`,
      check: (typed) => ({ prompt: t('Checking the URL…'), run: async () => problemOf(typed) }),
    }));
  if (text === undefined) return undefined;
  const checked = checkLocalUrl(text);
  if ('fault' in checked) throw new Refusal(explainLocalUrl(checked.fault));
  return checked.url;
}

async function problemOf(text: string) {
  const checked = checkLocalUrl(text);
  const resolved = 'fault' in checked ? checked : await resolveLocal(checked.url);
  return 'fault' in resolved ? { sentence: explainLocalUrl(resolved.fault), links: [] } : undefined;
}

/** Turns the error for a refused URL into a Refusal. */
export async function withUrlRefusals<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isLocalUrlError(error) ? new Refusal(explainLocalUrl(error.reason)) : error;
  }
}
