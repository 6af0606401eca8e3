import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { type ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import { addressesFor } from '../../model/addresses.ts';
import { otherBaseUrls, parseBaseUrl } from '../../model/connection/baseUrl.ts';
import {
  type ConnectionPatch,
  isUnknownConnection,
  type StoredConnection,
  uniqueName,
} from '../../model/connection/connections.ts';
import type { InputOptions } from '../../services.ts';
import { oneLine } from '../../util/text.ts';
import { connectAction, type NextStep, settingActions, showLogAction } from '../actions.ts';
import { BACK, orBack } from '../boxSteps.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { givenText } from '../targets/commandArguments.ts';
import {
  type Address,
  acceptInsecure,
  type ConnectDialog,
  checkName,
  promptForAddress,
  promptForApiKey,
  promptForName,
  promptForOtherAddress,
  suggestedName,
  takenNames,
} from './connectionPrompts.ts';

interface Draft {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

interface KeyTarget {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
}

interface Settled {
  readonly isPrompting: boolean;
  /** The origin that the user has agreed to send a key to, even unencrypted. */
  readonly acceptedOrigin?: string;
  readonly typedAddress?: string;
}

export type ConnectContext = Pick<
  CommandContext,
  'ui' | 'settings' | 'store' | 'connections' | 'current' | 'demo' | 'checkService' | 'log' | 'showMessage'
>;

interface Checked {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly host: string;
}

interface CheckFailure {
  readonly error: ApiError;
  readonly host: string;
  readonly found: string | undefined;
}

/** What is known of a connection that could not be opened; the name is asked for last. */
interface Known extends Draft {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Takes {name, baseUrl, apiKey} and prompts for what is missing. Checks the key before it prompts for a name. */
export async function addConnection(context: ConnectContext, given?: unknown): Promise<void> {
  const draft = draftOf(given);
  const isPrompting = draft.baseUrl === undefined || draft.apiKey === undefined || draft.name === undefined;
  await connect(context, draft, { isPrompting });
}

/** Replaces a connection's key after the service has accepted the new one. Takes {apiKey} or prompts for it. */
export async function setApiKey(context: ConnectContext, given?: unknown): Promise<void> {
  const target = await connectionForKey(context);
  await setKeyOf(context, target, draftOf(given).apiKey);
}

/**
 * Stays with the connection it was started for, even if another is opened meanwhile. Throws a Refusal if it was removed
 * meanwhile.
 */
export async function setKeyOf(context: ConnectContext, target: KeyTarget, given?: string): Promise<void> {
  const { connections, current, ui } = context;
  const stored = await connections.get(target.id);
  const address = parseBaseUrl(target.baseUrl);
  if (!address.ok) throw new Refusal(address.sentence);
  if (stored?.insecureAccepted !== true) await acceptInsecure(context, address);
  const title = t('Set API Key for "{0}"', target.name);
  const apiKey = await promptForApiKey(context, given, { title, address });
  if (apiKey === undefined) return;
  const isUnswitched = current.watchSwitches();
  const failure = await checkConnection(context, { baseUrl: target.baseUrl, apiKey, host: address.host });
  if (failure !== undefined) {
    const isRefused = isKeyRefused(failure);
    const label = isRefused ? t('Set API Key…') : t('Retry');
    const run = (next: ConnectContext) => setKeyOf(next, target, isRefused ? undefined : apiKey);
    return offerNextSteps(context, failure, { title, ways: [{ label, run }], isPrompting: given === undefined });
  }
  await updateConnection(context, target, { apiKey, insecureAccepted: address.needsWarning });
  sayWarning(context);
  const isStillOpen = current.info === undefined || current.info.id === target.id;
  if (isStillOpen && isUnswitched()) await openConnection(context, target);
  ui.flash(t('Updated the API key for "{0}"', target.name));
}

/** Changes a stored connection. Throws a Refusal if it was removed, as in another window. */
export async function updateConnection(
  { connections }: Pick<CommandContext, 'connections'>,
  { id, name }: Pick<KeyTarget, 'id' | 'name'>,
  patch: ConnectionPatch,
): Promise<void> {
  try {
    await connections.update(id, patch);
  } catch (error) {
    throw isUnknownConnection(error) ? connectionIsGone(name) : error;
  }
}

/**
 * Opens a stored connection in this window, with or without a key. Stops the demo if it is open. Resolves with false if
 * another one was asked for meanwhile. Throws a Refusal if the connection was removed, as in another window.
 */
export async function openConnection(
  { connections, current, demo }: Pick<CommandContext, 'connections' | 'current' | 'demo'>,
  { id, name }: Pick<KeyTarget, 'id' | 'name'>,
): Promise<boolean> {
  const isLatest = current.beginSwitch();
  const stored = await connections.get(id);
  const known = stored ?? (await connections.list()).find((each) => each.id === id);
  if (!isLatest()) return false;
  if (known === undefined) throw connectionIsGone(name);
  await connections.choose(id);
  if (current.info?.isDemo === true) await demo.stop();
  if (!isLatest()) return false;
  if (stored !== undefined) current.open(stored);
  else current.openWithoutKey({ id, name: known.name, baseUrl: known.baseUrl, isDemo: false });
  return true;
}

function connectionIsGone(name: string): Refusal {
  return new Refusal(t('The connection "{0}" no longer exists.', oneLine(name, 100)));
}

/** Shows a pending warning of the secret storage, once. Not awaited: the message may stay open for long. */
export function sayWarning({ ui, connections }: Pick<CommandContext, 'ui' | 'connections'>): void {
  const warning = connections.takeWarning();
  if (warning !== undefined) void ui.notify('warning', warning);
}

async function connect(context: ConnectContext, draft: Draft, settled: Settled): Promise<void> {
  const address = await promptForAddress(context, draft.baseUrl, settled.typedAddress);
  if (address === undefined) return;
  if (settled.acceptedOrigin !== originOf(address)) await acceptInsecure(context, address);
  const hasSteps = draft.apiKey === undefined && draft.name === undefined;
  const dialog = { title: t('Connect to {0}', address.host), address, hasSteps };
  const apiKey = await keyOrBack(context, draft, dialog);
  if (apiKey === BACK) return connect(context, draft, { ...settled, typedAddress: address.url });
  if (apiKey === undefined) return;
  const name = draft.name === undefined ? undefined : checkName(draft.name, []);
  const known = { name, baseUrl: address.url, apiKey };
  const failure = await checkConnection(context, { ...known, host: address.host });
  const { isPrompting } = settled;
  if (failure === undefined) return nameAndOpen(context, known, { ...dialog, isPrompting });
  const ways = nextSteps(failure, address, known);
  return offerNextSteps(context, failure, { title: dialog.title, ways, isPrompting });
}

interface DialogInSteps extends ConnectDialog {
  readonly hasSteps: boolean;
}

/** There is a way back if the service was picked. */
function keyOrBack(
  context: ConnectContext,
  draft: Draft,
  { hasSteps, ...dialog }: DialogInSteps,
): Promise<string | typeof BACK | undefined> {
  const step = hasSteps ? { current: 1, total: 2 } : undefined;
  return orBack((back) =>
    promptForApiKey(context, draft.apiKey, { ...dialog, step, back: draft.baseUrl === undefined ? back : undefined }),
  );
}

async function nameAndOpen(
  context: ConnectContext,
  known: Known,
  { hasSteps, isPrompting, ...dialog }: DialogInSteps & Pick<Settled, 'isPrompting'>,
): Promise<void> {
  const { ui, connections, store } = context;
  const step = hasSteps ? { current: 2, total: 2 } : undefined;
  const name = await nameFor(context, known.name, { ...dialog, step });
  if (name === undefined) return;
  const insecureAccepted = dialog.address.needsWarning;
  const added: StoredConnection = await connections.add({ ...known, name, insecureAccepted });
  sayWarning(context);
  store.setConnectionCount((await connections.list()).length);
  if (!(await openConnection(context, added))) return;
  ui.flash(t('Connected to "{0}"', added.name));
  if (isPrompting && !(await knowsStreamingUrls(context, added))) offerStreamingUrls(context, added);
}

/** Whether streams can be watched or sent: by the settings, or because the service says where. */
async function knowsStreamingUrls(
  { settings, demo, current, log }: Pick<ConnectContext, 'settings' | 'demo' | 'current' | 'log'>,
  { id, baseUrl }: Pick<StoredConnection, 'id' | 'baseUrl'>,
): Promise<boolean> {
  const { rtmp, hls } = addressesFor(baseUrl, settings.addresses(), demo.running);
  if (rtmp !== undefined || hls !== undefined) return true;
  if (!current.isOpen || current.info?.id !== id) return true;
  try {
    return await current.account.saysWhereStreamsPlay();
  } catch (error) {
    if (!isApiError(error) && !isAbortError(error)) throw error;
    log.debug(`The service's own URLs could not be read: ${error.message}`);
    return isAbortError(error);
  }
}

function offerStreamingUrls({ showMessage }: ConnectContext, { baseUrl }: Pick<StoredConnection, 'baseUrl'>): void {
  const { host } = new URL(baseUrl);
  const sentence = t('To watch streams from {0}, set its streaming URLs.', host);
  const action: MessageAction = { label: t('Set Streaming URLs…'), command: 'setAddresses', args: [{ baseUrl }] };
  showMessage({ severity: 'info', sentence, actions: [action] });
}

/** The ways to continue after a failed check. None of them prompts again for input that was given. */
function nextSteps(failure: CheckFailure, address: Address, known: Known): readonly NextStep<ConnectContext>[] {
  const { found } = failure;
  const proceed = (label: string, over: Draft): NextStep<ConnectContext> => ({
    label,
    run: (next) => connect(next, { ...known, ...over }, { isPrompting: true, acceptedOrigin: originOf(address) }),
  });
  const changed: NextStep<ConnectContext> = {
    label: t('Change URL…'),
    run: (next) => changeAddress(next, address, known),
  };
  const other = proceed(t('Set API Key…'), { apiKey: undefined });
  if (isKeyRefused(failure)) return [other, changed];
  return [
    ...(found === undefined ? [] : [proceed(t('Use {0}', found), { baseUrl: found })]),
    changed,
    proceed(t('Retry'), {}),
  ];
}

/** Continues with another address. A key is only sent to the origin it was given for. */
async function changeAddress(context: ConnectContext, before: Address, known: Known): Promise<void> {
  const typed = await promptForOtherAddress(context, before.url);
  if (typed === undefined) return;
  const parsed = parseBaseUrl(typed);
  const acceptedOrigin = originOf(before);
  const isSameOrigin = parsed.ok && originOf(parsed) === acceptedOrigin;
  const draft = { ...known, apiKey: isSameOrigin ? known.apiKey : undefined, baseUrl: typed };
  await connect(context, draft, { isPrompting: true, acceptedOrigin });
}

function originOf({ url }: Pick<Address, 'url'>): string {
  return new URL(url).origin;
}

/** Returns the open connection, or else the one this window would open. The demo's key can't be changed. */
async function connectionForKey({ connections, current }: ConnectContext): Promise<KeyTarget> {
  if (current.info?.isDemo === true) {
    throw new Refusal(t("You can't change the demo's API key."), { severity: 'info', actions: [connectAction()] });
  }
  const target = current.info ?? (await connections.chosenOf(await connections.list()));
  if (target === undefined)
    throw new Refusal(t('There are no connections yet.'), { severity: 'info', actions: [connectAction()] });
  return target;
}

/** Returns the given name, made unique, or else prompts for one. */
async function nameFor(
  context: ConnectContext,
  given: string | undefined,
  { address, ...options }: ConnectDialog & Pick<InputOptions, 'step'>,
): Promise<string | undefined> {
  const taken = takenNames(await context.connections.list());
  return given === undefined
    ? promptForName(context, { ...options, suggested: suggestedName(address), taken })
    : uniqueName(given, taken);
}

function draftOf(given: unknown): Draft {
  const name = givenText(given, 'name')?.trim();
  return {
    name: name === '' ? undefined : name,
    baseUrl: givenText(given, 'baseUrl'),
    apiKey: givenText(given, 'apiKey'),
  };
}

/**
 * Sends the request of the first paint with this key. If the service isn't found at the address, tries the usual
 * addresses of the same origin as well. Returns undefined if the connection works.
 */
async function checkConnection(
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

function isKeyRefused({ error: { reason } }: CheckFailure): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

/**
 * Offers the ways to continue: in a picker if the user is answering boxes, else in a message. A dismissed picker
 * becomes a message, so that no input is lost. Throws a Refusal for that message.
 */
async function offerNextSteps(
  context: ConnectContext,
  failure: CheckFailure,
  {
    title,
    ways,
    isPrompting,
  }: { readonly title: string; readonly ways: readonly NextStep<ConnectContext>[]; readonly isPrompting: boolean },
): Promise<void> {
  const sentence = sentenceOf(failure);
  const items = ways.map((way) => ({ label: way.label, value: way }));
  const picked = isPrompting ? await context.ui.pick({ title, placeholder: sentence, items }) : undefined;
  if (picked !== undefined) return picked.run(context);
  throw new Refusal(sentence, {
    severity: 'error',
    actions: [...settingActions(failure.error), ...ways, showLogAction()],
  });
}

function sentenceOf({ error, host, found }: CheckFailure): string {
  if (found !== undefined) return t("Couldn't find the streams API at this URL on {0}. Use {1} instead.", host, found);
  if (error.reason === 'notFound') return t("Couldn't find the streams API on {0} (404). Check the URL.", host);
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
