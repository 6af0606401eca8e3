import type { KeptTarget } from '../../model/pages/panelState.ts';
import type { CommandCall } from '../../texts/actions.ts';
import type { Action } from '../../webview/player/messages.ts';
import { type RunCommand, rowOfSession } from '../pageCommands.ts';
import type { ActionTarget, PlayerActions } from './playerPart.ts';

export interface PlayerActionsOptions {
  readonly runCommand: RunCommand;
  /** Runs a command, for a connection if it needs one, unless that isn't open. */
  readonly runFor: (connection: string, id: CommandCall['command'], args: readonly unknown[]) => Promise<unknown>;
  readonly playerWindow: PlayerWindow;
  /** Brings the open page of a target to the front, even if it can no longer be loaded. Returns whether it did. */
  readonly showKeptPage: (page: KeptTarget) => boolean;
}

/** The actions of players on the window itself. */
export interface PlayerWindow {
  /** Streams and recordings play in the browser from now on. */
  readonly playInBrowser: () => Promise<void>;
  /** Makes the editor group as large as the window, or as large as it was before. */
  readonly toggleMaximized: () => Promise<void>;
  readonly canDownload: () => Promise<boolean>;
}

export function playerActs(
  { runCommand, runFor, playerWindow, showKeptPage }: PlayerActionsOptions,
  { connection }: { readonly connection: string },
): PlayerActions {
  return {
    async act(action, target) {
      const page = action === 'showDetails' ? pageOf(connection, target) : undefined;
      if (page === undefined || !showKeptPage(page)) await doPlayerAction(runCommand, playerWindow, action, target);
    },
    async createClip({ startTime, endTime, name }, on, page) {
      const row = rowOf(on);
      const args = [{ ...(typeof row === 'object' ? row : { id: row }), startTime, endTime, name, ...page }];
      await runFor(connection, 'createClip', args);
    },
    canDownload: playerWindow.canDownload,
  };
}

function pageOf(connection: string, { subject, clip }: ActionTarget): KeptTarget | undefined {
  const { kind, id } = subject;
  if (kind !== 'clip') return { connection, kind, id };
  return clip?.sessionId === undefined ? undefined : { connection, kind: 'session', id: clip.sessionId };
}

function rowOf({ subject, session }: ActionTarget): unknown {
  return subject.kind === 'stream' || session === undefined ? subject.id : rowOfSession(session);
}

const CLIP_ACTIONS: Readonly<Partial<Record<Action, CommandCall['command']>>> = {
  openInBrowser: 'openClip',
  openRecording: 'openClip',
  copyClipUrl: 'copyClipUrl',
  downloadMp4: 'downloadClip',
};

async function doPlayerAction(
  run: RunCommand,
  { playInBrowser, toggleMaximized }: PlayerWindow,
  action: Exclude<Action, 'retry' | 'playMp4'>,
  target: ActionTarget,
): Promise<void> {
  const { subject, session, clip } = target;
  if (subject.kind === 'clip') {
    const command = CLIP_ACTIONS[action];
    if (command !== undefined) return run(command, { id: subject.id, inBrowser: action === 'openInBrowser' });
    if (action === 'showDetails') return clip?.sessionId === undefined ? undefined : run('showSession', clip.sessionId);
    // Clips are cut from recordings, so another one can be cut from the recording of a clip.
    if (action === 'createClip') return run('createClip', clip?.sessionId);
  }
  const isStream = subject.kind === 'stream';
  const row = rowOf(target);
  switch (action) {
    case 'openInBrowser':
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'alwaysInBrowser':
      await playInBrowser();
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'copyAddress': {
      const hasOnlyFile = session?.recordingUrl === undefined && session?.mp4Url !== undefined;
      return run(isStream ? 'copyPlaybackUrl' : hasOnlyFile ? 'copyMp4Url' : 'copyRecordingUrl', row);
    }
    case 'copyWithToken':
      return run('copyPlaybackUrlWithToken', row);
    case 'downloadMp4':
      return run('downloadMp4', row);
    case 'createClip':
      return run('createClip', row);
    case 'copyClipUrl':
      return;
    case 'openRecording':
      return session === undefined ? undefined : run('openRecording', rowOfSession(session));
    case 'watchLive':
      return run('watchStream', isStream ? subject.id : session?.parentId);
    case 'startTestBroadcast':
      return isStream ? run('startTestBroadcast', subject.id) : undefined;
    case 'resumeStream':
      return isStream ? run('resumeStream', subject.id) : undefined;
    case 'showDetails':
      return run(isStream ? 'showStream' : 'showSession', row);
    case 'checkStream':
      return isStream ? run('checkStream', subject.id) : undefined;
    case 'openOwnConnection':
      return run('switchConnection', { connectionId: subject.connection });
    case 'setApiKey':
      return run(action, { connectionId: subject.connection });
    case 'createSigningKey':
    case 'useSigningKey':
    case 'switchConnection':
    case 'addConnection':
    case 'startDemo':
      return run(action);
    case 'setAddress':
      return run('setAddresses');
    case 'maximize':
      return toggleMaximized();
    default:
      action satisfies never;
  }
}
