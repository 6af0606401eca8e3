import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { STUDIO_BASE_URL } from '../../model/addresses.ts';
import { parseBaseUrl } from '../../model/connection/baseUrl.ts';
import type { BoxLink, BoxProblem, InputOptions, PickItem, PickRow, PickSession } from '../../services.ts';
import { retryLabel, setApiKeyLabel } from '../../texts/labels.ts';
import { connectLabel, tryDemoLabel, withoutDots } from '../../texts/lateLabels.ts';
import type { Refusal } from '../../texts/refusal.ts';
import { uniqueName } from '../../util/names.ts';
import { oneLine } from '../../util/text.ts';
import { BACK, inputOrBack, orBack, pickOrBack, showAsTyped } from '../boxSteps.ts';
import type { CommandContext, MessageAction, RecoveryAction } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import {
  type CheckFailure,
  checkKey,
  checkRefusal,
  checkUrl,
  isElsewhere,
  nameAccount,
  type Remedy,
  remediesOf,
} from './connectionChecks.ts';
import {
  type Address,
  acceptInsecure,
  boxProblem,
  checkAddress,
  checkApiKey,
  checkName,
  confirmInsecure,
  connectingText,
  insecureSentence,
  nameOfService,
  promptForApiKey,
  promptForName,
  retryLink,
  takenNames,
} from './connectionPrompts.ts';
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

/**
 * Takes {name, baseUrl, apiKey} and prompts for what is missing, except the name, which the service provides. Also
 * takes the row of a removed connection, and the row that says that the API wasn't found: then begins with its URL.
 */
export async function addConnection(context: CommandContext, given?: unknown): Promise<void> {
  // The view's title passes whichever row has focus.
  if (givenField(given, 'notice') === 'apiNotFound')
    return void (await connectInBoxes(context, await beginWithUrl(context, given)));
  const draft = draftOf(givenField(given, 'removed') ?? given);
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

/** Connects with a base URL and a key. Prompts only if the check fails or the service's own name is taken. */
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
  const known = await findTwin(context, givenName, access);
  if (known !== undefined) return openAndSay(context, known);
  const name = await freeName(context, givenName, said ?? nameOfService(address));
  if (name !== undefined) await addAndOpen(context, { address, apiKey, name });
}

/**
 * Returns the connection that already has this URL and this key, unless a name is given: a second one would show the
 * same streams.
 */
async function findTwin(
  { connections }: CommandContext,
  givenName: string | undefined,
  access: Omit<Known, 'name'>,
): Promise<Named | undefined> {
  if (givenName !== undefined) return undefined;
  const stored = (await connections.readAll()).flatMap((each) => each.stored ?? []);
  return stored.find(({ baseUrl, apiKey }) => baseUrl === access.baseUrl && apiKey === access.apiKey);
}

/** Adds a number to a given name that is taken. Prompts for another if any other name is. */
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

/** Its actions continue with the given values, so that users don't have to type them again. */
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

/** Shows the boxes and connects with the input. Returns BACK if the user went back from the first one. */
async function connectInBoxes(context: CommandContext, first: Entered): Promise<typeof BACK | undefined> {
  const entered = await promptForConnection(context, first);
  if (entered === BACK) return BACK;
  if (entered === undefined) return undefined;
  await ('id' in entered ? openAndSay(context, entered) : addAndOpen(context, entered));
  return undefined;
}

/** Returns the first box, with the given values. */
function begin({ name, baseUrl, apiKey }: Draft, canLeave = false): Entered {
  const address = baseUrl === undefined ? undefined : checkAddress(baseUrl);
  const isOther = address !== undefined && address.url !== STUDIO_BASE_URL;
  const key = apiKey === undefined ? undefined : { text: apiKey, origin: undefined };
  const first = { givenName: name, isOther, url: isOther ? address.url : '', address, key, canLeave };
  return { ...first, at: address === undefined ? 'service' : 'key' };
}

/** Returns the box for the URL, with that of a connection. Its key is kept for another URL of the same origin. */
async function beginWithUrl({ connections, connection }: CommandContext, given: unknown): Promise<Entered> {
  const stored = await connections.get(givenText(given, 'connection') ?? connection.info?.id ?? '');
  const key = stored && { text: stored.apiKey, origin: new URL(stored.baseUrl).origin };
  return { at: 'url', isOther: true, url: stored?.baseUrl ?? '', key, canLeave: false };
}

