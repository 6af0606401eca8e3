const ANONYMOUS: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };
const THIS_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Requests media without credentials or referrer. The page's policy blocks redirects to origins that it does not name.
 * But a webview's requests to its own machine are made by VS Code's service worker, which has no policy: their
 * redirects are not followed, and come back as a response of type 'opaqueredirect'.
 */
export function fetchMedia(url: string, options: RequestInit = {}): Promise<Response> {
  const redirect = THIS_MACHINE.test(new URL(url).hostname) ? 'manual' : 'follow';
  return fetch(url, { ...ANONYMOUS, redirect, ...options });
}
