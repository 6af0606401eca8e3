import type { CheckAct, CheckCommand, FromCheck } from '../webview/check/messages.ts';
import { isKeyOf } from './playerMessages.ts';

const STREAM_COMMANDS: Readonly<Record<CheckCommand, boolean>> = {
  showStream: true,
  resumeStream: true,
  startTestBroadcast: true,
  createSigningKey: false,
  setApiKey: false,
  switchConnection: false,
  addConnection: false,
  startDemo: false,
};

const ACTS: Readonly<Record<CheckAct, { readonly hasIndex: boolean }>> = {
  run: { hasIndex: false },
  cancel: { hasIndex: false },
  copyReport: { hasIndex: false },
  openOwnConnection: { hasIndex: false },
  copyLine: { hasIndex: true },
  runAction: { hasIndex: true },
};

export function isAboutStream(command: CheckCommand): boolean {
  return STREAM_COMMANDS[command];
}

export function isCheckCommand(act: FromCheck['act']): act is CheckCommand {
  return isKeyOf(STREAM_COMMANDS, act);
}

/** Decodes a message of a check page; undefined if the page may not send it. */
export function readCheckMessage(message: unknown): FromCheck | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, act, index } = message as Readonly<Record<string, unknown>>;
  if (kind !== 'press') return undefined;
  const isKnown = isKeyOf(ACTS, act) || isKeyOf(STREAM_COMMANDS, act);
  if (!isKnown) return undefined;
  const hasIndex = isKeyOf(ACTS, act) && ACTS[act].hasIndex;
  if (!hasIndex) return index === undefined ? { kind, act } : undefined;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? { kind, act, index } : undefined;
}
