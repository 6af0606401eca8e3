import { isId } from '../api/ids.ts';
import type { PageAct, PageCommand } from '../webview/details/messages.ts';
import type { FromPlayer } from '../webview/player/messages.ts';
import { isKeyOf, readPlayerMessage } from './player/playerMessages.ts';

/** 'own': what the page shows. */
type CommandTarget = 'stream' | 'streamOrTarget' | 'session' | 'target' | 'clip' | 'own' | 'none';

const COMMANDS: Readonly<Record<PageCommand, CommandTarget>> = {
  watchStream: 'stream',
  openPlayerPage: 'stream',
  openDashboard: 'stream',
  checkStream: 'stream',
  copyStreamKey: 'stream',
  copyPlaybackId: 'stream',
  copyStreamId: 'stream',
  copyIngestUrl: 'stream',
  copyPlaybackUrl: 'stream',
  copyPlaybackUrlWithToken: 'stream',
  copyPlayerUrl: 'stream',
  copySessionId: 'session',
  copyRecordingUrl: 'session',
  copyMp4Url: 'session',
  openRecording: 'session',
  openRecordingInBrowser: 'session',
  downloadMp4: 'session',
  showSession: 'session',
  openJson: 'own',
  renameStream: 'stream',
  turnRecordingOn: 'stream',
  turnRecordingOff: 'stream',
  suspendStream: 'stream',
  resumeStream: 'stream',
  endBroadcast: 'stream',
  startTestBroadcast: 'stream',
  stopTestBroadcast: 'stream',
  deleteStream: 'stream',
  setPlaybackPolicy: 'stream',
  editTags: 'stream',
  editRenditions: 'stream',
  addMultistreamTarget: 'streamOrTarget',
  turnOnMultistreamTarget: 'target',
  turnOffMultistreamTarget: 'target',
  removeMultistreamTarget: 'target',
  createClip: 'own',
  openClip: 'clip',
  copyClipUrl: 'clip',
  downloadClip: 'clip',
  copyIngestServer: 'none',
  createStream: 'none',
  setApiKey: 'none',
  switchConnection: 'none',
  addConnection: 'none',
  startDemo: 'none',
};

const ACTS: Readonly<Record<PageAct, true>> = {
  reveal: true,
  hide: true,
  copySrt: true,
  copyWhip: true,
  copyProjectId: true,
  copyOwnPlaybackId: true,
  setAddress: true,
  setOtherAddress: true,
  retry: true,
  loadMore: true,
  showStream: true,
  openOwnConnection: true,
};

/** Returns what a command runs on. Determined by its name alone, so that no page can pass a target of another kind. */
export function targetOf(command: PageCommand): CommandTarget {
  return COMMANDS[command];
}

export type DetailsRequest =
  | { readonly kind: 'command'; readonly command: PageCommand; readonly session?: string; readonly target?: string }
  | { readonly kind: 'act'; readonly act: PageAct }
  | { readonly kind: 'player'; readonly said: FromPlayer };

/** Decodes a message from a details page; undefined if the page may not send it. */
export function readDetailsMessage(message: unknown): DetailsRequest | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, act, session, target, said } = message as Readonly<Record<string, unknown>>;
  if (kind === 'player') {
    const known = readPlayerMessage(said);
    return known && { kind, said: known };
  }
  if (kind !== 'press') return undefined;
  const isOfPage = session === undefined && target === undefined;
  if (isKeyOf(ACTS, act)) return isOfPage ? { kind: 'act', act } : undefined;
  if (!isKeyOf(COMMANDS, act)) return undefined;
  const of = COMMANDS[act];
  if (of === 'target' || of === 'clip' || (of === 'streamOrTarget' && target !== undefined))
    return isId(target) ? { kind: 'command', command: act, target } : undefined;
  if (isOfPage) return { kind: 'command', command: act };
  return isId(session) && of === 'session' ? { kind: 'command', command: act, session } : undefined;
}
