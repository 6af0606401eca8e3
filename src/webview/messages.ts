/** What every page of ours and its tab say to each other. Types alone: neither takes code from the other. */

/** What a page is about. */
export interface PageSubject {
  readonly connection: string;
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/** What is kept over a reload: what the page is about, and how far it was played, in seconds. */
export interface KeptState extends PageSubject {
  readonly position: number;
}

/** Written into the page's HTML. */
export interface PageData {
  readonly name: 'player' | 'details';
  /** Which of the tab's pages this is; it stands in every message of the page. */
  readonly page: number;
  readonly subject: PageSubject;
  /** Texts of the display language, for `config` of @vscode/l10n; null for English. */
  readonly texts: Readonly<Record<string, string | { readonly message: string; readonly comment: string[] }>> | null;
}

/** What a page says: that it can be told what to show, or what only pages of its kind say. */
export interface FromPage<Said> {
  readonly page: number;
  readonly said: Said | { readonly kind: 'ready' };
}
