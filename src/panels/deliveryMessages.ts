import { isRecord } from '../util/isRecord.ts';
import type { DeliveryAct, DeliveryCommand, FromDelivery } from '../webview/delivery/messages.ts';
import { isKeyOf } from './player/playerMessages.ts';

/** What a command runs on. */
type CommandTarget = 'delivery' | 'attempt' | 'stream' | 'webhook' | 'none';

const DELIVERY_COMMANDS: Readonly<Record<DeliveryCommand, CommandTarget>> = {
  resendDelivery: 'delivery',
  replayDelivery: 'delivery',
  openDelivery: 'attempt',
  showStream: 'stream',
  editWebhook: 'webhook',
  copyWebhookSecret: 'webhook',
  setApiKey: 'none',
  switchConnection: 'none',
  addConnection: 'none',
  startDemo: 'none',
};

const ACTS: Readonly<Record<DeliveryAct, true>> = {
  copyCurl: true,
  copyBody: true,
  copySignature: true,
  enterSecret: true,
  replayElsewhere: true,
  reveal: true,
  hide: true,
  retry: true,
  openOwnConnection: true,
};

export function isDeliveryCommand(act: FromDelivery['act']): act is DeliveryCommand {
  return isKeyOf(DELIVERY_COMMANDS, act);
}

/** Decided by the command's name alone, so that no page can pass a target of another kind. */
export function deliveryTargetOf(command: DeliveryCommand): CommandTarget {
  return DELIVERY_COMMANDS[command];
}

/** Decodes a message of the page of a delivery; undefined if the page may not send it. */
export function readDeliveryMessage(message: unknown): FromDelivery | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, act, target } = message;
  if (kind !== 'press') return undefined;
  if (target !== undefined && typeof target !== 'string') return undefined;
  return isKeyOf(ACTS, act) || isKeyOf(DELIVERY_COMMANDS, act) ? { kind, act, target } : undefined;
}
