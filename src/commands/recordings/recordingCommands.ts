import { t } from '@vscode/l10n';
import type { Session } from '../../api/types.ts';
import { type AddressFault, checkMediaUrl, openTargetOfRecording } from '../../model/addresses.ts';
import { describeAddressFault } from '../../model/addressFaults.ts';
import { isRunningIn, type RecordingState, recordingState } from '../../model/store/sessions.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { openConnectionInfo, templatesInForce } from '../knownAddresses.ts';
import { flashDone } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { NeedsSession, SessionQuestion } from '../targets/pickSession.ts';
import { resolveOneSession, resolveSessions } from '../targets/sessionTargets.ts';

type Context = NeedsSession & Pick<CommandContext, 'settings' | 'demo' | 'showMessage'>;

interface AddressQuestion extends SessionQuestion {
  readonly purpose: 'recordingUrl' | 'mp4Url';
}

/** Opens a session's recording in the browser: its MP4, else the player page, else the playlist after a warning. */
export async function openRecordingInBrowser(context: Context, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const given = await resolveOneSession(context, args, {
    title: t('Watch Recording in Browser'),
    purpose: 'address',
  });
  if (given === undefined) return;
  const session = await context.current.account.withAddress(given, 'mp4Url');
  const target = openTargetOfRecording(session, info, templatesInForce(context));
  if (target.kind === 'none') throw noRecording(context, session);
  if (target.kind === 'refused') throw refusedByService(target.fault);
  if (target.kind === 'playlist') return offerPlaylist(context, target.url);
  await context.ui.openAddress(target.url);
}

export async function copyRecordingUrl(context: NeedsSession, ...args: readonly unknown[]): Promise<void> {
  const urls = await addressesOf(context, args, { title: t('Copy Recording URL'), purpose: 'recordingUrl' });
  if (urls === undefined) return;
  await context.ui.copy(urls.join('\n'));
  flashDone(context, urls.length === 1 ? t('Copied the recording URL') : t('Copied {0} recording URLs', urls.length));
}

export async function copyMp4Url(context: NeedsSession, ...args: readonly unknown[]): Promise<void> {
  const urls = await addressesOf(context, args, { title: t('Copy MP4 URL'), purpose: 'mp4Url' });
  if (urls === undefined) return;
  await context.ui.copy(urls.join('\n'));
  flashDone(context, urls.length === 1 ? t('Copied the MP4 URL') : t('Copied {0} MP4 URLs', urls.length));
}

export async function openMp4(context: NeedsSession, ...args: readonly unknown[]): Promise<void> {
  const [url] = (await addressesOf(context, args.slice(0, 1), { title: t('Open MP4'), purpose: 'mp4Url' })) ?? [];
  if (url !== undefined) await context.ui.openAddress(url);
}

/**
 * Returns a session's MP4 address, checked. Requests it from the service if it is missing. Throws a Refusal if there is
 * none or the check fails.
 */
export async function requireMp4(
  context: NeedsSession,
  given: Session,
  connection: { readonly baseUrl: string },
): Promise<string> {
  const session = await context.current.account.withAddress(given, 'mp4Url');
  if (session.mp4Url === undefined) throw noAddress(context, session, 'mp4Url');
  const checked = checkMediaUrl(session.mp4Url, connection);
  if (!checked.ok) throw refusedByService(checked.fault);
  return checked.url;
}

/** Checked addresses. Sessions without one are left out unless all lack it, which throws a Refusal. */
async function addressesOf(
  context: NeedsSession,
  args: readonly unknown[],
  question: AddressQuestion,
): Promise<readonly string[] | undefined> {
  const info = openConnectionInfo(context);
  const given = await resolveSessions(context, args, question);
  if (given === undefined) return undefined;
  const { purpose } = question;
  const sessions = await Promise.all(given.map((session) => context.current.account.withAddress(session, purpose)));
  const urls = sessions.map((session) => session[purpose]).filter((url) => url !== undefined);
  const checked = urls.map((url) => checkMediaUrl(url, info));
  const refused = checked.find((each) => !each.ok);
  if (refused !== undefined) throw refusedByService(refused.fault);
  const [first] = sessions;
  if (urls.length === 0 && first !== undefined) throw noAddress(context, first, purpose);
  return checked.map((each) => (each.ok ? each.url : ''));
}

function refusedByService(fault: AddressFault): Refusal {
  return new Refusal(describeAddressFault(fault, 'service'));
}

function noAddress(context: NeedsSession, session: Session, purpose: 'recordingUrl' | 'mp4Url'): Refusal {
  const hasOther = purpose === 'mp4Url' && session.recordingUrl !== undefined;
  if (hasOther && session.recordingStatus !== 'waiting') {
    return new Refusal(t("This recording isn't available as an MP4 file. You can watch it in your browser."), {
      severity: 'info',
    });
  }
  return noRecording(context, session);
}

export function noRecording({ store }: Pick<CommandContext, 'store'>, session: Session): Refusal {
  const state = recordingState(session, isRunningIn(store.snapshot, session));
  return new Refusal(whyNoRecording(state, session), { severity: 'info' });
}

function offerPlaylist(context: Context, url: string): void {
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

function whyNoRecording(state: RecordingState, session: Pick<Session, 'recordingStatus'>): string {
  switch (state) {
    case 'notRecorded':
      return t("This session wasn't recorded.");
    case 'running':
      return t('This session is still live. Its recording will be available after it ends.');
    case 'waiting':
      return t('The recording of this session is still being processed. Try again in a few minutes.');
    case 'failed':
      return t('Recording failed for this session.');
    case 'deleted':
      return t('The recording of this session was deleted.');
    case 'none':
      return t('This session has no recording.');
    case 'ready':
      return t("The recording is marked as ready, but the service didn't return a URL.");
    case 'unknown':
      return session.recordingStatus === undefined
        ? t("The service didn't return a URL for the recording of this session.")
        : t('The service didn\'t return a URL for the recording of this session. Its status is "{0}".', short(session));
  }
}

function short({ recordingStatus }: Pick<Session, 'recordingStatus'>): string {
  return oneLine(recordingStatus ?? '', 40);
}
