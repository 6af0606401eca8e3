import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { type ApiError, type ApiErrorReason, isAbortError, isApiError } from '../api/errors.ts';
import type { Severity } from '../services.ts';
import { addConnection, setApiKey } from './connecting.ts';
import { switchConnection } from './connections.ts';
import type { CommandContext } from './context.ts';
import { startDemo } from './demo.ts';
import { showLogAction } from './log.ts';
import { settingAction } from './networkHelp.ts';
import { type Action, isRefusal } from './refusal.ts';
import { noteRefusedKey } from './refusedKey.ts';
import { whenStarted } from './starting.ts';
import type { CommandHandler } from './table.ts';

/** What is said of a failure. */
interface Report {
  readonly severity: Severity;
  readonly sentence: string;
  readonly actions: readonly Action[];
}

/** Failures that another try may mend by itself. */
const PASSING: ReadonlySet<ApiErrorReason> = new Set([
  'rateLimited',
  'unavailable',
  'network',
  'timeout',
  'invalidResponse',
]);

/**
 * Runs a command's handler; the one place where its failures are reported: one message with what happened and what can be
 * done. What the person ended is not reported. Never rejects, and does not wait for the message to be answered.
 */
export async function runCommand(
  context: CommandContext,
  handler: CommandHandler,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const { generation } = context.store.snapshot;
  try {
    return await handler(context, ...args);
  } catch (error) {
    if (isAbortError(error)) return undefined;
    noteError(context, error, generation);
    void say(context, reportOf(context, error, { label: t('Try Again'), run: (next) => handler(next, ...args) }));
    return undefined;
  }
}

async function say(context: CommandContext, { severity, sentence, actions }: Report): Promise<void> {
  const pressed = await context.ui.notify(severity, sentence, ...actions.map((action) => action.label));
  const action = actions.find(({ label }) => label === pressed);
  if (action !== undefined) await runCommand(context, action.run);
}

function reportOf(context: CommandContext, error: unknown, again: Action): Report {
  if (isRefusal(error)) return error;
  if (isNoConnection(error)) return reportNoConnection(context, again);
  if (isApiError(error)) return reportApiError(context, error, again);
  const sentence = describeError(error, { service: serviceName(context) });
  return { severity: 'error', sentence, actions: [showLogAction()] };
}

function reportApiError(context: CommandContext, error: ApiError, again: Action): Report {
  const sentence = describeError(error, { service: error.host ?? serviceName(context) });
  if (error.reason === 'unauthorized') {
    return { severity: 'error', sentence, actions: [setApiKeyAction(), showLogAction()] };
  }
  const canPass = PASSING.has(error.reason) && error.why !== 'notOffered';
  const setting = settingAction(error);
  const actions = [...(setting ? [setting] : []), ...(canPass ? [again] : []), showLogAction()];
  return { severity: 'error', sentence, actions };
}

function reportNoConnection({ store }: CommandContext, again: Action): Report {
  const { connection } = store.snapshot;
  if (connection.kind === 'starting') {
    const run = (next: CommandContext) => whenStarted(next).then(() => again.run(next));
    const sentence = t('The editor is still reading which connections there are.');
    return { severity: 'info', sentence, actions: [{ label: again.label, run }] };
  }
  if (connection.kind === 'keyless') {
    const sentence = t('The API key of "{0}" is not stored here any more.', connection.info.name);
    return { severity: 'warning', sentence, actions: [setApiKeyAction()] };
  }
  const connect: Action = { label: t('Connect to a Service…'), run: (next) => addConnection(next) };
  const tryDemo: Action = { label: t('Try the Demo'), run: (next) => startDemo(next) };
  const switchTo: Action = { label: t('Switch Connection…'), run: (next) => switchConnection(next) };
  const isStored = store.snapshot.connectionCount > 0;
  return {
    severity: 'info',
    sentence: t('Connect to a service first.'),
    actions: isStored ? [switchTo, connect] : [connect, tryDemo],
  };
}

/** What nobody foresaw is logged whole. */
function noteError(context: CommandContext, error: unknown, generation: number): void {
  const { log } = context;
  if (isRefusal(error) || isNoConnection(error)) return;
  if (!isApiError(error)) {
    log.error('A command failed', error);
    return;
  }
  log.warn(`A command failed (${error.reason}): ${error.message}`);
  noteRefusedKey(context, error, generation);
}

function isNoConnection(error: unknown): boolean {
  return error instanceof Error && 'tag' in error && error.tag === 'NoConnectionError';
}

function serviceName({ current }: CommandContext): string {
  return current.info?.name ?? t('The service');
}

function setApiKeyAction(): Action {
  return { label: t('Set API Key…'), run: (next) => setApiKey(next) };
}
