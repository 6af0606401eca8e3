import { basename, dirname, isAbsolute } from 'node:path';
import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { DownloadOrder } from '../../model/downloads/download.ts';
import { isDownloadError } from '../../model/downloads/downloadError.ts';
import { describeDownloadError, recordingFileName, reportProgress } from '../../model/downloads/downloadText.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { formatBytes } from '../../util/format.ts';
import { settingActions } from '../actions.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { openConnectionInfo } from '../knownAddresses.ts';
import { Refusal } from '../refusal.ts';
import { givenField } from '../targets/commandArguments.ts';
import { type NeedsSession, streamNameOf } from '../targets/pickSession.ts';
import { sessionIsGone } from '../targets/refusals.ts';
import { resolveOneSession } from '../targets/sessionTargets.ts';
import { requireMp4 } from './recordingCommands.ts';

type Context = NeedsSession & Pick<CommandContext, 'clock' | 'downloader' | 'machine' | 'showMessage'>;

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
  const targets = given !== undefined && givenField(args[0], 'id') === undefined ? [] : args.slice(0, 1);
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
    reportDone(context, { target, bytes });
    return { target, bytes };
  } catch (error) {
    throw refusalOf(context, error, request);
  }
}

function noteOf({ session, connection }: DownloadRequest): DownloadOrder['of'] {
  const { id, name } = connection;
  return { connection: { id, name }, sessionId: session.id, streamId: session.parentId };
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
  const actions = isApiError(error) ? [...settingActions(error), again] : [again];
  return new Refusal(sentence, { severity: 'error', actions });
}

function retryAction(error: unknown, request: DownloadRequest): MessageAction {
  const reason = isDownloadError(error) ? error.reason : undefined;
  // A known address can be fetched with any connection open.
  if (reason === 'exists') return { label: t('Replace'), run: (next) => run(next, { ...request, mayReplace: true }) };
  const label = t('Retry');
  const isExpired = reason === 'refused' || reason === 'gone';
  if (!isExpired) return { label, run: (next) => run(next, request) };
  // Only the recording's own connection knows its new address.
  const { connection } = request;
  return { label, connection, run: async (next) => run(next, await withFreshAddress(next, request)) };
}

/** Reads the address again: signed ones expire. */
async function withFreshAddress(context: Context, request: DownloadRequest): Promise<DownloadRequest> {
  const { session, connection } = request;
  const { id, parentId } = session;
  const read = await context.current.account.findSession(id, parentId);
  if (read === undefined) throw sessionIsGone();
  return { ...request, session: read, url: await requireMp4(context, read, connection) };
}

function reportDone({ machine, drawing, showMessage }: Context, { target, bytes }: DownloadedFile): void {
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

function titleOf({ machine }: Context, target: string): string {
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
