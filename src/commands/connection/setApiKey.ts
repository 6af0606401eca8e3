import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { connectAction } from '../../texts/actions.ts';
import { retryLabel, setApiKeyLabel } from '../../texts/labels.ts';
import { Refusal } from '../../texts/refusal.ts';
import { BACK } from '../boxSteps.ts';
import type { CommandContext, RecoveryAction } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';
import { givenConnection } from './boundConnection.ts';
import { checkKey, checkRefusal, isKeyRefusal } from './connectionChecks.ts';
import { acceptInsecure, checkAddress, checkApiKey, connectingText, promptForApiKey } from './connectionPrompts.ts';
import { openConnection, sayWarning, updateConnection } from './openConnection.ts';

interface KeyTarget extends Named {
  readonly baseUrl: string;
}

/**
 * Replaces a connection's key after the service has accepted the new one. Takes {apiKey} or prompts for it. The
 * connection is that of a row, {connection} or {connectionId}, or otherwise the active one.
 */
export async function setApiKey(context: CommandContext, given?: unknown): Promise<void> {
  const target = await connectionForKey(context, given);
  const apiKey = givenText(given, 'apiKey');
  await (apiKey === undefined ? promptForKeyOf(context, target) : setKeyOf(context, target, checkApiKey(apiKey)));
}

/**
 * Prompts for another key until the service accepts it. Stays with the connection it was started for, even if another
 * is opened in the meantime. Throws a Refusal if it was removed.
 * @param canLeave whether the box has a Back button. BACK is returned if the user pressed it.
 */
export async function promptForKeyOf(
  context: CommandContext,
  target: KeyTarget,
  canLeave = false,
): Promise<typeof BACK | undefined> {
  const address = await acceptedAddress(context, target);
  let isUnswitched = () => true;
  const apiKey = await promptForApiKey(context, {
    title: t('Set API Key for "{0}"', target.name),
    address,
    keep: canLeave ? () => {} : undefined,
    tryKey: (key, signal) => {
      isUnswitched = context.connection.watchSwitches();
      return checkKey(context, { baseUrl: target.baseUrl, apiKey: key }, signal);
    },
  });
  if (apiKey === BACK) return BACK;
  if (apiKey !== undefined) await replaceKey(context, target, { apiKey, isUnswitched });
  return undefined;
}

async function setKeyOf(context: CommandContext, target: KeyTarget, apiKey: string): Promise<void> {
  const { connection, ui } = context;
  const { host } = await acceptedAddress(context, target);
  const isUnswitched = connection.watchSwitches();
  const failure = await ui.progress(connectingText(host), (_, signal) =>
    checkKey(context, { baseUrl: target.baseUrl, apiKey }, signal),
  );
  if (failure === undefined) return replaceKey(context, target, { apiKey, isUnswitched });
  const way: RecoveryAction<CommandContext> = isKeyRefusal(failure.error)
    ? { label: setApiKeyLabel(), run: async (next) => void (await promptForKeyOf(next, target)) }
    : { label: retryLabel(), run: (next) => setKeyOf(next, target, apiKey) };
  throw checkRefusal(failure, [way]);
}

/** Throws a Refusal if the key would be sent unencrypted and the user declines. */
async function acceptedAddress(context: CommandContext, { id, baseUrl }: KeyTarget) {
  const stored = await context.connections.get(id);
  const address = checkAddress(baseUrl);
  if (stored?.insecureAccepted !== true) await acceptInsecure(context, address);
  return address;
}

async function replaceKey(
  context: CommandContext,
  target: KeyTarget,
  { apiKey, isUnswitched }: { readonly apiKey: string; readonly isUnswitched: () => boolean },
): Promise<void> {
  const { connection, ui } = context;
  const insecureAccepted = checkAddress(target.baseUrl).needsWarning;
  await updateConnection(context, target, { apiKey, insecureAccepted });
  sayWarning(context);
  const isStillOpen = connection.info === undefined || connection.info.id === target.id;
  if (isStillOpen && isUnswitched()) await openConnection(context, target);
  ui.flash(t('Updated the API key for "{0}"', target.name));
}

/** Returns the given connection, the active one, or the one this window would open. The demo's key can't be changed. */
async function connectionForKey(context: CommandContext, given: unknown): Promise<KeyTarget> {
  const { connections, connection } = context;
  const id = givenText(given, 'connectionId') ?? givenConnection(context, [given])?.id;
  if (id !== undefined && id !== connection.info?.id) {
    const found = (await connections.list()).find((each) => each.id === id);
    if (found === undefined) throw new Refusal(t('No connection with this name was found.'));
    return found;
  }
  if (connection.info?.isDemo === true) {
    throw new Refusal(t("You can't change the demo's API key."), { severity: 'info', actions: [connectAction()] });
  }
  const target = connection.info ?? (await connections.chosenOf(await connections.list()));
  if (target === undefined)
    throw new Refusal(t('There are no connections yet.'), { severity: 'info', actions: [connectAction()] });
  return target;
}
