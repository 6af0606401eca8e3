import { t } from '@vscode/l10n';
import { addressesFor, STUDIO_BASE_URL } from '../../model/addresses.ts';
import { type ParsedBaseUrl, parseBaseUrl } from '../../model/connection/baseUrl.ts';
import { demoNames } from '../../model/connection/connectionNames.ts';
import { parsePastedKey } from '../../model/connection/pastedKey.ts';
import type { BoxLink, BoxProblem, InputOptions } from '../../services.ts';
import { settingActions } from '../../texts/actions.ts';
import { retryLabel } from '../../texts/labels.ts';
import { Refusal } from '../../texts/refusal.ts';
import { uniqueName } from '../../util/names.ts';
import { isBlank } from '../../util/text.ts';
import { BACK, inputOrBack } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { type CheckFailure, isKeyRefusal, sentenceOf } from './connectionChecks.ts';

export type Address = Extract<ParsedBaseUrl, { ok: true }>;

const MAX_NAME_LENGTH = 100;

/** Throws a Refusal if the URL is invalid. */
export function checkAddress(text: string): Address {
  const address = parseBaseUrl(text);
  if (!address.ok) throw new Refusal(address.sentence);
  return address;
}

/** Returns the key without anything that was copied along with it. Throws a Refusal if it's invalid. */
export function checkApiKey(text: string): string {
  const key = parsePastedKey(text);
  if (!key.ok) throw new Refusal(key.sentence);
  return key.apiKey;
}

/** Shows a confirmation before a key is sent to another machine unencrypted. */
export async function confirmInsecure({ ui }: CommandContext, { needsWarning, host }: Address): Promise<boolean> {
  if (!needsWarning) return true;
  return ui.confirm({
    message: t('Send the API key to {0} without encryption?', host),
    detail: t('Others on the network could read the key. If the service supports HTTPS, use it.'),
    act: t('Connect Anyway'),
  });
}

export function insecureSentence({ host }: Address): string {
  return t("Couldn't connect. {0} doesn't use HTTPS, so the API key would be sent unencrypted.", host);
}

/** Like `confirmInsecure`, but throws a Refusal if the user declines. */
export async function acceptInsecure(context: CommandContext, address: Address): Promise<void> {
  if (!(await confirmInsecure(context, address))) throw new Refusal(insecureSentence(address));
}

export interface KeyBox extends InputOptions {
  readonly address: Address;
  /** Runs with the typed text when the user presses Back. Without it there is no Back button. */
  readonly keep?: ((typed: string) => void) | undefined;
  /** Tries the key while the box stays open. */
  readonly tryKey: (apiKey: string, signal: AbortSignal) => Promise<CheckFailure | undefined>;
  /** Links that help after a failure, besides those for the key and the settings. */
  readonly linksOf?: (failure: CheckFailure) => readonly BoxLink[];
}

/** Shows the box for an API key until the service accepts one. */
export async function promptForApiKey(
  context: CommandContext,
  { address, keep, tryKey, linksOf = retryLinks, ...options }: KeyBox,
): Promise<string | typeof BACK | undefined> {
  const { ui, settings, demo } = context;
  const page = addressesFor(address.url, settings.addresses(), demo.running).keys;
  const openPage = page === undefined ? [] : [linkTo(t('Get an API Key'), () => void ui.openAddress(page))];
  const box: InputOptions = {
    ...options,
    prompt: t('Paste an API key from {0}', address.host),
    placeholder: t("API key, stored in VS Code's secret storage"),
    links: openPage,
    isPassword: true,
    validate: (typed) => problemOf(parsePastedKey(typed)),
    check: (typed) => ({
      prompt: connectingText(address.host),
      run: async (signal) => {
        const failure = await tryKey(checkApiKey(typed), signal);
        if (failure === undefined) return undefined;
        const own = isKeyRefusal(failure.error) ? openPage : [];
        return boxProblem(context, failure, [...own, ...linksOf(failure)]);
      },
    }),
  };
  const typed = keep === undefined ? await ui.input(box) : await inputOrBack(ui, box, keep);
  return typed === undefined || typed === BACK ? typed : checkApiKey(typed);
}

/** Returns the problem, with links that help, including one to the setting if that does. */
export function boxProblem({ ui }: CommandContext, failure: CheckFailure, links: readonly BoxLink[]): BoxProblem {
  const settings = settingActions(failure.error).flatMap((action) =>
    'setting' in action ? [linkTo(action.label, () => void ui.openSettings(action.setting))] : [],
  );
  return { sentence: sentenceOf(failure), links: [...links, ...settings] };
}

export function retryLink(): BoxLink {
  return { label: retryLabel(), run: () => 'retry' };
}

function retryLinks({ error }: CheckFailure): readonly BoxLink[] {
  return isKeyRefusal(error) ? [] : [retryLink()];
}

function linkTo(label: string, open: () => void): BoxLink {
  const run = () => {
    open();
    return 'stay' as const;
  };
  return { label, run };
}

interface NameQuestion extends InputOptions {
  readonly suggested: string;
  readonly taken: readonly string[];
  readonly prompt?: string;
  /** Runs when the user presses Back. Without it there is no Back button. */
  readonly back?: (() => void) | undefined;
}

export async function promptForName(
  { ui }: CommandContext,
  { suggested, taken, prompt = t('Enter a name for the connection'), ...options }: NameQuestion,
): Promise<string | undefined> {
  const typed = await ui.input({
    ...options,
    prompt,
    value: uniqueName(suggested, taken),
    validate: (text) => problemOfName(text, taken),
  });
  return typed === undefined ? undefined : checkName(typed, taken);
}

/** Returns the name, trimmed. Throws a Refusal if it's invalid or taken. */
export function checkName(text: string, taken: readonly string[]): string {
  const problem = problemOfName(text, taken);
  if (problem !== undefined) throw new Refusal(problem);
  return text.trim();
}

/** Returns the names of these connections and of the demo. */
export function takenNames(connections: readonly { readonly name: string }[]): readonly string[] {
  return [...demoNames(), ...connections.map(({ name }) => name)];
}

function problemOfName(text: string, taken: readonly string[]): string | undefined {
  const name = text.trim();
  if (isBlank(name)) return t('Enter a name.');
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
    return t('Enter a name of up to 100 characters, without line breaks.');
  return uniqueName(name, taken) === name ? undefined : t('A connection with this name already exists.');
}

/** Returns a name for a connection if the service has none for it. */
export function nameOfService(address: Address): string {
  return address.url === STUDIO_BASE_URL ? 'Livepeer Studio' : address.host;
}

function problemOf(
  parsed: { readonly ok: true } | { readonly ok: false; readonly sentence: string },
): string | undefined {
  return parsed.ok ? undefined : parsed.sentence;
}

export function connectingText(host: string): string {
  return t('Connecting to {0}…', host);
}
