import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { Named, NewStream, PlaybackPolicy, Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { type CreateOutcome, changesOf } from '../../model/account/accountChanges.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import type { PickItem } from '../../services.ts';
import { showLogAction } from '../../texts/actions.ts';
import { currentWord, retryLabel, showDetailsLabel } from '../../texts/labels.ts';
import {
  onOrOffText,
  recordingLabel,
  retryWithBoxesLabel,
  setPlaybackPolicyLabel,
  withoutDots,
} from '../../texts/lateLabels.ts';
import { withConnection } from '../../texts/listedNames.ts';
import { nameOf } from '../../texts/names.ts';
import { isRefusal, Refusal } from '../../texts/refusal.ts';
import { serviceOf } from '../../texts/refusals.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { oneLine } from '../../util/text.ts';
import {
  askPolicy,
  type CompletePolicy,
  completePolicy,
  createWantedKey,
  givenPolicy,
  notAPolicy,
  policyLabel,
} from '../access/policyBoxes.ts';
import { reportFailure } from '../boundary.ts';
import { BACK, pickOrBack } from '../boxSteps.ts';
import { givenConnection } from '../connection/boundConnection.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { revealStream } from '../goToStream.ts';
import {
  addPlannedTarget,
  describePlanned,
  type PlannedTarget,
  planTarget,
  withProfiles,
} from '../multistream/plannedTarget.ts';
import { givenField, givenRow, givenText } from '../targets/commandArguments.ts';
import { changeSingle, uncertainReason } from './changeCommands.ts';
import { type ChosenRenditions, ladders, renditionsOfAnother } from './renditionChoices.ts';
import { promptForStreamName, warningOfSameName } from './streamName.ts';

interface Draft {
  readonly name: string | undefined;
  readonly record: boolean | undefined;
  readonly profiles: readonly unknown[] | undefined;
  readonly policy: CompletePolicy | undefined;
}

/**
 * Creates a stream, reveals its row, and opens its page, which has what an encoder needs. Takes {name, record}, and
 * {profiles} in the service's format, {playbackPolicy} with {type, webhookId?, allowedOrigins?}. Prompts for the name
 * if missing, and for recording, the policy, and renditions. With the row of a connection, asks whether to create it
 * there.
 */
export async function createStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chooseConnection(context, givenRow(args[0]));
  if (chosen === undefined) return;
  if (chosen.id !== context.connection.info?.id) return void (await context.runBeside?.(chosen));
  const connection = openConnection(context);
  const draft = await draftOf(context, args[0]);
  if (draft !== undefined) await createFrom(context, connection, { draft, entered: undefined });
}

/** The view's title passes the focused row, and a row's menu passes that row, so they can't be told apart. */
async function chooseConnection(context: CommandContext, row: ViewNode | undefined) {
  const current = openConnectionInfo(context);
  const named = row?.kind === 'connection' ? givenConnection(context, [row]) : undefined;
  if (named === undefined || named.id === current.id || context.runBeside === undefined) return current;
  if (!context.store.snapshot.abilities.create) return named;
  return context.ui.pick<Named>({
    title: titleOf(),
    placeholder: t('Select the connection for the new stream'),
    isOfAllConnections: true,
    items: [
      { label: oneLine(named.name, 100), icon: 'server', value: named },
      { label: oneLine(current.name, 100), description: currentWord(), icon: 'server', value: current },
    ],
  });
}

function titleOf(): string {
  return withoutDots(t('Create Stream…'));
}

interface OpenConnection {
  readonly account: Account;
  readonly info: ConnectionInfo;
}

function openConnection(context: CommandContext): OpenConnection {
  return { info: openConnectionInfo(context), account: context.connection.account };
}

async function createFrom(context: CommandContext, connection: OpenConnection, begun: Begun): Promise<void> {
  const entered = await promptForStream(context, begun);
  if (entered === undefined) return;
  const stream = newStream(entered);
  const isPrompted = begun.draft.name === undefined || begun.draft.record === undefined;
  const retry: MessageAction = {
    label: isPrompted ? retryWithBoxesLabel() : retryLabel(),
    connection: connection.info,
    run: (next) => createFrom(next, openConnection(next), { draft: begun.draft, entered }),
  };
  const { created, trouble } = await create(context, connection, { stream, isPrompted, retry });
  // A page that opens late would take focus from a user who is typing.
  const isBusy = await context.isUserTyping();
  const named = { ...context, connection };
  const done = trouble ?? t('Created "{0}"', nameOf(created));
  const show = { label: showDetailsLabel(), command: 'showStream', args: [created.id] } as const;
  const actions = isBusy ? [show] : [];
  if (trouble === undefined && !isBusy) flashDone(named, done);
  else context.showMessage({ severity: 'info', sentence: withConnection(named, done), actions });
  const { playbackPolicy } = stream;
  if (playbackPolicy !== undefined && !hasPolicy(created, playbackPolicy)) {
    await setPolicy(context, { ...connection, stream: created }, playbackPolicy);
  }
  if (!connection.account.isClosed) await revealRow(context, created, isBusy);
  const { target } = entered.settings;
  if (!connection.account.isClosed && target?.isComplete === true) {
    await addPlannedTarget(context, { ...connection, stream: created, draft: target.draft });
  }
  if (!connection.account.isClosed && !isBusy) await context.details.openStream(created);
}

