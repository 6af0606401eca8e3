import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { webviewHtml } from './webviewHtml.ts';

/** What of the extension's own files a webview's page may load. */
export function webviewRoots(extensionUri: vscode.Uri): readonly vscode.Uri[] {
  return ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
}

export interface WebviewPageOptions<T extends object> {
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  /** Of the script `dist/webview/NAME.js` and the style sheet `media/NAME.css`. */
  readonly name: string;
  /** The page's Content-Security-Policy. */
  readonly policy: (parts: { readonly nonce: string; readonly ownFiles: string }) => string;
  readonly data: T;
}

/** The HTML of a page of ours, with a nonce of its own; `data` gets the texts of the display language. */
export function webviewPage<T extends object>({
  webview,
  extensionUri,
  name,
  policy,
  data,
}: WebviewPageOptions<T>): string {
  const file = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const nonce = randomBytes(18).toString('base64url');
  return webviewHtml({
    language: vscode.env.language,
    policy: policy({ nonce, ownFiles: webview.cspSource }),
    nonce,
    scriptUri: file('dist', 'webview', `${name}.js`),
    styleUri: file('media', `${name}.css`),
    data: { ...data, texts: vscode.l10n.bundle ?? null },
  });
}
