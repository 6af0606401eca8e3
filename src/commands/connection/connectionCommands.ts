import { t } from '@vscode/l10n';
import { namesOf } from '../../model/account/accountNames.ts';
import { DEMO_ID } from '../../model/connection/connection.ts';
import type { ConnectionSummary } from '../../model/connection/connections.ts';
import type { PickItem, PickRow, PickSession } from '../../services.ts';
import { connectAction } from '../../texts/actions.ts';
import { currentWord, setApiKeyLabel } from '../../texts/labels.ts';
import { connectLabel, tryDemoLabel, withoutDots } from '../../texts/lateLabels.ts';
import { accountWords } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { keyRequiredWords, outdatedWords } from '../../texts/troubles.ts';
import { joinParts } from '../../util/text.ts';
import { forgetSigningKeys } from '../access/signingKeyCommands.ts';
import { BACK } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { addConnectionFrom } from './connect.ts';
import { checkName, promptForName, takenNames } from './connectionPrompts.ts';
import { hasSeveralConnections, openConnection, sayWarning, updateConnection } from './openConnection.ts';
import { promptForKeyOf } from './setApiKey.ts';

type Choice =
  | { readonly kind: 'open' | 'rename' | 'remove' | 'setKey'; readonly connection: ConnectionSummary }
  | { readonly kind: 'connect' | 'startDemo' | 'keepDemo' | 'stopDemo' | 'copyDemoUrl' | 'copyDemoKey' };

/**
 * Opens another connection in this window. Takes its name or {connectionId}, or shows a picker, which also connects to
 * a service, starts the demo, copies its URL and key, and renames, removes, and sets the key of connections. With the
 * row of a connection, the picker has that first: the view's title passes the focused one.
 */
export async function switchConnection(context: CommandContext, given?: unknown): Promise<void> {
  const row = rowConnection(given);
  if (row === DEMO_ID) return manageConnections(context);
  const found = findGiven(await context.connections.list(), given);
  return found === undefined || row !== undefined ? manageConnections(context, found?.id) : openStored(context, found);
}

/** The picker is shown again, up to date, until it leads elsewhere or is dismissed. */
async function manageConnections(context: CommandContext, firstId?: string): Promise<void> {
  for (;;) {
    const all = await context.connections.list();
    const choice = await context.ui.pick<Choice>({
      title: t('Switch Connection'),
      placeholder: context.store.snapshot.showsAllConnections
        ? t('Select the connection to use for Recordings, Webhooks, and new streams')
        : t('Select a connection to open in this window'),
      matchOnDescription: true,
      items: (session) => void showChoices(context, { all, firstId }, session),
    });
    switch (choice?.kind) {
      case 'rename':
        await renameInBox(context, choice.connection, true);
        break;
      case 'remove':
        await confirmAndRemove(context, choice.connection);
        break;
      case 'open':
        return openStored(context, choice.connection);
      case 'setKey':
        if ((await promptForKeyOf(context, choice.connection, true)) === BACK) break;
        return;
      case 'connect':
        if ((await addConnectionFrom(context)) === BACK) break;
        return;
      case 'startDemo':
        return context.demo.start();
      case 'stopDemo':
        return context.demo.stop();
      case 'copyDemoUrl':
        return copyOfDemo(context, 'baseUrl');
      case 'copyDemoKey':
        return copyOfDemo(context, 'apiKey');
      case 'keepDemo':
      case undefined:
        return;
      default:
        choice satisfies never;
    }
  }
}

interface Listed {
  readonly all: readonly ConnectionSummary[];
  /** The connection of the row that the command was run on. */
  readonly firstId: string | undefined;
}

/** Shows the name of the account of the open connection once it's known. */
async function showChoices(
  context: CommandContext,
  listed: Listed,
  { show, signal }: PickSession<Choice>,
): Promise<void> {
  const { connection, store } = context;
  const { accountNames, connection: state } = store.snapshot;
  const isAsked = state.kind === 'open' && accountNames.project === undefined && accountNames.email === undefined;
  show(choicesOf(context, listed), isAsked);
  if (!isAsked) return;
  await namesOf(connection.account).read();
  if (!signal.aborted) show(choicesOf(context, listed), false);
}

async function copyOfDemo({ demo, ui }: CommandContext, what: 'baseUrl' | 'apiKey'): Promise<void> {
  if (demo.running === undefined) return;
  await ui.copy(demo.running[what]);
  ui.flash(what === 'baseUrl' ? t("Copied the demo's base URL") : t("Copied the demo's API key"));
}