/** Services without policies report none for a stream that everyone can watch. */
function hasPolicy({ playbackPolicy }: Stream, wanted: PlaybackPolicy): boolean {
  const none: PlaybackPolicy = { type: 'public', webhookId: undefined, allowedOrigins: [] };
  return isSameJson(playbackPolicy ?? none, wanted);
}

/** Reports a failure instead of throwing: the stream exists. */
async function setPolicy(
  context: CommandContext,
  { account, info, stream }: OpenConnection & { readonly stream: Stream },
  policy: PlaybackPolicy,
): Promise<void> {
  try {
    await changeSingle(context, { account, info, stream, change: { operation: 'settingPolicy', policy } });
  } catch (error) {
    if (!isRefusal(error) && !isApiError(error)) throw error;
    const named = { ...context, connection: { account, info } };
    const reason = isRefusal(error) ? error.sentence : describeError(error, { service: serviceOf(named, error) });
    const sentence = t('"{0}" was created, but its playback policy wasn\'t set. {1}', nameOf(stream), reason);
    const set = { label: setPlaybackPolicyLabel(), command: 'setPlaybackPolicy', args: [stream.id] } as const;
    context.showMessage({ severity: 'error', sentence: withConnection(named, sentence), actions: [set] });
  }
}

async function revealRow(context: CommandContext, created: Stream, isBusy: boolean): Promise<void> {
  try {
    // A filter that hides it stays if the user is working on something else.
    if (isBusy) await context.ui.reveal({ kind: 'stream', id: created.id, keepsFocus: true });
    else await revealStream(context, created);
  } catch (error) {
    // The stream may have been deleted, or another connection opened, by now.
    if (isRefusal(error)) context.log.info(`The new stream isn't shown: ${error.sentence}`);
    else context.log.error("The new stream couldn't be shown", error);
  }
}

interface Creation {
  readonly stream: NewStream;
  /** Whether a retry shows a box first. */
  readonly isPrompted: boolean;
  readonly retry: MessageAction;
}

/** Returns the new stream, and what went wrong although it was created. */
async function create(
  context: CommandContext,
  { account, info }: OpenConnection,
  { stream, isPrompted, retry }: Creation,
): Promise<{ readonly created: Stream; readonly trouble?: string }> {
  if (account.isClosed) throw new Refusal(t("The stream wasn't created because you switched connections."));
  // The service may be slow, and would create a second stream.
  if (changesOf(account).isCreating(stream.name))
    throw new Refusal(creatingSentence(stream.name), { severity: 'info' });
  const outcome = await sendCreation(account, stream);
  if (outcome.kind === 'done') return { created: outcome.stream };
  const { kind, error } = outcome;
  const service = serviceOf({ ...context, connection: { info } }, error);
  const name = nameOf({ id: '', name: stream.name });
  const why = () => describeError(error, { service, now: context.clock.now() });
  if (kind === 'failed') {
    if (error.why === 'notOffered') {
      throw new Refusal(t("{0} doesn't support creating streams.", info.name));
    }
    const { actions } = reportFailure(context, error, { info, act: retry });
    throw notCreated(name, why(), withRetry(actions, retry));
  }
  const reason = uncertainReason(error, service);
  if (kind === 'doneDespite') {
    return { created: outcome.stream, trouble: t('{0} However, "{1}" was created.', reason, name) };
  }
  if (!account.isClosed) await context.loader.reloadList('idle');
  const actions = [...(isPrompted ? [retry] : []), showLogAction()];
  // A service that responded hasn't created it later. One whose response was lost may have.
  if (kind === 'notFound' && error.status !== undefined) throw notCreated(name, why(), actions);
  throw new Refusal<MessageAction>(
    t('Couldn\'t confirm that "{0}" was created. {1} Check the Idle group before you try again.', name, reason),
    { isOfConnection: true, severity: 'error', actions },
  );
}

function notCreated(name: string, reason: string, actions: readonly MessageAction[]): Refusal<MessageAction> {
  const sentence = t('Couldn\'t create "{0}". {1}', name, reason);
  return new Refusal(sentence, { isOfConnection: true, severity: 'error', actions });
}

