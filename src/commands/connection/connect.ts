import { t } from '@vscode/l10n';
import { STUDIO_BASE_URL } from '../../model/addresses.ts';
import { uniqueName } from '../../model/connection/connections.ts';
import { retryLabel, setApiKeyLabel } from '../../texts/labels.ts';
import type { Refusal } from '../../texts/refusal.ts';
import { BACK } from '../boxSteps.ts';
import type { CommandContext, MessageAction, RecoveryAction } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';
import { type CheckFailure, checkKey, checkRefusal, nameAccount, type Remedy, remediesOf } from './connectionChecks.ts';
import {
  acceptInsecure,
  checkAddress,
  checkApiKey,
  checkName,
  connectingText,
  nameOfService,
  promptForName,
  takenNames,
} from './connectionPrompts.ts';
import { type Entered, type EnteredConnection, promptForConnection, takenNameBox } from './connectSteps.ts';
import { openConnection, sayWarning } from './openConnection.ts';

interface Draft {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

interface Known extends Draft {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Takes {name, baseUrl, apiKey} and prompts for what is missing, but for the name, which the service says. */
export async function addConnection(context: CommandContext, given?: unknown): Promise<void> {
  const draft = draftOf(given);
  const { baseUrl, apiKey } = draft;
  if (baseUrl !== undefined && apiKey !== undefined) return connectGiven(context, { ...draft, baseUrl, apiKey });
  const first = begin(draft);
  if (first.address !== undefined) await acceptInsecure(context, first.address);
  await connectInBoxes(context, first);
}

/** Like addConnection without arguments, from a picker. Returns BACK if the user went back there. */
export function addConnectionFrom(context: CommandContext): Promise<typeof BACK | undefined> {
  return connectInBoxes(context, begin({}, true));
}

/** With a base URL and a key, nothing is prompted for unless the check fails, or the service's own name is taken. */
async function connectGiven(context: CommandContext, draft: Known, acceptedOrigin?: string): Promise<void> {
  const address = checkAddress(draft.baseUrl);
  if (acceptedOrigin !== new URL(address.url).origin) await acceptInsecure(context, address);
  const apiKey = checkApiKey(draft.apiKey);
  const givenName = draft.name === undefined ? undefined : checkName(draft.name, []);
  const access = { baseUrl: address.url, apiKey };
  const { failure, said } = await context.ui.progress(connectingText(address.host), async (_, signal) => {
    const found = await checkKey(context, access, signal);
    const isNamed = found !== undefined || givenName !== undefined;
    return { failure: found, said: isNamed ? undefined : await nameAccount(context, access, signal) };
  });
  if (failure !== undefined) throw connectRefusal(failure, { address, apiKey, givenName });
  const name = await freeName(context, givenName, said ?? nameOfService(address));
  if (name !== undefined) await addAndOpen(context, { address, apiKey, name });
}

/** A given name that is taken gets a number. For any other one, prompts for another. */
async function freeName(
  context: CommandContext,
  given: string | undefined,
  suggested: string,
): Promise<string | undefined> {
  const taken = takenNames(await context.connections.list());
  const free = uniqueName(given ?? suggested, taken);
  return given !== undefined || free === suggested
    ? free
    : promptForName(context, { ...takenNameBox(suggested), taken });
}

interface Tried extends Omit<EnteredConnection, 'name'> {
  readonly givenName: string | undefined;
}

/** Its actions continue with what was given, so that nobody has to type it again. */
function connectRefusal(failure: CheckFailure, { address, apiKey, givenName }: Tried): Refusal<MessageAction> {
  const { origin } = new URL(address.url);
  const { found = address.url } = failure;
  const again = (baseUrl: string) => (next: CommandContext) =>
    connectGiven(next, { name: givenName, baseUrl, apiKey }, origin);
  const inBoxes = (at: 'url' | 'key', key: Entered['key']) => async (next: CommandContext) => {
    const { url } = address;
    await connectInBoxes(next, { ...begin({ name: givenName, baseUrl: url }), at, isOther: true, url, key });
  };
  const ways: Readonly<Record<Remedy, RecoveryAction<CommandContext>>> = {
    otherKey: { label: setApiKeyLabel(), run: inBoxes('key', undefined) },
    otherUrl: { label: t('Change URL…'), run: inBoxes('url', { text: apiKey, origin }) },
    foundUrl: { label: t('Use {0}', found), run: again(found) },
    retry: { label: retryLabel(), run: again(address.url) },
  };
  return checkRefusal(
    failure,
    remediesOf(failure).map((remedy) => ways[remedy]),
  );
}

/** Shows the boxes, and connects with what was entered. Returns BACK if the user went back from the first one. */
async function connectInBoxes(context: CommandContext, first: Entered): Promise<typeof BACK | undefined> {
  const entered = await promptForConnection(context, first);
  if (entered === BACK) return BACK;
  if (entered !== undefined) await addAndOpen(context, entered);
  return undefined;
}

/** The first box, with what was given. */
function begin({ name, baseUrl, apiKey }: Draft, canLeave = false): Entered {
  const address = baseUrl === undefined ? undefined : checkAddress(baseUrl);
  const isOther = address !== undefined && address.url !== STUDIO_BASE_URL;
  const key = apiKey === undefined ? undefined : { text: apiKey, origin: undefined };
  const first = { givenName: name, isOther, url: isOther ? address.url : '', address, key, canLeave };
  return address === undefined
    ? { ...first, at: 'service', isCounted: true }
    : { ...first, at: 'key', isCounted: false };
}

async function addAndOpen(context: CommandContext, { address, apiKey, name }: EnteredConnection): Promise<void> {
  const { ui, connections, store } = context;
  const insecureAccepted = address.needsWarning;
  const added = await connections.add({ name, baseUrl: address.url, apiKey, insecureAccepted });
  sayWarning(context);
  store.setConnectionCount((await connections.list()).length);
  if (await openConnection(context, added)) ui.flash(t('Connected to "{0}"', added.name));
}

function draftOf(given: unknown): Draft {
  const name = givenText(given, 'name')?.trim();
  return {
    name: name === '' ? undefined : name,
    baseUrl: givenText(given, 'baseUrl'),
    apiKey: givenText(given, 'apiKey'),
  };
}
