import { basename, dirname, isAbsolute } from 'node:path';
import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isApiError } from '../api/errors.ts';
import type { Session } from '../api/types.ts';
import { type AddressFault, checkMediaUrl } from '../model/addresses.ts';
import { describeAddressFault } from '../model/addressFaults.ts';
import { openConnectionInfo, templatesInForce } from '../model/connection/knownAddresses.ts';
import { isDownloadError } from '../model/downloads/downloadError.ts';
import { openTargetOfRecording } from '../model/openTargets.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import { isPrivate } from '../model/store/streams.ts';
import type { DownloadNote } from '../services.ts';
import { settingActions } from '../texts/actions.ts';
import { describeDownloadError, recordingFileName, reportProgress } from '../texts/downloads.ts';
import { retryLabel } from '../texts/labels.ts';
import { downloadMp4Label, withoutDots } from '../texts/lateLabels.ts';
import { Refusal } from '../texts/refusal.ts';
import { noRecording, sessionIsGone } from '../texts/refusals.ts';
import { forEachLimit } from '../util/async.ts';
import { formatBytes } from '../util/formatBytes.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { flashDone } from './flashDone.ts';
import { givenField } from './targets/commandArguments.ts';
import { type SessionQuestion, streamNameOf } from './targets/pickSession.ts';
import { resolveOneSession, resolveSessions } from './targets/sessionTargets.ts';

interface AddressQuestion extends SessionQuestion {
  readonly purpose: 'recordingUrl' | 'mp4Url';
}

/**
 * Opens a session's recording in the browser: its MP4; otherwise the player page; otherwise the playlist, after a
 * warning.
 */
export async function openRecordingInBrowser(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const given = await resolveOneSession(context, args, {
    title: t('Watch Recording in Browser'),
    purpose: 'address',
  });
  if (given === undefined) return;
  const session = await context.connection.account.withAddress(given, 'mp4Url');
  const target = openTargetOfRecording(session, info, templatesInForce(context));
  if (target.kind === 'none') throw noRecording(context, session);
  if (target.kind === 'refused') throw refusedByService(target.fault);
  if (target.kind === 'playlist') return offerPlaylist(context, target.url);
  await context.ui.openAddress(target.url);
  context.noteStep('watch');
}

export async function copyRecordingUrl(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const found = await addressesOf(context, args, { title: t('Copy Recording URL'), purpose: 'recordingUrl' });
  if (found === undefined) return;
  const { length } = found.urls;
  const copied = length === 1 ? t('Copied the recording URL') : t('Copied {0} recording URLs', length);
  await copyAddresses(context, found, copied);
}

export async function copyMp4Url(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const found = await addressesOf(context, args, { title: t('Copy MP4 URL'), purpose: 'mp4Url' });
  if (found === undefined) return;
  const { length } = found.urls;
  await copyAddresses(context, found, length === 1 ? t('Copied the MP4 URL') : t('Copied {0} MP4 URLs', length));
}

interface FoundAddresses {
  readonly urls: readonly string[];
  /** Whether a stream that was recorded is private. Services may let everyone play its recordings. */
  readonly ofPrivate: boolean;
}

async function copyAddresses(
  context: CommandContext,
  { urls, ofPrivate }: FoundAddresses,
  copied: string,
): Promise<void> {
  await context.ui.copy(urls.join('\n'));
  if (!ofPrivate) flashDone(context, copied);
  else flashDone(context, t('{0}. The stream is private, but anyone with the URL may be able to watch.', copied));
}

/**
 * Returns a session's MP4 URL, checked. Requests it from the service if it's missing. Throws a Refusal if there is
 * none or the check fails.
 */
async function requireMp4(
  context: CommandContext,
  given: Session,
  connection: { readonly baseUrl: string },
): Promise<string> {
  const session = await context.connection.account.withAddress(given, 'mp4Url');
  if (session.mp4Url === undefined) throw noAddress(context, session, 'mp4Url');
  const checked = checkMediaUrl(session.mp4Url, connection);
  if (!checked.ok) throw refusedByService(checked.fault);
  return checked.url;
}

const ADDRESSES_AT_ONCE = 4;

