import type * as vscode from 'vscode';
import { playerPolicy } from '../model/playerPolicy.ts';
import type { PageData } from '../webview/player/messages.ts';
import { webviewPage } from './webviewPage.ts';

/** The HTML of a player's page that may reach the given origins, with a nonce of its own. */
export function playerHtml(options: {
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  readonly origins: readonly string[];
  readonly data: Omit<PageData, 'texts'>;
}): string {
  const { origins, ...page } = options;
  return webviewPage({ ...page, name: 'player', policy: (parts) => playerPolicy({ ...parts, origins }) });
}
