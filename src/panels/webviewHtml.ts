import { escapeHtml } from '../util/text.ts';

export interface WebviewPage {
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
