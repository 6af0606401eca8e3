import { basename, dirname, isAbsolute } from 'node:path';
import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { type ApiError, isApiError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { DownloadOrder } from '../../model/downloads/download.ts';
import { isDownloadError } from '../../model/downloads/downloadError.ts';
import { describeDownloadError, reportProgress } from '../../model/downloads/downloadText.ts';
import { recordingFileName } from '../../model/downloads/fileName.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { formatBytes } from '../../util/format.ts';
import { settingAction } from '../connection/networkHelp.ts';
import { isOpen, otherConnection } from '../connection/otherConnection.ts';
import type { CommandContext } from '../context.ts';
import { openConnectionInfo } from '../knownAddresses.ts';
import { type Action, Refusal } from '../refusal.ts';
import { type NeedsSession, streamNameOf } from '../targets/pickSession.ts';
import { sessionIsGone } from '../targets/refusals.ts';
import { resolveOneSession } from '../targets/sessionTargets.ts';
import { requireMp4 } from './recordingCommands.ts';

type Context = NeedsSession & Pick<CommandContext, 'clock' | 'downloader' | 'machine'>;

/** A download that needs no more input. */
interface DownloadRequest {
  readonly session: Session;
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
export async function downloadMp4(context: Context, ...args: readonly unknown[]): Promise<DownloadedFile | undefined> {
  const connection = openConnectionInfo(context);
  const given = readTarget(args[0]);
  const targets = given !== undefined && !hasId(args[0]) ? [] : args.slice(0, 1);
  const session = await resolveOneSession(context, targets, { title: t('Download MP4'), purpose: 'mp4Url' });
  if (session === undefined) return undefined;
  const url = await requireMp4(context, session, connection);
  if (given !== undefined) return run(context, { session, url, connection, ...given });
  const fileName = recordingFileName(streamNameOf(context, session), session.createdAt, context.drawing().timeZone);
  const target = await context.ui.saveTarget({ fileName, filters: { [t('Video')]: ['mp4'] } });
  if (target === undefined) return undefined;
  // The dialog has confirmed replacing an existing file, not one that is created meanwhile.
  const mayReplace = await context.downloader.isTaken(target);
  return run(context, { session, url, connection, target, mayReplace });
}

async function run(context: Context, request: DownloadRequest): Promise<DownloadedFile> {
  const { ui, downloader, clock, drawing } = context;
  const { locale } = drawing();
  const { target } = request;
  try {
    const bytes = await ui.progress(titleOf(context, target), (report, signal) =>
      downloader.download({ ...request, of: noteOf(request), signal, ...reportProgress({ clock, locale, report }) }),
    );
    void reportDone(context, { target, bytes });
    return { target, bytes };
  } catch (error) {
    throw refusalOf(context, error, request);
  }
}

function noteOf({ session, connection }: DownloadRequest): DownloadOrder['of'] {
  const { id: sessionId, parentId } = session;
  const { id, name } = connection;
  return { connection: { id, name }, sessionId, ...(parentId !== undefined && { streamId: parentId }) };
}

/** Returns a Refusal that offers to retry into the same file. Returns cancellations and unexpected errors unchanged. */
function refusalOf({ log, drawing }: Context, error: unknown, request: DownloadRequest): unknown {
  if (!isDownloadError(error) && !isApiError(error)) return error;
  log.warn(`A download failed: ${error.message}`);
  const { target } = request;
  const place = { fileName: basename(target), folder: dirname(target), locale: drawing().locale };
  const again = retryAction(error, request);
  const sentence = isApiError(error)
    ? describeError(error, { service: error.host })
    : describeDownloadError(error, place);
  const actions = isApiError(error) ? [...helpOf(error), again] : [again];
  return new Refusal(sentence, { severity: 'error', actions });
}

function retryAction(error: unknown, request: DownloadRequest): Action {
  const reason = isDownloadError(error) ? error.reason : undefined;
  if (reason === 'exists')
    return { label: t('Replace'), run: (next) => run(next, { ...request, mayReplace: true }), isForAny: true };
  const isExpired = reason === 'refused' || reason === 'gone';
  const label = t('Try Again');
  // Only the recording's own connection knows its new address. A known address can be fetched with any connection open.
  if (isExpired) return { label, run: async (next) => run(next, await withFreshAddress(next, request)) };
  return { label, run: (next) => run(next, request), isForAny: true };
}

/** Reads the address again: signed ones expire. */
async function withFreshAddress(context: Context, request: DownloadRequest): Promise<DownloadRequest> {
  const { session, connection } = request;
  if (!isOpen(context, connection)) {
    throw otherConnection(connection, async (next) => run(next, await withFreshAddress(next, request)));
  }
  const { id, parentId } = session;
  const read = await context.current.account.findSession(id, parentId);
  if (read === undefined) throw sessionIsGone();
  return { ...request, session: read, url: await requireMp4(context, read, connection) };
}

function helpOf(error: ApiError): readonly Action[] {
  const setting = settingAction(error);
  return setting === undefined ? [] : [setting];
}

/** Not awaited: the message may stay open for long. */
async function reportDone(context: Context, { target, bytes }: DownloadedFile): Promise<void> {
  const { ui, log, machine, drawing } = context;
  const size = formatBytes(bytes, drawing().locale) ?? '';
  const place = machine();
  const done =
    place === undefined
      ? t('Downloaded "{0}" ({1})', basename(target), size)
      : t('Downloaded "{0}" ({1}) to {2} on {3}', basename(target), size, dirname(target), place);
  const [reveal, open] = [t('Reveal'), t('Open')];
  try {
    const pressed = await ui.notify('info', done, reveal, open);
    if (pressed === reveal) await ui.revealFile(target);
    if (pressed === open) await ui.openFile(target);
  } catch (error) {
    log.error('A downloaded file could not be shown', error);
  }
}

function titleOf({ machine }: Context, target: string): string {
  const place = machine();
  return place === undefined
    ? t('Downloading "{0}"', basename(target))
    : t('Downloading "{0}" to {1}', basename(target), place);
}

/** Returns the given file, which is written without a dialog. Throws a Refusal if its path isn't absolute. */
function readTarget(given: unknown): Pick<DownloadRequest, 'target' | 'mayReplace'> | undefined {
  if (typeof given !== 'object' || given === null || !('target' in given) || given.target === undefined)
    return undefined;
  const { target } = given;
  if (typeof target !== 'string' || !isAbsolute(target) || target.includes('\0') || /[/\\]$/.test(target)) {
    throw new Refusal(t('Specify an absolute path for the file.'));
  }
  return { target, mayReplace: 'overwrite' in given && given.overwrite === true };
}

function hasId(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'id' in given && given.id !== undefined;
}