/** Returns the row of the running demo, whether it's open or not. */
function demoItem({ connection: { info }, demo, store }: CommandContext): PickRow<Choice> {
  const isOpen = info?.isDemo === true;
  const { name } = demo;
  return {
    label: name,
    description: joinParts(demo.running?.baseUrl, isOpen && accountWords(store.snapshot, name)),
    icon: isOpen ? 'check' : 'blank',
    value: { kind: isOpen ? 'keepDemo' : 'startDemo' },
    buttons: [
      { icon: 'link', tooltip: t('Copy Base URL'), value: { kind: 'copyDemoUrl' } },
      { icon: 'key', tooltip: t('Copy API Key'), value: { kind: 'copyDemoKey' } },
      { icon: 'stop-circle', tooltip: t('Stop Demo'), value: { kind: 'stopDemo' } },
    ],
  };
}

function choicesOf(context: CommandContext, { all, firstId }: Listed): readonly PickItem<Choice>[] {
  const { info } = context.connection;
  const isDemoThere = info?.isDemo === true || context.demo.running !== undefined;
  const demo = isDemoThere ? [demoItem(context)] : [];
  // The first one is highlighted: that of the row, or otherwise the current one.
  const rowsAt = (wanted: number) => all.filter(({ id }) => rank(id) === wanted).map((each) => choiceOf(context, each));
  const rank = (id: string) => (id === firstId ? 0 : id === info?.id ? 1 : 2);
  const connections = [...rowsAt(0), ...demo, ...rowsAt(1), ...rowsAt(2)];
  const connect: Choice = { kind: 'connect' };
  const startDemo: PickItem<Choice> = { label: tryDemoLabel(), icon: 'beaker', value: { kind: 'startDemo' } };
  return [
    ...connections,
    ...(connections.length === 0 ? [] : [{ label: '', isSeparator: true } as const]),
    { label: connectLabel(), icon: 'plug', value: connect },
    ...(demo.length === 0 ? [startDemo] : []),
  ];
}

function choiceOf(context: CommandContext, connection: ConnectionSummary): PickRow<Choice> {
  return {
    ...itemOf(context, connection),
    value: { kind: 'open', connection },
    buttons: [
      { icon: 'edit', tooltip: t('Rename Connection'), value: { kind: 'rename', connection } },
      { icon: 'key', tooltip: withoutDots(setApiKeyLabel()), value: { kind: 'setKey', connection } },
      { icon: 'trash', tooltip: t('Remove Connection'), value: { kind: 'remove', connection } },
    ],
  };
}

async function openStored(context: CommandContext, connection: ConnectionSummary): Promise<void> {
  const isOpened = await openConnection(context, connection);
  sayWarning(context);
  // Otherwise, the Streams view would look the same as before.
  const { store, ui } = context;
  if (isOpened && store.snapshot.showsAllConnections)
    await ui.reveal({ kind: 'group', list: 'active', keepsFocus: true });
}

/** Renames a connection. Takes its name and the new one; prompts for what is missing. */
export async function renameConnection(context: CommandContext, given?: unknown, newName?: unknown): Promise<void> {
  const target = await chooseConnection(context, given, t('Rename Connection'));
  if (target === undefined) return;
  if (typeof newName !== 'string') return renameInBox(context, target);
  await renameStored(context, target, checkName(newName, await namesBeside(context, target)));
}

/** @param canLeave whether the box has a Back button, which closes it like Escape */
async function renameInBox(context: CommandContext, target: ConnectionSummary, canLeave = false): Promise<void> {
  const taken = await namesBeside(context, target);
  const back = canLeave ? () => {} : undefined;
  const name = await promptForName(context, { title: t('Rename Connection'), suggested: target.name, taken, back });
  if (name !== undefined) await renameStored(context, target, name);
}

async function namesBeside({ connections }: CommandContext, { id }: ConnectionSummary): Promise<readonly string[]> {
  return takenNames((await connections.list()).filter((each) => each.id !== id));
}

async function renameStored(context: CommandContext, target: ConnectionSummary, name: string): Promise<void> {
  const { connection, store } = context;
  if (name === target.name) return;
  await updateConnection(context, target, { name });
  sayWarning(context);
  if (connection.info?.id === target.id) store.renamed({ ...connection.info, name });
}

/** Removes a connection and its key after a confirmation. The window continues with another one, or none. */
export async function removeConnection(context: CommandContext, given?: unknown): Promise<void> {
  const target = await chooseConnection(context, given, t('Remove Connection'));
  if (target !== undefined) await confirmAndRemove(context, target);
}

