import * as vscode from 'vscode';
import { rowOfSession } from '../../panels/pageCommands.ts';
import type { ActedOn, PlayerActs } from '../../panels/playerPart.ts';
import type { Action } from '../../webview/player/messages.ts';
import { runOwnCommand as run } from './runCommand.ts';

export const editorActs: PlayerActs = { act: doPlayerAction, canDownload };

async function doPlayerAction(
  action: Exclude<Action, 'retry' | 'playMp4'>,
  { subject, session, ui }: ActedOn,
): Promise<void> {
  const isStream = subject.kind === 'stream';
  const row = isStream ? subject.id : session === undefined ? subject.id : rowOfSession(session);
  switch (action) {
    case 'openInBrowser':
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'alwaysInBrowser':
      await vscode.workspace
        .getConfiguration('liveStreams')
        .update('playIn', 'browser', vscode.ConfigurationTarget.Global);
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'copyAddress': {
      const hasOnlyFile = session?.recordingUrl === undefined && session?.mp4Url !== undefined;
      return run(isStream ? 'copyPlaybackUrl' : hasOnlyFile ? 'copyMp4Url' : 'copyRecordingUrl', row);
    }
    case 'downloadMp4':
      return run('downloadMp4', row);
    case 'openRecording':
      return session === undefined ? undefined : run('openRecording', rowOfSession(session));
    case 'watchLive':
      return run('watchStream', isStream ? subject.id : session?.parentId);
    case 'setApiKey':
    case 'switchConnection':
    case 'addConnection':
    case 'startDemo':
      return run(action);
    case 'setAddress':
      return ui.openSettings('liveStreams.addresses');
    case 'maximise':
      await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
      return;
    default:
      action satisfies never;
  }
}

async function canDownload(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes('liveStreams.downloadMp4');
}
