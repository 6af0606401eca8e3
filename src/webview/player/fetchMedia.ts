const ANONYMOUS: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };
const THIS_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Asks for media. The page's policy ends redirects to origins that it does not name; but what a webview asks of its own
 * machine is asked by the editor's service worker, which has no policy: there redirects are not followed at all, and come
 * back as a response of the type 'opaqueredirect'.
 */
export function fetchMedia(url: string, options: RequestInit = {}): Promise<Response> {
  const redirect = THIS_MACHINE.test(new URL(url).hostname) ? 'manual' : 'follow';
  return fetch(url, { ...ANONYMOUS, redirect, ...options });
}
