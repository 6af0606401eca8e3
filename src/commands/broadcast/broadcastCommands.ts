import { isAbsolute } from 'node:path';
import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { isBroadcastError } from '../../broadcast/errors.ts';
import type { BroadcastProgress, Ingest, MediaSource } from '../../broadcast/sender.ts';
import { targetsOf } from '../../model/account/accountTargets.ts';
import { type BroadcastPlan, droppedShare, type PatternOptions } from '../../model/broadcasts/testBroadcasts.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { PickItem } from '../../services.ts';
import { showLogAction } from '../../texts/actions.ts';
import {
  broadcastQuestion,
  describeBroadcastError,
  isBroadcasting,
  requireNoneRunning,
} from '../../texts/broadcasts.ts';
import { watchLabel } from '../../texts/labels.ts';
import {
  openSettingsLabel,
  retryWithBoxesLabel,
  startTestBroadcastLabel,
  withoutDots,
} from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireTemplate, setAddressAction } from '../../texts/refusals.ts';
import { BACK, pickOrBack } from '../boxSteps.ts';
import { givenConnection } from '../connection/boundConnection.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { givenField, givenId, givenRow, givenText } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';

/** 'pattern', 'clock', or the absolute path of a video file. */
type SourceName = string;

interface Choice {
  readonly source: SourceName;
  /** Infinity until it's stopped. */
  readonly seconds: number;
}

const MINUTE = 60;
const LONGEST_SECONDS = 4 * 60 * MINUTE;
const VIDEO_ENDINGS = ['mp4', 'm4v', 'mov'];
const OTHER_ENDINGS = ['mkv', 'webm', 'ts', 'flv', 'avi'];

/**
 * Broadcasts a test pattern or a video file to a stream, after a modal confirmation. Takes {id, source?, seconds?};
 * asks for what is missing. Resolves when the server has accepted.
 */
export async function startTestBroadcast(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const connection = openConnectionInfo(context);
  const { account } = context.connection;
  const known = await resolveOneStream(context, args, withoutDots(startTestBroadcastLabel()), {
    first: 'idle',
    disturbsLive: true,
  });
  if (known === undefined) return;
  requireNoneRunning(context, known);
  const given = readChoice(args[0]);
  const stream = await readWithTargets(context, known);
  account.signal.throwIfAborted();
  const ingest = await readIngest(context, stream);
  const choice = await completeChoice(context, given, t('Start Test Broadcast to "{0}"', nameOf(stream)));
  if (choice === undefined) return;
  const source = await openSource(context, choice.source, ingest);
  const question = broadcastQuestion(context, stream, { ...choice, ingest });
  const isConfirmed = await disposedIfFailing(source, () => context.ui.confirm(question));
  if (!isConfirmed || isBroadcasting(context, stream)) return source.dispose();
  const hasEnd = Number.isFinite(choice.seconds);
  const seconds = hasEnd ? choice.seconds : LONGEST_SECONDS;
  await begin(context, {
    stream: { id: stream.id, name: nameOf(stream) },
    ...{ connection, store: context.store, loader: context.loader, account: context.connection.account },
    ingest,
    source,
    seconds,
    hasEnd,
  });
}

/** Reads a stream and loads its multistream targets, which the confirmation names. */
async function readWithTargets({ connection: { account }, log }: CommandContext, known: Stream): Promise<Stream> {
  const stream = (await account.readStream(known.id)) ?? known;
  if (stream.targets === undefined || stream.targets.length === 0) return stream;
  try {
    await targetsOf(account).ensure(stream);
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.warn(`The multistream targets of ${stream.id} can't be read: ${error.message}`);
  }
  return stream;
}

/** Disposes the source on failure: the question throws if its connection is closed while it's open. */
async function disposedIfFailing<T>(source: MediaSource, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    source.dispose();
    throw error;
  }
}

/**
 * Broadcasts the test pattern. Resolves when the server has accepted, or with false if the user cancels first. Throws a
 * Refusal.
 */
export async function broadcastTestPattern(
  context: CommandContext,
  known: Stream,
  { seconds, agree }: PatternOptions,
): Promise<boolean> {
  requireSeconds(seconds);
  const connection = openConnectionInfo(context);
  const { account } = context.connection;
  const stream = await readWithTargets(context, known);
  account.signal.throwIfAborted();
  requireNoneRunning(context, stream);
  const ingest = await readIngest(context, stream);
  const isAgreed = await agree(stream, ingest);
  account.signal.throwIfAborted();
  if (!isAgreed) return false;
  const source = await openSource(context, 'pattern', ingest);
  const { store, loader } = context;
  const named = { id: stream.id, name: nameOf(stream) };
  const own = { connection, store, loader, account };
  return begin(context, { stream: named, ...own, ingest, source, seconds, hasEnd: true });
}

