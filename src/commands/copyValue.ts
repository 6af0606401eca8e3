import { t } from '@vscode/l10n';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import type { PickItem } from '../services.ts';
import { playbackIdLabel, recordingLabel } from '../texts/labels.ts';
import type { CommandContext } from './context.ts';
import type { CommandId } from './table.ts';

/** Picks what to copy, and runs the command for it, which picks the stream or session. */
export async function copyValue(context: CommandContext): Promise<void> {
  openConnectionInfo(context);
  const command = await context.ui.pick({
    title: t('Copy ID or URL'),
    placeholder: t('Select what to copy'),
    items: copyItems(),
  });
  if (command !== undefined) await context.runCommand(command);
}

function copyItems(): readonly PickItem<CommandId>[] {
  const heading = (label: string): PickItem<CommandId> => ({ label, isSeparator: true, value: 'copyValue' });
  return [
    heading(t('Playback')),
    { label: t('HLS URL'), value: 'copyPlaybackUrl' },
    { label: t('Player URL'), value: 'copyPlayerUrl' },
    { label: playbackIdLabel(), value: 'copyPlaybackId' },
    heading(t('Encoder')),
    { label: t('Stream Key'), value: 'copyStreamKey' },
    { label: t('RTMP Server'), value: 'copyIngestServer' },
    { label: t('RTMP URL (with Key)'), value: 'copyIngestUrl' },
    heading(recordingLabel()),
    { label: t('Recording URL'), value: 'copyRecordingUrl' },
    { label: t('MP4 URL'), value: 'copyMp4Url' },
    heading(t('IDs and Link')),
    { label: t('Stream ID'), value: 'copyStreamId' },
    { label: t('Session ID'), value: 'copySessionId' },
    { label: t('VS Code Link'), value: 'copyLink' },
  ];
}