/** Offers a retry after any failure, because it keeps the input. */
function withRetry(actions: readonly MessageAction[], retry: MessageAction): readonly MessageAction[] {
  const at = actions.findIndex((action) => 'run' in action && 'run' in retry && action.run === retry.run);
  return at < 0 ? actions.toSpliced(-1, 0, retry) : actions.with(at, retry);
}

/** Creates a stream without its playback policy, which is set afterwards, if the service rejects it with one. */
async function sendCreation(account: Account, stream: NewStream): Promise<CreateOutcome> {
  const changes = changesOf(account);
  const outcome = await changes.create(stream);
  const { playbackPolicy, ...rest } = stream;
  const isRejected = outcome.kind === 'failed' && outcome.error.status === 422;
  return isRejected && playbackPolicy !== undefined ? changes.create(rest) : outcome;
}

interface Entered {
  readonly name: string;
  readonly settings: Settings;
}

interface Begun {
  readonly draft: Draft;
  /** The input before a retry. */
  readonly entered: Entered | undefined;
}

/** Prompts in steps for what is missing. Going back keeps the input. */
async function promptForStream(context: CommandContext, { draft, entered }: Begun): Promise<Entered | undefined> {
  const hasSteps = draft.name === undefined && draft.record === undefined;
  const canChoose = draft.profiles === undefined;
  const renditions = canChoose ? byService(context) : { label: '', profiles: draft.profiles };
  const first: Settings = { record: draft.record ?? false, renditions, policy: draft.policy, target: undefined };
  let { name: typed, settings } = entered ?? { name: '', settings: first };
  let given = entered !== undefined && draft.record === undefined ? typed : draft.name;
  for (;;) {
    const name = await promptForStreamName(context, given, {
      title: titleOf(),
      prompt: t('Enter a name for the stream'),
      value: typed,
      warn: (text) => warningOf(context, text),
      step: hasSteps ? { current: 1, total: 2 } : undefined,
    });
    if (name === undefined) return undefined;
    if (draft.record !== undefined) return { name, settings };
    const answer = await promptForSettings(context, { name, hasSteps, canChoose }, settings);
    if (answer === undefined) return undefined;
    ({ settings } = answer);
    if (!answer.isBack) return { name, settings };
    [typed, given] = [name, draft.name];
  }
}

function warningOf(context: CommandContext, text: string): string | undefined {
  const name = text.trim();
  const isCreating = changesOf(context.connection.account).isCreating(name);
  return isCreating ? creatingSentence(name) : warningOfSameName(context, name);
}

function creatingSentence(name: string): string {
  return t('"{0}" is already being created.', nameOf({ id: '', name }));
}

function newStream({ name, settings: { record, renditions, policy } }: Entered): NewStream {
  const { profiles } = renditions;
  return {
    ...{ name, record },
    ...(profiles !== undefined && { profiles }),
    ...(policy !== undefined && { playbackPolicy: policy.policy }),
  };
}

interface Settings {
  readonly record: boolean;
  readonly renditions: ChosenRenditions;
  /** Undefined leaves the choice to the service. The signing key is created right before the stream. */
  readonly policy: CompletePolicy | undefined;
  /** Added once the stream exists. */
  readonly target: PlannedTarget | undefined;
}

interface Unmade {
  readonly name: string;
  readonly hasSteps: boolean;
  /** Whether renditions and the policy can be chosen. */
  readonly canChoose: boolean;
}

/** Changes a setting in its own box, or immediately. Returns no change if the box is dismissed or left with Back. */
type Change = (context: CommandContext, unmade: Unmade, settings: Settings) => Promise<Partial<Settings>>;

const CHANGES: Readonly<Record<SettingAnswer, Change>> = {
  create: async (context, _unmade, { policy }) => {
    if (policy === undefined || !(await createWantedKey(context, policy))) return {};
    return { policy: { ...policy, keyName: undefined } };
  },
  record: async (_context, _unmade, { record }) => ({ record: !record }),
  target: async (context, _unmade, { target, renditions: { profiles } }) => {
    return { target: await planTarget(context, target, { title: titleOf(), profiles }) };
  },
  policy: async (context, { name }, { policy }) => {
    const chosen = await askPolicy(context, unmadeStream(name, policy?.policy), titleOf());
    return chosen === undefined ? {} : { policy: chosen };
  },
  renditions: async (context, { name }, { renditions, target }) => {
    const chosen = await pickRenditions(context, name, renditions);
    return chosen === undefined ? {} : { renditions: chosen, target: withProfiles(target, chosen.profiles) };
  },
};

