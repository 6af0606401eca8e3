export interface PolicyParts {
  /** Of this page alone. */
  readonly nonce: string;
  /** Where the extension's own files come from, as the editor says it (`webview.cspSource`). */
  readonly ownFiles: string;
  /** What media may be loaded from: origins of http or https. Anything else is left out. */
  readonly origins: readonly string[];
}

/**
 * The Content-Security-Policy of the player's page. Media Source plays from a blob, and hls.js takes transport streams apart
 * in a worker that is one (vscode-facts.md, Webviews); beyond them only the named origins are reached.
 */
export function playerPolicy({ nonce, ownFiles, origins }: PolicyParts): string {
  const media = origins.filter(isOrigin);
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles}`,
    ['media-src', 'blob:', ...media].join(' '),
    ['connect-src', ...(media.length === 0 ? ["'none'"] : media)].join(' '),
    'worker-src blob:',
  ].join('; ');
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !/[\s;,'"*]/.test(text);
}
