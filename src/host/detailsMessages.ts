import { isId } from '../api/ids.ts';
import type { FromPage, PageAct, PageCommand } from '../webview/details/messages.ts';

/** What a command of the page is run on. */
export type CommandTarget = 'stream' | 'session' | 'none';

/** All commands that the page may have run. The compiler says when one is missing. */
const COMMANDS: Readonly<Record<PageCommand, CommandTarget>> = {
  watchStream: 'stream',
  openPlayerPage: 'stream',
  openDashboard: 'stream',
  openStreamJson: 'stream',
  copyStreamKey: 'stream',
  copyPlaybackId: 'stream',
  copyStreamId: 'stream',
  copyIngestUrl: 'stream',
  copyPlaybackUrl: 'stream',
  copyPlayerUrl: 'stream',
  openSessionJson: 'session',
  copySessionId: 'session',
  copyRecordingUrl: 'session',
  copyMp4Url: 'session',
  openRecording: 'session',
  openRecordingInBrowser: 'session',
  downloadMp4: 'session',
  copyIngestServer: 'none',
  showAllSessions: 'none',
  setApiKey: 'none',
  switchConnection: 'none',
  addConnection: 'none',
  startDemo: 'none',
};

const ACTS: Readonly<Record<PageAct, true>> = {
  reveal: true,
  hide: true,
  copyWhip: true,
  setAddress: true,
  retry: true,
  loadMore: true,
  showStream: true,
};

/** What a command is run on: by its name alone, so that no page can name a target of another kind. */
export function targetOf(command: PageCommand): CommandTarget {
  return COMMANDS[command];
}

/** What a page says, when it is among what it may say; else undefined. */
export function readPageMessage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, command, act, session } = message as Readonly<Record<string, unknown>>;
  if (kind === 'ready') return { kind };
  if (kind === 'act') return isKeyOf(ACTS, act) ? { kind, act } : undefined;
  if (kind !== 'command' || !isKeyOf(COMMANDS, command)) return undefined;
  if (session === undefined) return { kind, command };
  return isId(session) && COMMANDS[command] === 'session' ? { kind, command, session } : undefined;
}

function isKeyOf<K extends string>(table: Readonly<Record<K, unknown>>, key: unknown): key is K {
  return typeof key === 'string' && Object.hasOwn(table, key);
}
