import { t } from '@vscode/l10n';
import { NOTIFICATION_KINDS } from '../model/settingValues.ts';
import type { NotificationKind } from '../services.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { Refusal } from './refusal.ts';
import { givenField } from './targets/commandArguments.ts';

type Context = Pick<CommandContext, 'ui' | 'settings' | 'log'>;

const LABELS: Readonly<Record<NotificationKind, () => string>> = {
  streamStarted: () => t('A stream goes live'),
  streamEnded: () => t('A broadcast ends'),
  recordingReady: () => t('A recording is ready to watch'),
};

/** Selects the events that show a notification. Takes {kinds} or shows a picker. */
export async function chooseNotifications(context: Context, argument?: unknown): Promise<void> {
  const kinds = kindsIn(argument) ?? (await pickKinds(context));
  if (kinds !== undefined) await save(context, kinds);
}

function pickKinds({ ui, settings }: Context): Promise<readonly NotificationKind[] | undefined> {
  const chosen = settings.notifications();
  return ui.pickMany({
    title: t('Configure Notifications'),
    placeholder: t('Show a notification when'),
    items: NOTIFICATION_KINDS.map((kind) => ({ label: LABELS[kind](), value: kind, isPicked: chosen.has(kind) })),
  });
}

async function save({ ui, settings, log }: Context, kinds: readonly NotificationKind[]): Promise<void> {
  try {
    await settings.writeNotifications(kinds);
  } catch (error) {
    log.error('The notifications could not be saved', error);
    const again: MessageAction = { label: t('Retry'), command: 'chooseNotifications', args: [{ kinds }] };
    const sentence = t("Couldn't save your selection. Check your settings file for errors, then try again.");
    throw new Refusal(sentence, { severity: 'error', actions: [again] });
  }
  ui.flash(kinds.length === 0 ? t('Notifications are off') : t('Notifications are on'));
}

/** Throws a Refusal for a list with anything but kinds of notifications. */
function kindsIn(argument: unknown): readonly NotificationKind[] | undefined {
  const given = givenField(argument, 'kinds');
  if (!Array.isArray(given)) return undefined;
  const kinds = NOTIFICATION_KINDS.filter((kind) => given.includes(kind));
  if (kinds.length === new Set(given).size) return kinds;
  throw new Refusal(t('Notifications must be streamStarted, streamEnded, or recordingReady.'));
}