async function begin(context: CommandContext, plan: BroadcastPlan): Promise<boolean> {
  const { ui, testBroadcasts } = context;
  const { name } = plan.stream;
  const listener = {
    onLive: () => reportLive(context, plan),
    onEnd: (last: BroadcastProgress | undefined, error: unknown) => reportEnd(context, plan, { last, error }),
  };
  try {
    return await ui.progress(t('Starting the test broadcast to "{0}"', name), async (_, signal) => {
      // Another broadcast may have started while this one was being prepared.
      requireNoneRunning(context, plan.stream);
      return await testBroadcasts.start(plan, listener, signal);
    });
  } catch (error) {
    if (error instanceof Refusal) plan.source.dispose();
    throw refusalOf(context, error, plan.ingest);
  }
}

function reportLive({ showMessage, findPage }: CommandContext, { stream, connection }: BroadcastPlan): void {
  const page = findPage();
  // The user is already watching it, and the Status Bar has Stop.
  if (page?.isPlayer === true && page.connection === connection.id && page.id === stream.id) return;
  const watch: MessageAction = { label: watchLabel(), command: 'watchStream', args: [stream.id] };
  const stop: MessageAction = { label: t('Stop'), command: 'stopTestBroadcast', args: [stream.id] };
  const sentence = t('"{0}" is live with your test broadcast.', stream.name);
  showMessage({ severity: 'info', sentence, actions: [watch, stop] });
}

function reportEnd(
  context: CommandContext,
  { stream, ingest }: BroadcastPlan,
  { last, error }: { readonly last: BroadcastProgress | undefined; readonly error: unknown },
): void {
  if (error !== undefined) {
    const reason = refusalOf(context, error, ingest);
    const isKnown = reason instanceof Refusal;
    if (!isKnown) context.log.error('A test broadcast failed', error);
    const why = isKnown ? reason.sentence : describeError(error, { service: undefined });
    const again: MessageAction = { label: retryWithBoxesLabel(), command: 'startTestBroadcast', args: [stream.id] };
    const sentence = t('The test broadcast to "{0}" has ended. {1}', stream.name, why);
    context.showMessage({ severity: 'error', sentence, actions: isKnown ? [again] : [again, showLogAction()] });
    return;
  }
  const dropped = last === undefined ? 0 : droppedShare(last);
  if (dropped === 0) {
    context.ui.flash(t('The test broadcast to "{0}" has ended', stream.name));
    return;
  }
  const sentence = t(
    'The test broadcast to "{0}" has ended. {1}% of its frames were dropped because the network was too slow.',
    stream.name,
    dropped,
  );
  context.showMessage({ severity: 'warning', sentence, actions: [] });
}

/** Returns a Refusal for a known failure, and any other error unchanged. */
function refusalOf({ log }: CommandContext, error: unknown, ingest: Ingest): unknown {
  if (!isBroadcastError(error)) return error;
  log.warn(`A test broadcast failed: ${error.message}`);
  return new Refusal(describeBroadcastError(error, ingest), { severity: 'error', isOfConnection: true });
}

async function readIngest(context: CommandContext, stream: Stream): Promise<Ingest> {
  if (stream.streamKey === undefined) throw new Refusal(t('"{0}" has no stream key.', nameOf(stream)));
  // The template of the connection that is open now: the key must not go to the server of another one.
  const template = await requireTemplate(context, 'rtmp');
  const { parseIngest } = await import('../../broadcast/sender.ts');
  const parsed = parseIngest(template, stream.streamKey);
  if (parsed.ok) return parsed.ingest;
  throw new Refusal(INGEST_FAULTS[parsed.fault](), { actions: [setAddressAction(context, 'rtmp')] });
}

const INGEST_FAULTS = {
  noKey: () => t("The RTMP URL in liveStreams.addresses doesn't include the stream key. Add {0}.", '{streamKey}'),
  scheme: () => t('Test broadcasts need an RTMP URL that starts with rtmp:// or rtmps://.'),
  invalid: () => t("The RTMP URL in liveStreams.addresses isn't valid."),
};

function readChoice(given: unknown): Partial<Choice> {
  if (givenRow(given) !== undefined) return {};
  const source = givenText(given, 'source');
  const seconds = givenField(given, 'seconds');
  if (seconds !== undefined) requireSeconds(seconds);
  if (source !== undefined && source !== 'pattern' && source !== 'clock' && !isAbsolute(source)) {
    throw new Refusal(t('Specify "pattern", "clock", or the absolute path of a video file as the source.'));
  }
  return { ...(source !== undefined && { source }), ...(seconds !== undefined && { seconds }) };
}

function requireSeconds(given: unknown): asserts given is number {
  if (typeof given === 'number' && given > 0 && given <= LONGEST_SECONDS) return;
  throw new Refusal(t('Specify a duration from 1 to {0} seconds.', LONGEST_SECONDS));
}

