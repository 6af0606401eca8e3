import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { AnnouncedAct } from '../model/news/announcementText.ts';
import { sessionNode } from '../model/rows/nodes.ts';
import { NOTIFICATION_KINDS } from '../model/settingValues.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { LeftDownload, NotificationKind } from '../services.ts';
import { retryLabel } from '../texts/labels.ts';
import { openSettingsLabel } from '../texts/lateLabels.ts';
import { quotedText } from '../texts/names.ts';
import { Refusal } from '../texts/refusal.ts';
import { type BoundaryContext, runAction, showMessage } from './boundary.ts';
import type { BoundAction, CommandAction, CommandContext, MessageAction } from './context.ts';
import { givenField } from './targets/commandArguments.ts';

const MOST_NAMES = 5;

/** Runs a notification's action, or reports that another connection is open by then. Never rejects. */
export function runAnnounced(
  context: BoundaryContext,
  action: AnnouncedAct,
  connection: ConnectionInfo,
): Promise<unknown> {
  return runAction(context, { ...actOf(action), connection });
}

function actOf(action: AnnouncedAct): CommandAction {
  if (action.kind === 'watch') return { command: 'watchStream', args: [{ id: action.streamId }] };
  // As a row, because a service may need the stream to find the session.
  return { command: 'openRecording', args: [sessionNode('active', action.streamId, action.sessionId)] };
}

/** Reports downloads that were cut off when the editor was killed, and offers to continue them. Never rejects. */
export async function reportInterruptedDownloads(
  context: BoundaryContext,
  left: readonly LeftDownload[],
): Promise<void> {
  if (left.length === 0) return;
  const restart = () => Promise.all(left.map((each) => runAction(context, restartOf(each))));
  const actions = [{ label: t('Resume Download'), run: restart }];
  await showMessage(context, { severity: 'warning', sentence: sentenceOf(left), actions });
}

function sentenceOf(left: readonly LeftDownload[]): string {
  const names = left.map(({ target }) => quotedText(basename(target)));
  const [only] = names;
  if (names.length === 1 && only !== undefined)
    return t('The download of {0} was interrupted when VS Code closed.', only);
  const shown = names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '');
  return t('{0} downloads were interrupted when VS Code closed: {1}.', left.length, shown);
}

function restartOf({ target, note: { streamId, sessionId, clipId, connection } }: LeftDownload): BoundAction {
  if (clipId !== undefined) return { command: 'downloadClip', args: [{ id: clipId, streamId, target }], connection };
  const session = streamId === undefined ? { id: sessionId } : sessionNode('active', streamId, sessionId);
  // If there is a file with this name now, it was saved since then, perhaps by another window, so it isn't overwritten.
  return { command: 'downloadMp4', args: [{ ...session, target }], connection };
}

const LABELS: Readonly<Record<NotificationKind, () => string>> = {
  streamStarted: () => t('A stream goes live'),
  streamEnded: () => t('A broadcast ends'),
  recordingReady: () => t('A recording is ready to watch'),
};

/** Selects the events that show a notification. Takes {kinds} or shows a picker. */
export async function chooseNotifications(context: CommandContext, argument?: unknown): Promise<void> {
  const kinds = kindsIn(argument) ?? (await pickKinds(context));
  if (kinds !== undefined) await save(context, kinds);
}

function pickKinds({ ui, settings }: CommandContext): Promise<readonly NotificationKind[] | undefined> {
  const chosen = settings.notifications();
  return ui.pickMany({
    title: t('Configure Notifications'),
    placeholder: t('Select when to show a notification'),
    items: NOTIFICATION_KINDS.map((kind) => ({ label: LABELS[kind](), value: kind, isPicked: chosen.has(kind) })),
  });
}

async function save(
  { ui, settings, log, showMessage }: CommandContext,
  kinds: readonly NotificationKind[],
): Promise<void> {
  try {
    await settings.writeNotifications(kinds);
  } catch (error) {
    log.error("The notifications couldn't be saved", error);
    const again: MessageAction = { label: retryLabel(), command: 'chooseNotifications', args: [{ kinds }] };
    const sentence = t("Couldn't save your selection. Check your settings file for errors, and then try again.");
    throw new Refusal(sentence, { severity: 'error', actions: [again] });
  }
  if (kinds.length > 0 && settings.refreshInterval() === 0) {
    const sentence = t(
      "Notifications are on, but automatic refresh is off, so they're shown only after you refresh or while you listen for webhook events.",
    );
    const open: MessageAction = { label: openSettingsLabel(), setting: 'liveStreams.refreshInterval' };
    showMessage({ severity: 'warning', sentence, actions: [open] });
    return;
  }
  ui.flash(kinds.length === 0 ? t('Notifications are off') : t('Notifications are on'));
}

/** Throws a Refusal for a list with anything but kinds of notifications. */
function kindsIn(argument: unknown): readonly NotificationKind[] | undefined {
  const given = givenField(argument, 'kinds');
  if (!Array.isArray(given)) return undefined;
  const kinds = NOTIFICATION_KINDS.filter((kind) => given.includes(kind));
  if (kinds.length === new Set(given).size) return kinds;
  throw new Refusal(t('Specify notifications as a list of streamStarted, streamEnded, or recordingReady.'));
}
