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
  readonly hasPlayer: boolean;
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
 * Returns the Content-Security-Policy of a page: its own script and style sheet, and no request to any server. A player
 * gets its media from the host, plays them from a blob through Media Source, and demuxes and decodes in workers, which
 * are blobs, too; the decoder is WebAssembly (src/host/README.md, Webviews).
 */
export function pagePolicy({ nonce, ownFiles, hasPlayer }: PolicyParts): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'${hasPlayer ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src ${ownFiles}`,
    ...(hasPlayer ? ['media-src blob:', 'worker-src blob:'] : []),
  ].join('; ');
}
