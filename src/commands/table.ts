import {
  deleteStream,
  endBroadcast,
  renameStream,
  resumeStream,
  suspendStream,
  turnRecordingOff,
  turnRecordingOn,
} from './changes/changeCommands.ts';
import { createStream } from './changes/createStream.ts';
import { chooseNotifications } from './chooseNotifications.ts';
import { addConnection, setApiKey } from './connection/connect.ts';
import {
  removeConnection,
  renameConnection,
  startDemo,
  stopDemo,
  switchConnection,
} from './connection/connectionCommands.ts';
import { openProxySettings } from './connection/networkHelp.ts';
import { setAddresses } from './connection/setAddresses.ts';
import type { CommandContext } from './context.ts';
import {
  copyIngestServer,
  copyIngestUrl,
  copyPlaybackId,
  copyPlaybackUrl,
  copyPlayerUrl,
  copySessionId,
  copyStreamId,
  copyStreamKey,
} from './copyCommands.ts';
import { clearFilter, filterStreams, sortStreams } from './filterCommands.ts';
import { goToLiveStream, goToStream } from './goToStream.ts';
import { listAllStreams, openSessionJson, openStreamJson, revealSecrets } from './jsonDocuments.ts';
import { showLog } from './messages.ts';
import {
  openDashboard,
  openPlayerPage,
  openRecording,
  showInNewTab,
  showSession,
  showStream,
  showToSide,
  watchInNewTab,
  watchStream,
  watchToSide,
} from './openCommands.ts';
import { copyLink } from './openLink.ts';
import { downloadMp4 } from './recordings/downloadMp4.ts';
import { copyMp4Url, copyRecordingUrl, openMp4, openRecordingInBrowser } from './recordings/recordingCommands.ts';
import {
  collapseRecordings,
  collapseStreams,
  loadMore,
  refresh,
  refreshItem,
  retry,
  showAllSessions,
  showMoreThanRecordings,
  showOnlyRecordings,
  showRecordedSessions,
} from './treeCommands.ts';

export type CommandHandler = (context: CommandContext, ...args: readonly unknown[]) => Promise<unknown> | unknown;

/** Every command by its id without the prefix "liveStreams.". */
export const COMMANDS = {
  addConnection,
  switchConnection,
  renameConnection,
  removeConnection,
  setApiKey,
  setAddresses,
  chooseNotifications,
  startDemo,
  stopDemo,
  refresh,
  refreshItem,
  loadMore,
  retry,
  goToStream,
  goToLiveStream,
  filterStreams,
  clearFilter,
  sortStreams,
  createStream,
  renameStream,
  turnRecordingOn,
  turnRecordingOff,
  suspendStream,
  resumeStream,
  endBroadcast,
  deleteStream,
  copyStreamKey,
  copyPlaybackId,
  copyStreamId,
  copyIngestServer,
  copyIngestUrl,
  copyPlaybackUrl,
  copyPlayerUrl,
  showStream,
  showSession,
  showToSide,
  showInNewTab,
  watchStream,
  watchToSide,
  watchInNewTab,
  openPlayerPage,
  openRecording,
  openRecordingInBrowser,
  copyRecordingUrl,
  openMp4,
  copyMp4Url,
  downloadMp4,
  copySessionId,
  copyLink,
  openStreamJson,
  openSessionJson,
  revealSecrets,
  listAllStreams,
  openDashboard,
  openProxySettings,
  showRecordedSessions,
  showAllSessions,
  showOnlyRecordings,
  showMoreThanRecordings,
  collapseStreams,
  collapseRecordings,
  showLog,
} satisfies Readonly<Record<string, CommandHandler>>;

export type CommandId = keyof typeof COMMANDS;

/** Commands that concern no connection, or one that they name. They act whichever connection is open. */
export const FOR_ANY_CONNECTION: ReadonlySet<string> = new Set<CommandId>([
  'addConnection',
  'switchConnection',
  'renameConnection',
  'removeConnection',
  'setApiKey',
  'setAddresses',
  'chooseNotifications',
  'startDemo',
  'stopDemo',
]);

/** Commands that need no connection, or open one. All others wait until it is known which connection the window has. */
export const WITHOUT_CONNECTION: ReadonlySet<string> = new Set<CommandId>([
  'addConnection',
  'startDemo',
  'chooseNotifications',
  'showLog',
  'openProxySettings',
  'revealSecrets',
  'collapseStreams',
  'collapseRecordings',
]);

/** Returns the handler of a command, or undefined if there is no such command. */
export function findHandler(id: string): CommandHandler | undefined {
  const handlers: Readonly<Record<string, CommandHandler>> = COMMANDS;
  return Object.hasOwn(handlers, id) ? handlers[id] : undefined;
}
