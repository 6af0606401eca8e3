import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { type Change, needsConfirmation, obstacleTo } from '../../model/changes.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Question } from '../../services.ts';
import type { CommandContext } from '../context.ts';
import { openConnectionInfo } from '../knownAddresses.ts';
import { listNames, nameOf, quotedName, withConnection } from '../messages.ts';
import type { Action } from '../refusal.ts';
import { type ChangeTargets, resolveTargets } from '../targets/changeTargets.ts';
import { CHANGE_WORDS, reportOne, reportSeveral } from './changeReports.ts';
import {
  changeInTurn,
  changeOne,
  type NeedsChange,
  type Outcome,
  type PlannedChange,
  type StreamChange,
} from './changeStreams.ts';
import { askStreamName } from './streamName.ts';

type NeedsChanging = NeedsChange & Pick<CommandContext, 'current' | 'loader'>;

type ChangeCommand = (context: NeedsChanging, ...args: readonly unknown[]) => Promise<void>;

export const turnRecordingOn = changeCommand({ operation: 'turningRecordingOn' });
export const turnRecordingOff = changeCommand({ operation: 'turningRecordingOff' });
export const suspendStream = changeCommand({ operation: 'suspending' });
export const resumeStream = changeCommand({ operation: 'resuming' });
export const deleteStream = changeCommand({ operation: 'deleting' });

/** Ends only the broadcast of the stream it was run on, even if others are selected: each is a decision of its own. */
export const endBroadcast: ChangeCommand = (context, ...args) =>
  changeStreams(context, args.slice(0, 1), { operation: 'endingBroadcast' });

function changeCommand(change: Change): ChangeCommand {
  return (context, ...args) => changeStreams(context, args, change);
}

async function changeStreams(context: NeedsChanging, args: readonly unknown[], change: Change): Promise<void> {
  const info = openConnectionInfo(context);
  const planned = { account: context.current.account, info, change };
  const targets = await resolveTargets(context, args, {
    title: CHANGE_WORDS[change.operation].title(),
    operation: change.operation,
  });
  if (targets === undefined) return;
  const [first] = targets.streams;
  const isOne = targets.streams.length + targets.gone.length === 1;
  if (isOne && first !== undefined) await changeSingle(context, { ...planned, stream: first });
  else await changeSeveral(context, planned, targets);
}

async function changeSingle(context: NeedsChanging, planned: StreamChange): Promise<void> {
  const { change } = planned;
  const { operation } = change;
  const stream = await rereadIfIdle(planned);
  const obstacle = obstacleTo(operation, stream, isBusy(context, stream));
  if (obstacle === undefined && !(await confirmChange(context, operation, [stream]))) return;
  const outcome = await changeOne(context, { ...planned, stream });
  const name = change.operation === 'renaming' ? change.name : stream.name;
  const done = CHANGE_WORDS[operation].done(nameOf({ id: stream.id, name }));
  const again = tryAgain(change, stream.id);
  reportOne({ ...context, current: planned }, outcome, { operation, done, again });
}

/** Reads the stream again before reporting that it isn't live: a broadcast may have begun since the last poll. */
async function rereadIfIdle({ account, stream: known, change }: StreamChange): Promise<Stream> {
  if (change.operation !== 'endingBroadcast' || known.isActive || isChildStream(known)) return known;
  return (await account.readStream(known.id)) ?? known;
}

async function changeSeveral(
  context: NeedsChanging,
  planned: PlannedChange,
  { streams, gone }: ChangeTargets,
): Promise<void> {
  const { operation } = planned.change;
  const judged = streams.map((stream) => ({
    stream,
    obstacle: obstacleTo(operation, stream, isBusy(context, stream)),
  }));
  const possible = judged.filter(({ obstacle }) => obstacle === undefined).map(({ stream }) => stream);
  // Streams that the confirmation didn't name are not changed, even if their obstacle has gone by then.
  const others = judged.flatMap(({ stream, obstacle }): readonly Outcome[] =>
    obstacle === undefined ? [] : [{ kind: 'obstacle', stream, obstacle }],
  );
  if (possible.length > 0 && !(await confirmChange(context, operation, possible))) return;
  const title = CHANGE_WORDS[operation].doing(possible.length);
  const outcomes = await context.ui.progress(title, (report, signal) =>
    changeInTurn(context, { ...planned, streams: possible }, { report, signal }),
  );
  const missing = gone.map((stream): Outcome => ({ kind: 'gone', stream }));
  reportSeveral({ ...context, current: planned }, operation, [...outcomes, ...others, ...missing]);
}