async function addAndOpen(context: CommandContext, { address, apiKey, name }: EnteredConnection): Promise<void> {
  const { connections, store } = context;
  const insecureAccepted = address.needsWarning;
  const added = await connections.add({ name, baseUrl: address.url, apiKey, insecureAccepted });
  sayWarning(context);
  store.setConnectionCount((await connections.list()).length);
  await openAndSay(context, added);
}

async function openAndSay(context: CommandContext, connection: Named): Promise<void> {
  if (await openConnection(context, connection)) context.ui.flash(t('Connected to "{0}"', connection.name));
}

function draftOf(given: unknown): Draft {
  const name = givenText(given, 'name')?.trim();
  return {
    name: name === '' ? undefined : name,
    baseUrl: givenText(given, 'baseUrl'),
    apiKey: givenText(given, 'apiKey'),
  };
}

type StepName = 'service' | 'url' | 'key' | 'name';

/** The user's input so far. Going back keeps it. */
interface Entered {
  /** The step to show. */
  readonly at: StepName;
  /** A name that was given, which is never prompted for. */
  readonly givenName?: string | undefined;
  /** Whether the user can go back from the first step. */
  readonly canLeave: boolean;
  /** Whether the service isn't Livepeer Studio, so that its URL can be changed. */
  readonly isOther: boolean;
  /** As it was typed. */
  readonly url: string;
  readonly urlProblem?: BoxProblem | undefined;
  /** Why a URL from the first box doesn't work. */
  readonly urlFailure?: CheckFailure | undefined;
  readonly address?: Address | undefined;
  /** As it was typed, and only used at the origin that it was typed for; undefined if it was given without a URL. */
  readonly key?: { readonly text: string; readonly origin: string | undefined } | undefined;
  /** A name that is taken. */
  readonly takenName?: string;
}

/** A connection that works, with a name that is free. */
interface EnteredConnection {
  readonly address: Address;
  readonly apiKey: string;
  readonly name: string;
}

/** Where a step leads: to another one, to the end, back from the first one, or out (undefined: dismissed). */
type Next = Entered | { readonly at: 'end'; readonly connection: EnteredConnection | Named } | typeof BACK | undefined;

const STEPS: Readonly<Record<StepName, (context: CommandContext, entered: Entered) => Promise<Next>>> = {
  service: chooseService,
  url: enterUrl,
  key: enterKey,
  name: enterName,
};

/** Shows one box after the other until a connection works. Returns BACK if the user went back from the first one. */
async function promptForConnection(
  context: CommandContext,
  first: Entered,
): Promise<EnteredConnection | Named | typeof BACK | undefined> {
  let next: Next = first;
  while (next !== undefined && next !== BACK && next.at !== 'end') next = await STEPS[next.at](context, next);
  return next === undefined || next === BACK ? next : next.connection;
}

function title(): string {
  return withoutDots(connectLabel());
}

/** An object, so that it isn't taken for the ID of a stream. */
type Service =
  | { readonly kind: 'studio' | 'demo' }
  | { readonly kind: 'other'; readonly typed?: string }
  | { readonly kind: 'typed'; readonly url: string };

async function chooseService(context: CommandContext, entered: Entered): Promise<Next> {
  const { ui, connection, runCommand } = context;
  // The row that Enter chooses right after a URL is pasted: VS Code filters rows before it reports the text.
  const other = { isAlwaysShown: true, value: { kind: 'other' } } as const;
  const items: PickRow<Service>[] = [
    { label: 'Livepeer Studio', description: new URL(STUDIO_BASE_URL).host, value: { kind: 'studio' } },
    { label: t('Other Service…'), description: t('Livepeer-compatible API'), ...other },
  ];
  if (connection.info?.isDemo !== true)
    items.push({ label: tryDemoLabel(), description: t('Sample streams, no account needed'), value: { kind: 'demo' } });
  let typed = () => '';
  const fill = (session: PickSession<Service>) => {
    typed = () => session.text();
    showAsTyped(session, (text) => [...servicesFor(text, items), ...typedService(text)], session.text());
  };
  const picker = { title: title(), placeholder: t('Select a service, or enter its URL'), items: fill };
  const picked = await (entered.canLeave ? pickOrBack<Service>(ui, picker) : ui.pick<Service>(picker));
  if (picked === undefined || picked === BACK) return picked;
  const service = picked.kind === 'other' ? otherFor(typed(), items) : picked;
  switch (service.kind) {
    case 'studio':
      return { ...entered, at: 'key', isOther: false, address: checkAddress(STUDIO_BASE_URL) };
    case 'other':
      return { ...entered, at: 'url', isOther: true, ...typedUrl(service.typed ?? entered.url) };
    case 'typed':
      return checkTyped(context, { ...entered, isOther: true, url: service.url }, service.url);
    case 'demo':
      await runCommand('startDemo');
      return undefined;
    default:
      return service satisfies never;
  }
}

