import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { type ApiError, isAbortError, isApiError } from '../api/errors.ts';
import type { Named } from '../api/types.ts';
import { isNoConnection } from '../model/connection/connection.ts';
import { whenStarted } from '../model/connection/whenStarted.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import { type CommandCall, connectAction, setApiKeyAction, settingActions, showLogAction } from '../texts/actions.ts';
import { retryLabel } from '../texts/labels.ts';
import { editLabel, retryWithBoxesLabel, tryDemoLabel } from '../texts/lateLabels.ts';
import { withConnection } from '../texts/listedNames.ts';
import { isAmbiguous } from '../texts/names.ts';
import { isRefusal, Refusal } from '../texts/refusal.ts';
import { namedOnce, serviceOf, switchedConnections, titled } from '../texts/refusals.ts';
import { keyMissingSentence, troubleSentence } from '../texts/troubles.ts';
import type { Disposable } from '../util/disposable.ts';
import { oneLine } from '../util/text.ts';
import { BoxAnswers } from './boxAnswers.ts';
import { givenConnection } from './connection/boundConnection.ts';
import { isOpen, otherConnection } from './connection/otherConnection.ts';
import type { BoundAction, CommandAction, CommandContext, CommandHandlers, Message, MessageAction } from './context.ts';
import { withKeyboardKept } from './keptKeyboard.ts';
import { runShown } from './shownWork.ts';
import { type CommandId, isCommandId, isOfConnection, needOf, sendsChange } from './table.ts';
import { givenRow } from './targets/commandArguments.ts';

export interface BoundaryContext extends CommandContext {
  readonly handlers: CommandHandlers;
  /** Whether the window has closed, which it may do while a command waits for its connection. */
  readonly isDisposed: () => boolean;
  /** The context of the active connection, if this one is for another that is shown beside it. */
  readonly activeContext?: BoundaryContext | undefined;
  /** Returns the context of a connection that is shown beside the active one; undefined if none has this ID. */
  readonly contextBeside: (connectionId: string) => BoundaryContext | undefined;
  /** Shows that a command is running, unless it ends quickly. */
  readonly showWork: (command: CommandId) => Disposable;
  /** "Rename Stream", as in the Command Palette. */
  readonly commandTitle: (command: CommandId) => string;
}

/** Runs a command by its ID without the prefix, as `runAction` does. Rejects for an unknown ID. */
export async function runCommand(
  context: BoundaryContext,
  id: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  if (!isCommandId(id)) throw new Error(`No handler for ${id}`);
  return runAction(context, { command: id, args });
}

/**
 * Runs an action in the context of its connection, or offers to switch if that isn't open. Failures are reported only
 * here: one message with what happened and what can be done. Cancellations aren't reported. Never rejects, and doesn't
 * wait for the user to respond to the message.
 */
export async function runAction(context: BoundaryContext, action: BoundAction): Promise<unknown> {
  return (await attempt(context, action))?.value;
}

/** Returns undefined after reporting a failure. */
async function attempt(context: BoundaryContext, given: BoundAction): Promise<{ readonly value: unknown } | undefined> {
  const answers = given.answers ?? new BoxAnswers();
  const act = { ...given, answers };
  if ('command' in act && needOf(act.command) !== 'nothing') await whenStarted(context);
  if (context.isDisposed()) return undefined;
  let own = context;
  let { info } = own.connection;
  try {
    own = contextOf(context, act);
    ({ info } = own.connection);
    return { value: await perform(own, act) };
  } catch (error) {
    if (isAbortError(error)) return undefined;
    const failed = { info, act };
    answers.keep(reportFailure(own, error, failed).sentence);
    const title = 'command' in act ? own.commandTitle(act.command) : undefined;
    void showMessage(own, reportOf(own, error, { ...failed, title }), info);
    return undefined;
  }
}

/** Returns the context of the connection that an action is for. Throws a Refusal if that isn't open. */
export function contextOf(context: BoundaryContext, act: BoundAction): BoundaryContext {
  const active = context.activeContext ?? context;
  const need = 'command' in act ? needOf(act.command) : undefined;
  const connection = act.connection ?? connectionOfArguments(active, act);
  if (connection === undefined) return need === undefined ? context : active;
  if (isOpen(active, connection)) return active;
  const beside = active.contextBeside(connection.id);
  const isForAny = need === 'nothing' || need === 'storedConnections' || need === 'view';
  if (beside === undefined || need === 'activeConnection') throw otherConnection(connection, act);
  return isForAny ? active : beside;
}

function connectionOfArguments(context: BoundaryContext, act: BoundAction): Named | undefined {
  if (!('command' in act)) return undefined;
  const { command, args = [] } = act;
  const need = needOf(command);
  const isNamed = need === 'notOfRow' ? givenRow(args[0]) === undefined : need !== 'view' && isOfConnection(command);
  return isNamed ? givenConnection(context, args) : undefined;
}