function isBusy({ store }: Pick<CommandContext, 'store'>, { id }: Stream): boolean {
  return store.snapshot.operations.has(id);
}

function tryAgain(change: Change, id: string): Action {
  return { label: t('Try Again'), run: (next) => changeStreams(next, [id], change) };
}

/** Renames a stream. Takes {id, name}, or the stream and the name as second argument; prompts for what is missing. */
export async function renameStream(context: NeedsChanging, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.current;
  const title = t('Rename Stream');
  const targets = await resolveTargets(context, args.slice(0, 1), { title, operation: 'renaming' });
  const [stream] = targets?.streams ?? [];
  if (stream === undefined) return;
  const name = await askStreamName(context, givenName(args), {
    title: t('Rename "{0}"', nameOf(stream)),
    prompt: t('Name of the stream'),
    value: stream.name,
  });
  if (name === undefined || name === stream.name) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'renaming', name } });
}

function givenName([first, second]: readonly unknown[]): string | undefined {
  if (typeof second === 'string') return second;
  if (typeof first !== 'object' || first === null || !('name' in first)) return undefined;
  return typeof first.name === 'string' ? first.name : undefined;
}

type ConfirmContext = Pick<CommandContext, 'ui' | 'store' | 'current'>;

const CONFIRM_LABELS: Partial<Record<Operation, () => string>> = {
  deleting: () => t('Delete'),
  suspending: () => t('Suspend'),
  endingBroadcast: () => t('End Broadcast'),
};

/** Shows a modal confirmation if the change can't be undone or ends a broadcast. Returns true if none is needed. */
async function confirmChange(
  context: ConfirmContext,
  operation: Operation,
  streams: readonly Stream[],
): Promise<boolean> {
  if (!needsConfirmation(operation, streams)) return true;
  return context.ui.confirm(questionOf(context, operation, streams));
}

function questionOf(context: ConfirmContext, operation: Operation, streams: readonly Stream[]): Question {
  const [first] = streams;
  const isOne = streams.length === 1 && first !== undefined;
  const subject = withConnection(context, isOne ? quotedName(first) : t('{0} streams', streams.length));
  const lines = isOne ? linesOfOne(operation, first) : linesOfSeveral(operation, streams);
  return {
    message: messageOf(operation, subject),
    detail: lines.join('\n'),
    act: CONFIRM_LABELS[operation]?.() ?? t('Continue'),
  };
}

function messageOf(operation: Operation, subject: string): string {
  if (operation === 'deleting') return t('Delete {0}?', subject);
  return operation === 'suspending' ? t('Suspend {0}?', subject) : t('End the broadcast of {0}?', subject);
}

function linesOfOne(operation: Operation, { isActive }: Stream): readonly string[] {
  if (operation === 'endingBroadcast') return [t('The encoder may reconnect at once.')];
  const live = isActive ? [t('It is live: its broadcast ends.')] : [];
  if (operation === 'suspending') return [...live, t('It takes no broadcast until it is resumed.')];
  return [...live, t('Its sessions and recordings stay at the service.')];
}

function linesOfSeveral(operation: Operation, streams: readonly Stream[]): readonly string[] {
  const live = streams.filter((stream) => stream.isActive).length;
  const liveLine =
    live === 1 ? t('1 of them is live: its broadcast ends.') : t('{0} of them are live: their broadcasts end.', live);
  const last =
    operation === 'suspending'
      ? t('They take no broadcast until they are resumed.')
      : t('Their sessions and recordings stay at the service.');
  return [...(live > 0 ? [liveLine] : []), listNames(streams), last];
}
