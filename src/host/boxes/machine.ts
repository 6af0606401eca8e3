import { hostname } from 'node:os';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * Returns the name of the machine that files are saved on; undefined if there is only one.
 * @param where on which side of a remote window the extension runs
 */
export function machineName(where: vscode.ExtensionKind): string | undefined {
  const { remoteName } = vscode.env;
  if (remoteName === undefined) return undefined;
  return where === vscode.ExtensionKind.UI ? t('this computer') : `${hostname()} (${remoteName})`;
}
