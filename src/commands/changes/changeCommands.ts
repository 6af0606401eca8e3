import { t } from '@vscode/l10n';
import { describeError, nameService } from '../../api/describeError.ts';
import type { ApiError } from '../../api/errors.ts';
import type { NamedStream, Stream } from '../../api/types.ts';
import { makesPrivate, needsConfirmation, needsPoll, type Obstacle, obstacleTo } from '../../model/changeRules.ts';
import type { Outcome, PlannedChange, StreamChange } from '../../model/changeStream.ts';
import type { Change } from '../../model/changes.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import { knownStream } from '../../model/childStreams/knownStream.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { rowTarget } from '../../model/rows/rowActions.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { Question, Severity } from '../../services.ts';
import { refreshAction, setApiKeyAction, showLogAction } from '../../texts/actions.ts';
import { resumeStreamLabel } from '../../texts/labels.ts';
import { setPlaybackPolicyLabel, withoutDots } from '../../texts/lateLabels.ts';
import { listNames, quotedName, withConnection } from '../../texts/listedNames.ts';
import { labeledText, type NamesConnection, nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId, serviceOf, streamIsGone, titled } from '../../texts/refusals.ts';
import { slowSentence } from '../../texts/troubles.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenId, givenRow, givenTargets, givenText } from '../targets/commandArguments.ts';
import type { FirstStreams } from '../targets/listedStreams.ts';
import { resolveStreams } from '../targets/streamTargets.ts';
import { changeInTurn, changeOne } from './changeStreams.ts';
import { deleteStreams } from './deleteStreams.ts';
import { promptForStreamName, warningOfSameName } from './streamName.ts';

type ChangeCommand = (context: CommandContext, ...args: readonly unknown[]) => Promise<void>;

export const turnRecordingOn = changeCommand('turningRecordingOn');
export const turnRecordingOff = changeCommand('turningRecordingOff');
export const suspendStream = changeCommand('suspending');
export const resumeStream = changeCommand('resuming');
export const deleteStream = changeCommand('deleting');

/** Ends only the broadcast of the stream it was run on, even if others are selected: each needs its own decision. */
export async function endBroadcast(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const change = { operation: 'endingBroadcast' } as const;
  const planned = { account: context.connection.account, info: openConnectionInfo(context), change };
  const [stream] = (await resolveTargets(context, args.slice(0, 1), 'endingBroadcast'))?.streams ?? [];
  if (stream !== undefined) await changeSingle(context, { ...planned, stream });
}

function changeCommand(operation: JointOperation): ChangeCommand {
  return (context, ...args) => changeStreams(context, args, operation);
}

interface ChangeTargets {
  readonly streams: readonly Stream[];
  /** Selected with others, but since deleted. */
  readonly gone: readonly NamedStream[];
}

async function changeStreams(
  context: CommandContext,
  args: readonly unknown[],
  operation: JointOperation,
): Promise<void> {
  const info = openConnectionInfo(context);
  const planned = { account: context.connection.account, info, change: { operation } };
  const targets = await resolveTargets(context, args, operation);
  if (targets === undefined) return;
  const [first] = targets.streams;
  const isOne = targets.streams.length + targets.gone.length === 1;
  if (isOne && first !== undefined) await changeSingle(context, { ...planned, stream: first });
  else await changeSeveral(context, planned, targets);
}

/** @param prepare runs once the change is confirmed and returns whether to continue */
export async function changeSingle(
  context: CommandContext,
  planned: StreamChange,
  prepare: () => Promise<boolean> = async () => true,
): Promise<void> {
  const { change } = planned;
  const { operation } = change;
  const stream = await rereadUnlessLive(planned);
  const obstacle = obstacleTo(operation, stream, isBusy(context, stream));
  if (obstacle === undefined && !((await confirmChange(context, change, [stream])) && (await prepare()))) return;
  const outcome = await changeOne(context, { ...planned, stream });
  reportOne({ ...context, connection: planned }, outcome, change);
}

/**
 * Reads the stream again if it matters whether it's live: a broadcast may have begun since the last poll. The broadcast
 * of a suspended stream ends soon after it was suspended.
 */
