import { t } from '@vscode/l10n';
import type { ApiError, ApiErrorCause, ApiErrorReason } from '../api/errors.ts';
import type { MessageAction, NamedConnection } from './context.ts';

/** A way to continue with what the user typed: a row of a picker, or a button of a message. */
export interface NextStep<Context> {
  readonly label: string;
  readonly run: (context: Context) => Promise<void>;
}

export function showLogAction(): MessageAction {
  return { label: t('Show Log'), command: 'showLog' };
}

export function connectAction(): MessageAction {
  return { label: t('Connect to a Service…'), command: 'addConnection' };
}

/** @param connection whose key was refused, although the command itself may set the key of any */
export function setApiKeyAction(connection: NamedConnection | undefined): MessageAction {
  return { label: t('Set API Key…'), command: 'setApiKey', connection };
}

const SETTING_BY_CAUSE: Partial<Readonly<Record<ApiErrorCause, string>>> = {
  proxyAuthentication: 'http.proxy',
  proxyUnsupported: 'liveStreams.network.client',
  proxy: 'http.proxy',
  http2Only: 'liveStreams.network.client',
  certificate: 'http.systemCertificates',
};
const SETTING_BY_REASON: Partial<Readonly<Record<ApiErrorReason, string>>> = {
  timeout: 'liveStreams.network.timeout',
};

/** Returns an action that opens the setting that helps against this error, if one does. */
export function settingActions({ reason, why }: Pick<ApiError, 'reason' | 'why'>): readonly MessageAction[] {
  const setting = (why && SETTING_BY_CAUSE[why]) ?? SETTING_BY_REASON[reason];
  return setting === undefined ? [] : [{ label: t('Open Settings…'), setting }];
}
