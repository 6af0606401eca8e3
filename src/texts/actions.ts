import { t } from '@vscode/l10n';
import type { ApiError, ApiErrorCause, ApiErrorReason } from '../api/errors.ts';
import type { Named } from '../api/types.ts';
import type { CommandId } from '../commands/table.ts';
import { setApiKeyLabel } from './labels.ts';
import { connectLabel, openSettingsLabel } from './lateLabels.ts';

export interface CommandCall {
  readonly command: CommandId;
  readonly args?: readonly unknown[];
}

/**
 * A button that runs a command or opens a setting. `connection` limits it to one connection, which may not be open, or
 * may have been removed.
 */
export type OfferedAction = { readonly label: string; readonly connection?: Named | undefined } & (
  | CommandCall
  | { readonly setting: string }
);

export function showLogAction(): OfferedAction {
  return { label: t('Show Log'), command: 'showLog' };
}

export function refreshAction(): OfferedAction {
  return { label: t('Refresh'), command: 'refresh' };
}

export function connectAction(): OfferedAction {
  return { label: connectLabel(), command: 'addConnection' };
}

/** @param connection the one whose key was refused, although the command itself may set the key of any */
export function setApiKeyAction(connection: Named | undefined): OfferedAction {
  const args = connection === undefined ? [] : [{ connectionId: connection.id }];
  return { label: setApiKeyLabel(), command: 'setApiKey', args, connection };
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

/** Returns an action that opens the setting that helps with this error, if one does. */
export function settingActions({ reason, why }: ApiError): readonly OfferedAction[] {
  const setting = (why && SETTING_BY_CAUSE[why]) ?? SETTING_BY_REASON[reason];
  return setting === undefined ? [] : [{ label: openSettingsLabel(), setting }];
}

export function deleteLabel(): string {
  return t('Delete');
}