async function rereadUnlessLive({ account, stream: known, change }: StreamChange): Promise<Stream> {
  const matters = change.operation === 'endingBroadcast' || makesPrivate(change);
  if (!matters || (known.isActive && known.suspended !== true) || isChildStream(known)) return known;
  return (await account.readStream(known.id)) ?? known;
}

async function changeSeveral(
  context: CommandContext,
  planned: PlannedChange & { readonly change: { readonly operation: JointOperation } },
  { streams, gone }: ChangeTargets,
): Promise<void> {
  const { operation } = planned.change;
  const checked = streams.map((stream) => ({
    stream,
    obstacle: obstacleTo(operation, stream, isBusy(context, stream)),
  }));
  const possible = checked.filter(({ obstacle }) => obstacle === undefined).map(({ stream }) => stream);
  // Streams that the confirmation didn't name aren't changed, even if their obstacle is gone by then.
  const others = checked.flatMap(({ stream, obstacle }): readonly Outcome[] =>
    obstacle === undefined ? [] : [{ kind: 'obstacle', stream, obstacle }],
  );
  if (possible.length > 0 && !(await confirmChange(context, planned.change, possible))) return;
  const title = JOINT_WORDS[operation].doing(possible.length);
  const outcomes = await context.ui.progress(title, (report, signal) =>
    (operation === 'deleting' ? deleteStreams : changeInTurn)(
      context,
      { ...planned, streams: possible },
      { report, signal },
    ),
  );
  const missing = gone.map((stream): Outcome => ({ kind: 'gone', stream }));
  reportSeveral({ ...context, connection: planned }, operation, [...outcomes, ...others, ...missing]);
}

function isBusy({ store }: CommandContext, { id }: Stream): boolean {
  return store.snapshot.operations.has(id);
}

