import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { type ApiError, isAbortError, isApiError } from '../api/errors.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { Severity } from '../services.ts';
import { oneLine } from '../util/text.ts';
import { settingAction } from './connection/networkHelp.ts';
import { isOpen, otherConnection } from './connection/otherConnection.ts';
import { whenStarted } from './connection/whenReady.ts';
import type { CommandContext } from './context.ts';
import { showLogAction } from './messages.ts';
import { type Action, isRefusal, type NamedConnection, Refusal } from './refusal.ts';
import { COMMANDS, type CommandHandler, type CommandId, FOR_ANY_CONNECTION } from './table.ts';

interface Report {
  readonly severity: Severity;
  readonly sentence: string;
  readonly actions: readonly Action[];
}

/**
 * Runs a command's handler. This is the one place where failures are reported: one message with what happened and what
 * can be done. Cancellations aren't reported. Never rejects, and doesn't wait for the user to respond to the message.
 */
export async function runCommand(
  context: CommandContext,
  run: Action['run'],
  { isForAny = false }: Pick<Action, 'isForAny'> = {},
): Promise<unknown> {
  return (await attempt(context, { run, isForAny }))?.value;
}

/** Runs an action or a command. Returns undefined if it failed, after reporting that. Never rejects. */
async function attempt(
  context: CommandContext,
  action: Omit<Action, 'label'>,
): Promise<{ readonly value: unknown } | undefined> {
  const { info } = context.current;
  try {
    return { value: await action.run(action.isForAny === true ? context : withOwnBoxes(context)) };
  } catch (error) {
    if (isAbortError(error)) return undefined;
    logError(context, error);
    const again = { label: t('Try Again'), run: action.run, isForAny: action.isForAny ?? false };
    void say(context, reportOf(context, error, { info, again }), info);
    return undefined;
  }
}

/** @param info The connection that was open when the reported attempt began. */
async function say(context: CommandContext, report: Report, info: ConnectionInfo | undefined): Promise<void> {
  const { severity, sentence, actions } = report;
  const pressed = await context.ui.notify(severity, sentence, ...actions.map((action) => action.label));
  const action = actions.find(({ label }) => label === pressed);
  if (action === undefined) return;
  const { before, isForAny = false, connection = info } = action;
  if (before !== undefined && (await attempt(context, { run: before, isForAny: true })) === undefined) return;
  const isElsewhere = !isForAny && connection !== undefined && !isOpen(context, connection);
  await attempt(context, isElsewhere ? { run: () => refuseElsewhere(connection, action) } : action);
}

function refuseElsewhere(connection: NamedConnection, action: Action): never {
  throw otherConnection(connection, action.run);
}

/** Wraps the boxes: they throw if another connection was opened meanwhile, because the input isn't for that. */
function withOwnBoxes(context: CommandContext): CommandContext {
  const { ui, current } = context;
  const own = async <A>(show: () => Promise<A>): Promise<A> => {
    const id = current.info?.id;
    const answer = await show();
    if (id !== undefined && answer !== undefined && answer !== false && current.info?.id !== id) {
      throw new Refusal(t('The command was canceled because a different connection was opened.'));
    }
    return answer;
  };
  const boxes: Pick<typeof ui, 'pick' | 'pickMany' | 'input' | 'confirm'> = {
    pick: (options) => own(() => ui.pick(options)),
    pickMany: (options) => own(() => ui.pickMany(options)),
    input: (options) => own(() => ui.input(options)),
    confirm: (question) => own(() => ui.confirm(question)),
  };
  return { ...context, ui: { ...ui, ...boxes } };
}

interface Failed {
  readonly info: ConnectionInfo | undefined;
  readonly again: Action;
}

function reportOf(context: CommandContext, error: unknown, failed: Failed): Report {
  if (isRefusal(error)) {
    const { severity, actions, isOfConnection } = error;
    return { severity, actions, sentence: isOfConnection ? named(context, failed, error.sentence) : error.sentence };
  }
  if (isNoConnection(error)) return reportNoConnection(context, failed.again);
  if (isApiError(error)) return reportApiError(context, error, failed);
  const sentence = describeError(error, { service: failed.info?.name });
  return { severity: 'error', sentence, actions: [showLogAction()] };
}

function named({ store }: CommandContext, { info }: Failed, sentence: string): string {
  const isAmbiguous = store.snapshot.connectionCount > 1 && info !== undefined;
  return isAmbiguous ? t('{0}: {1}', oneLine(info.name, 100), sentence) : sentence;
}

function reportApiError(context: CommandContext, error: ApiError, failed: Failed): Report {
  const { again } = failed;
  const sentence = named(context, failed, describeError(error, { service: error.host ?? failed.info?.name }));
  if (error.reason === 'unauthorized') {
    return { severity: 'error', sentence, actions: [setApiKeyAction(), showLogAction()] };
  }
  const canPass = error.isTransient || error.reason === 'invalidResponse' || error.why === 'changeNotFound';
  const setting = settingAction(error);
  const actions = [...(setting ? [setting] : []), ...(canPass ? [again] : []), showLogAction()];
  return { severity: 'error', sentence, actions };
}

function reportNoConnection({ store }: CommandContext, again: Action): Report {
  const { connection } = store.snapshot;
  if (connection.kind === 'starting') {
    const run = (next: CommandContext) => whenStarted(next).then(() => again.run(next));
    const sentence = t('Still loading connections. Try again in a moment.');
    return { severity: 'info', sentence, actions: [{ ...again, run }] };
  }
  if (connection.kind === 'keyless') {
    const sentence = t('The API key for "{0}" is no longer in secret storage.', connection.info.name);
    return { severity: 'warning', sentence, actions: [setApiKeyAction()] };
  }
  const connect = commandAction(t('Connect to a Service…'), 'addConnection');
  const tryDemo = commandAction(t('Try the Demo'), 'startDemo');
  const switchTo = commandAction(t('Switch Connection…'), 'switchConnection');
  const isStored = store.snapshot.connectionCount > 0;
  return {
    severity: 'info',
    sentence: t('Connect to a service first.'),
    actions: isStored ? [switchTo, connect] : [connect, tryDemo],
  };
}

function logError({ log }: CommandContext, error: unknown): void {
  if (isRefusal(error) || isNoConnection(error)) return;
  if (isApiError(error)) log.warn(`A command failed (${error.reason}): ${error.message}`);
  else log.error('A command failed', error);
}

function isNoConnection(error: unknown): boolean {
  return error instanceof Error && 'tag' in error && error.tag === 'NoConnectionError';
}

/** For the connection of the failed command, although the command itself may set the key of any. */
function setApiKeyAction(): Action {
  return { ...commandAction(t('Set API Key…'), 'setApiKey'), isForAny: false };
}

function commandAction(label: string, id: CommandId): Action {
  const handler: CommandHandler = COMMANDS[id];
  return { label, run: (next) => handler(next), isForAny: FOR_ANY_CONNECTION.has(id) };
}
