import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { type Change, obstacleTo } from '../../model/changes.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import type { CommandContext } from '../context.ts';
import { openConnectionInfo } from '../knownAddresses.ts';
import { nameOf } from '../messages.ts';
import type { Action } from '../refusal.ts';
import { type ChangeTargets, resolveTargets } from '../targets/changeTargets.ts';
import { changeInTurn } from './changeInTurn.ts';
import { changeOne, type NeedsChange, type Outcome, type PlannedChange, type StreamChange } from './changeOne.ts';
import { reportOne, reportSeveral } from './changeReports.ts';
import { CHANGE_WORDS } from './changeWords.ts';
import { confirmChange } from './confirmChange.ts';

export type NeedsChanging = NeedsChange & Pick<CommandContext, 'current' | 'loader'>;

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

export async function changeSingle(context: NeedsChanging, planned: StreamChange): Promise<void> {
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
