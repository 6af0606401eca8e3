import { isRecord } from '../util/isRecord.ts';
import type { CheckAct, CheckCommand, FromCheck } from '../webview/check/messages.ts';
import { isKeyOf } from './player/playerMessages.ts';

const CHECK_COMMANDS: Readonly<Record<CheckCommand, boolean>> = {
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
  changeTarget: { hasIndex: true },
  runAction: { hasIndex: true },
};

export function isAboutStream(command: CheckCommand): boolean {
  return CHECK_COMMANDS[command];
}

export function isCheckCommand(act: FromCheck['act']): act is CheckCommand {
  return isKeyOf(CHECK_COMMANDS, act);
}

/** Decodes a message from a check page; undefined if the page may not send it. */
export function readCheckMessage(message: unknown): FromCheck | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, act, index } = message;
  if (kind !== 'press') return undefined;
  const isKnown = isKeyOf(ACTS, act) || isKeyOf(CHECK_COMMANDS, act);
  if (!isKnown) return undefined;
  const hasIndex = isKeyOf(ACTS, act) && ACTS[act].hasIndex;
  if (!hasIndex) return index === undefined ? { kind, act } : undefined;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? { kind, act, index } : undefined;
}