/** Shows one box until the user creates the stream: each setting shows it again, with the choices so far. */
async function promptForSettings(context: CommandContext, unmade: Unmade, first: Settings) {
  let settings = first;
  for (;;) {
    const answer = await pickSetting(context, unmade, settings);
    if (answer === undefined) return undefined;
    if (answer === BACK) return { settings, isBack: true };
    settings = { ...settings, ...(await changeSetting(context, answer, { unmade, settings })) };
    if (answer === 'create' && settings.policy?.keyName === undefined) return { settings, isBack: false };
  }
}

/** Changes a setting, or says why it can't be changed, such as to a policy that needs a webhook. Keeps the input. */
async function changeSetting(
  context: CommandContext,
  setting: SettingAnswer,
  { unmade, settings }: { readonly unmade: Unmade; readonly settings: Settings },
): Promise<Partial<Settings>> {
  try {
    return await CHANGES[setting](context, unmade, settings);
  } catch (error) {
    if (!isRefusal<MessageAction>(error) && !isApiError(error)) throw error;
    const { info } = context.connection;
    const message = reportFailure(context, error, { info, act: { run: () => undefined } });
    // The box is shown again for a retry.
    const actions = message.actions.filter((action) => !('run' in action));
    context.showMessage({ ...message, actions });
    return {};
  }
}

function unmadeStream(name: string, playbackPolicy: PlaybackPolicy | undefined) {
  return { id: '', name, playbackPolicy };
}

type SettingAnswer = 'create' | keyof Settings;

function pickSetting(
  context: CommandContext,
  { name, hasSteps, canChoose }: Unmade,
  { record, policy, renditions, target }: Settings,
): Promise<SettingAnswer | typeof BACK | undefined> {
  const { playbackPolicy: hasPolicies, multistream: hasTargets } = context.store.snapshot.abilities;
  const items: PickItem<SettingAnswer>[] = [
    { label: t('Create'), description: oneLine(name, 100), icon: 'add', value: 'create' },
    { label: t('Settings'), isSeparator: true },
    { label: recordingLabel(), description: onOrOffText(record), icon: 'record', value: 'record' },
  ];
  if (canChoose && hasPolicies) {
    const description = policyLabel(policy?.policy.type ?? 'public');
    items.push({ label: t('Playback Policy'), description, icon: 'lock', value: 'policy' });
  }
  if (canChoose)
    items.push({ label: t('Renditions'), description: renditions.label, icon: 'layers', value: 'renditions' });
  if (canChoose && hasTargets) {
    const description = describePlanned(target);
    items.push({ label: t('Multistream Target'), description, icon: 'broadcast', value: 'target' });
  }
  const options = {
    title: titleOf(),
    placeholder: t('Create the stream, or change its settings first'),
    items,
  };
  return hasSteps ? pickOrBack(context.ui, { ...options, step: { current: 2, total: 2 } }) : context.ui.pick(options);
}

/** Offers the service's default, ladders, and another stream's renditions, whose shape only the service may know. */
async function pickRenditions(
  context: CommandContext,
  name: string,
  chosen: ChosenRenditions,
): Promise<ChosenRenditions | undefined> {
  const known = [{ ...byService(context), sizes: undefined }, ...ladders()];
  const isOther = known.every(({ label }) => label !== chosen.label);
  const all = isOther ? [...known, { ...chosen, sizes: undefined }] : known;
  const answer = await pickOrBack<ChosenRenditions | 'another'>(context.ui, {
    title: titleOf(),
    placeholder: t('Select the renditions for "{0}"', nameOf({ id: '', name })),
    items: [
      ...all.map(({ sizes, ...value }) => ({
        label: value.label,
        description: sizes,
        icon: value.label === chosen.label ? 'check' : 'blank',
        value,
      })),
      { label: t('Copy from Another Stream…'), icon: 'copy', value: 'another' },
    ],
  });
  if (answer === 'another') return renditionsOfAnother(context);
  return answer === BACK ? undefined : answer;
}

function byService(context: CommandContext): ChosenRenditions {
  return { label: t('Default for {0}', oneLine(openConnectionInfo(context).name, 100)), profiles: undefined };
}

/** Returns undefined if a policy's missing webhook isn't selected. Throws a Refusal for an invalid policy. */
async function draftOf(context: CommandContext, given: unknown): Promise<Draft | undefined> {
  const record = givenField(given, 'record');
  const profiles = givenField(given, 'profiles');
  const wanted = givenField(given, 'playbackPolicy');
  const name = givenText(given, 'name');
  const policy = wanted === undefined ? undefined : givenPolicy(wanted);
  if (policy !== undefined && policy.type === undefined) throw notAPolicy();
  const stream = unmadeStream(name ?? '', undefined);
  const completed = policy && (await completePolicy(context, stream, policy));
  if (policy !== undefined && completed === undefined) return undefined;
  return {
    name,
    policy: completed,
    record: typeof record === 'boolean' ? record : undefined,
    profiles: Array.isArray(profiles) ? profiles : undefined,
  };
}