/** Hides the row of a connection that was removed while it was shown. Takes that row. */
export function dismissConnection({ dismissRemoved }: CommandContext, given?: unknown): void {
  dismissRemoved(givenText(given, 'connection'));
}

async function confirmAndRemove(context: CommandContext, target: ConnectionSummary): Promise<void> {
  const { ui, connections, connection, store } = context;
  const privateKeys = (await (await context.access())?.keysOf(target.id)) ?? [];
  const isConfirmed = await ui.confirm({
    message: t('Remove the connection "{0}"?', target.name),
    detail:
      privateKeys.length === 0
        ? t("Its API key and webhook secrets will be deleted from VS Code. Your streams aren't affected.")
        : t(
            "Its API key, webhook secrets, and private keys will be deleted from VS Code. The service won't show the private keys again. Your streams aren't affected.",
          ),
    act: t('Remove'),
  });
  if (!isConfirmed) return;
  await removeStored(context, target);
  await removeWebhookSecrets(context, target);
  await forgetSigningKeys(context, target.id);
  store.setConnectionCount((await connections.list()).length);
  if (connection.info?.id === target.id) await openWhatIsLeft(context);
  if (!hasSeveralConnections(context)) store.setShowsAllConnections(false);
  ui.flash(t('Removed "{0}"', target.name));
}

async function removeStored({ connections }: CommandContext, target: ConnectionSummary): Promise<void> {
  try {
    await connections.remove(target.id);
  } catch {
    throw new Refusal(
      t(
        'Couldn\'t remove "{0}" from secret storage. If your keyring is locked, unlock it, and then try again.',
        target.name,
      ),
      {
        severity: 'error',
        canRetry: true,
      },
    );
  }
}

/** The connection is gone by then, so the command succeeds even if its secrets can't be deleted. */
async function removeWebhookSecrets({ webhookSecrets, log }: CommandContext, { id }: ConnectionSummary): Promise<void> {
  try {
    await webhookSecrets.deleteAll(id);
  } catch (error) {
    log.error("The secrets of the webhooks of a removed connection couldn't be deleted", error);
  }
}

async function openWhatIsLeft(context: CommandContext): Promise<void> {
  const next = await context.connections.chosenOf(await context.connections.list());
  if (next !== undefined) return void (await openConnection(context, next));
  await context.connections.choose(undefined);
  context.connection.close();
}

async function chooseConnection(
  context: CommandContext,
  given: unknown,
  title: string,
): Promise<ConnectionSummary | undefined> {
  const all = await context.connections.list();
  const found = findGiven(all, given);
  if (found !== undefined) return found;
  if (all.length === 0) {
    throw new Refusal(t('There are no connections yet.'), {
      severity: 'info',
      actions: [connectAction()],
    });
  }
  return context.ui.pick({
    title,
    placeholder: t('Select a connection'),
    matchOnDescription: true,
    items: all.map((each) => itemOf(context, each)),
  });
}

/** Says what is wrong with a connection if its streams are shown. Nothing is known about the others. */
function itemOf(context: CommandContext, each: ConnectionSummary) {
  const address = each.baseUrl.replace(/^https:\/\//, '');
  const { info } = context.connection;
  const isOpen = each.id === info?.id;
  const shown = context.shownModels().find(({ connection }) => connection.info?.id === each.id);
  const known = shown && outdatedWords(shown.store.snapshot);
  const problem = each.hasKey ? known : keyRequiredWords();
  const account = isOpen && accountWords(context.store.snapshot, info.name);
  return {
    label: each.name,
    description: joinParts(problem !== undefined && isOpen && currentWord(), problem, address, account),
    icon: problem !== undefined ? 'warning' : isOpen ? 'check' : 'blank',
    value: each,
  };
}

/**
 * Also takes the row of a connection. Returns undefined if no connection is given. Throws a Refusal if there is no such
 * connection.
 */
function findGiven(all: readonly ConnectionSummary[], given: unknown): ConnectionSummary | undefined {
  const id = givenText(given, 'connectionId') ?? rowConnection(given);
  const name = (typeof given === 'string' ? given : givenText(given, 'name'))?.trim();
  if (id === undefined && name === undefined) return undefined;
  const found =
    all.find((each) => (id === undefined ? each.name === name : each.id === id)) ??
    all.find((each) => id === undefined && each.name.toLowerCase() === name?.toLowerCase());
  if (found === undefined) throw new Refusal(t('No connection with this name was found.'));
  return found;
}

function rowConnection(given: unknown): string | undefined {
  return givenField(given, 'kind') === 'connection' ? givenText(given, 'connection') : undefined;
}