/** If nothing matches, Other Service… continues with the typed text. */
function servicesFor(text: string, services: readonly PickRow<Service>[]): readonly PickRow<Service>[] {
  const typed = text.trim();
  const matches = ({ label, description = '' }: PickRow<Service>) =>
    `${label}\n${description}`.toLowerCase().includes(typed.toLowerCase());
  if (services.some(matches)) return services;
  return services.map((row) => (row.value.kind === 'other' ? { ...row, value: { kind: 'other', typed } } : row));
}

/** What Other Service… stands for: Enter may have come before the rows for the typed text. */
function otherFor(text: string, services: readonly PickRow<Service>[]): Service {
  const other = servicesFor(text, services).find(({ value }) => value?.kind === 'other');
  return urlOf(text) ?? other?.value ?? { kind: 'other' };
}

function typedService(text: string): readonly PickItem<Service>[] {
  const value = urlOf(text);
  if (value === undefined) return [];
  return [{ label: t('Other Service: {0}', oneLine(value.url, 200)), value, isAlwaysShown: true }];
}

/** Returns the URL, with its problem if it has one. */
function typedUrl(url: string): Pick<Entered, 'url' | 'urlProblem' | 'urlFailure'> {
  const parsed = parseBaseUrl(url);
  const isFine = url === '' || parsed.ok;
  return { url, urlProblem: isFine ? undefined : { sentence: parsed.sentence, links: [] }, urlFailure: undefined };
}

/** Returns undefined if the text isn't a URL. */
function urlOf(text: string): Extract<Service, { kind: 'typed' }> | undefined {
  const url = text.trim();
  return parseBaseUrl(url).ok ? { kind: 'typed', url } : undefined;
}

async function enterUrl(context: CommandContext, entered: Entered): Promise<Next> {
  const left: { typed: string; url?: string } = { typed: entered.url };
  const use = (label: string, url: string): BoxLink => ({
    label,
    run: (typed) => {
      left.typed = typed;
      left.url = url;
      return 'leave';
    },
  });
  const typed = await inputOrBack(context.ui, urlBox(context, entered, use), (text) => {
    left.typed = text;
  });
  if (typed === BACK) return { ...entered, at: 'service', url: left.typed };
  const url = left.url ?? typed;
  return url === undefined ? undefined : goOnWithUrl(context, { ...entered, url: typed ?? left.typed }, url);
}

async function goOnWithUrl(context: CommandContext, entered: Entered, url: string): Promise<Next> {
  const address = checkAddress(url);
  const next = { ...entered, address, urlProblem: undefined, urlFailure: undefined };
  if (await confirmInsecure(context, address)) return { ...next, at: 'key' };
  return { ...next, at: 'url', urlProblem: { sentence: insecureSentence(address), links: [] } };
}

/** Checks a URL from the first box as its own box does, which is shown if something is wrong with it. */
async function checkTyped(context: CommandContext, entered: Entered, url: string): Promise<Next> {
  const next = await goOnWithUrl(context, entered, url);
  if (next === undefined || next === BACK || next.at !== 'key') return next;
  const { url: baseUrl, host } = checkAddress(url);
  const check = (_: unknown, signal: AbortSignal) => checkUrl(context, baseUrl, signal);
  const urlFailure = await context.ui.progress(connectingText(host), check);
  return urlFailure === undefined ? next : { ...next, at: 'url', urlFailure };
}

/** @param use makes a link that continues with a URL */
function urlBox(context: CommandContext, entered: Entered, use: (label: string, url: string) => BoxLink): InputOptions {
  const linksOf = (failure: CheckFailure, url: string): readonly BoxLink[] => {
    if (failure.found !== undefined) return [use(t('Use {0}', failure.found), failure.found)];
    return isElsewhere(failure.error) ? [use(t('Continue Anyway'), url)] : [retryLink()];
  };
  const prompt = t("Enter the base URL of the service's API");
  return {
    title: title(),
    prompt,
    placeholder: 'https://example.com/api',
    value: entered.url,
    problem:
      entered.urlFailure === undefined
        ? entered.urlProblem
        : boxProblem(context, entered.urlFailure, linksOf(entered.urlFailure, entered.url)),
    // Not while it's typed: the beginning of a URL isn't valid.
    check: (text) => {
      const parsed = parseBaseUrl(text);
      if (!parsed.ok) return { prompt, run: async () => ({ sentence: parsed.sentence, links: [] }) };
      const { url, host } = parsed;
      const run = async (signal: AbortSignal) => {
        const failure = await checkUrl(context, url, signal);
        return failure && boxProblem(context, failure, linksOf(failure, url));
      };
      return { prompt: connectingText(host), run };
    },
  };
}

