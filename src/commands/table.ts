/**
 * What a command needs: nothing; the stored connections, for which it waits while the window starts; or an open
 * connection, to which it is limited then. That is the connection of the row or argument that it is given, or else the
 * active one (`openConnection`); the same, except for rows, because the view's title passes the focused one
 * (`notOfRow`); the active one alone, so that those of others are refused (`activeConnection`); or the active one whatever
 * the row, because it is about the whole view (`view`).
 */
type Need = 'nothing' | 'storedConnections' | 'openConnection' | 'notOfRow' | 'activeConnection' | 'view';

/** `sendsChange`: once its boxes are filled in, the command sends the service a change. */
type CommandRow = readonly [need: Need, sends?: 'sendsChange'];

/** Every command by its id without the prefix "liveStreams.". */
export const COMMANDS = {
  addConnection: ['nothing'],
  switchConnection: ['storedConnections'],
  renameConnection: ['storedConnections'],
  removeConnection: ['storedConnections'],
  setApiKey: ['storedConnections'],
  dismissConnection: ['nothing'],
  setAddresses: ['notOfRow'],
  chooseNotifications: ['nothing'],
  startDemo: ['nothing'],
  stopDemo: ['storedConnections'],
  refresh: ['view'],
  loadMore: ['openConnection'],
  retry: ['openConnection'],
  goToStream: ['view'],
  goToLiveStream: ['view'],
  filterStreams: ['view'],
  clearFilter: ['view'],
  sortStreams: ['view'],
  createStream: ['notOfRow', 'sendsChange'],
  renameStream: ['openConnection', 'sendsChange'],
  editTags: ['openConnection', 'sendsChange'],
  editRenditions: ['openConnection', 'sendsChange'],
  turnRecordingOn: ['openConnection', 'sendsChange'],
  turnRecordingOff: ['openConnection', 'sendsChange'],
  suspendStream: ['openConnection', 'sendsChange'],
  resumeStream: ['openConnection', 'sendsChange'],
  endBroadcast: ['openConnection', 'sendsChange'],
  deleteStream: ['openConnection', 'sendsChange'],
  startTestBroadcast: ['openConnection'],
  stopTestBroadcast: ['nothing'],
  copyStreamKey: ['openConnection'],
  copyPlaybackId: ['openConnection'],
  copyStreamId: ['openConnection'],
  copyIngestServer: ['openConnection'],
  copyIngestUrl: ['openConnection'],
  copyPlaybackUrl: ['openConnection'],
  copyPlayerUrl: ['openConnection'],
  showStream: ['openConnection'],
  showSession: ['openConnection'],
  watchStream: ['openConnection'],
  openPlayerPage: ['openConnection'],
  openRecording: ['openConnection'],
  openRecordingInBrowser: ['openConnection'],
  copyRecordingUrl: ['openConnection'],
  copyMp4Url: ['openConnection'],
  createClip: ['openConnection', 'sendsChange'],
  openClip: ['openConnection'],
  downloadClip: ['openConnection'],
  copyClipUrl: ['openConnection'],
  deleteClip: ['openConnection', 'sendsChange'],
  downloadMp4: ['openConnection'],
  copySessionId: ['openConnection'],
  copyLink: ['openConnection'],
  copyValue: ['openConnection'],
  openJson: ['openConnection'],
  revealSecrets: ['nothing'],
  openDashboard: ['openConnection'],
  openProxySettings: ['nothing'],
  showRecordedSessions: ['view'],
  showAllSessions: ['view'],
  showAllConnections: ['storedConnections'],
  showOneConnection: ['storedConnections'],
  collapseStreams: ['nothing'],
  collapseRecordings: ['nothing'],
  checkStream: ['openConnection'],
  inspectPlayback: ['nothing'],
  insertSnippet: ['openConnection'],
  insertWebhookHandler: ['nothing'],
  insertTokenSigner: ['nothing'],
  findLeakedKeys: ['activeConnection'],
  createWebhook: ['activeConnection', 'sendsChange'],
  editWebhook: ['activeConnection', 'sendsChange'],
  deleteWebhook: ['activeConnection', 'sendsChange'],
  filterDeliveries: ['activeConnection'],
  clearDeliveryFilter: ['activeConnection'],
  openDelivery: ['activeConnection'],
  resendDelivery: ['activeConnection', 'sendsChange'],
  copyDeliveryAsCurl: ['activeConnection'],
  copyDeliveryBody: ['activeConnection'],
  replayDelivery: ['activeConnection'],
  listenForEvents: ['activeConnection'],
  stopListening: ['nothing'],
  sendTestEvent: ['activeConnection'],
  sendEditedEvent: ['nothing'],
  copyWebhookSecret: ['activeConnection'],
  refreshWebhooks: ['view'],
  createSigningKey: ['openConnection', 'sendsChange'],
  useSigningKey: ['openConnection'],
  savePrivateKey: ['openConnection'],
  deleteSigningKey: ['openConnection', 'sendsChange'],
  setPlaybackPolicy: ['openConnection', 'sendsChange'],
  addMultistreamTarget: ['openConnection', 'sendsChange'],
  turnOnMultistreamTarget: ['openConnection', 'sendsChange'],
  turnOffMultistreamTarget: ['openConnection', 'sendsChange'],
  removeMultistreamTarget: ['openConnection', 'sendsChange'],
  copyPlaybackUrlWithToken: ['openConnection'],
  collapseWebhooks: ['nothing'],
  showLog: ['nothing'],
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandId = keyof typeof COMMANDS;

export function needOf(id: CommandId): Need {
  return COMMANDS[id][0];
}

export function sendsChange(id: CommandId): boolean {
  const row: CommandRow = COMMANDS[id];
  return row[1] !== undefined;
}

/** Whether a command is limited to a connection that was open when it began. */
export function isOfConnection(id: CommandId): boolean {
  const need = needOf(id);
  return need !== 'nothing' && need !== 'storedConnections';
}

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(COMMANDS, id);
}