/** Renames a stream. Takes {id, name}, or the stream and the name as two arguments; prompts for what is missing. */
export async function renameStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const targets = await resolveTargets(context, args.slice(0, 1), 'renaming');
  const [stream] = targets?.streams ?? [];
  if (stream === undefined) return;
  const name = await promptForStreamName(context, givenName(args), {
    title: t('Rename "{0}"', nameOf(stream)),
    prompt: t('Enter a name for the stream'),
    value: stream.name,
    warn: (text) => warningOfSameName(context, text, stream.id),
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
  settingPolicy: () => CHANGE_WORDS.settingPolicy.title(),
};

/** Shows a modal confirmation if the change needs one. Returns true if none is needed. */
async function confirmChange(context: CommandContext, change: Change, streams: readonly Stream[]): Promise<boolean> {
  if (!needsConfirmation(change, streams)) return true;
  return context.ui.confirm(questionOf(context, change.operation, streams));
}

function questionOf(context: CommandContext, operation: Operation, streams: readonly Stream[]): Question {
  const [first] = streams;
  const isOne = streams.length === 1 && first !== undefined;
  const subject = withConnection(context, isOne ? quotedName(first) : t('{0} streams', streams.length));
  const lines = isOne ? linesOfOne(operation, first) : linesOfSeveral(operation, streams);
  return {
    message: messageOf(operation, subject),
    ...(lines.length > 0 && { detail: lines.join('\n') }),
    act: CONFIRM_LABELS[operation]?.() ?? t('Continue'),
  };
}

function messageOf(operation: Operation, subject: string): string {
  if (operation === 'deleting') return t('Delete {0}?', subject);
  if (operation === 'settingPolicy') return t('Make {0} private?', subject);
  return operation === 'suspending' ? t('Suspend {0}?', subject) : t('End the broadcast of {0}?', subject);
}

function linesOfOne(operation: Operation, { isActive, suspended }: Stream): readonly string[] {
  if (operation === 'settingPolicy') return [t('This stream is live. Its viewers may be disconnected.')];
  if (operation === 'endingBroadcast')
    return suspended === true ? [] : [t('The encoder may reconnect immediately. To prevent this, suspend the stream.')];
  const live = isActive ? [t('This stream is live. Its broadcast will end.')] : [];
  if (operation === 'suspending') return [...live, t("The stream won't accept broadcasts until you resume it.")];
  return [
    ...live,
    t("Its stream key and playback ID will stop working. Past sessions and recordings are kept. You can't undo this."),
  ];
}

function linesOfSeveral(operation: Operation, streams: readonly Stream[]): readonly string[] {
  const live = streams.filter((stream) => stream.isActive).length;
  const liveLine =
    live === 1
      ? t('One of them is live. Its broadcast will end.')
      : t('{0} of them are live. Their broadcasts will end.', live);
  const last =
    operation === 'suspending'
      ? t("They won't accept broadcasts until you resume them.")
      : t(
          "Their stream keys and playback IDs will stop working. Past sessions and recordings are kept. You can't undo this.",
        );
  return [...(live > 0 ? [liveLine] : []), listNames(streams), last];
}

/**
 * Returns the streams to change as last received, each once. Takes rows, an ID or {id}, or shows a picker. Ignores rows
 * of sessions: selecting one by mistake must not delete its stream. Returns undefined if the picker was dismissed.
 * Throws a Refusal for anything else, and if the only stream is gone.
 */
async function resolveTargets(
  context: CommandContext,
  args: readonly unknown[],
  operation: Operation,
): Promise<ChangeTargets | undefined> {
  const ids = givenIds(args);
  const targets = ids.length > 1 ? await readAll(context, ids) : await readOne(context, ids, operation);
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

/** The streams to list first: those that can be changed, if not all can, or that have no viewers who would notice. */
const FIRST: Partial<Readonly<Record<Operation, FirstStreams>>> = {
  turningRecordingOn: 'idle',
  turningRecordingOff: 'idle',
  renaming: 'idle',
  suspending: 'idle',
  resuming: 'suspended',
  deleting: 'idle',
};

/** The operations that end the broadcast of a live stream. */
const DISTURBING: readonly Operation[] = ['suspending', 'deleting'];

async function readOne(
  context: CommandContext,
  ids: readonly string[],
  operation: Operation,
): Promise<ChangeTargets | undefined> {
  const options = {
    first: FIRST[operation],
    disturbsLive: DISTURBING.includes(operation),
    isOnlyOfActive: operation === 'endingBroadcast',
  };
  const streams = await resolveStreams(context, ids, CHANGE_WORDS[operation].title(), options);
  return streams === undefined ? undefined : { streams, gone: [] };
}

async function readAll(context: CommandContext, ids: readonly string[]): Promise<ChangeTargets> {
  const streams: Stream[] = [];
  const gone: NamedStream[] = [];
  for (const id of ids) {
    const stream = knownStream(context, id) ?? (await context.connection.account.readStream(id));
    if (stream === undefined) gone.push({ id, name: '' });
    else streams.push(stream);
  }
  return { streams, gone };
}

/** Texts for a change. Names are already cut to one line. Only `notOffered` is a sentence with a period. */
interface ChangeWords {
  readonly title: () => string;
  readonly done: (name: string) => string;
  readonly notOffered: (service: string) => string;
}

const CHANGE_WORDS: Readonly<Record<Operation, ChangeWords>> = {
  renaming: {
    title: () => withoutDots(t('Rename Stream…')),
    done: (name) => t('Renamed the stream to "{0}"', name),
    notOffered: (service) => t("{0} doesn't support renaming streams.", service),
  },
  turningRecordingOn: {
    title: () => t('Turn On Recording'),
    done: (name) => t('Turned on recording for "{0}"', name),
    notOffered: (service) => t("{0} doesn't support turning recording on or off.", service),
  },
  turningRecordingOff: {
    title: () => t('Turn Off Recording'),
    done: (name) => t('Turned off recording for "{0}"', name),
    notOffered: (service) => t("{0} doesn't support turning recording on or off.", service),
  },
  suspending: {
    title: () => t('Suspend Stream'),
    done: (name) => t('Suspended "{0}"', name),
    notOffered: (service) => t("{0} doesn't support suspending streams.", service),
  },
  resuming: {
    title: resumeStreamLabel,
    done: (name) => t('Resumed "{0}"', name),
    notOffered: (service) => t("{0} doesn't support resuming streams.", service),
  },
  settingPolicy: {
    title: () => withoutDots(setPlaybackPolicyLabel()),
    done: (name) => t('Updated the playback policy for "{0}"', name),
    notOffered: (service) => t("{0} doesn't support playback policies.", service),
  },
  settingTags: {
    title: () => t('Edit Stream Tags'),
    done: (name) => t('Updated the tags for "{0}"', name),
    notOffered: (service) => t("{0} doesn't support tags.", service),
  },
  settingRenditions: {
    title: () => t('Edit Stream Renditions'),
    done: (name) => t('Updated the renditions for "{0}"', name),
    notOffered: (service) => t("{0} doesn't support editing renditions.", service),
  },
  endingBroadcast: {
    title: () => t('End Broadcast'),
    done: (name) => t('Ended the broadcast of "{0}"', name),
    notOffered: (service) => t("{0} doesn't support ending broadcasts.", service),
  },
  deleting: {
    title: () => t('Delete Stream'),
    done: (name) => t('Deleted "{0}"', name),
    notOffered: (service) => t("{0} doesn't support deleting streams.", service),
  },
};

/** Changes of several streams at once. */
type JointOperation = 'turningRecordingOn' | 'turningRecordingOff' | 'suspending' | 'resuming' | 'deleting';

const JOINT_WORDS: Readonly<
  Record<
    JointOperation,
    {
      readonly doing: (count: number) => string;
      readonly done: (count: number) => string;
      readonly doneSome: (count: number, of: number) => string;
    }
  >
> = {
  turningRecordingOn: {
    doing: (count) => t('Turning on recording for {0} streams', count),
    done: (count) => t('Turned on recording for {0} streams', count),
    doneSome: (count, of) => t('Turned on recording for {0} of {1} streams', count, of),
  },
  turningRecordingOff: {
    doing: (count) => t('Turning off recording for {0} streams', count),
    done: (count) => t('Turned off recording for {0} streams', count),
    doneSome: (count, of) => t('Turned off recording for {0} of {1} streams', count, of),
  },
  suspending: {
    doing: (count) => t('Suspending {0} streams', count),
    done: (count) => t('Suspended {0} streams', count),
    doneSome: (count, of) => t('Suspended {0} of {1} streams', count, of),
  },
  resuming: {
    doing: (count) => t('Resuming {0} streams', count),
    done: (count) => t('Resumed {0} streams', count),
    doneSome: (count, of) => t('Resumed {0} of {1} streams', count, of),
  },
  deleting: {
    doing: (count) => t('Deleting {0} streams', count),
    done: (count) => t('Deleted {0} streams', count),
    doneSome: (count, of) => t('Deleted {0} of {1} streams', count, of),
  },
};

/** Why a change wasn't requested, as sentences: for one stream by name, and for several that were named before. */
const OBSTACLE_WORDS: Readonly<
  Record<Obstacle, { readonly one: (name: string) => string; readonly some: () => string }>
> = {
  live: {
    one: (name) => t('"{0}" is live. You can turn recording on or off after the broadcast ends.', name),
    some: () => t("You can't turn recording on or off while a stream is live."),
  },
  liveRenditions: {
    one: (name) => t('"{0}" is live. You can edit its renditions after the broadcast ends.', name),
    some: () => t("You can't edit renditions while a stream is live."),
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
    some: () => t('Not changed because it went live.'),
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
    one: (name) => t('"{0}" is a deprecated child stream. You can\'t change deprecated child streams.', name),
    some: () => t("You can't change deprecated child streams."),
  },
};

type ReportContext = NamesConnection & Pick<CommandContext, 'ui' | 'clock'>;

/** Reports the result of changing one stream. Throws a Refusal or the ApiError if it wasn't changed. */
function reportOne(context: ReportContext, outcome: Outcome, change: Change): void {
  const { stream } = outcome;
  const { operation } = change;
  const name = change.operation === 'renaming' ? change.name : stream.name;
  const done = CHANGE_WORDS[operation].done(nameOf({ id: stream.id, name }));
  switch (outcome.kind) {
    case 'done':
      flashDone(context, done);
      return;
    case 'doneDespite': {
      const reason = uncertainReason(outcome.error, serviceOf(context, outcome.error));
      void context.ui.notify(
        'info',
        t('{0} However, the change was applied: {1}.', reason, withConnection(context, done)),
      );
      return;
    }
    case 'obstacle':
      throw obstacleRefusal(outcome.obstacle, stream);
    case 'gone':
      throw streamIsGone(stream);
    case 'left':
      throw new Refusal(t('Nothing was changed because you switched connections.'));
    case 'uncertain':
      throw new Refusal(
        titled(
          CHANGE_WORDS[operation].title(),
          uncertainSentence(uncertainReason(outcome.error, serviceOf(context, outcome.error)), nameOf(stream)),
        ),
        { isOfConnection: true, severity: 'error', canEdit: true, actions: [refreshAction(), showLogAction()] },
      );
    case 'failed':
      throw failureOf(context, outcome, change);
    default:
      outcome satisfies never;
  }
}

/** Throws a Refusal if the operation isn't allowed on the stream, before any box is shown for it. */
export function requirePossible(context: CommandContext, operation: Operation, stream: Stream): void {
  const obstacle = obstacleTo(operation, stream, isBusy(context, stream));
  if (obstacle !== undefined) throw obstacleRefusal(obstacle, stream);
}

function obstacleRefusal(obstacle: Obstacle, stream: NamedStream): Refusal {
  return new Refusal(OBSTACLE_WORDS[obstacle].one(nameOf(stream)), { severity: 'info' });
}

/**
 * Reports the results of changing several streams in one message: all done, or which were not and why. Throws a Refusal
 * unless all were changed.
 */
function reportSeveral(context: ReportContext, operation: JointOperation, outcomes: readonly Outcome[]): void {
  const words = JOINT_WORDS[operation];
  const done = outcomes.filter(isDone).length;
  const groups = groupByReason(context, operation, outcomes);
  if (groups.size === 0) {
    flashDone(context, words.done(done));
    return;
  }
  const head = t('{0}.', words.doneSome(done, outcomes.length));
  const rest = [...groups].map(([reason, streams]) => labeledText(listNames(streams), reason));
  const isRefused = outcomes.some((outcome) => outcome.kind === 'failed' && outcome.error.reason === 'unauthorized');
  const isUncertain = outcomes.some(({ kind }) => kind === 'uncertain');
  throw new Refusal([head, ...rest].join(' '), {
    isOfConnection: true,
    severity: severityOf(outcomes),
    actions: [
      ...(isRefused ? [setApiKeyAction(context.connection.info)] : []),
      ...(isUncertain ? [refreshAction()] : []),
      showLogAction(),
    ],
  });
}

function groupByReason(context: ReportContext, operation: Operation, outcomes: readonly Outcome[]) {
  const groups = new Map<string, Outcome['stream'][]>();
  for (const outcome of outcomes) {
    const reason = reasonOfOutcome(context, operation, outcome);
    if (reason !== undefined) groups.set(reason, [...(groups.get(reason) ?? []), outcome.stream]);
  }
  return groups;
}

function reasonOfOutcome(context: ReportContext, operation: Operation, outcome: Outcome): string | undefined {
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
        uncertainReason(outcome.error, serviceOf(context, outcome.error)),
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
  context: ReportContext,
  { error }: Outcome & { readonly kind: 'failed' },
  { operation }: Change,
): Refusal | ApiError {
  if (error.why !== 'notOffered') return error;
  return new Refusal(reasonOf(context, operation, error), { isOfConnection: true });
}

function uncertainSentence(reason: string, name: string): string {
  return t('{0} The change to "{1}" may still have been applied. Refresh to check.', reason, name);
}

/** Says why it isn't known whether a change was made. Doesn't suggest a retry. */
export function uncertainReason(error: ApiError, service: string | undefined): string {
  if (error.reason !== 'timeout') return describeError(error, { service });
  return nameService(service, slowSentence);
}

function reasonOf(context: ReportContext, operation: Operation, error: ApiError): string {
  const service = serviceOf(context, error);
  if (error.why === 'notOffered') return nameService(service, CHANGE_WORDS[operation].notOffered);
  return describeError(error, { service, now: context.clock.now() });
}
