import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Severity } from '../../services.ts';
import { formatWait } from '../../util/format.ts';
import { setApiKey } from '../connection/connect.ts';
import type { CommandContext } from '../context.ts';
import { flashDone, listNames, type NamesConnection, nameOf, withConnection } from '../messages.ts';
import { type Action, Refusal } from '../refusal.ts';
import { showLogAction } from '../showLog.ts';
import { streamIsGone } from '../targets/refusals.ts';
import type { Outcome } from './changeOne.ts';
import { CHANGE_WORDS, OBSTACLE_WORDS } from './changeWords.ts';

type Context = NamesConnection & Pick<CommandContext, 'ui' | 'clock'>;

/** A command on one stream whose result is reported. */
interface AttemptedChange {
  readonly operation: Operation;
  /** The sentence for success. */
  readonly done: string;
  /** Runs the command on that stream once more. */
  readonly again: Action;
}

/** Reports the result of changing one stream. Throws a Refusal or the ApiError if it wasn't changed. */
export function reportOne(context: Context, outcome: Outcome, attempted: AttemptedChange): void {
  const { stream } = outcome;
  const { operation, done } = attempted;
  switch (outcome.kind) {
    case 'done':
      flashDone(context, done);
      return;
    case 'doneDespite': {
      const reason = reasonOf(context, operation, outcome.error);
      void context.ui.notify(
        'info',
        t('{0} It has happened all the same: {1}.', reason, withConnection(context, done)),
      );
      return;
    }
    case 'obstacle':
      throw new Refusal(OBSTACLE_WORDS[outcome.obstacle].one(nameOf(stream)), { severity: 'info' });
    case 'gone':
      throw streamIsGone(stream);
    case 'left':
      throw new Refusal(t('Another connection was opened meanwhile, so nothing was changed.'));
    case 'uncertain':
      throw new Refusal(uncertainSentence(reasonOf(context, operation, outcome.error), nameOf(stream)), {
        isOfConnection: true,
        severity: 'error',
        actions: [showLogAction()],
      });
    case 'failed':
      throw failureOf(context, outcome.error, attempted);
    default:
      outcome satisfies never;
  }
}

/**
 * Reports the results of changing several streams in one message: all done, or which were not and why. Throws a Refusal
 * unless all were changed.
 */
export function reportSeveral(context: Context, operation: Operation, outcomes: readonly Outcome[]): void {
  const words = CHANGE_WORDS[operation];
  const done = outcomes.filter(isDone).length;
  const groups = groupByReason(context, operation, outcomes);
  if (groups.size === 0) {
    flashDone(context, words.doneMany(done));
    return;
  }
  const head = t('{0}.', words.doneSome(done, outcomes.length));
  const rest = [...groups].map(([reason, streams]) => t('{0}: {1}', listNames(streams), reason));
  const isRefused = outcomes.some((outcome) => outcome.kind === 'failed' && outcome.error.reason === 'unauthorized');
  const key: Action = { label: t('Set API Key…'), run: (next) => setApiKey(next) };
  throw new Refusal([head, ...rest].join(' '), {
    isOfConnection: true,
    severity: severityOf(outcomes),
    actions: isRefused ? [key, showLogAction()] : [showLogAction()],
  });
}

function groupByReason(context: Context, operation: Operation, outcomes: readonly Outcome[]) {
  const groups = new Map<string, Outcome['stream'][]>();
  for (const outcome of outcomes) {
    const reason = reasonOfOutcome(context, operation, outcome);
    if (reason !== undefined) groups.set(reason, [...(groups.get(reason) ?? []), outcome.stream]);
  }
  return groups;
}

function reasonOfOutcome(context: Context, operation: Operation, outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'done':
    case 'doneDespite':
      return undefined;
    case 'obstacle':
      return OBSTACLE_WORDS[outcome.obstacle].some();
    case 'gone':
      return t('Gone already.');
    case 'left':
      return t('Not begun.');
    case 'uncertain':
      return t('{0} It may have happened all the same.', reasonOf(context, operation, outcome.error));
    case 'failed':
      return reasonOf(context, operation, outcome.error);
  }
}

function severityOf(outcomes: readonly Outcome[]): Severity {
  const hasFailed = outcomes.some(({ kind }) => kind === 'failed' || kind === 'uncertain');
  if (!hasFailed) return outcomes.some(({ kind }) => kind === 'gone' || kind === 'obstacle') ? 'warning' : 'info';
  return outcomes.some(isDone) ? 'warning' : 'error';
}

function isDone({ kind }: Outcome): boolean {
  return kind === 'done' || kind === 'doneDespite';
}

function failureOf(context: Context, error: ApiError, { operation, again }: AttemptedChange): Refusal | ApiError {
  if (error.why === 'notOffered')
    return new Refusal(reasonOf(context, operation, error), { isOfConnection: true, actions: [showLogAction()] });
  if (error.reason !== 'rateLimited' && error.why !== 'changeNotFound') return error;
  return new Refusal(reasonOf(context, operation, error), { isOfConnection: true, actions: [again, showLogAction()] });
}

function uncertainSentence(reason: string, name: string): string {
  return t('{0} It may have happened all the same, but "{1}" does not show it so far. Refresh to see.', reason, name);
}

function reasonOf({ current, clock }: Context, operation: Operation, error: ApiError): string {
  const service = error.host ?? current.info?.name ?? t('The service');
  if (error.why === 'notOffered') return CHANGE_WORDS[operation].notOffered(service);
  const sentence = describeError(error, { service });
  if (error.reason !== 'rateLimited') return sentence;
  const wait = formatWait(error.retryAt === undefined ? undefined : Math.max(1, (error.retryAt - clock.now()) / 1000));
  return wait === undefined ? sentence : t('{0} Try again in {1}.', sentence, wait);
}
