import { t } from '@vscode/l10n';
import type { ApiError, ApiErrorCause, ApiErrorReason } from '../../api/errors.ts';
import type { CommandContext } from '../context.ts';
import type { Action } from '../refusal.ts';

const BY_CAUSE: Partial<Readonly<Record<ApiErrorCause, string>>> = {
  proxyAuthentication: 'http.proxy',
  proxyUnsupported: 'liveStreams.network.client',
  proxy: 'http.proxy',
  http2Only: 'liveStreams.network.client',
  certificate: 'http.systemCertificates',
};
const BY_REASON: Partial<Readonly<Record<ApiErrorReason, string>>> = { timeout: 'liveStreams.network.timeout' };

/** Opens the setting of the proxy, which holds its user name and password. */
export async function openProxySettings({ ui }: Pick<CommandContext, 'ui'>): Promise<void> {
  await ui.openSettings('http.proxy');
}

/** Returns a button that opens the setting that helps against this error; undefined if none does. */
export function settingAction({ reason, why }: Pick<ApiError, 'reason' | 'why'>): Action | undefined {
  const setting = (why && BY_CAUSE[why]) ?? BY_REASON[reason];
  if (setting === undefined) return undefined;
  return { label: t('Open Settings…'), run: ({ ui }) => ui.openSettings(setting), isForAny: true };
}
