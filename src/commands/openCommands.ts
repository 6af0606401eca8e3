import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { checkOwnAddress } from '../model/addresses.ts';
import { describeAddressFault } from '../model/addressFaults.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { publicAddress, withToken } from '../model/filledAddresses.ts';
import { dashboardAddress, dashboardHome } from '../model/openTargets.ts';
import { rowTarget } from '../model/rows/rowActions.ts';
import { isBeingProcessed } from '../model/sessionChoices.ts';
import { isRunningIn, recordingState } from '../model/store/sessions.ts';
import { isAccountEmpty } from '../model/store/streams.ts';
import { watchLabel, watchRecordingLabel } from '../texts/labels.ts';
import { showStreamDetailsLabel } from '../texts/lateLabels.ts';
import { nameOf } from '../texts/names.ts';
import { Refusal } from '../texts/refusal.ts';
import { noRecording, requireTemplate } from '../texts/refusals.ts';
import type { CommandContext } from './context.ts';
import { openRecordingInBrowser } from './recordingCommands.ts';
import { givenRow, givenTargets } from './targets/commandArguments.ts';
import { pickSession } from './targets/pickSession.ts';
import { resolveOneSession } from './targets/sessionTargets.ts';
import { resolveOneStream } from './targets/streamTargets.ts';

export async function showStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, showStreamDetailsLabel());
  if (stream !== undefined) await context.details.openStream(stream);
}

/** Takes a session, or the row of one of its clips, which it marks on the page. */
export async function showSession(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const row = givenRow(args[0]);
  const of = row?.kind === 'clip' ? [{ id: row.sessionId }] : args;
  const session = await resolveOneSession(context, of, { title: t('Show Session Details') });
  const clipId = row?.kind === 'clip' ? row.clipId : undefined;
  if (session !== undefined) await context.details.openSession(session, undefined, clipId);
}

export async function watchStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  if (context.settings.playIn() === 'browser') return openPlayerPage(context, ...args);
  const stream = await resolveOneStream(context, args, t('Watch Stream'));
  if (stream === undefined) return;
  if (stream.playbackId === undefined) {
    throw new Refusal(t('"{0}" has no playback ID, so you can\'t watch it.', nameOf(stream)));
  }
  await context.player.openStream(stream);
}

/** Plays a session's recording. If it's still being processed, the player waits for it. */
export async function openRecording(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  if (context.settings.playIn() === 'browser') return openRecordingInBrowser(context, ...args);
  const given = await resolveOneSession(context, args, { title: watchRecordingLabel(), purpose: 'playable' });
  if (given === undefined) return;
  const session = await context.connection.account.withAddress(given, 'recordingUrl');
  const hasAddress = session.recordingUrl !== undefined || session.mp4Url !== undefined;
  if (!hasAddress && !isBeingProcessed(context.store.snapshot, session)) throw nothingRecorded(context, session);
  await context.player.openRecording(session);
  context.noteStep('watch');
}

/** Offers to watch the broadcast instead if it's still running. */
function nothingRecorded(context: CommandContext, session: Session): Refusal {
  const { sentence, actions } = noRecording(context, session);
  const { parentId } = session;
  const isWatchable = parentId !== undefined && isRunningIn(context.store.snapshot, session);
  const watch = { label: watchLabel(), command: 'watchStream', args: [parentId] } as const;
  return new Refusal(sentence, { severity: 'info', actions: isWatchable ? [watch, ...actions] : actions });
}

/** Ignores the focused row, which a view's title passes. Plays the recording, or shows why it can't be played. */
export async function searchRecordings(context: CommandContext): Promise<void> {
  const session = await pickSession(context, { title: t('Search Recordings'), purpose: 'recorded', isSearch: true });
  if (session === undefined) return;
  const { snapshot } = context.store;
  const isPlayable = ['ready', 'waiting', 'unknown'].includes(recordingState(session, isRunningIn(snapshot, session)));
  await (isPlayable ? openRecording(context, session.id) : context.details.openSession(session));
}

function isSessionRow(given: unknown): boolean {
  const row = givenRow(given);
  return row !== undefined && rowTarget(row)?.kind === 'session';
}

export async function openPlayerPage(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const template = await requireTemplate(context, 'player');
  const stream = await resolveOneStream(context, args, t('Watch Stream in Browser'));
  if (stream === undefined) return;
  if (stream.playbackId === undefined)
    throw new Refusal(t('"{0}" has no playback ID, so you can\'t watch it.', nameOf(stream)));
  const token = await context.connection.account.viewerToken(stream);
  await openChecked(context, withToken(publicAddress(template, stream), token));
}

/**
 * Opens the dashboard page of a stream, or of a session's stream. If the account is known to have no streams, opens the
 * dashboard itself, where streams can be created.
 */
export async function openDashboard(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const template = await requireTemplate(context, 'dashboard');
  if (givenTargets(args).length === 0 && isAccountEmpty(context.store.snapshot)) {
    return openChecked(context, dashboardHome(template));
  }
  const target = await dashboardTarget(context, args);
  if (target === undefined) return;
  const address = dashboardAddress(template, target);
  if (address === undefined) throw new Refusal(t("Couldn't determine the dashboard URL for this stream."));
  await openChecked(context, address);
}

async function dashboardTarget(
  context: CommandContext,
  args: readonly unknown[],
): Promise<{ readonly id: string | undefined; readonly projectId: string | undefined } | undefined> {
  if (!isSessionRow(args[0])) return resolveOneStream(context, args, t('Open Stream in Dashboard'));
  const session = await resolveOneSession(context, args, { title: t('Open Stream in Dashboard') });
  return session === undefined ? undefined : { id: session.parentId, projectId: session.projectId };
}

async function openChecked(context: CommandContext, address: string | undefined): Promise<void> {
  const checked = checkOwnAddress(address, openConnectionInfo(context));
  if (!checked.ok) throw new Refusal(describeAddressFault(checked.fault, 'settings'));
  await context.ui.openAddress(checked.url);
}
