import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';

/** What a page and all its frames have asked for since. */
export interface PageRequests {
  /** Where they went, without what only the editor looks up. */
  readonly origins: ReadonlySet<string>;
  /** Throws where a request says something of this form: in its address, its headers or what it sends. */
  assertNoneSays(form: RegExp): void;
}

/** Addresses that stay inside the browser. */
const INSIDE = new Set(['data:', 'blob:', 'about:']);
/** Files of webviews: a service worker of the editor answers, nothing goes there. */
const WEBVIEW_FILES = /^https:\/\/vscode-remote\+[\w-]+\.vscode-resource\.vscode-cdn\.net$/;
/** Where this build of the editor looks for newer extensions. */
const GALLERY = 'https://open-vsx.org';

/** Notes what a page asks for from now on, whatever becomes of it: frames in frames as well. */
export function watchRequests(page: Page): PageRequests {
  const requests: Request[] = [];
  page.context().on('request', (request) => requests.push(request));
  const isOwn = (request: Request) => {
    const { protocol, origin } = new URL(request.url());
    if (INSIDE.has(protocol) || WEBVIEW_FILES.test(origin)) return true;
    // No code of extensions runs in the page itself, only in its frames.
    return origin === GALLERY && request.serviceWorker() === null && request.frame() === page.mainFrame();
  };
  return {
    get origins() {
      return new Set(requests.filter((request) => !isOwn(request)).map((request) => new URL(request.url()).origin));
    },
    assertNoneSays(form) {
      for (const request of requests) {
        const url = request.url();
        const said = [url, unescaped(url), JSON.stringify(request.headers()), request.postData() ?? ''];
        for (const text of said) assert.doesNotMatch(text, form);
      }
    },
  };
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url; // a percent sign that escapes nothing
  }
}
