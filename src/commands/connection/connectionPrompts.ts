import { t } from '@vscode/l10n';
import { addressesFor, STUDIO_BASE_URL } from '../../model/addresses.ts';
import { type ParsedBaseUrl, parseApiKey, parseBaseUrl } from '../../model/connection/baseUrl.ts';
import { uniqueName } from '../../model/connection/connections.ts';
import { demoNames } from '../../model/connection/current.ts';
import type { InputOptions } from '../../services.ts';
import { isBlank } from '../../util/text.ts';
import { BACK, inputOrBack } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { Refusal } from '../refusal.ts';

export type Address = Extract<ParsedBaseUrl, { ok: true }>;

const OTHER = 'other';
const MAX_NAME_LENGTH = 100;

/**
 * Returns the given address of the service, or else prompts for one. Throws a Refusal if the given one is invalid.
 * @param typed what the user typed before going back
 */
export async function promptForAddress(
  { ui }: Pick<CommandContext, 'ui'>,
  given: string | undefined,
  typed?: string,
): Promise<Address | undefined> {
  const text = given ?? (await pickService({ ui }, typed));
  if (text === undefined) return undefined;
  const address = parseBaseUrl(text);
  if (!address.ok) throw new Refusal(address.sentence);
  return address;
}

export function promptForOtherAddress(
  { ui }: Pick<CommandContext, 'ui'>,
  address: string,
): Promise<string | undefined> {
  return ui.input(addressBox(address));
}

/** Shows a confirmation before a key is sent to another machine unencrypted. Throws a Refusal if the user declines. */
export async function acceptInsecure({ ui }: Pick<CommandContext, 'ui'>, address: Address): Promise<void> {
  if (!address.needsWarning) return;
  const isAccepted = await ui.confirm({
    message: t('Send the API key to {0} without encryption?', address.host),
    detail: t('Others on the network could read it. Use HTTPS if the service supports it.'),
    act: t('Connect Anyway'),
  });
  if (!isAccepted)
    throw new Refusal(
      t("Couldn't connect. {0} doesn't use HTTPS, so the API key would be sent unencrypted.", address.host),
    );
}

export interface ConnectDialog {
  readonly title: string;
  readonly address: Address;
}

/**
 * Returns the given key, trimmed, or else prompts for one. Throws a Refusal if the given one is invalid.
 * @param options.back runs when the user presses Back; without it there is no such button
 */
export async function promptForApiKey(
  { ui, settings, demo }: Pick<CommandContext, 'ui' | 'settings' | 'demo'>,
  given: string | undefined,
  { title, address, ...options }: ConnectDialog & Pick<InputOptions, 'step' | 'back'>,
): Promise<string | undefined> {
  const page = addressesFor(address.url, settings.addresses(), demo.running).keys;
  const tooltip = t('Open the page for creating API keys');
  const buttons = page === undefined ? [] : [{ icon: 'link-external', tooltip, run: () => void ui.openAddress(page) }];
  const text =
    given ??
    (await ui.input({
      ...options,
      title,
      prompt: t('Enter the API key for {0}', address.host),
      isPassword: true,
      validate: (typed) => sentenceOf(parseApiKey(typed)),
      buttons,
    }));
  if (text === undefined) return undefined;
  const key = parseApiKey(text);
  if (!key.ok) throw new Refusal(key.sentence);
  return key.apiKey;
}

interface NameQuestion extends Pick<InputOptions, 'step'> {
  readonly title: string;
  readonly suggested: string;
  readonly taken: readonly string[];
}

export async function promptForName(
  { ui }: Pick<CommandContext, 'ui'>,
  { suggested, taken, ...options }: NameQuestion,
): Promise<string | undefined> {
  const typed = await ui.input({
    ...options,
    prompt: t('Enter a name for the connection'),
    value: uniqueName(suggested, taken),
    validate: (text) => problemOfName(text, taken),
  });
  return typed === undefined ? undefined : checkName(typed, taken);
}

/** Returns the name, trimmed. Throws a Refusal if it is invalid or taken. */
export function checkName(text: string, taken: readonly string[]): string {
  const problem = problemOfName(text, taken);
  if (problem !== undefined) throw new Refusal(problem);
  return text.trim();
}

/** The names of these connections and of the demo. */
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

export function suggestedName(address: Address): string {
  return address.url === STUDIO_BASE_URL ? 'Livepeer Studio' : address.host;
}

async function pickService({ ui }: Pick<CommandContext, 'ui'>, typed?: string): Promise<string | undefined> {
  const title = t('Connect to a Service');
  let value = typed === undefined || typed === STUDIO_BASE_URL ? '' : typed;
  for (;;) {
    const service = await ui.pick<string>({
      title,
      placeholder: t('Select a service'),
      items: [
        { label: 'Livepeer Studio', description: new URL(STUDIO_BASE_URL).host, value: STUDIO_BASE_URL },
        { label: t('Other Service…'), description: t('Livepeer-compatible API'), value: OTHER },
      ],
    });
    if (service !== OTHER) return service;
    const address = await inputOrBack(ui, addressBox(value), (text) => {
      value = text;
    });
    if (address !== BACK) return address;
  }
}

function addressBox(value: string): InputOptions {
  return {
    title: t('Connect to a Service'),
    prompt: t("Enter the base URL of the service's API"),
    placeholder: 'https://example.com/api',
    value,
    validate: (text) => sentenceOf(parseBaseUrl(text)),
  };
}

function sentenceOf(
  parsed: { readonly ok: true } | { readonly ok: false; readonly sentence: string },
): string | undefined {
  return parsed.ok ? undefined : parsed.sentence;
}