/** Returns checked URLs. Leaves out sessions without one; throws a Refusal if all sessions lack one. */
async function addressesOf(
  context: CommandContext,
  args: readonly unknown[],
  question: AddressQuestion,
): Promise<FoundAddresses | undefined> {
  const info = openConnectionInfo(context);
  const given = await resolveSessions(context, args, question);
  if (given === undefined) return undefined;
  const { purpose } = question;
  const { account } = context.connection;
  const sessions = [...given];
  await forEachLimit(given.entries(), ADDRESSES_AT_ONCE, async ([at, session]) => {
    sessions[at] = await account.withAddress(session, purpose);
  });
  const urls = sessions.map((session) => session[purpose]).filter((url) => url !== undefined);
  const checked = urls.map((url) => checkMediaUrl(url, info));
  const refused = checked.find((each) => !each.ok);
  if (refused !== undefined) throw refusedByService(refused.fault);
  const [first] = sessions;
  if (urls.length === 0 && first !== undefined) throw noAddress(context, first, purpose);
  const { streams } = context.store.snapshot;
  const streamOf = ({ parentId }: Session) => (parentId === undefined ? undefined : streams.get(parentId)?.stream);
  const ofPrivate = sessions.map(streamOf).some((stream) => stream !== undefined && isPrivate(stream));
  return { urls: checked.map((each) => (each.ok ? each.url : '')), ofPrivate };
}

export function refusedByService(fault: AddressFault): Refusal {
  return new Refusal(describeAddressFault(fault, 'service'));
}

function noAddress(context: CommandContext, session: Session, purpose: 'recordingUrl' | 'mp4Url'): Refusal {
  const hasOther = purpose === 'mp4Url' && session.recordingUrl !== undefined;
  if (hasOther && session.recordingStatus !== 'waiting') {
    return new Refusal(t("This recording isn't available as an MP4 file. You can watch it in your browser."), {
      severity: 'info',
    });
  }
  return noRecording(context, session);
}

function offerPlaylist(context: CommandContext, url: string): void {
  const copy = async () => {
    await context.ui.copy(url);
    flashDone(context, t('Copied the recording URL'));
  };
  context.showMessage({
    severity: 'warning',
    sentence: t('Some browsers download the playlist instead of playing it.'),
    actions: [
      { label: t('Open'), run: () => context.ui.openAddress(url) },
      { label: t('Copy URL'), run: copy },
    ],
  });
}

export interface Download {
  readonly note: Omit<DownloadNote, 'connection'>;
  /** The suggested name, with its extension. */
  readonly fileName: string;
  /** Returns its URL, checked. `isAgain`: the previous one has expired. Throws a Refusal if there is none. */
  readonly readUrl: (context: CommandContext, isAgain: boolean) => Promise<string>;
}

interface DownloadRequest {
  readonly download: Download;
  readonly url: string;
  readonly connection: ConnectionInfo;
  readonly target: string;
  readonly mayReplace: boolean;
}

interface DownloadedFile {
  readonly target: string;
  readonly bytes: number;
}

/**
 * Downloads a session's MP4. Takes {id, target, overwrite?}; shows a save dialog if the target is missing. Returns
 * undefined if dismissed.
 */
export async function downloadMp4(
  context: CommandContext,
  ...args: readonly unknown[]
): Promise<DownloadedFile | undefined> {
  const connection = openConnectionInfo(context);
  const hasNoId = readTarget(args[0]) !== undefined && givenField(args[0], 'id') === undefined;
  const targets = hasNoId ? [] : args.slice(0, 1);
  const session = await resolveOneSession(context, targets, {
    title: withoutDots(downloadMp4Label()),
    purpose: 'mp4Url',
  });
  if (session === undefined) return undefined;
  const { id, parentId, createdAt } = session;
  return saveDownload(context, args[0], {
    note: { sessionId: id, streamId: parentId },
    fileName: recordingFileName(streamNameOf(context, session), createdAt, context.drawing().timeZone),
    readUrl: async (next, isAgain) => {
      const read = isAgain ? await next.connection.account.findSession(id, parentId) : session;
      if (read === undefined) throw sessionIsGone();
      return requireMp4(next, read, connection);
    },
  });
}