/** The state of the box for the key while it's open. */
interface KeyAttempt {
  typed: string;
  address: Address;
  name: string | undefined;
  wantsOtherUrl: boolean;
}

async function enterKey(context: CommandContext, entered: Entered): Promise<Next> {
  const address = entered.address ?? checkAddress(STUDIO_BASE_URL);
  const { origin } = new URL(address.url);
  const { text = '', origin: ownOrigin } = entered.key ?? {};
  const typed = ownOrigin === undefined || ownOrigin === origin ? text : '';
  const attempt: KeyAttempt = { typed, address, name: entered.givenName, wantsOtherUrl: false };
  const apiKey = await promptForApiKey(context, {
    ...{ title: title(), address, value: typed },
    keep: (text) => {
      attempt.typed = text;
    },
    tryKey: async (key, signal) => {
      const access = { baseUrl: attempt.address.url, apiKey: key };
      const failure = await checkKey(context, access, signal);
      if (failure === undefined) attempt.name ??= await nameAccount(context, access, signal);
      return failure;
    },
    linksOf: (failure) => remediesOf(failure).flatMap((remedy) => keyLinks(remedy, failure, { entered, attempt })),
  });
  const next = { ...entered, address: attempt.address, key: { text: attempt.typed, origin } };
  if (attempt.wantsOtherUrl) return { ...next, at: 'url' };
  if (apiKey === BACK) return { ...next, at: entered.isOther ? 'url' : 'service' };
  if (apiKey === undefined) return undefined;
  return nameConnection(context, { ...next, key: { text: apiKey, origin } }, attempt);
}

function keyLinks(
  remedy: Remedy,
  { found }: CheckFailure,
  { entered, attempt }: { readonly entered: Entered; readonly attempt: KeyAttempt },
): readonly BoxLink[] {
  switch (remedy) {
    case 'otherKey':
      return [];
    case 'otherUrl': {
      const run = (text: string) => {
        attempt.typed = text;
        attempt.wantsOtherUrl = true;
        return 'leave' as const;
      };
      return entered.isOther ? [{ label: t('Change URL…'), run }] : [];
    }
    case 'foundUrl': {
      const run = () => {
        if (found !== undefined) attempt.address = checkAddress(found);
        return 'retry' as const;
      };
      return found === undefined ? [] : [{ label: t('Use {0}', found), run }];
    }
    case 'retry':
      return [retryLink()];
    default:
      return remedy satisfies never;
  }
}

/** Prompts for a name only if the service's own is taken by another account. A given name gets a number. */
async function nameConnection(
  context: CommandContext,
  entered: Entered & { readonly address: Address; readonly key: NonNullable<Entered['key']> },
  { name }: KeyAttempt,
): Promise<Next> {
  const { address, key, givenName } = entered;
  const wanted = name ?? nameOfService(address);
  const known = await findTwin(context, givenName, { baseUrl: address.url, apiKey: key.text });
  if (known !== undefined) return { at: 'end', connection: known };
  const free = uniqueName(wanted, takenNames(await context.connections.list()));
  if (givenName === undefined && free !== wanted) return { ...entered, at: 'name', takenName: wanted };
  return { at: 'end', connection: { address, apiKey: key.text, name: free } };
}

async function enterName(context: CommandContext, entered: Entered): Promise<Next> {
  const { address, key, takenName = '' } = entered;
  if (address === undefined || key === undefined) return { ...entered, at: 'service' };
  const taken = takenNames(await context.connections.list());
  const name = await orBack((back) => promptForName(context, { ...takenNameBox(takenName), taken, back }));
  if (name === BACK) return { ...entered, at: 'key' };
  return name === undefined ? undefined : { at: 'end', connection: { address, apiKey: key.text, name } };
}

function takenNameBox(name: string) {
  const prompt = t('A connection named "{0}" already exists. Enter another name.', oneLine(name, 100));
  return { title: title(), prompt, suggested: name };
}
