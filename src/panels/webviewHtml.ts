import { escapeHtml } from '../util/text.ts';

interface WebviewPage {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly policy: string;
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** For the script, as JSON in an attribute of the body. */
  readonly data: unknown;
}

interface PolicyParts {
  readonly nonce: string;
  /** `webview.cspSource`. */
  readonly ownFiles: string;
  /** http or https origins that media may be loaded from. Others are left out; with none, nothing can play. */
  readonly origins: readonly string[];
}

export function webviewHtml({ language, title, policy, nonce, scriptUri, styleUri, data }: WebviewPage): string {
  const attribute = (text: string): string => `"${escapeHtml(text)}"`;
  return [
    '<!DOCTYPE html>',
    `<html lang=${attribute(language)}>`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content=${attribute(policy)}>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="stylesheet" href=${attribute(styleUri)}>`,
    '</head>',
    `<body data-page=${attribute(JSON.stringify(data))}>`,
    `<script nonce=${attribute(nonce)} src=${attribute(scriptUri)}></script>`,
    '</body>',
    '</html>',
  ].join('\n');
}
/**
 * Returns the Content-Security-Policy of a page: its own script and style sheet, and the media origins if it plays
 * something. Media Source plays from a blob, and hls.js demuxes transport streams in a blob worker (src/host/README.md,
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
