import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { NewStream, PlaybackPolicy, Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { type CreateOutcome, changesOf } from '../../model/account/accountChanges.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import type { PickItem, PickOptions } from '../../services.ts';
import { showLogAction } from '../../texts/actions.ts';
import { nameOf, withConnection } from '../../texts/names.ts';
import { isRefusal, Refusal } from '../../texts/refusal.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { oneLine } from '../../util/text.ts';
import { completePolicy, givenPolicy, notAPolicy, policyLabel } from '../access/policyBoxes.ts';
import { BACK, pickOrBack } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { revealStream } from '../goToStream.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { changeSingle } from './changeCommands.ts';
import { type ChosenRenditions, ladders, renditionsOfAnother } from './renditionChoices.ts';
import { promptForStreamName } from './streamName.ts';

const OTHER = 'other';
const POLICY = 'policy';

interface Draft {
  readonly name: string | undefined;
  readonly record: boolean | undefined;
  readonly profiles: readonly unknown[] | undefined;
  readonly policy: PlaybackPolicy | undefined;
}

/**
 * Creates a stream, reveals its row, and opens its page, which has what an encoder needs. Takes {name, record}, and
 * {profiles} in the service's format, {playbackPolicy} with {type, webhookId?, allowedOrigins?}. Prompts for the name if
 * missing, and for recording, renditions, and the policy.
 */
export async function createStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const connection = { info: openConnectionInfo(context), account: context.current.account };
  const draft = await draftOf(context, args[0]);
  const stream = draft && (await promptForStream(context, draft));
  if (stream === undefined) return;
  const { created, trouble } = await create(context, connection, stream);
  const named = { ...context, current: connection };
  if (trouble === undefined) flashDone(named, t('Created "{0}"', nameOf(created)));
  else context.showMessage({ severity: 'info', sentence: withConnection(named, trouble), actions: [] });
  const { playbackPolicy } = stream;
  if (playbackPolicy !== undefined && !hasPolicy(created, playbackPolicy)) {
    await setPolicy(context, { ...connection, stream: created }, playbackPolicy);
  }
  if (!connection.account.isClosed) await revealRow(context, created);
  if (!connection.account.isClosed) await context.details.openStream(created);
}

/** Services without policies say none of a stream that everybody can watch. */
function hasPolicy({ playbackPolicy }: Stream, wanted: PlaybackPolicy): boolean {
  const none: PlaybackPolicy = { type: 'public', webhookId: undefined, allowedOrigins: [] };
  return isSameJson(playbackPolicy ?? none, wanted);
}

/** Reports it if that fails: the stream is there. */
async function setPolicy(
  context: CommandContext,
  { account, info, stream }: { readonly account: Account; readonly info: ConnectionInfo; readonly stream: Stream },
  policy: PlaybackPolicy,
): Promise<void> {
  try {
    await changeSingle(context, { account, info, stream, change: { operation: 'settingPolicy', policy } });
  } catch (error) {
    if (!isRefusal(error) && !isApiError(error)) throw error;
    const reason = isRefusal(error) ? error.sentence : describeError(error, { service: error.host ?? info.name });
    const sentence = t('"{0}" was created, but its playback policy wasn\'t set. {1}', nameOf(stream), reason);
    const set = { label: t('Set Playback Policy…'), command: 'setPlaybackPolicy', args: [stream.id] } as const;
    const named = { ...context, current: { account, info } };
    context.showMessage({ severity: 'error', sentence: withConnection(named, sentence), actions: [set] });
  }
}

async function revealRow(context: CommandContext, created: Stream): Promise<void> {
  try {
    await revealStream(context, created);
  } catch (error) {
    // The stream may have been deleted, or another connection opened, by now.
    if (isRefusal(error)) context.log.info(`The new stream is not shown: ${error.sentence}`);
    else context.log.error('The new stream could not be shown', error);
  }
}

/** Returns the new stream, and what went wrong although it was created. */
async function create(
  context: CommandContext,
  { account, info }: { readonly account: Account; readonly info: ConnectionInfo },
  stream: NewStream,
): Promise<{ readonly created: Stream; readonly trouble?: string }> {
  if (account.isClosed) throw new Refusal(t("The stream wasn't created because you switched connections."));
  const outcome = await sendCreation(account, stream);
  if (outcome.kind === 'done') return { created: outcome.stream };
  const { kind, error } = outcome;
  const service = error.host ?? info.name;
  if (kind === 'failed') {
    if (error.why !== 'notOffered') throw error;
    throw new Refusal(t("{0} doesn't support creating streams.", service), { isOfConnection: true });
  }
  const reason = describeError(error, { service });
  const name = nameOf({ id: '', name: stream.name });
  if (kind === 'doneDespite') {
    return { created: outcome.stream, trouble: t('{0} "{1}" was created anyway.', reason, name) };
  }
  if (!account.isClosed) await context.loader.reloadList('idle');
  throw new Refusal(uncertainSentence(kind, reason, name), {
    isOfConnection: true,
    severity: 'error',
    actions: [{ label: t('Refresh'), command: 'refresh' }, showLogAction()],
  });
}

/** Creates it without the playback policy, which is set afterwards, if the service doesn't take one there. */
async function sendCreation(account: Account, stream: NewStream): Promise<CreateOutcome> {
  const changes = changesOf(account);
  const outcome = await changes.create(stream);
  const { playbackPolicy, ...rest } = stream;
  const isRejected = outcome.kind === 'failed' && outcome.error.status === 422;
  return isRejected && playbackPolicy !== undefined ? changes.create(rest) : outcome;
}

