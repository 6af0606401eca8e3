import { isRecord } from '../util/isRecord.ts';
import type { DeliveryAct, DeliveryCommand, DeliveryRun, FromDelivery } from '../webview/delivery/messages.ts';
import { isKeyOf } from './player/playerMessages.ts';

/**
 * What a command runs on. `elsewhere`: the delivery, and another URL. `signer`: the webhook that signed it. `secret`:
 * its secret.
 */
type CommandTarget = 'delivery' | 'elsewhere' | 'attempt' | 'stream' | 'webhook' | 'signer' | 'secret' | 'none';

/** Determined by the act alone, so that no page can pass a target of another kind. */
const RUNS: Readonly<Record<DeliveryRun, { readonly command: DeliveryCommand; readonly target: CommandTarget }>> = {
  resendDelivery: { command: 'resendDelivery', target: 'delivery' },
  replayDelivery: { command: 'replayDelivery', target: 'delivery' },
  replayElsewhere: { command: 'replayDelivery', target: 'elsewhere' },
  openDelivery: { command: 'openDelivery', target: 'attempt' },
  showStream: { command: 'showStream', target: 'stream' },
  editWebhook: { command: 'editWebhook', target: 'webhook' },
  enterSecret: { command: 'editWebhook', target: 'secret' },
  copyWebhookSecret: { command: 'copyWebhookSecret', target: 'signer' },
  setApiKey: { command: 'setApiKey', target: 'none' },
  switchConnection: { command: 'switchConnection', target: 'none' },
  addConnection: { command: 'addConnection', target: 'none' },
  startDemo: { command: 'startDemo', target: 'none' },
};

const ACTS: Readonly<Record<DeliveryAct, true>> = {
  copyCurl: true,
  copyBody: true,
  copySignature: true,
  reveal: true,
  hide: true,
  retry: true,
  openOwnConnection: true,
};

export function isDeliveryRun(act: FromDelivery['act']): act is DeliveryRun {
  return isKeyOf(RUNS, act);
}

export function runOf(act: DeliveryRun): (typeof RUNS)[DeliveryRun] {
  return RUNS[act];
}

/** Decodes a message from the page of a delivery; undefined if the page may not send it. */
export function readDeliveryMessage(message: unknown): FromDelivery | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, act, target } = message;
  if (kind !== 'press') return undefined;
  if (target !== undefined && typeof target !== 'string') return undefined;
  return isKeyOf(ACTS, act) || isKeyOf(RUNS, act) ? { kind, act, target } : undefined;
}
