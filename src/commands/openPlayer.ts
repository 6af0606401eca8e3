import { t } from '@vscode/l10n';
import { isBeingProcessed } from '../model/sessionChoices.ts';
import type { CommandContext } from './context.ts';
import { nameOf } from './messages.ts';
import { openPlayerPage } from './openInBrowser.ts';
import { noRecording, openRecordingInBrowser } from './recordings/openRecording.ts';
import { Refusal } from './refusal.ts';
import type { NeedsSession } from './targets/pickSession.ts';
import { resolveOneSession } from './targets/sessionTargets.ts';
import { type NeedsStream, resolveOneStream } from './targets/streamTargets.ts';

type Context = Pick<CommandContext, 'settings' | 'demo' | 'player'>;

export async function watchStream(context: Context & NeedsStream, ...args: readonly unknown[]): Promise<void> {
  if (context.settings.playIn() === 'browser') return openPlayerPage(context, ...args);
  const stream = await resolveOneStream(context, args, t('Watch'));
  if (stream === undefined) return;
  if (stream.playbackId === undefined) {
    throw new Refusal(t('"{0}" has no playback ID, so it cannot be watched.', nameOf(stream)));
  }
  await context.player.openStream(stream);
}

/** Plays a session's recording. If it is still being processed, the player waits for it. */
export async function openRecording(context: Context & NeedsSession, ...args: readonly unknown[]): Promise<void> {
  if (context.settings.playIn() === 'browser') return openRecordingInBrowser(context, ...args);
  const given = await resolveOneSession(context, args, { title: t('Open Recording'), wish: 'playable' });
  if (given === undefined) return;
  const session = await context.current.account.withAddress(given, 'recordingUrl');
  const hasAddress = session.recordingUrl !== undefined || session.mp4Url !== undefined;
  if (!hasAddress && !isBeingProcessed(context.store.snapshot, session)) throw noRecording(context, session);
  await context.player.openRecording(session);
}
