import { t } from '@vscode/l10n';
import { isId } from '../../api/ids.ts';
import type { Delivery, Webhook } from '../../api/webhooks.ts';
import { copySecretLabel, editWebhookLabel } from '../../texts/lateLabels.ts';
import type { RowLink } from '../row.ts';

export function webhookLinks({ id }: Webhook): readonly RowLink[] {
  // Commands reject other IDs.
  if (!isId(id)) return [];
  return [
    { title: editWebhookLabel(), command: 'editWebhook', id },
    { title: t('Send Test Event'), command: 'sendTestEvent', id },
    { title: copySecretLabel(), command: 'copyWebhookSecret', id },
  ];
}

/** An empty ID means the secret that signs the events that this window sends. */
export function thisComputerLinks(): readonly RowLink[] {
  return [{ title: copySecretLabel(), command: 'copyWebhookSecret', id: '' }];
}

/** @param isToResend whether it failed, and its event wasn't delivered later */
export function deliveryLinks({ webhookId, id }: Delivery, isToResend: boolean): readonly RowLink[] {
  if (!isId(webhookId) || !isId(id)) return [];
  const delivery = { webhookId, id };
  const details: RowLink = { title: t('Show Delivery Details'), command: 'openDelivery', id: delivery };
  return isToResend ? [details, { title: t('Resend'), command: 'resendDelivery', id: delivery }] : [details];
}
