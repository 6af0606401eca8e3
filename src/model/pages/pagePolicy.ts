export interface PolicyParts {
  /** Of this page alone. */
  readonly nonce: string;
  /** Where the extension's own files come from, as the editor says it (`webview.cspSource`). */
  readonly ownFiles: string;
  /** What media may be loaded from: origins of http or https. Anything else is left out; with none nothing is played. */
  readonly origins: readonly string[];
}

/**
 * The Content-Security-Policy of a page: its own script and style sheet, and where it plays something, the origins of that.
 * Media Source plays from a blob, and hls.js takes transport streams apart in a worker that is one (src/host/README.md,
 * Webviews).
 */
export function pagePolicy({ nonce, ownFiles, origins }: PolicyParts): string {
  const media = origins.filter(isOrigin);
  const toPlay = ['media-src blob:', 'connect-src'].map((source) => [source, ...media].join(' '));
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles}`,
    ...(media.length === 0 ? [] : [...toPlay, 'worker-src blob:']),
  ].join('; ');
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !/[\s;,'"*]/.test(text);
}
