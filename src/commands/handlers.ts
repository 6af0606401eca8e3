import { copyPlaybackUrlWithToken } from './access/copyWithToken.ts';
import { setPlaybackPolicy } from './access/policyCommand.ts';
import { createSigningKey, deleteSigningKey, savePrivateKey, useSigningKey } from './access/signingKeyCommands.ts';
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
import { editRenditions } from './changes/renditionsCommand.ts';
import { editTags } from './changes/tagsCommand.ts';
import { checkStream, inspectPlayback } from './checkCommands.ts';
import { copyClipUrl, deleteClip, downloadClip, openClip } from './clips/clipCommands.ts';
import { createClip } from './clips/createClip.ts';
import { findLeakedKeys, insertSnippet } from './codeCommands.ts';
import { addConnection } from './connection/connect.ts';
import {
  dismissConnection,
  removeConnection,
  renameConnection,
  switchConnection,
} from './connection/connectionCommands.ts';
import { setAddresses } from './connection/setAddresses.ts';
import { setApiKey } from './connection/setApiKey.ts';
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
  copyValue,
} from './copyCommands.ts';
import { goToLiveStream, goToStream } from './goToStream.ts';
import { openJson, revealSecrets } from './jsonDocuments.ts';
import {
  addMultistreamTarget,
  removeMultistreamTarget,
  turnOffMultistreamTarget,
  turnOnMultistreamTarget,
} from './multistream/targetCommands.ts';
import { chooseNotifications } from './notificationCommands.ts';
import {
  openDashboard,
  openPlayerPage,
  openRecording,
  searchRecordings,
  showSession,
  showStream,
  watchStream,
} from './openCommands.ts';
import { copyLink } from './openLink.ts';
import { copyMp4Url, copyRecordingUrl, downloadMp4, openRecordingInBrowser } from './recordingCommands.ts';
import { insertTokenSigner, insertWebhookHandler } from './serverCodeCommands.ts';
import {
  clearFilter,
  filterStreams,
  loadMore,
  refresh,
  retry,
  showAllConnections,
  sortStreams,
  switchRecordings,
} from './treeCommands.ts';

import {
  copyDeliveryAsCurl,
  copyDeliveryBody,
  openDelivery,
  replayDelivery,
  resendDelivery,
} from './webhooks/deliveryCommands.ts';
import {
  copyWebhookSecret,
  listenForEvents,
  sendEditedEvent,
  sendTestEvent,
  stopListening,
} from './webhooks/listenCommands.ts';
import {
  clearDeliveryFilter,
  createWebhook,
  deleteWebhook,
  editWebhook,
  filterDeliveries,
  refreshWebhooks,
} from './webhooks/webhookCommands.ts';

export const HANDLERS: CommandHandlers = {
  addConnection,
  switchConnection,
  renameConnection,
  removeConnection,
  dismissConnection,
  setApiKey,
  setAddresses,
  chooseNotifications,
  startDemo: ({ demo }) => demo.start(),
  stopDemo: ({ demo }) => demo.stop(),
  refresh,
  loadMore,
  retry,
  goToStream,
  goToLiveStream,
  filterStreams,
  clearFilter,
  sortStreams,
  createStream,
  renameStream,
  editTags,
  editRenditions,
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
  watchStream,
  openPlayerPage,
  openRecording,
  searchRecordings,
  openRecordingInBrowser,
  copyRecordingUrl,
  copyMp4Url,
  downloadMp4,
  createClip,
  openClip,
  downloadClip,
  copyClipUrl,
  deleteClip,
  copySessionId,
  copyLink,
  copyValue,
  openJson,
  revealSecrets,
  openDashboard,
  openProxySettings: ({ ui }) => ui.openSettings('http.proxy'),
  showRecordedSessions: (context) => switchRecordings(context, true),
  showAllSessions: (context) => switchRecordings(context, false),
  showAllConnections,
  showOneConnection: ({ store }) => store.setShowsAllConnections(false),
  collapseStreams: ({ ui }) => ui.collapseRows('streams'),
  collapseRecordings: ({ ui }) => ui.collapseRows('recordings'),
  checkStream,
  inspectPlayback,
  insertSnippet,
  insertWebhookHandler,
  insertTokenSigner,
  findLeakedKeys,
  createWebhook,
  editWebhook,
  deleteWebhook,
  filterDeliveries,
  clearDeliveryFilter,
  openDelivery,
  resendDelivery,
  copyDeliveryAsCurl,
  copyDeliveryBody,
  replayDelivery,
  listenForEvents,
  stopListening,
  sendTestEvent,
  sendEditedEvent,
  copyWebhookSecret,
  refreshWebhooks,
  createSigningKey,
  useSigningKey,
  savePrivateKey,
  deleteSigningKey,
  setPlaybackPolicy,
  addMultistreamTarget,
  removeMultistreamTarget,
  turnOffMultistreamTarget,
  turnOnMultistreamTarget,
  copyPlaybackUrlWithToken,
  collapseWebhooks: ({ ui }) => ui.collapseRows('webhooks'),
  showLog: ({ ui }) => ui.showLog(),
};
