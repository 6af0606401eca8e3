import { t } from '@vscode/l10n';
import { sentenceOfCredentials, sentenceOfInvalidUrl } from '../model/connection/baseUrl.ts';
import type { LocalUrlReason } from '../model/webhooks/localUrl.ts';

/** Says why nothing is sent to a URL of this computer, and what to do about it. */
export function explainLocalUrl(reason: LocalUrlReason): string {
  return SENTENCES[reason]();
}

const SENTENCES: Readonly<Record<LocalUrlReason, () => string>> = {
  empty: () => t('Enter the URL of a handler on this computer, such as http://localhost:3000/api/webhook.'),
  tooLong: () => t('The URL is too long.'),
  notUrl: () => sentenceOfInvalidUrl('http://localhost:3000/api/webhook'),
  scheme: () => t('Enter a URL that starts with http:// or https://.'),
  credentials: sentenceOfCredentials,
  port: () => t('The port must be a number from 1 to 65535.'),
  notLoopback: () => t('Events are sent to this computer only. Enter a URL with localhost, 127.0.0.1, or [::1].'),
  resolvesElsewhere: () => t('On your network, this name resolves to another computer. Use 127.0.0.1 instead.'),
  notResolved: () => t("This computer can't resolve the host name in the URL. Use localhost or 127.0.0.1 instead."),
  inUse: () => t('Another window is already sending events to this URL.'),
  noUrl: () => t('Select a URL on this computer first.'),
  noRequest: () => t("The service didn't log this request, so it can't be replayed."),
};
