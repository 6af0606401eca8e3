/**
 * A command's needs: nothing; the stored connections, which it waits for while the window starts; or an open
 * connection, which it's then limited to. That is the connection of the given row or argument, or otherwise the active
 * one (`openConnection`); the same, but ignoring rows, because the view's title passes the focused one (`notOfRow`);
 * only the active one, so that rows of others are refused (`activeConnection`); or the active one regardless of the
 * row, because the command is about the whole view (`view`).
 */
type Need = 'nothing' | 'storedConnections' | 'openConnection' | 'notOfRow' | 'activeConnection' | 'view';

/** `sendsChange`: once its boxes are filled in, the command sends the service a change. */
type CommandRow = Need | { readonly need: Need; readonly sendsChange: true };

/** Every command by its ID without the prefix "liveStreams.". */
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
  createStream: { need: 'notOfRow', sendsChange: true },
  renameStream: { need: 'openConnection', sendsChange: true },
  editTags: { need: 'openConnection', sendsChange: true },
  editRenditions: { need: 'openConnection', sendsChange: true },
  turnRecordingOn: { need: 'openConnection', sendsChange: true },
  turnRecordingOff: { need: 'openConnection', sendsChange: true },
  suspendStream: { need: 'openConnection', sendsChange: true },
  resumeStream: { need: 'openConnection', sendsChange: true },
  endBroadcast: { need: 'openConnection', sendsChange: true },
  deleteStream: { need: 'openConnection', sendsChange: true },
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
  searchRecordings: 'view',
  openRecordingInBrowser: 'openConnection',
  copyRecordingUrl: 'openConnection',
  copyMp4Url: 'openConnection',
  createClip: { need: 'openConnection', sendsChange: true },
  openClip: 'openConnection',
  downloadClip: 'openConnection',
  copyClipUrl: 'openConnection',
  deleteClip: { need: 'openConnection', sendsChange: true },
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
  createWebhook: { need: 'activeConnection', sendsChange: true },
  editWebhook: { need: 'activeConnection', sendsChange: true },
  deleteWebhook: { need: 'activeConnection', sendsChange: true },
  filterDeliveries: 'activeConnection',
  clearDeliveryFilter: 'activeConnection',
  openDelivery: 'activeConnection',
  resendDelivery: { need: 'activeConnection', sendsChange: true },
  copyDeliveryAsCurl: 'activeConnection',
  copyDeliveryBody: 'activeConnection',
  replayDelivery: 'activeConnection',
  listenForEvents: 'activeConnection',
  stopListening: 'nothing',
  sendTestEvent: 'activeConnection',
  sendEditedEvent: 'nothing',
  copyWebhookSecret: 'activeConnection',
  refreshWebhooks: 'view',
  createSigningKey: { need: 'openConnection', sendsChange: true },
  useSigningKey: 'openConnection',
  savePrivateKey: 'openConnection',
  deleteSigningKey: { need: 'openConnection', sendsChange: true },
  setPlaybackPolicy: { need: 'openConnection', sendsChange: true },
  addMultistreamTarget: { need: 'openConnection', sendsChange: true },
  turnOnMultistreamTarget: { need: 'openConnection', sendsChange: true },
  turnOffMultistreamTarget: { need: 'openConnection', sendsChange: true },
  removeMultistreamTarget: { need: 'openConnection', sendsChange: true },
  copyPlaybackUrlWithToken: 'openConnection',
  collapseWebhooks: 'nothing',
  showLog: 'nothing',
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandId = keyof typeof COMMANDS;

export function needOf(id: CommandId): Need {
  const row: CommandRow = COMMANDS[id];
  return typeof row === 'string' ? row : row.need;
}

export function sendsChange(id: CommandId): boolean {
  return typeof COMMANDS[id] !== 'string';
}

/** Whether a command is limited to a connection that was open when it began. */
export function isOfConnection(id: CommandId): boolean {
  const need = needOf(id);
  return need !== 'nothing' && need !== 'storedConnections';
}

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(COMMANDS, id);
}
