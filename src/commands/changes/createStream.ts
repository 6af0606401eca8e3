import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import type { NewStream, Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import type { PickItem, PickOptions } from '../../services.ts';
import { showLogAction } from '../../texts/actions.ts';
import { nameOf, withConnection } from '../../texts/names.ts';
import { isRefusal, Refusal } from '../../texts/refusal.ts';
import { oneLine } from '../../util/text.ts';
import { BACK, pickOrBack } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { revealStream } from '../goToStream.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { pickStream } from '../targets/pickStream.ts';
import { promptForStreamName } from './streamName.ts';

const OTHER = 'other';

interface Draft {
  readonly name: string | undefined;
  readonly record: boolean | undefined;
  readonly profiles: readonly unknown[] | undefined;
}

interface ChosenRenditions {
  readonly label: string;
  /** Undefined leaves the choice to the service. */
  readonly profiles: NewStream['profiles'];
}

/** As the public service has them; `fps` 0 is that of the source. The interface states no shape. */
interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Bit/s. */
  readonly bitrate: number;
  readonly fps: number;
}

const LADDER: readonly Rendition[] = [
  { name: '240p0', width: 426, height: 240, bitrate: 250_000, fps: 0 },
  { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 },
  { name: '480p0', width: 854, height: 480, bitrate: 1_600_000, fps: 0 },
  { name: '720p0', width: 1280, height: 720, bitrate: 3_000_000, fps: 0 },
];

/** All ladders that can be chosen, shortest first. */
const LADDERS: readonly (readonly Rendition[])[] = LADDER.map((_top, at) => LADDER.slice(0, at + 1));

/**
 * Creates a stream, reveals its row, and opens its page, which has what an encoder needs. Takes {name, record}, and
 * {profiles} in the service's format. Prompts for the name if missing, and for recording and renditions.
 */
export async function createStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const connection = { info: openConnectionInfo(context), account: context.current.account };
  const stream = await promptForStream(context, draftOf(args[0]));
  if (stream === undefined) return;
  const { created, trouble } = await create(context, connection, stream);
  const named = { ...context, current: connection };
  if (trouble === undefined) flashDone(named, t('Created "{0}"', nameOf(created)));
  else context.showMessage({ severity: 'info', sentence: withConnection(named, trouble), actions: [] });
  if (!connection.account.isClosed) await revealRow(context, created);
  if (!connection.account.isClosed) await context.details.openStream(created);
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
  const outcome = await account.create(stream);
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
    if (draft.record !== undefined) return withRenditions({ name, record: draft.record }, chosen);
    const rest = await promptForRest(context, { chosen, hasSteps, canChoose: draft.profiles === undefined });
    if (rest === undefined) return undefined;
    ({ chosen } = rest);
    if (rest.record === BACK) typed = name;
    else return withRenditions({ name, record: rest.record }, chosen);
  }
}

/** Services allow a name twice. Only streams that are loaded are known. */
function warningOf({ store }: CommandContext, text: string): string | undefined {
  const name = text.trim();
  const isTaken = [...store.snapshot.streams.values()].some(({ stream }) => stream.name.trim() === name);
  return isTaken ? t('Another stream has this name.') : undefined;
}

function withRenditions(stream: NewStream, { profiles }: ChosenRenditions): NewStream {
  return profiles === undefined ? stream : { ...stream, profiles };
}

interface Choosing {
  readonly chosen: ChosenRenditions;
  readonly hasSteps: boolean;
  /** Whether renditions can be chosen. */
  readonly canChoose: boolean;
}

interface Rest {
  readonly record: boolean | typeof BACK;
  readonly chosen: ChosenRenditions;
}

/** Shows one box until the stream is to be created: choosing renditions shows it again, with these checked. */
async function promptForRest(context: CommandContext, choosing: Choosing): Promise<Rest | undefined> {
  let { chosen } = choosing;
  for (;;) {
    const answer = await pickRest(context, { ...choosing, chosen });
    if (answer === undefined) return undefined;
    if (answer === BACK || typeof answer === 'boolean') return { record: answer, chosen };
    const renditions = answer === OTHER ? await renditionsOfAnother(context) : answer;
    if (renditions === undefined) return undefined;
    chosen = renditions;
  }
}

type RestAnswer = boolean | ChosenRenditions | typeof OTHER;

function pickRest(context: CommandContext, choosing: Choosing): Promise<RestAnswer | typeof BACK | undefined> {
  const options: PickOptions<RestAnswer> = {
    title: t('Create Stream'),
    placeholder: choosing.canChoose
      ? t('Create the stream, or select its renditions first')
      : t('Select whether to record broadcasts'),
    items: [
      { label: t('Create'), icon: 'add', value: false },
      { label: t('Create and Record'), icon: 'record', value: true },
      ...(choosing.canChoose ? renditionItems(context, choosing.chosen) : []),
    ],
  };
  if (!choosing.hasSteps) return context.ui.pick(options);
  return pickOrBack(context.ui, { ...options, step: { current: 2, total: 2 } });
}

/** The service's default, ladders, and those of another stream, whose shape only the service may know. */
function renditionItems(context: CommandContext, chosen: ChosenRenditions): readonly PickItem<RestAnswer>[] {
  const ladders = LADDERS.map((ladder) => ladderOf(ladder));
  const known = [{ ...byService(context), sizes: undefined }, ...ladders];
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

function draftOf(given: unknown): Draft {
  const record = givenField(given, 'record');
  const profiles = givenField(given, 'profiles');
  return {
    name: givenText(given, 'name'),
    record: typeof record === 'boolean' ? record : undefined,
    profiles: Array.isArray(profiles) ? profiles : undefined,
  };
}

/** Throws a Refusal for a stream without renditions, and ApiError. */
async function renditionsOfAnother(context: CommandContext): Promise<ChosenRenditions | undefined> {
  const stream = await pickStream(context, t('Copy Renditions'));
  if (stream === undefined) return undefined;
  const { profiles = [] } = stream;
  if (profiles.length === 0) throw new Refusal(t('"{0}" has no renditions of its own.', nameOf(stream)));
  return { label: t('Same as "{0}"', nameOf(stream)), profiles };
}

function ladderOf(ladder: readonly Rendition[]): ChosenRenditions & { readonly sizes: string } {
  const sizes = ladder.map(({ height }) => `${height}p`);
  return { label: t('Up to {0}', sizes.at(-1) ?? ''), sizes: sizes.join(' · '), profiles: ladder };
}