function perform(
  given: BoundaryContext,
  act: CommandAction & { readonly answers: BoxAnswers },
): Promise<unknown> | unknown {
  const context = withKeyboardKept(given);
  if ('run' in act) return act.run(context);
  if ('setting' in act) return context.ui.openSettings(act.setting);
  const { command, answers } = act;
  const args = answers.argumentsOf(act.args ?? []);
  const own = isOfConnection(command) ? forCommand(context, { command, args }, answers) : context;
  return runHandler(context, command, args, own);
}

function runHandler(
  context: BoundaryContext,
  command: CommandId,
  args: readonly unknown[],
  own: CommandContext,
): Promise<unknown> {
  return runShown(
    own,
    () => context.showWork(command),
    (shown) => context.handlers[command](shown, ...args),
  );
}

/** Lets a command that isn't given a connection run in any of those that are shown. */
function forCommand(
  context: BoundaryContext,
  { command, args = [] }: CommandCall,
  answers: BoxAnswers,
): CommandContext {
  const own = withOwnBoxes(context, command, answers);
  if (needOf(command) === 'activeConnection' || context.activeContext !== undefined) return own;
  const runBeside: CommandContext['runBeside'] = (connection, ...target) => {
    const besides = new BoxAnswers();
    const run = (beside: CommandContext) =>
      runHandler(context, command, [...target, ...args.slice(1)], withOwnBoxes(beside, command, besides));
    return runAction(context, { run, connection, answers: besides });
  };
  return { ...own, runBeside };
}

/**
 * Shows a message and runs the action that the user selects. Never rejects. Don't await it: the message may stay open
 * for a long time.
 * @param info The connection that was open when the reported operation began.
 */
export async function showMessage(
  context: BoundaryContext,
  message: Message,
  info = context.connection.info,
): Promise<void> {
  const { severity, sentence, actions } = message;
  const pressed = await context.ui.notify(severity, sentence, ...actions.map((action) => action.label));
  const action = actions.find(({ label }) => label === pressed);
  if (action === undefined) return;
  const { before, ...act } = action;
  if (before !== undefined && (await attempt(context, before)) === undefined) return;
  const isForOpen = 'command' in act && isOfConnection(act.command);
  await runAction(context, { ...act, connection: act.connection ?? (isForOpen ? info : undefined) });
}

/**
 * Wraps the boxes: they throw if another connection was opened in the meantime, because the input isn't for that one,
 * or if the service still rejects the key that a change needs. They name the connection while several are shown.
 */
function withOwnBoxes(context: CommandContext, command: CommandId, answers: BoxAnswers): CommandContext {
  const { ui, connection } = context;
  const isNamed = needOf(command) !== 'view' && context.store.snapshot.showsAllConnections;
  const named = <O extends { readonly title: string; readonly isOfAllConnections?: boolean }>(options: O): O =>
    isNamed && options.isOfAllConnections !== true
      ? { ...options, title: withConnection(context, options.title) }
      : options;
  const own = async <A>(show: () => Promise<A>, isOfAllConnections = false): Promise<A> => {
    const id = connection.info?.id;
    if (sendsChange(command) && !isOfAllConnections) await requireAcceptedKey(context);
    const answer = await show();
    if (id !== undefined && answer !== undefined && answer !== false && connection.info?.id !== id) {
      throw switchedConnections();
    }
    return answer;
  };
  const boxes = answers.wrap({
    pick: (options) => own(() => ui.pick(named(options)), options.isOfAllConnections),
    pickMany: (options) => own(() => ui.pickMany(named(options))),
    input: (options) => own(() => ui.input(named(options))),
  });
  return { ...context, ui: { ...ui, ...boxes, confirm: (question) => own(() => ui.confirm(question)) } };
}

/**
 * Checks a rejected key again, so that boxes aren't filled in for nothing. Throws the ApiError if the service still
 * rejects it, and a Refusal if that can't be checked.
 */
async function requireAcceptedKey(context: CommandContext): Promise<void> {
  const { store, connection, loader, clock } = context;
  if (store.snapshot.connection.kind !== 'refused') return;
  try {
    await connection.account.listLiveStreams();
  } catch (error) {
    if (!isApiError(error) || error.reason === 'unauthorized' || error.reason === 'forbidden') throw error;
    const reason =
      error.reason === 'notFound'
        ? troubleSentence(error, store.snapshot)
        : describeError(error, { service: serviceOf(context, error), now: clock.now() });
    throw new Refusal<MessageAction>(t("Couldn't check the API key, so nothing was changed. {0}", reason), {
      ...{ severity: 'error', canRetry: true, isOfConnection: true },
      actions: [...settingActions(error), showLogAction()],
    });
  }
  await loader.reloadList('active');
}

