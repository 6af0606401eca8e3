import { startTestBroadcast, stopTestBroadcast } from './broadcast/broadcastCommands.ts';
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
import { checkStream, inspectPlayback } from './checkCommands.ts';
import { findLeakedKeys, insertSnippet } from './codeCommands.ts';
import { addConnection, setApiKey } from './connection/connect.ts';
import { removeConnection, renameConnection, startDemo, switchConnection } from './connection/connectionCommands.ts';
import { setAddresses } from './connection/setAddresses.ts';
import type { CommandHandlers } from './context.ts';
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
import { chooseNotifications } from './notificationCommands.ts';
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
import { copyMp4Url, copyRecordingUrl, downloadMp4, openMp4, openRecordingInBrowser } from './recordingCommands.ts';
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

export const HANDLERS: CommandHandlers = {
  addConnection,
  switchConnection,
  renameConnection,
  removeConnection,
  setApiKey,
  setAddresses,
  chooseNotifications,
  startDemo,
  stopDemo: ({ demo }) => demo.stop(),
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
  startTestBroadcast,
  stopTestBroadcast,
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
  openProxySettings: ({ ui }) => ui.openSettings('http.proxy'),
  showRecordedSessions,
  showAllSessions,
  showOnlyRecordings,
  showMoreThanRecordings,
  collapseStreams,
  collapseRecordings,
  checkStream,
  inspectPlayback,
  insertSnippet,
  findLeakedKeys,
  showLog: ({ ui }) => ui.showLog(),
};
