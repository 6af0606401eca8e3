import { t } from '@vscode/l10n';
import type { Webhook } from '../../api/webhooks.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { checkSignature, signatureOf } from '../../model/webhooks/signature.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { resolveDelivery } from './webhookTargets.ts';

/** Asks for the secret that signed a delivery, checks it, and keeps it. Nothing is sent. */
export async function enterKnownSecret(context: CommandContext, webhookId: string, deliveryId: string): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const { ui, webhookSecrets } = context;
  const title = t('Enter Webhook Secret');
  const request = (await resolveDelivery(context, { webhookId, id: deliveryId }, title))?.request;
  const signature = request && signatureOf(request.headers);
  if (signature === undefined) throw new Refusal(t("The request isn't signed."));
  const prompt = t(
    "Enter the secret that your handler uses. It's kept in VS Code's secret storage. The webhook stays the same.",
  );
  const problemOf = async (text: string) => {
    if (checkSignature(signature, request?.body ?? '', text.trim()) === 'valid') return undefined;
    return { sentence: t("The secret doesn't match the signature of this delivery."), links: [] };
  };
  const typed = await ui.input({
    ...{ title, prompt, isPassword: true, validate: problemOfSecret },
    check: (text) => ({ prompt, run: () => problemOf(text) }),
  });
  const secret = typed?.trim();
  const known = await webhookSecrets.of(connectionId, webhookId);
  if (secret === undefined || !(known === undefined || known === secret || (await confirmOther(context)))) return;
  await webhookSecrets.set(connectionId, webhookId, secret);
  flashDone(context, t('Saved the webhook secret'));
}

export function problemOfSecret(text: string): string | undefined {
  return text.trim() === '' ? t('Enter a secret.') : undefined;
}

// The replaced secret may have been generated here and be known nowhere else.
function confirmOther({ ui }: CommandContext): Promise<boolean> {
  return ui.confirm({
    message: t('Replace the saved secret for this webhook?'),
    detail: t(
      "Live Streams will use the new secret to verify deliveries and to sign events. The webhook itself doesn't change.",
    ),
    act: t('Replace'),
  });
}

/** Asks for confirmation before the service signs with another secret, which it never shows again. */
export function confirmNewSecret({ ui }: CommandContext, webhook: Webhook): Promise<boolean> {
  return ui.confirm({
    message: t('Change the secret for the webhook "{0}"?', nameOf(webhook)),
    detail: t(
      "Handlers that use the current secret will reject all deliveries until they have the new one. You can't undo this without the current secret. If you only want to verify deliveries, enter the current secret on the page of a delivery instead.",
    ),
    act: t('Change Secret'),
  });
}