interface Failed {
  readonly info: ConnectionInfo | undefined;
  readonly act: BoundAction;
  /** The title of the command, which precedes a sentence that doesn't say what failed. */
  readonly title?: string | undefined;
}

/** Logs an action's error and returns a message that says what happened and what can be done. */
export function reportFailure(context: CommandContext, error: unknown, failed: Failed): Message {
  logError(context, error);
  return reportOf(context, error, failed);
}

function reportOf(context: CommandContext, error: unknown, failed: Failed): Message {
  if (isRefusal<MessageAction>(error)) {
    const { severity, canRetry, canEdit, isOfConnection } = error;
    const actions = canRetry ? [retryAction(failed), ...error.actions] : error.actions;
    const edits = canEdit === true ? editActions(failed) : [];
    const sentence = isOfConnection ? named(context, failed, error.sentence) : error.sentence;
    return { severity, sentence, actions: actions.toSpliced(1, 0, ...edits) };
  }
  if (isNoConnection(error)) return reportNoConnection(context, failed);
  if (isApiError(error)) return reportApiError(context, error, failed);
  const sentence = titled(failed.title, describeError(error, { service: failed.info?.name }));
  return { severity: 'error', sentence, actions: [showLogAction()] };
}

function named(context: CommandContext, failed: Failed, sentence: string): string {
  return titled(nameIfAmbiguous(context, failed), sentence);
}

function nameIfAmbiguous({ store }: CommandContext, { info }: Failed): string | undefined {
  return info !== undefined && isAmbiguous(store.snapshot) ? oneLine(info.name, 100) : undefined;
}

function reportApiError(context: CommandContext, error: ApiError, failed: Failed): Message {
  const { info, title } = failed;
  const describe = (service: string | undefined) => describeError(error, { service, now: context.clock.now() });
  const name = nameIfAmbiguous(context, failed);
  const sentence =
    name === undefined ? titled(title, describe(error.host ?? info?.name)) : namedOnce(name, describe, title);
  const edits = editActions(failed);
  if (error.reason === 'unauthorized' || error.reason === 'forbidden') {
    // If the service gives a reason, it may refuse the request with any key, such as one for another stream.
    const isRefused = error.reason === 'forbidden' && error.detail !== undefined;
    const retries = isRefused && edits.length === 0 ? [retryAction(failed)] : [];
    const actions = [...retries, ...(isRefused ? edits : []), setApiKeyAction(info), ...(isRefused ? [] : edits)];
    return { severity: 'error', sentence, actions: [...actions, showLogAction()] };
  }
  if (error.reason === 'rejected' && edits.length > 0)
    return { severity: 'error', sentence, actions: [...edits, showLogAction()] };
  const canPass = error.isTransient || error.reason === 'invalidResponse' || error.why === 'changeNotFound';
  const retries = canPass ? [retryAction(failed)] : [];
  // The log adds nothing about a missing feature.
  const log = error.why === 'notOffered' ? [] : [showLogAction()];
  return { severity: 'error', sentence, actions: [...settingActions(error), ...retries, ...log] };
}

function reportNoConnection({ store }: CommandContext, failed: Failed): Message {
  const { connection } = store.snapshot;
  if (connection.kind === 'starting') {
    const sentence = t('Still loading connections. Try again in a moment.');
    return { severity: 'info', sentence, actions: [retryAction(failed)] };
  }
  if (connection.kind === 'keyless') {
    const sentence = keyMissingSentence(connection.info.name);
    return { severity: 'warning', sentence, actions: [setApiKeyAction(failed.info)] };
  }
  const tryDemo: MessageAction = { label: tryDemoLabel(), command: 'startDemo' };
  const switchTo: MessageAction = { label: t('Switch Connection…'), command: 'switchConnection' };
  const isStored = store.snapshot.connectionCount > 0;
  return {
    severity: 'info',
    sentence: t('Connect to a service first.'),
    actions: isStored ? [switchTo, connectAction()] : [connectAction(), tryDemo],
  };
}

/** An action that isn't a command belongs to the connection that was open when it began. */
function retryAction({ info, act }: Failed): MessageAction {
  const connection = act.connection ?? ('run' in act ? info : undefined);
  const label = act.answers?.hasText === true ? retryWithBoxesLabel() : retryLabel();
  return { ...act, label, connection };
}

/** Returns an action that runs the command again with the answers of its boxes; none if nothing was typed. */
function editActions(failed: Failed): readonly MessageAction[] {
  return failed.act.answers?.hasText === true ? [{ ...retryAction(failed), label: editLabel() }] : [];
}

function logError({ log }: CommandContext, error: unknown): void {
  if (isRefusal(error) || isNoConnection(error)) return;
  if (isApiError(error)) log.warn(`A command failed (${error.reason}): ${error.message}`);
  else log.error('A command failed', error);
}
