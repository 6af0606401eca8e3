/**
 * What functions that run in the page use of an element. The project is checked without the DOM's own types, so that
 * nothing in the extension host takes a browser's globals for granted.
 */
export interface PageElement {
  readonly textContent: string | null;
  readonly innerText: string;
  readonly className: string;
  readonly classList: { contains(name: string): boolean };
  /** null while it is not shown. */
  readonly offsetParent: unknown;
  readonly value?: string;
  readonly placeholder?: string;
  readonly type?: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
