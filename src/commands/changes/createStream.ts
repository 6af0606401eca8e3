import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import type { NewStream, Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { ingestServer } from '../../model/addresses.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import type { PickOptions } from '../../services.ts';
import { oneLine } from '../../util/text.ts';
import { showLogAction } from '../actions.ts';
import { BACK, pickOrBack } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { revealStream } from '../goToStream.ts';
import { openConnectionInfo, tryReadTemplates } from '../knownAddresses.ts';
import { flashDone, type NamesConnection, nameOf, withConnection } from '../messages.ts';
import { isRefusal, Refusal } from '../refusal.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { pickStream } from '../targets/pickStream.ts';
import { promptForStreamName } from './streamName.ts';

type Context = Pick<
  CommandContext,
  'ui' | 'store' | 'loader' | 'current' | 'settings' | 'demo' | 'log' | 'clock' | 'showMessage'
>;

const OTHER = 'other';

interface Draft {
  readonly name: string | undefined;
  readonly record: boolean | undefined;
  readonly profiles: readonly unknown[] | 'ask' | undefined;
}

const RENDITIONS = 'renditions';

interface Offer {
  readonly label: string;
  readonly text: string;
  readonly done: string;
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
 * Creates a stream, reveals its row and offers to copy what an encoder needs. Takes {name, record}, and {profiles} in
 * the service's format or 'ask'. Prompts for the name and recording if missing, and for renditions only if the user
 * wants to choose them.
 */
export async function createStream(context: Context, ...args: readonly unknown[]): Promise<void> {
  const connection = { info: openConnectionInfo(context), account: context.current.account };
  const stream = await promptForStream(context, draftOf(args[0]));
  if (stream === undefined) return;
  const { created, sentence } = await create(context, connection, stream);
  offer({ ...context, current: connection }, sentence, await offersFor(context, created));
  if (!connection.account.isClosed) await show(context, created);
}

async function show(context: Context, created: Stream): Promise<void> {
  try {
    await revealStream(context, created);
  } catch (error) {
    // The stream may have been deleted, or another connection opened, by now.
    if (isRefusal(error)) context.log.info(`The new stream is not shown: ${error.sentence}`);
    else context.log.error('The new stream could not be shown', error);
  }
}

async function create(
  context: Context,
  { account, info }: { readonly account: Account; readonly info: ConnectionInfo },
  stream: NewStream,
): Promise<{ readonly created: Stream; readonly sentence: string }> {
  if (account.isClosed) throw new Refusal(t("The stream wasn't created because a different connection was opened."));
  const outcome = await account.tryCreate(stream);
  if (outcome.kind === 'done') return { created: outcome.stream, sentence: t('Created "{0}"', nameOf(outcome.stream)) };
  const { kind, error } = outcome;
  const service = error.host ?? info.name;
  if (kind === 'failed') {
    if (error.why !== 'notOffered') throw error;
    throw new Refusal(t("{0} doesn't support creating streams.", service), { isOfConnection: true });
  }
  const reason = describeError(error, { service });
  const name = nameOf({ id: '', name: stream.name });
  if (kind === 'doneDespite') {
    return { created: outcome.stream, sentence: t('{0} "{1}" was created anyway.', reason, name) };
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
async function promptForStream(context: Context, draft: Draft): Promise<NewStream | undefined> {
  const hasSteps = draft.name === undefined && draft.record === undefined;
  let chosen: ChosenRenditions = { label: '', profiles: draft.profiles === 'ask' ? undefined : draft.profiles };
  let typed = '';
  for (;;) {
    const name = await promptForStreamName(context, draft.name, {
      title: t('Create Stream'),
      prompt: t('Enter a name for the stream'),
      value: typed,
      step: hasSteps ? { current: 1, total: 2 } : undefined,
    });
    if (name === undefined) return undefined;
    const rest = await promptForRest(context, draft, { chosen, hasSteps });
    if (rest === undefined) return undefined;
    ({ chosen } = rest);
    if (rest.record === BACK) typed = name;
    else return withRenditions({ name, record: rest.record }, chosen);
  }
}

function withRenditions(stream: NewStream, { profiles }: ChosenRenditions): NewStream {
  return profiles === undefined ? stream : { ...stream, profiles };
}

interface Rest {
  readonly record: boolean | typeof BACK;
  readonly chosen: ChosenRenditions;
}

async function promptForRest(
  context: Context,
  draft: Draft,
  given: { readonly chosen: ChosenRenditions; readonly hasSteps: boolean },
): Promise<Rest | undefined> {
  let { chosen } = given;
  let record: Rest['record'] | undefined = draft.record;
  for (let isDue = draft.profiles === 'ask'; isDue || record === undefined; ) {
    const answer = isDue ? RENDITIONS : await pickRecord(context, { renditions: chosen.label, ...given });
    if (answer === undefined) return undefined;
    if (answer === RENDITIONS) {
      const renditions = await pickRenditions(context, { canGoBack: !isDue });
      if (renditions === undefined) return undefined;
      if (renditions !== BACK) chosen = renditions;
    } else record = answer;
    isDue = false;
  }
  return { record, chosen };
}

/** @param renditions Label of the chosen renditions; empty if none were chosen. */
function pickRecord(
  { ui }: Pick<CommandContext, 'ui'>,
  { renditions, hasSteps }: { readonly renditions: string; readonly hasSteps: boolean },
): Promise<boolean | typeof RENDITIONS | typeof BACK | undefined> {
  const options: PickOptions<boolean | typeof RENDITIONS> = {
    title: t('Create Stream'),
    placeholder: t('Record broadcasts of this stream?'),
    items: [
      { label: t("Don't Record"), icon: 'circle-outline', value: false },
      { label: t('Record'), icon: 'record', value: true },
      { label: t('Optional'), isSeparator: true, value: RENDITIONS },
      { label: t('Select Renditions…'), description: renditions, icon: 'layers', value: RENDITIONS },
    ],
  };
  return hasSteps ? pickOrBack(ui, { ...options, step: { current: 2, total: 2 } }) : ui.pick(options);
}

async function offersFor(context: Context, { id, name, streamKey }: Stream): Promise<readonly Offer[]> {
  const quoted = nameOf({ id, name });
  const { rtmp } = await tryReadTemplates(context, 'rtmp');
  const server = rtmp === undefined ? undefined : ingestServer(rtmp);
  const key = streamKey === undefined || streamKey === '' ? [] : [streamKey];
  return [
    ...key.map((text) => ({
      label: t('Copy Stream Key'),
      text,
      done: t('Copied the stream key for "{0}"', quoted),
    })),
    ...(server === undefined ? [] : [server]).map((text) => ({
      label: t('Copy RTMP Server'),
      text,
      done: t('Copied the RTMP server'),
    })),
  ];
}

/** Offers the remaining items again after one was copied: encoders need both. */
function offer(
  context: NamesConnection & Pick<Context, 'ui' | 'showMessage'>,
  message: string,
  offers: readonly Offer[],
): void {
  const run = async (chosen: Offer) => {
    await context.ui.copy(chosen.text);
    const left = offers.filter((each) => each !== chosen);
    if (left.length === 0) flashDone(context, chosen.done);
    else offer(context, chosen.done, left);
  };
  const actions = offers.map((each) => ({ label: each.label, run: () => run(each) }));
  context.showMessage({ severity: 'info', sentence: withConnection(context, message), actions });
}

function draftOf(given: unknown): Draft {
  const record = givenField(given, 'record');
  const profiles = givenField(given, 'profiles');
  return {
    name: givenText(given, 'name'),
    record: typeof record === 'boolean' ? record : undefined,
    profiles: Array.isArray(profiles) || profiles === 'ask' ? profiles : undefined,
  };
}

/**
 * Prompts for the renditions of a new stream: the service's default, a ladder, or those of another stream, whose shape
 * only the service may know. Undefined if dismissed. Throws a Refusal for a stream without any, and ApiError.
 */
async function pickRenditions(
  context: Context,
  { canGoBack }: { readonly canGoBack: boolean },
): Promise<ChosenRenditions | typeof BACK | undefined> {
  const title = t('Create Stream');
  const ladders = LADDERS.map((ladder) => ladderOf(ladder));
  const service = oneLine(openConnectionInfo(context).name, 100);
  const byService: ChosenRenditions = { label: t('Default for {0}', service), profiles: undefined };
  const options: PickOptions<ChosenRenditions | typeof OTHER> = {
    title,
    placeholder: t('Select renditions'),
    items: [
      { label: byService.label, icon: 'server', value: byService },
      ...ladders.map(({ sizes, ...value }) => ({ label: value.label, description: sizes, icon: 'layers', value })),
      { label: t('Copy from Another Stream…'), icon: 'copy', value: OTHER },
    ],
  };
  const chosen = canGoBack ? await pickOrBack(context.ui, options) : await context.ui.pick(options);
  return chosen === OTHER ? renditionsOfAnother(context, title) : chosen;
}

async function renditionsOfAnother(context: Context, title: string): Promise<ChosenRenditions | undefined> {
  const stream = await pickStream(context, title);
  if (stream === undefined) return undefined;
  const { profiles = [] } = stream;
  if (profiles.length === 0) throw new Refusal(t('"{0}" has no renditions of its own.', nameOf(stream)));
  return { label: t('Same as "{0}"', nameOf(stream)), profiles };
}

function ladderOf(ladder: readonly Rendition[]): ChosenRenditions & { readonly sizes: string } {
  const sizes = ladder.map(({ height }) => `${height}p`);
  return { label: t('Up to {0}', sizes.at(-1) ?? ''), sizes: sizes.join(' · '), profiles: ladder };
}