/** Takes {target, overwrite?}; shows a save dialog if the target is missing. Returns undefined if dismissed. */
export async function saveDownload(
  context: CommandContext,
  argument: unknown,
  download: Download,
): Promise<DownloadedFile | undefined> {
  const connection = openConnectionInfo(context);
  const given = readTarget(argument);
  const url = await download.readUrl(context, false);
  if (given !== undefined) return runDownload(context, { download, url, connection, ...given });
  const { fileName } = download;
  const target = await context.ui.saveTarget({ fileName, filters: { [t('Video')]: ['mp4'] } });
  if (target === undefined) return undefined;
  // The dialog has confirmed replacing an existing file, not one that is created in the meantime.
  const mayReplace = await context.downloader.isTaken(target);
  return runDownload(context, { download, url, connection, target, mayReplace });
}

async function runDownload(context: CommandContext, request: DownloadRequest): Promise<DownloadedFile> {
  const { ui, downloader, clock, drawing } = context;
  const { locale } = drawing();
  const { target } = request;
  try {
    const bytes = await ui.progress(titleOf(context, target), (report, signal) =>
      downloader.download({ ...request, of: noteOf(request), signal, ...reportProgress({ clock, locale, report }) }),
    );
    context.noteStep('watch');
    reportDone(context, { target, bytes });
    return { target, bytes };
  } catch (error) {
    throw refusalOf(context, error, request);
  }
}

function noteOf({ download, connection }: DownloadRequest): DownloadNote {
  const { id, name } = connection;
  return { ...download.note, connection: { id, name } };
}

/** Returns a Refusal that offers to retry into the same file. Returns cancellations and unexpected errors unchanged. */
function refusalOf({ log, drawing }: CommandContext, error: unknown, request: DownloadRequest): unknown {
  if (!isDownloadError(error) && !isApiError(error)) return error;
  log.warn(`A download failed: ${error.message}`);
  const { target } = request;
  const place = { fileName: basename(target), folder: dirname(target), locale: drawing().locale };
  const again = retryAction(error, request);
  const sentence = isApiError(error)
    ? describeError(error, { service: error.host })
    : describeDownloadError(error, place);
  const actions = isApiError(error) ? [...settingActions(error), again] : [again];
  return new Refusal(sentence, { severity: 'error', actions });
}

function retryAction(error: unknown, request: DownloadRequest): MessageAction {
  const reason = isDownloadError(error) ? error.reason : undefined;
  // A known URL can be fetched with any connection open.
  if (reason === 'exists')
    return { label: t('Replace'), run: (next) => runDownload(next, { ...request, mayReplace: true }) };
  const label = retryLabel();
  const isExpired = reason === 'refused' || reason === 'gone';
  if (!isExpired) return { label, run: (next) => runDownload(next, request) };
  // Only its own connection knows its new URL: signed ones expire.
  const { connection } = request;
  return {
    label,
    connection,
    run: async (next) => runDownload(next, { ...request, url: await request.download.readUrl(next, true) }),
  };
}

function reportDone({ machine, drawing, showMessage }: CommandContext, { target, bytes }: DownloadedFile): void {
  const size = formatBytes(bytes, drawing().locale) ?? '';
  const place = machine();
  const done =
    place === undefined
      ? t('Downloaded "{0}" ({1})', basename(target), size)
      : t('Downloaded "{0}" ({1}) to {2} on {3}', basename(target), size, dirname(target), place);
  const reveal: MessageAction = { label: t('Open Containing Folder'), run: ({ ui }) => ui.revealFile(target) };
  const open: MessageAction = { label: t('Open'), run: ({ ui }) => ui.openFile(target) };
  showMessage({ severity: 'info', sentence: done, actions: [reveal, open] });
}

function titleOf({ machine }: CommandContext, target: string): string {
  const place = machine();
  return place === undefined
    ? t('Downloading "{0}"', basename(target))
    : t('Downloading "{0}" to {1}', basename(target), place);
}

/** Returns the given file, which is written without a dialog. Throws a Refusal if its path isn't absolute. */
function readTarget(given: unknown): Pick<DownloadRequest, 'target' | 'mayReplace'> | undefined {
  const target = givenField(given, 'target');
  if (target === undefined) return undefined;
  if (typeof target !== 'string' || !isAbsolute(target) || target.includes('\0') || /[/\\]$/.test(target)) {
    throw new Refusal(t('Specify an absolute path for the file.'));
  }
  return { target, mayReplace: givenField(given, 'overwrite') === true };
}
