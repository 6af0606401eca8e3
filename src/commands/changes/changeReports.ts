import { t } from '@vscode/l10n';
import { describeError, nameService } from '../../api/describeError.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Change, Obstacle } from '../../model/changes.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Severity } from '../../services.ts';
import { formatWait } from '../../util/format.ts';
import { setApiKeyAction, showLogAction } from '../actions.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { flashDone, listNames, type NamesConnection, nameOf, withConnection } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { CommandId } from '../table.ts';
import { streamIsGone } from '../targets/refusals.ts';
import type { Outcome } from './changeStreams.ts';

/** Texts for a change. Names are already cut to one line. Only `notOffered` is a sentence with a period. */
interface ChangeWords {
  readonly command: CommandId;
  readonly title: () => string;
  readonly doing: (count: number) => string;
  readonly done: (name: string) => string;
  readonly doneMany: (count: number) => string;
  readonly doneSome: (count: number, of: number) => string;
  readonly notOffered: (service: string) => string;
}

export const CHANGE_WORDS: Readonly<Record<Operation, ChangeWords>> = {
  renaming: {
    command: 'renameStream',
    title: () => t('Rename Stream'),
    doing: (count) => t('Renaming {0} streams', count),
    done: (name) => t('Renamed the stream to "{0}"', name),
    doneMany: (count) => t('Renamed {0} streams', count),
    doneSome: (count, of) => t('Renamed {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support renaming streams.", service),
  },
  turningRecordingOn: {
    command: 'turnRecordingOn',
    title: () => t('Turn On Recording'),
    doing: (count) => t('Turning on recording for {0} streams', count),
    done: (name) => t('Turned on recording for "{0}"', name),
    doneMany: (count) => t('Turned on recording for {0} streams', count),
    doneSome: (count, of) => t('Turned on recording for {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support turning recording on or off.", service),
  },
  turningRecordingOff: {
    command: 'turnRecordingOff',
    title: () => t('Turn Off Recording'),
    doing: (count) => t('Turning off recording for {0} streams', count),
    done: (name) => t('Turned off recording for "{0}"', name),
    doneMany: (count) => t('Turned off recording for {0} streams', count),
    doneSome: (count, of) => t('Turned off recording for {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support turning recording on or off.", service),
  },
  suspending: {
    command: 'suspendStream',
    title: () => t('Suspend Stream'),
    doing: (count) => t('Suspending {0} streams', count),
    done: (name) => t('Suspended "{0}"', name),
    doneMany: (count) => t('Suspended {0} streams', count),
    doneSome: (count, of) => t('Suspended {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support suspending streams.", service),
  },
  resuming: {
    command: 'resumeStream',
    title: () => t('Resume Stream'),
    doing: (count) => t('Resuming {0} streams', count),
    done: (name) => t('Resumed "{0}"', name),
    doneMany: (count) => t('Resumed {0} streams', count),
    doneSome: (count, of) => t('Resumed {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support resuming streams.", service),
  },
  endingBroadcast: {
    command: 'endBroadcast',
    title: () => t('End Broadcast'),
    doing: (count) => t('Ending {0} broadcasts', count),
    done: (name) => t('Ended the broadcast of "{0}"', name),
    doneMany: (count) => t('Ended {0} broadcasts', count),
    doneSome: (count, of) => t('Ended {0} of {1} broadcasts', count, of),
    notOffered: (service) => t("{0} doesn't support ending broadcasts.", service),
  },
  deleting: {
    command: 'deleteStream',
    title: () => t('Delete Stream'),
    doing: (count) => t('Deleting {0} streams', count),
    done: (name) => t('Deleted "{0}"', name),
    doneMany: (count) => t('Deleted {0} streams', count),
    doneSome: (count, of) => t('Deleted {0} of {1} streams', count, of),
    notOffered: (service) => t("{0} doesn't support deleting streams.", service),
  },
};

/** Why a change wasn't requested, as sentences: for one stream by name, and for several that were named before. */
const OBSTACLE_WORDS: Readonly<
  Record<Obstacle, { readonly one: (name: string) => string; readonly some: () => string }>
> = {
  live: {
    one: (name) => t('You can\'t change recording while "{0}" is live.', name),
    some: () => t("You can't change recording while a stream is live."),
  },
  alreadyOn: {
    one: (name) => t('Recording is already on for "{0}".', name),
    some: () => t('Recording is already on.'),
  },
  alreadyOff: {
    one: (name) => t('Recording is already off for "{0}".', name),
    some: () => t('Recording is already off.'),
  },
  wentLive: {
    one: (name) => t('"{0}" went live in the meantime, so it wasn\'t changed.', name),
    some: () => t('Went live, so not changed.'),
  },
  notLive: {
    one: (name) => t('"{0}" isn\'t live.', name),
    some: () => t('Not live.'),
  },
  busy: {
    one: (name) => t('"{0}" is being changed. Try again when the change is complete.', name),
    some: () => t('Another change is in progress.'),
  },
  childStream: {
    one: (name) => t('"{0}" is a historic child stream. You can\'t change historic child streams.', name),
    some: () => t("You can't change historic child streams."),
  },
};

type Context = NamesConnection & Pick<CommandContext, 'ui' | 'clock'>;

/** Reports the result of changing one stream. Throws a Refusal or the ApiError if it wasn't changed. */
export function reportOne(context: Context, outcome: Outcome, change: Change): void {
  const { stream } = outcome;
  const { operation } = change;
  const name = change.operation === 'renaming' ? change.name : stream.name;
  const done = CHANGE_WORDS[operation].done(nameOf({ id: stream.id, name }));
  switch (outcome.kind) {
    case 'done':
      flashDone(context, done);
      return;
    case 'doneDespite': {
      const reason = reasonOf(context, operation, outcome.error);
      void context.ui.notify(
        'info',
        t('{0} The change was applied anyway: {1}.', reason, withConnection(context, done)),
      );
      return;
    }
    case 'obstacle':
      throw new Refusal(OBSTACLE_WORDS[outcome.obstacle].one(nameOf(stream)), { severity: 'info' });
    case 'gone':
      throw streamIsGone(stream);
    case 'left':
      throw new Refusal(t('Nothing was changed because a different connection was opened.'));
    case 'uncertain':
      throw new Refusal(uncertainSentence(reasonOf(context, operation, outcome.error), nameOf(stream)), {
        isOfConnection: true,
        severity: 'error',
        actions: [showLogAction()],
      });
    case 'failed':
      throw failureOf(context, outcome, change);
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
  throw new Refusal([head, ...rest].join(' '), {
    isOfConnection: true,
    severity: severityOf(outcomes),
    actions: isRefused ? [setApiKeyAction(context.current.info), showLogAction()] : [showLogAction()],
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
      return t('Already deleted.');
    case 'left':
      return t('Not started.');
    case 'uncertain':
      return t(
        '{0} The change may still have been applied. Refresh to check.',
        reasonOf(context, operation, outcome.error),
      );
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

function failureOf(
  context: Context,
  { stream, error }: Outcome & { readonly kind: 'failed' },
  change: Change,
): Refusal | ApiError {
  const { operation } = change;
  const canRetry = error.reason === 'rateLimited' || error.why === 'changeNotFound';
  if (!canRetry && error.why !== 'notOffered') return error;
  // Not the command as it was run: it may have had a picker or a box.
  const args = change.operation === 'renaming' ? [stream.id, change.name] : [stream.id];
  const again: MessageAction = { label: t('Retry'), command: CHANGE_WORDS[operation].command, args };
  const actions = canRetry ? [again, showLogAction()] : [showLogAction()];
  return new Refusal(reasonOf(context, operation, error), { isOfConnection: true, actions });
}

function uncertainSentence(reason: string, name: string): string {
  return t('{0} The change to "{1}" may still have been applied. Refresh to check.', reason, name);
}

function reasonOf({ current, clock }: Context, operation: Operation, error: ApiError): string {
  const service = error.host ?? current.info?.name;
  if (error.why === 'notOffered') return nameService(service, CHANGE_WORDS[operation].notOffered);
  const sentence = describeError(error, { service });
  if (error.reason !== 'rateLimited') return sentence;
  const wait = formatWait(error.retryAt === undefined ? undefined : Math.max(1, (error.retryAt - clock.now()) / 1000));
  return wait === undefined ? sentence : t('{0} Try again in {1}.', sentence, wait);
}
