/**
 * What a command needs: nothing; the stored connections, for which it waits while the window starts; or an open
 * connection, to which it is limited then. That is the connection of the row or argument that it is given, or else the
 * active one (`openConnection`); the same, except for rows, because the view's title passes the focused one
 * (`notOfRow`); the active one alone, so that those of others are refused (`activeConnection`); or the active one whatever
 * the row, because it is about the whole view (`view`).
 */
type Need = 'nothing' | 'storedConnections' | 'openConnection' | 'notOfRow' | 'activeConnection' | 'view';

/** Every command by its id without the prefix "liveStreams.". */
export const COMMANDS = {
  addConnection: 'nothing',
  switchConnection: 'storedConnections',
  renameConnection: 'storedConnections',
  removeConnection: 'storedConnections',
  setApiKey: 'storedConnections',
  dismissConnection: 'nothing',
  setAddresses: 'notOfRow',
  chooseNotifications: 'nothing',
  startDemo: 'nothing',
  stopDemo: 'storedConnections',
  refresh: 'view',
  loadMore: 'openConnection',
  retry: 'openConnection',
  goToStream: 'view',
  goToLiveStream: 'view',
  filterStreams: 'view',
  clearFilter: 'view',
  sortStreams: 'view',
  createStream: 'notOfRow',
  renameStream: 'openConnection',
  editTags: 'openConnection',
  editRenditions: 'openConnection',
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
  createClip: 'openConnection',
  openClip: 'openConnection',
  downloadClip: 'openConnection',
  copyClipUrl: 'openConnection',
  deleteClip: 'openConnection',
  downloadMp4: 'openConnection',
  copySessionId: 'openConnection',
  copyLink: 'openConnection',
  copyValue: 'openConnection',
  openJson: 'openConnection',
  revealSecrets: 'nothing',
  openDashboard: 'openConnection',
  openProxySettings: 'nothing',
  showRecordedSessions: 'view',
  showAllSessions: 'view',
  showAllConnections: 'storedConnections',
  showOneConnection: 'storedConnections',
  collapseStreams: 'nothing',
  collapseRecordings: 'nothing',
  checkStream: 'openConnection',
  inspectPlayback: 'nothing',
  insertSnippet: 'openConnection',
  insertWebhookHandler: 'nothing',
  insertTokenSigner: 'nothing',
  findLeakedKeys: 'activeConnection',
  createWebhook: 'activeConnection',
  editWebhook: 'activeConnection',
  deleteWebhook: 'activeConnection',
  filterDeliveries: 'activeConnection',
  clearDeliveryFilter: 'activeConnection',
  openDelivery: 'activeConnection',
  resendDelivery: 'activeConnection',
  copyDeliveryAsCurl: 'activeConnection',
  copyDeliveryBody: 'activeConnection',
  replayDelivery: 'activeConnection',
  listenForEvents: 'activeConnection',
  stopListening: 'nothing',
  sendTestEvent: 'activeConnection',
  sendEditedEvent: 'nothing',
  copyWebhookSecret: 'activeConnection',
  refreshWebhooks: 'view',
  createSigningKey: 'openConnection',
  useSigningKey: 'openConnection',
  savePrivateKey: 'openConnection',
  deleteSigningKey: 'openConnection',
  setPlaybackPolicy: 'openConnection',
  addMultistreamTarget: 'openConnection',
  turnOnMultistreamTarget: 'openConnection',
  turnOffMultistreamTarget: 'openConnection',
  removeMultistreamTarget: 'openConnection',
  copyPlaybackUrlWithToken: 'openConnection',
  collapseWebhooks: 'nothing',
  showLog: 'nothing',
} as const satisfies Readonly<Record<string, Need>>;

export type CommandId = keyof typeof COMMANDS;

/** Whether a command is limited to a connection that was open when it began. */
export function isOfConnection(id: CommandId): boolean {
  const need = COMMANDS[id];
  return need !== 'nothing' && need !== 'storedConnections';
}

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(COMMANDS, id);
}