async function completeChoice(
  context: CommandContext,
  given: Partial<Choice>,
  title: string,
): Promise<Choice | undefined> {
  const total = Number(given.source === undefined) + Number(given.seconds === undefined);
  for (;;) {
    const source = given.source ?? (await pickSource(context, { title, total }));
    if (source === undefined) return undefined;
    const seconds =
      given.seconds ?? (await pickSeconds(context, { title, total, hasBack: given.source === undefined }));
    if (seconds !== BACK) return seconds === undefined ? undefined : { source, seconds };
  }
}

async function pickSource(
  context: CommandContext,
  { title, total }: { readonly title: string; readonly total: number },
): Promise<SourceName | undefined> {
  const { isFfmpeg } = await import('../../broadcast/sender.ts');
  const hasFfmpeg = await isFfmpeg(context.settings.ffmpeg());
  const clock = { label: t('Test Pattern with Clock (ffmpeg)'), icon: 'watch', value: 'clock' };
  const formats = hasFfmpeg ? 'MP4, MOV, MKV, WebM, TS, FLV, AVI' : t('MP4 with H.264 and AAC');
  const items: readonly PickItem<string>[] = [
    { label: t('Test Pattern'), description: t('built in'), icon: 'symbol-color', value: 'pattern' },
    ...(hasFfmpeg ? [clock] : []),
    { label: t('Video File…'), description: formats, icon: 'file-media', value: '' },
  ];
  const step = total > 1 ? { step: { current: 1, total } } : {};
  const picked = await context.ui.pick({ title, placeholder: t('Select what to broadcast'), items, ...step });
  if (picked !== '') return picked;
  const endings = hasFfmpeg ? [...VIDEO_ENDINGS, ...OTHER_ENDINGS] : VIDEO_ENDINGS;
  return context.ui.chooseFile({
    title: t('Select a Video File'),
    act: t('Select'),
    filters: { [t('Video')]: endings },
  });
}

function pickSeconds(
  { ui }: CommandContext,
  { title, total, hasBack }: { readonly title: string; readonly total: number; readonly hasBack: boolean },
): Promise<number | typeof BACK | undefined> {
  const minutes = (count: number): PickItem<number> => ({
    label: count === 1 ? t('1 minute') : t('{0} minutes', count),
    value: count * MINUTE,
  });
  const endless = { label: t('Until you stop it'), description: t('up to 4 hours'), value: Number.POSITIVE_INFINITY };
  const items = [minutes(1), minutes(5), minutes(30), endless];
  const options = { title, placeholder: t('Select how long to broadcast'), items };
  return hasBack ? pickOrBack(ui, { ...options, step: { current: 2, total } }) : ui.pick(options);
}

async function openSource(context: CommandContext, name: SourceName, ingest: Ingest): Promise<MediaSource> {
  const { openMp4Source, requireVideoFile, ffmpegSource, isFfmpeg } = await import('../../broadcast/sender.ts');
  const program = context.settings.ffmpeg();
  if (name === 'clock') {
    if (await isFfmpeg(program)) return ffmpegSource(program, { kind: 'clock' });
    throw new Refusal(t("The test pattern with a clock needs ffmpeg, which wasn't found."), {
      actions: [{ label: openSettingsLabel(), setting: 'liveStreams.ffmpeg' }],
    });
  }
  try {
    return await openMp4Source(name === 'pattern' ? context.testBroadcasts.testPattern : name);
  } catch (error) {
    const isOtherKind =
      isBroadcastError(error) && (error.reason === 'fileUnsupported' || error.reason === 'fileNotMp4');
    if (!isOtherKind || !(await isFfmpeg(program))) throw refusalOf(context, error, ingest);
  }
  try {
    await requireVideoFile(name);
    return ffmpegSource(program, { kind: 'file', path: name });
  } catch (error) {
    throw refusalOf(context, error, ingest);
  }
}

/**
 * Stops a test broadcast of this window, no matter which connection is open. Takes an ID or {id}, or asks if there are
 * several.
 */
export async function stopTestBroadcast(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { ui, store, testBroadcasts } = context;
  const connection = givenConnection(context, args)?.id;
  const isMeant = ({ id }: { readonly id: string }) =>
    connection === undefined || store.snapshot.testBroadcasts.get(id)?.connectionId === connection;
  const running = testBroadcasts.running.filter(isMeant);
  const wanted = args[0] === undefined || args[0] === null ? undefined : streamIdOf(args[0]);
  if (running.length === 0 || (wanted !== undefined && !running.some(({ id }) => id === wanted))) {
    throw new Refusal(t('No test broadcast is running.'));
  }
  const items = running.map(({ id, name }) => ({ label: name, value: id }));
  const placeholder = t('Select the stream');
  const only = running.length === 1 ? running[0]?.id : undefined;
  const id = wanted ?? only ?? (await ui.pick({ title: t('Stop Test Broadcast'), placeholder, items }));
  if (id !== undefined) await testBroadcasts.stop(id);
}

function streamIdOf(given: unknown): string {
  const row = givenRow(given);
  return row?.kind === 'stream' ? row.streamId : givenId(given);
}
