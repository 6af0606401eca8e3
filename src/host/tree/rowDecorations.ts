import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RowDecoration } from '../../tree/row.ts';
import type { Disposable } from '../../util/disposable.ts';

const SCHEME = 'live-streams-row';

/** Rows with the same decoration share a URI: VS Code decorates what a URI names, and nothing else has this scheme. */
export function decorationUri(decoration: RowDecoration): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${decoration}` });
}

export function registerRowDecorations(): Disposable {
  return vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorate });
}

function decorate({ scheme, path }: vscode.Uri): vscode.FileDecoration | undefined {
  if (scheme !== SCHEME) return undefined;
  return DECORATIONS[path.slice(1) as RowDecoration]?.();
}

/** Without a color, which would be the label's, too. */
const DECORATIONS: Readonly<Record<RowDecoration, () => vscode.FileDecoration>> = {
  recordingOn: () => new vscode.FileDecoration('●', t('Recording is on for the next broadcast')),
};
