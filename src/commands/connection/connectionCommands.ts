import { t } from '@vscode/l10n';
import type { ConnectionSummary } from '../../model/connection/connections.ts';
import type { CommandContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { addConnection, openConnection, sayWarning } from './connect.ts';
import { checkName, promptForName, takenNames } from './connectionPrompts.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'connections' | 'current' | 'demo'>;

/** Opens another connection in this window. Takes its name or shows a picker. */
export async function switchConnection(context: Context, given?: unknown): Promise<void> {
  const target = await chooseConnection(context, given, t('Switch Connection'));
  if (target === undefined) return;
  await openConnection(context, target.id);
  sayWarning(context);
}

/** Renames a connection. Takes its name and the new one; prompts for what is missing. */
export async function renameConnection(context: Context, given?: unknown, newName?: unknown): Promise<void> {
  const { connections, current, store } = context;
  const title = t('Rename Connection');
  const target = await chooseConnection(context, given, title);
  if (target === undefined) return;
  const others = takenNames((await connections.list()).filter((each) => each.id !== target.id));
  const name =
    typeof newName === 'string'
      ? checkName(newName, others)
      : await promptForName(context, { title, suggested: target.name, taken: others });
  if (name === undefined || name === target.name) return;
  await connections.update(target.id, { name });
  sayWarning(context);
  if (current.info?.id === target.id) store.renamed({ ...current.info, name });
}

/** Removes a connection and its key after a confirmation. The window continues with another one, or none. */
export async function removeConnection(context: Context, given?: unknown): Promise<void> {
  const { ui, connections, current, store } = context;
  const target = await chooseConnection(context, given, t('Remove Connection'));
  if (target === undefined) return;
  const isConfirmed = await ui.confirm({
    message: t('Remove the connection "{0}"?', target.name),
    detail: t("Its API key will be deleted from VS Code. Your streams aren't affected."),
    act: t('Remove'),
  });
  if (!isConfirmed) return;
  await removeStored(context, target);
  store.setConnectionCount((await connections.list()).length);
  if (current.info?.id === target.id) await openWhatIsLeft(context);
  ui.flash(t('Removed "{0}"', target.name));
}

async function removeStored({ connections }: Context, target: ConnectionSummary): Promise<void> {
  try {
    await connections.remove(target.id);
  } catch {
    throw new Refusal(t('Couldn\'t delete "{0}" from secret storage.', target.name), {
      severity: 'error',
    });
  }
}

async function openWhatIsLeft(context: Context): Promise<void> {
  const next = await context.connections.chosen();
  if (next !== undefined) return openConnection(context, next.id);
  await context.connections.choose(undefined);
  context.current.close();
}

async function chooseConnection(
  context: Context,
  given: unknown,
  title: string,
): Promise<ConnectionSummary | undefined> {
  const all = await context.connections.list();
  const name = nameIn(given);
  if (name !== undefined) return findByName(all, name);
  if (all.length === 0) {
    throw new Refusal(t('There are no connections yet.'), {
      severity: 'info',
      actions: [{ label: t('Connect to a Service…'), run: (next) => addConnection(next), isForAny: true }],
    });
  }
  const openId = context.current.info?.id;
  return context.ui.pick({ title, matchOnDescription: true, items: all.map((each) => itemOf(each, openId)) });
}

function itemOf(each: ConnectionSummary, openId: string | undefined) {
  const address = each.baseUrl.replace(/^https:\/\//, '');
  return {
    label: each.name,
    description: each.hasKey ? address : t('{0} · API key required', address),
    icon: each.id === openId ? 'check' : 'blank',
    value: each,
  };
}

function findByName(all: readonly ConnectionSummary[], name: string): ConnectionSummary {
  const found =
    all.find((each) => each.name === name) ?? all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Refusal(t('No connection with this name was found.'));
  return found;
}

function nameIn(given: unknown): string | undefined {
  if (typeof given === 'string') return given.trim();
  if (typeof given !== 'object' || given === null || !('name' in given)) return undefined;
  return typeof given.name === 'string' ? given.name.trim() : undefined;
}

/** Starts the embedded service and shows it. Reloading this window starts it again. */
export async function startDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.start();
}

/** Stops the embedded service and restores what was open before. */
export async function stopDemo({ demo }: Pick<CommandContext, 'demo'>): Promise<void> {
  await demo.stop();
}