function uncertainSentence(kind: 'notFound' | 'uncertain', reason: string, name: string): string {
  if (kind === 'uncertain') {
    return t('{0} "{1}" may have been created anyway. Check the Idle group before you try again.', reason, name);
  }
  return t(
    '{0} "{1}" isn\'t among the newest streams, so it probably wasn\'t created. Refresh before you try again.',
    reason,
    name,
  );
}

/** Prompts in steps for what is missing. Going back keeps what was entered. */
async function promptForStream(context: CommandContext, draft: Draft): Promise<NewStream | undefined> {
  const hasSteps = draft.name === undefined && draft.record === undefined;
  let chosen = draft.profiles === undefined ? byService(context) : { label: '', profiles: draft.profiles };
  let { policy } = draft;
  let typed = '';
  for (;;) {
    const name = await promptForStreamName(context, draft.name, {
      title: t('Create Stream'),
      prompt: t('Enter a name for the stream'),
      value: typed,
      warn: (text) => warningOf(context, text),
      step: hasSteps ? { current: 1, total: 2 } : undefined,
    });
    if (name === undefined) return undefined;
    if (draft.record !== undefined) return withChoices({ name, record: draft.record }, { chosen, policy });
    const canChoose = draft.profiles === undefined;
    const rest = await promptForRest(context, { name, chosen, policy, hasSteps, canChoose });
    if (rest === undefined) return undefined;
    ({ chosen, policy } = rest);
    if (rest.record === BACK) typed = name;
    else return withChoices({ name, record: rest.record }, { chosen, policy });
  }
}

/** Services allow a name twice. Only streams that are loaded are known. */
function warningOf({ store }: CommandContext, text: string): string | undefined {
  const name = text.trim();
  const isTaken = [...store.snapshot.streams.values()].some(({ stream }) => stream.name.trim() === name);
  return isTaken ? t('Another stream has this name.') : undefined;
}

function withChoices(stream: NewStream, { chosen: { profiles }, policy }: Choices): NewStream {
  return {
    ...stream,
    ...(profiles !== undefined && { profiles }),
    ...(policy !== undefined && { playbackPolicy: policy }),
  };
}

interface Choices {
  readonly chosen: ChosenRenditions;
  /** Undefined leaves the choice to the service. */
  readonly policy: PlaybackPolicy | undefined;
}

interface Choosing extends Choices {
  readonly name: string;
  readonly hasSteps: boolean;
  /** Whether renditions and the policy can be chosen. */
  readonly canChoose: boolean;
}

interface Rest extends Choices {
  readonly record: boolean | typeof BACK;
}

/** Shows one box until the stream is to be created: other choices show it again, with what was chosen. */
async function promptForRest(context: CommandContext, choosing: Choosing): Promise<Rest | undefined> {
  let { chosen, policy } = choosing;
  for (;;) {
    const answer = await pickRest(context, { ...choosing, chosen, policy });
    if (answer === undefined) return undefined;
    if (answer === BACK || typeof answer === 'boolean') return { record: answer, chosen, policy };
    if (answer === POLICY) {
      policy = (await completePolicy(context, unmadeStream(choosing.name, policy), givenPolicy(undefined))) ?? policy;
      continue;
    }
    const renditions = answer === OTHER ? await renditionsOfAnother(context) : answer;
    if (renditions === undefined) return undefined;
    chosen = renditions;
  }
}

function unmadeStream(name: string, playbackPolicy: PlaybackPolicy | undefined) {
  return { id: '', name, playbackPolicy };
}

type RestAnswer = boolean | ChosenRenditions | typeof OTHER | typeof POLICY;

function pickRest(context: CommandContext, choosing: Choosing): Promise<RestAnswer | typeof BACK | undefined> {
  const options: PickOptions<RestAnswer> = {
    title: t('Create Stream'),
    placeholder: choosing.canChoose
      ? t('Create the stream, or change its settings first')
      : t('Select whether to record broadcasts'),
    items: [
      { label: t('Create'), icon: 'add', value: false },
      { label: t('Create and Record'), icon: 'record', value: true },
      ...(choosing.canChoose
        ? [...policyItems(context, choosing.policy), ...renditionItems(context, choosing.chosen)]
        : []),
    ],
  };
  if (!choosing.hasSteps) return context.ui.pick(options);
  return pickOrBack(context.ui, { ...options, step: { current: 2, total: 2 } });
}

function policyItems({ store }: CommandContext, policy: PlaybackPolicy | undefined): readonly PickItem<RestAnswer>[] {
  if (!store.snapshot.abilities.playbackPolicy) return [];
  const description = policyLabel(policy?.type ?? 'public');
  return [
    { label: t('Settings'), isSeparator: true, value: POLICY },
    { label: t('Set Playback Policy…'), description, icon: 'lock', value: POLICY },
  ];
}

/** The service's default, ladders, and those of another stream, whose shape only the service may know. */
function renditionItems(context: CommandContext, chosen: ChosenRenditions): readonly PickItem<RestAnswer>[] {
  const known = [{ ...byService(context), sizes: undefined }, ...ladders()];
  const isOther = known.every(({ label }) => label !== chosen.label);
  const all = isOther ? [...known, { ...chosen, sizes: undefined }] : known;
  return [
    { label: t('Renditions'), isSeparator: true, value: OTHER },
    ...all.map(({ sizes, ...value }) => ({
      label: value.label,
      description: sizes,
      icon: value.label === chosen.label ? 'check' : 'blank',
      value,
    })),
    { label: t('Copy from Another Stream…'), icon: 'copy', value: OTHER },
  ];
}

function byService(context: CommandContext): ChosenRenditions {
  return { label: t('Default for {0}', oneLine(openConnectionInfo(context).name, 100)), profiles: undefined };
}

/** Returns undefined if the missing webhook of a policy isn't selected. Throws a Refusal for what is no policy. */
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
