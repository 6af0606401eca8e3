/** The kind of panel; package.json's activation events name it too. */
export const DETAILS_VIEW = 'liveStreams.details';

/** The Content-Security-Policy of the details page: its own script and style sheet, and nothing from anywhere. */
export function detailsPolicy({ nonce, ownFiles }: { readonly nonce: string; readonly ownFiles: string }): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles}`,
  ].join('; ');
}
