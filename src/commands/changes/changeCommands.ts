import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { type Change, needsConfirmation, needsPoll, obstacleTo } from '../../model/changes.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Question } from '../../services.ts';
import { rowTarget } from '../../tree/nodeTable.ts';
import type { CommandContext } from '../context.ts';
import { openConnectionInfo } from '../knownAddresses.ts';
import { listNames, nameOf, quotedName, withConnection } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import { givenId, givenRow, givenTargets, givenText } from '../targets/commandArguments.ts';
import { requireId } from '../targets/refusals.ts';
import { knownStream, resolveStreams } from '../targets/streamTargets.ts';
import { CHANGE_WORDS, reportOne, reportSeveral } from './changeReports.ts';
import {
  changeInTurn,
  changeOne,
  type NeedsChange,
  type Outcome,
  type PlannedChange,
  type StreamChange,
} from './changeStreams.ts';
import { promptForStreamName } from './streamName.ts';

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

interface ChangeTargets {
  readonly streams: readonly Stream[];
  /** Selected with others, but deleted since. */
  readonly gone: readonly Pick<Stream, 'id' | 'name'>[];
}

async function changeStreams(context: NeedsChanging, args: readonly unknown[], change: Change): Promise<void> {
  const info = openConnectionInfo(context);
  const planned = { account: context.current.account, info, change };
  const targets = await resolveTargets(context, args, change.operation);
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
  reportOne({ ...context, current: planned }, outcome, change);
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
  const checked = streams.map((stream) => ({
    stream,
    obstacle: obstacleTo(operation, stream, isBusy(context, stream)),
  }));
  const possible = checked.filter(({ obstacle }) => obstacle === undefined).map(({ stream }) => stream);
  // Streams that the confirmation didn't name are not changed, even if their obstacle has gone by then.
  const others = checked.flatMap(({ stream, obstacle }): readonly Outcome[] =>
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

/** Renames a stream. Takes {id, name}, or the stream and the name as second argument; prompts for what is missing. */
export async function renameStream(context: NeedsChanging, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.current;
  const targets = await resolveTargets(context, args.slice(0, 1), 'renaming');
  const [stream] = targets?.streams ?? [];
  if (stream === undefined) return;
  const name = await promptForStreamName(context, givenName(args), {
    title: t('Rename "{0}"', nameOf(stream)),
    prompt: t('Enter a name for the stream'),
    value: stream.name,
  });
  if (name === undefined || name === stream.name) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'renaming', name } });
}

function givenName([first, second]: readonly unknown[]): string | undefined {
  return typeof second === 'string' ? second : givenText(first, 'name');
}

const CONFIRM_LABELS: Partial<Record<Operation, () => string>> = {
  deleting: () => t('Delete'),
  suspending: () => t('Suspend'),
  endingBroadcast: () => t('End Broadcast'),
};

/** Shows a modal confirmation if the change can't be undone or ends a broadcast. Returns true if none is needed. */
async function confirmChange(
  context: NeedsChanging,
  operation: Operation,
  streams: readonly Stream[],
): Promise<boolean> {
  if (!needsConfirmation(operation, streams)) return true;
  return context.ui.confirm(questionOf(context, operation, streams));
}

function questionOf(context: NeedsChanging, operation: Operation, streams: readonly Stream[]): Question {
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
  if (operation === 'endingBroadcast')
    return [t('The encoder may reconnect immediately. To prevent this, suspend the stream.')];
  const live = isActive ? [t('This stream is live. Its broadcast will end.')] : [];
  if (operation === 'suspending') return [...live, t("It won't accept broadcasts until you resume it.")];
  return [
    ...live,
    t("Its stream key will stop working. Past sessions and recordings are kept. You can't undo this action."),
  ];
}

function linesOfSeveral(operation: Operation, streams: readonly Stream[]): readonly string[] {
  const live = streams.filter((stream) => stream.isActive).length;
  const liveLine =
    live === 1
      ? t('1 of them is live. Its broadcast will end.')
      : t('{0} of them are live. Their broadcasts will end.', live);
  const last =
    operation === 'suspending'
      ? t("They won't accept broadcasts until you resume them.")
      : t("Their stream keys will stop working. Past sessions and recordings are kept. You can't undo this action.");
  return [...(live > 0 ? [liveLine] : []), listNames(streams), last];
}

/**
 * Returns the streams to change as last received, each once. Takes rows, an id or {id}, or shows a picker. Ignores rows
 * of sessions: selecting one by mistake must not delete its stream. Returns undefined if the picker was dismissed.
 * Throws a Refusal for anything else, and if the only stream is gone.
 */
async function resolveTargets(
  context: NeedsChanging,
  args: readonly unknown[],
  operation: Operation,
): Promise<ChangeTargets | undefined> {
  const ids = givenIds(args);
  const targets =
    ids.length > 1 ? await readAll(context, ids) : await readOne(context, ids, CHANGE_WORDS[operation].title());
  if (targets === undefined) return undefined;
  const { store, loader, clock } = context;
  if (needsPoll(operation, store.snapshot, clock.now())) await loader.refreshActive();
  return { ...targets, streams: targets.streams.map((stream) => knownStream(context, stream.id) ?? stream) };
}

function givenIds(args: readonly unknown[]): readonly string[] {
  const given = givenTargets(args);
  const ids = new Set(given.map(streamIdOf).filter((id) => id !== undefined));
  if (given.length > 0 && ids.size === 0) throw new Refusal(t('Select a stream first.'));
  return [...ids];
}

function streamIdOf(given: unknown): string | undefined {
  const row = givenRow(given);
  if (row === undefined) return givenId(given);
  const target = rowTarget(row);
  return target?.kind === 'stream' ? requireId(target.id) : undefined;
}

async function readOne(
  context: NeedsChanging,
  ids: readonly string[],
  title: string,
): Promise<ChangeTargets | undefined> {
  const streams = await resolveStreams(context, ids, title);
  return streams === undefined ? undefined : { streams, gone: [] };
}

async function readAll(context: NeedsChanging, ids: readonly string[]): Promise<ChangeTargets> {
  const streams: Stream[] = [];
  const gone: Pick<Stream, 'id' | 'name'>[] = [];
  for (const id of ids) {
    const stream = knownStream(context, id) ?? (await context.current.account.readStream(id));
    if (stream === undefined) gone.push({ id, name: '' });
    else streams.push(stream);
  }
  return { streams, gone };
}
