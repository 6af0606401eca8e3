import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isApiError } from '../api/errors.ts';
import type { StreamQuery } from '../api/types.ts';
import { parseBaseUrl } from '../model/baseUrl.ts';
import { type StoredConnection, uniqueName } from '../model/connections.ts';
import {
  type Address,
  acceptInsecure,
  askAddress,
  askApiKey,
  askName,
  checkName,
  suggestedName,
  takenNames,
} from './asking.ts';
import type { CommandContext } from './context.ts';
import { showLogAction } from './log.ts';
import { settingAction } from './networkHelp.ts';
import { type Action, Refusal } from './refusal.ts';

type Context = Pick<
  CommandContext,
  'ui' | 'settings' | 'store' | 'connections' | 'current' | 'demo' | 'makeApi' | 'log'
>;

/** What is known of a new connection; what is missing is asked for. */
interface Draft {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** The connection that a key is set for. */
interface KeyTarget {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
}

/** The request that first paint sends: what it answers to a key is what the view would show. */
const FIRST_PAINT: StreamQuery = { parentsOnly: true, filters: [{ id: 'isActive', value: true }] };

/** Connects to a service: takes {name, baseUrl, apiKey}, asks for what is missing, checks the key, then stores and opens. */
export async function addConnection(context: Context, given?: unknown): Promise<void> {
  await connect(context, draftOf(given), false);
}

/** Gives a connection another key, after the service has accepted it. Takes {apiKey}, else asks. */
export async function setApiKey(context: Context, given?: unknown): Promise<void> {
  const target = await connectionForKey(context);
  await setKeyOf(context, target, draftOf(given).apiKey);
}

/** For the connection that was meant when it was first asked, whichever is open by then. */
async function setKeyOf(context: Context, target: KeyTarget, given: string | undefined): Promise<void> {
  const { connections, current, ui } = context;
  const stored = await connections.get(target.id);
  const address = parseBaseUrl(target.baseUrl);
  if (!address.ok) throw new Refusal(address.sentence);
  if (stored?.insecureAccepted !== true) await acceptInsecure(context, address);
  const title = t('Set the API Key of "{0}"', target.name);
  const apiKey = await askApiKey(context, title, address, given);
  if (apiKey === undefined) return;
  const again = (next: CommandContext) => setKeyOf(next, target, undefined);
  await checkKey(context, { baseUrl: target.baseUrl, apiKey, host: address.host }, again, again);
  await connections.update(target.id, { apiKey, insecureAccepted: address.needsWarning });
  sayWarning(context);
  const isStillOpen = current.info === undefined || current.info.id === target.id;
  if (isStillOpen) await openConnection(context, target.id);
  ui.flash(t('The new key of "{0}" works', target.name));
}

/** Opens a stored connection in this window, with or without its key, in place of the demo too. */
export async function openConnection(
  { connections, current, demo }: Pick<CommandContext, 'connections' | 'current' | 'demo'>,
  id: string,
): Promise<void> {
  const stored = await connections.get(id);
  const summary = stored === undefined ? (await connections.list()).find((each) => each.id === id) : undefined;
  await connections.choose(id);
  if (current.info?.isDemo === true) await demo.stop();
  if (stored !== undefined) current.open(stored);
  else if (summary !== undefined) {
    current.openWithoutKey({ id, name: summary.name, baseUrl: summary.baseUrl, isDemo: false });
  }
}

/** Says what the secret storage did, once. Not awaited: the message may stay for long. */
export function sayWarning({ ui, connections }: Pick<CommandContext, 'ui' | 'connections'>): void {
  const warning = connections.takeWarning();
  if (warning !== undefined) void ui.notify('warning', warning);
}

async function connect(context: Context, draft: Draft, isAccepted: boolean): Promise<void> {
  const { ui, connections, store } = context;
  const address = await askAddress(context, draft.baseUrl);
  if (address === undefined) return;
  if (!isAccepted) await acceptInsecure(context, address);
  const title = t('Connect to {0}', address.host);
  const apiKey = await askApiKey(context, title, address, draft.apiKey);
  if (apiKey === undefined) return;
  const name = await nameFor(context, title, address, draft.name);
  if (name === undefined) return;
  const known = { name, baseUrl: address.url };
  const withOtherKey = (next: CommandContext) => connect(next, known, true);
  const asItIs = (next: CommandContext) => connect(next, { ...known, apiKey }, true);
  await checkKey(context, { baseUrl: address.url, apiKey, host: address.host }, withOtherKey, asItIs);
  const added: StoredConnection = await connections.add({ ...known, apiKey, insecureAccepted: address.needsWarning });
  sayWarning(context);
  store.setConnectionCount((await connections.list()).length);
  await openConnection(context, added.id);
  ui.flash(t('Connected to "{0}"', added.name));
}

/** Asks the service what first paint asks, with this key. Throws a Refusal that offers another key, or another try. */
async function checkKey(
  { ui, makeApi, log }: Pick<CommandContext, 'ui' | 'makeApi' | 'log'>,
  connection: { readonly baseUrl: string; readonly apiKey: string; readonly host: string },
  withOtherKey: Action['run'],
  again: Action['run'],
): Promise<void> {
  const { baseUrl, apiKey, host } = connection;
  try {
    await ui.progress(t('Connecting to {0}', host), async (_, signal) => {
      await makeApi({ baseUrl, apiKey }).listStreams(FIRST_PAINT, { signal });
    });
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.warn(`Checking a key failed (${error.reason}): ${error.message}`);
    const isRefused = error.reason === 'unauthorized';
    const other: Action = { label: t('Set API Key…'), run: withOtherKey, isForAny: true };
    const same: Action = { label: t('Try Again'), run: again, isForAny: true };
    const sentence = isRefused ? t('The service refused the key.') : describeError(error, { service: host });
    const setting = settingAction(error);
    const actions = isRefused ? [other] : [...(setting ? [setting] : []), same, showLogAction()];
    throw new Refusal(sentence, { severity: 'error', actions });
  }
}

/** The connection that is open, else the one that this window would open. The demo has a key of its own. */
async function connectionForKey({ connections, current }: Context): Promise<KeyTarget> {
  const connect: Action = { label: t('Connect to a Service…'), run: (next) => addConnection(next), isForAny: true };
  if (current.info?.isDemo === true) {
    throw new Refusal(t('The demo has a key of its own.'), { severity: 'info', actions: [connect] });
  }
  const target = current.info ?? (await connections.chosen());
  if (target === undefined)
    throw new Refusal(t('There is no connection yet.'), { severity: 'info', actions: [connect] });
  return target;
}

/** The name: the one given, made unique, else asked for. Throws a Refusal for a given one that will not do. */
async function nameFor(
  context: Context,
  title: string,
  address: Address,
  given: string | undefined,
): Promise<string | undefined> {
  const taken = takenNames(await context.connections.list());
  return given === undefined
    ? askName(context, title, suggestedName(address), taken)
    : uniqueName(checkName(given, []), taken);
}

/** Reads an argument; fields of another type than text count as missing. */
function draftOf(given: unknown): Draft {
  if (typeof given !== 'object' || given === null) return {};
  const field = (key: string): string | undefined => {
    const value: unknown = Reflect.get(given, key);
    return typeof value === 'string' ? value : undefined;
  };
  const name = field('name')?.trim();
  return { name: name === '' ? undefined : name, baseUrl: field('baseUrl'), apiKey: field('apiKey') };
}
