import { hostname } from 'node:os';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

/** The machine on which files land, in words; undefined where there is only one. @param where this extension runs */
export function machineName(where: vscode.ExtensionKind): string | undefined {
  const { remoteName } = vscode.env;
  if (remoteName === undefined) return undefined;
  return where === vscode.ExtensionKind.UI ? t('this computer') : `${hostname()} (${remoteName})`;
}
