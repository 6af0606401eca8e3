import { t } from '@vscode/l10n';
import type { NewClip } from '../../api/clipApi.ts';
import type { Clip } from '../../api/clips.ts';
import { asSentence, describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import { type AccountClips, clipsOfAccount } from '../../model/account/accountClips.ts';
import { mayHaveHappened } from '../../model/account/sentOnce.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import type { ClipRange } from '../../model/clips/clipRange.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { rowTarget } from '../../model/rows/rowActions.ts';
import {
  isBeingMade,
  isBeingRecorded,
  isRunningIn,
  recordingState,
  sessionDuration,
} from '../../model/store/sessions.ts';
import { refreshAction, showLogAction } from '../../texts/actions.ts';
import { clipBounds, clipsNotOffered } from '../../texts/clipRefusals.ts';
import { clipName } from '../../texts/clips.ts';
import { retryLabel, watchLabel } from '../../texts/labels.ts';
import { createClipLabel, editLabel, withoutDots } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { isRefusal, Refusal } from '../../texts/refusal.ts';
import { noRecording, serviceOf, streamIsGone } from '../../texts/refusals.ts';
import { isBlank } from '../../util/text.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { givenField, givenId, givenRow, givenTargets, givenText } from '../targets/commandArguments.ts';
import { resolveOneSession } from '../targets/sessionTargets.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { targetOfId } from '../targets/targetOfId.ts';
import { askForClip, type ClipSubject, type EnteredClip, proposedName } from './clipBoxes.ts';

/** A requested clip, so that it can be requested again. */
interface ClipOrder extends ClipListeners {
  readonly subject: ClipSubject;
  readonly clip: NewClip;
  /** Undefined if the name was proposed. */
  readonly typedName: string | undefined;
}

/** Given by a page that shows that the clip is being created. */
interface ClipListeners {
  /** Returns whether the page also says that it was created. */
  readonly onMade: ((made: { readonly id: string; readonly name: string }) => boolean) | undefined;
  readonly onProgress: (progress: number) => void;
  readonly onLeft: (goOn: GoOn) => void;
}

/** Continues to wait for a clip, with the connection that is open by then and the page's new arguments. */
type GoOn = (context: CommandContext, given: unknown) => Promise<{ readonly id: string }>;

/**
 * Makes a clip of a live stream or a recording. Takes a row, an ID, or {id, seconds | from, to | startTime, endTime,
 * name?} in seconds from the beginning or Unix times in milliseconds, and asks for what is missing. Returns {id};
 * undefined if dismissed. Our own pages also give {onMade, onFailed, onProgress, onLeft}. `onMade` receives {id, name}
 * when the clip is made, also by a retry, and `onFailed` receives {sentence, needsKey} if it isn't. If they return
 * true, no message says so. `onProgress` receives a number from 0 to 1. `onLeft` is called if the connection is closed
 * first; its argument is passed as {goOn} once the connection is open again.
 */
export async function createClip(
  context: CommandContext,
  ...args: readonly unknown[]
): Promise<{ readonly id: string } | undefined> {
  try {
    const goOn = givenField(args[0], 'goOn');
    return await (typeof goOn === 'function' ? goOn(context, args[0]) : askAndOrder(context, args));
  } catch (error) {
    const onFailed = givenField(args[0], 'onFailed');
    const isKnown = isRefusal(error) || isApiError(error);
    if (typeof onFailed !== 'function' || !isKnown) throw error;
    const sentence = isRefusal(error) ? error.sentence : describeError(error, { service: serviceOf(context, error) });
    const needsKey = isApiError(error) && error.reason === 'unauthorized';
    if (onFailed({ sentence, needsKey }) !== true) throw error;
    context.log.warn(`A clip wasn't created (${isApiError(error) ? error.reason : 'refused'})`);
    return undefined;
  }
}

async function askAndOrder(
  context: CommandContext,
  args: readonly unknown[],
): Promise<{ readonly id: string } | undefined> {
  const find = () => findSubject(context, args);
  const given = givenRange(args[0]);
  const givenName = givenText(args[0], 'name');
  const isGiven = given !== undefined || givenTargets(args).length > 0;
  const subject = isGiven ? await find() : undefined;
  if (isGiven && subject === undefined) return undefined;
  const asked =
    subject !== undefined && given !== undefined
      ? { subject, range: given, name: '' }
      : await askForClip(context, { title: titleOf(), find, subject, isNamed: givenName !== undefined });
  return asked && order(context, args[0], { ...asked, name: givenName ?? asked.name });
}

/** Throws a Refusal for an invalid range or name. */
async function order(context: CommandContext, given: unknown, entered: EnteredClip): Promise<{ readonly id: string }> {
  return orderClip(context, { ...clipOf(entered), ...listenersIn(given) });
}

function listenersIn(given: unknown): ClipListeners {
  const [onMade, onProgress, onLeft] = ['onMade', 'onProgress', 'onLeft'].map((field) => givenField(given, field));
  return {
    onMade: typeof onMade === 'function' ? (made) => onMade(made) === true : undefined,
    onProgress: (progress) => typeof onProgress === 'function' && onProgress(progress),
    onLeft: (goOn) => typeof onLeft === 'function' && onLeft(goOn),
  };
}

/** Throws a Refusal for an invalid range or name. */
function clipOf({ subject, range, name }: EnteredClip): Pick<ClipOrder, 'subject' | 'clip' | 'typedName'> {
  const times = clipBounds(range, subject);
  if (typeof times === 'string') throw new Refusal(times);
  const problem = isBlank(name) ? undefined : sentenceOfName(name);
  if (problem !== undefined) throw new Refusal(problem);
  const { playbackId, sessionId } = subject;
  const typedName = isBlank(name) ? undefined : name.trim();
  return {
    ...{ subject, typedName },
    clip: { playbackId, sessionId, ...times, name: typedName ?? proposedName(subject, times) },
  };
}

function titleOf(): string {
  return withoutDots(createClipLabel());
}

/** Throws a Refusal if nothing can be cut from it. Returns undefined if dismissed. */
async function findSubject(context: CommandContext, args: readonly unknown[]): Promise<ClipSubject | undefined> {
  openConnectionInfo(context);
  const { connection } = context;
  if (!clipsOfAccount(connection.account).isOffered) throw clipsNotOffered(connection.info?.name);
  if (await isOfStream(context, args)) {
    const stream = await resolveOneStream(context, args, titleOf());
    return stream && ofLiveStream(context, stream, givenRange(args[0]));
  }
  const session = await resolveOneSession(context, args, { title: titleOf(), purpose: 'clip' });
  return session && ofSession(context, session);
}

async function isOfStream(context: CommandContext, args: readonly unknown[]): Promise<boolean> {
  const [first] = givenTargets(args);
  if (first === undefined) return false;
  const row = givenRow(first);
  const target = row === undefined ? await targetOfId(context, givenId(first)) : rowTarget(row);
  return target?.kind === 'stream';
}

/** @param range the given range, if any: its broadcast may have ended since it was chosen */
async function ofLiveStream(context: CommandContext, known: Stream, range?: ClipRange): Promise<ClipSubject> {
  const { account } = context.connection;
  if (isChildStream(known)) throw new Refusal(t("You can't create clips of deprecated child streams."));
  const stream = await account.readStream(known.id);
  if (stream === undefined) throw streamIsGone(known);
  if (!stream.isActive) {
    const ended = await findEnded(context, stream.id, range);
    if (ended !== undefined) return ofSession(context, ended);
    throw new Refusal(t('"{0}" isn\'t live. You can create clips of its recordings.', nameOf(stream)), {
      severity: 'info',
      actions: [selectAction()],
    });
  }
  if (!stream.record) throw notRecorded(stream);
  const [newest] = (
    await account.listSomeSessions(stream.id, { recordedOnly: false, limit: 1, signal: account.signal })
  ).items;
  // The service lists a session only after a few seconds. Until then, an older one is the newest.
  const isRunning = newest !== undefined && isRunningIn(context.store.snapshot, { ...newest, parentId: stream.id });
  const beganAt = isRunning ? newest.createdAt : undefined;
  return { ...addressed(stream), stream, sessionId: undefined, beganAt, endsAt: account.serviceTime };
}

/** Returns the last recording if it's of the broadcast that contains this range. */
async function findEnded(
  { connection: { account } }: CommandContext,
  streamId: string,
  range: ClipRange | undefined,
): Promise<Session | undefined> {
  if (range === undefined || !('startTime' in range)) return undefined;
  const query = { recordedOnly: true, limit: 1, signal: account.signal };
  const [last] = (await account.listSomeSessions(streamId, query)).items;
  const isOf = last?.createdAt !== undefined && last.createdAt < range.endTime;
  return isOf ? { ...last, parentId: streamId } : undefined;
}

async function ofSession(context: CommandContext, session: Session): Promise<ClipSubject> {
  const { account } = context.connection;
  const { id, parentId, createdAt } = session;
  const stream = parentId === undefined ? undefined : await account.readStream(parentId);
  if (stream === undefined) {
    throw new Refusal(t("The stream of this recording was deleted, so you can't create clips of the recording."));
  }
  const base = { ...addressed(stream), stream, beganAt: createdAt };
  if (isRunningIn(context.store.snapshot, { ...session, parentId: stream.id })) {
    if (!isBeingRecorded(session)) throw notRecorded(stream);
    return { ...base, sessionId: undefined, endsAt: account.serviceTime };
  }
  const state = recordingState(session, false);
  if (state !== 'ready' && state !== 'waiting') throw noRecording(context, session);
  const seconds = sessionDuration(session);
  const endsAt = createdAt === undefined || seconds === undefined ? undefined : createdAt + seconds * 1000;
  return { ...base, sessionId: id, session, endsAt };
}

function addressed(stream: Stream): { readonly playbackId: string } {
  if (stream.playbackId !== undefined) return { playbackId: stream.playbackId };
  throw new Refusal(t('"{0}" has no playback ID, so you can\'t create clips of it.', nameOf(stream)));
}

function notRecorded(stream: Stream): Refusal<MessageAction> {
  return new Refusal<MessageAction>(
    t(
      '"{0}" isn\'t being recorded, so you can\'t create clips of it. Select an earlier recording, or turn on recording before the next broadcast.',
      nameOf(stream),
    ),
    { actions: [selectAction()] },
  );
}

function selectAction(): MessageAction {
  return { label: t('Select Recording…'), command: 'createClip' };
}

/** Returns undefined if none is given. Anything but a number is an invalid time. */
function givenRange(given: unknown): ClipRange | undefined {
  const fields = ['seconds', 'from', 'to', 'startTime', 'endTime'];
  const [seconds, from, to, startTime, endTime] = fields.map((field) => givenField(given, field));
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
  if (seconds !== undefined) return { seconds: numberOf(seconds) };
  if (startTime !== undefined) return { startTime: numberOf(startTime), endTime: numberOf(endTime) };
  return from === undefined && to === undefined ? undefined : { from: numberOf(from ?? 0), to: numberOf(to) };
}

/** Has the service make a clip and waits for it. Throws a Refusal that offers a retry. */
async function orderClip(context: CommandContext, order: ClipOrder): Promise<{ readonly id: string }> {
  const made = await sendOrder(context, clipsOfAccount(context.connection.account), order);
  return waitForClip(context, order, made);
}

async function waitForClip(context: CommandContext, order: ClipOrder, made: Clip): Promise<{ readonly id: string }> {
  const { account } = context.connection;
  const clips = clipsOfAccount(account);
  const streamId = order.subject.stream.id;
  const { id } = made;
  const name = clipName(made, context.drawing());
  try {
    const wait = (signal: AbortSignal, onProgress: (progress: number) => void) =>
      clips.untilMade(streamId, made, signal, ({ progress = 0 }) => onProgress(Math.min(1, progress)));
    // A notification would cover the player's controls.
    const done = await (order.onMade === undefined
      ? context.ui.progress(t('Creating the clip "{0}"', name), (report, signal) =>
          wait(signal, (progress) => report(t('{0}%', Math.floor(progress * 100)), progress * 100)),
        )
      : wait(account.signal, order.onProgress));
    reportMade(context, done, order);
  } catch (error) {
    if (account.isClosed) order.onLeft((next, given) => waitForClip(next, { ...order, ...listenersIn(given) }, made));
    // Canceled, but the service continues.
    const clip = context.store.snapshot.clips.get(streamId)?.find((each) => each.id === id);
    if (isApiError(error) || error instanceof Refusal || account.isClosed || !clip || !isBeingMade(clip)) throw error;
    context.ui.flash(t('The clip "{0}" is still being created', name));
  }
  return { id };
}

async function sendOrder(context: CommandContext, clips: AccountClips, order: ClipOrder): Promise<Clip> {
  const { connection, store } = context;
  const { name } = connection.info ?? {};
  const streamId = order.subject.stream.id;
  try {
    return await clips.create(streamId, order.clip);
  } catch (error) {
    if (!clips.isOffered) throw clipsNotOffered(name);
    if (!isApiError(error) || error.reason === 'unauthorized') throw error;
    const sentence = describeError(error, { service: serviceOf(context, error) });
    const reasons = {
      forbidden: () =>
        (store.snapshot.clips.get(streamId) ?? []).filter(isBeingMade).length >= 5
          ? t('Five clips of this stream are already being created. Try again when one is ready.')
          : t('{0} You can create up to five clips of a stream at a time.', sentence),
      notFound: () =>
        t("There's nothing to clip. The stream may be suspended, or the recording may have been deleted."),
    };
    const isUncertain = mayHaveHappened(error);
    const whole = error.reason === 'forbidden' || error.reason === 'notFound' ? reasons[error.reason]() : sentence;
    const said = isUncertain
      ? t('{0} The clip may still have been created. Refresh to check.', whole)
      : t('Couldn\'t create "{0}". {1}', order.clip.name ?? '', whole);
    throw new Refusal(said, {
      severity: 'error',
      isOfConnection: true,
      actions: [
        ...(isUncertain ? [refreshAction()] : []),
        error.reason === 'rejected' ? editAction(context, order, sentence) : retryAction(context, order),
        showLogAction(),
      ],
    });
  }
}

function retryAction({ connection }: CommandContext, order: ClipOrder): MessageAction {
  return { label: retryLabel(), connection: connection.info, run: (next) => orderClip(next, order) };
}

/** Asks for another range, and then for the name. */
function editAction({ connection }: CommandContext, rejected: ClipOrder, sentence: string): MessageAction {
  const { subject, clip, typedName: name = '' } = rejected;
  const run = async (next: CommandContext): Promise<unknown> => {
    const isLive = subject.sessionId === undefined;
    const now = isLive ? await ofLiveStream(next, subject.stream, clip) : subject;
    const find = async () => now;
    const asking = { title: titleOf(), find, subject: now, isNamed: false, rejected: { clip, name, sentence } };
    const asked = await askForClip(next, asking);
    return asked && orderClip(next, { ...rejected, ...clipOf(asked) });
  };
  return { label: editLabel(), connection: connection.info, run };
}

function reportMade(context: CommandContext, clip: Clip, order: ClipOrder): void {
  const name = clipName(clip, context.drawing());
  if (clip.phase !== 'ready') {
    const sentence =
      clip.problem === undefined
        ? t('The clip "{0}" couldn\'t be created.', name)
        : t('The clip "{0}" couldn\'t be created. The service reports: {1}', name, asSentence(clip.problem));
    throw new Refusal(sentence, { severity: 'error', isOfConnection: true, actions: [retryAction(context, order)] });
  }
  if (order.onMade?.({ id: clip.id, name }) === true) return;
  const args = [{ id: clip.id, streamId: order.subject.stream.id }];
  context.showMessage({
    severity: 'info',
    sentence: t('Created the clip "{0}"', name),
    actions: [
      { label: watchLabel(), command: 'openClip', args },
      { label: t('Download…'), command: 'downloadClip', args },
      { label: t('Copy URL'), command: 'copyClipUrl', args },
    ],
  });
}
