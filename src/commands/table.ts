/**
 * What a command needs: nothing; the stored connections, for which it waits while the window starts; or an open
 * connection. Only in the last case is it limited to the connection that was open when it began.
 */
type Need = 'nothing' | 'storedConnections' | 'openConnection';

/** Every command by its id without the prefix "liveStreams.". */
export const COMMANDS = {
  addConnection: 'nothing',
  switchConnection: 'storedConnections',
  renameConnection: 'storedConnections',
  removeConnection: 'storedConnections',
  setApiKey: 'storedConnections',
  setAddresses: 'storedConnections',
  chooseNotifications: 'nothing',
  startDemo: 'nothing',
  stopDemo: 'storedConnections',
  refresh: 'openConnection',
  loadMore: 'openConnection',
  retry: 'openConnection',
  goToStream: 'openConnection',
  goToLiveStream: 'openConnection',
  filterStreams: 'openConnection',
  clearFilter: 'openConnection',
  sortStreams: 'openConnection',
  createStream: 'openConnection',
  renameStream: 'openConnection',
  turnRecordingOn: 'openConnection',
  turnRecordingOff: 'openConnection',
  suspendStream: 'openConnection',
  resumeStream: 'openConnection',
  endBroadcast: 'openConnection',
  deleteStream: 'openConnection',
  startTestBroadcast: 'openConnection',
  stopTestBroadcast: 'nothing',
  copyStreamKey: 'openConnection',
  copyPlaybackId: 'openConnection',
  copyStreamId: 'openConnection',
  copyIngestServer: 'openConnection',
  copyIngestUrl: 'openConnection',
  copyPlaybackUrl: 'openConnection',
  copyPlayerUrl: 'openConnection',
  showStream: 'openConnection',
  showSession: 'openConnection',
  watchStream: 'openConnection',
  openPlayerPage: 'openConnection',
  openRecording: 'openConnection',
  openRecordingInBrowser: 'openConnection',
  copyRecordingUrl: 'openConnection',
  copyMp4Url: 'openConnection',
  downloadMp4: 'openConnection',
  copySessionId: 'openConnection',
  copyLink: 'openConnection',
  copyValue: 'openConnection',
  openJson: 'openConnection',
  revealSecrets: 'nothing',
  openDashboard: 'openConnection',
  openProxySettings: 'nothing',
  showRecordedSessions: 'openConnection',
  showAllSessions: 'openConnection',
  collapseStreams: 'nothing',
  collapseRecordings: 'nothing',
  checkStream: 'openConnection',
  inspectPlayback: 'nothing',
  insertSnippet: 'openConnection',
  insertWebhookHandler: 'nothing',
  findLeakedKeys: 'openConnection',
  showLog: 'nothing',
} as const satisfies Readonly<Record<string, Need>>;

export type CommandId = keyof typeof COMMANDS;

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(COMMANDS, id);
}
