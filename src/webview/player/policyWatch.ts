const MOMENT_MS = 500;

/** Records when the page's policy blocks a request. The request itself fails like any network error. */
export function watchPolicy(): { readonly wasBroken: () => boolean; readonly dispose: () => void } {
  let brokenAt = Number.NEGATIVE_INFINITY;
  const note = (): void => {
    brokenAt = performance.now();
  };
  document.addEventListener('securitypolicyviolation', note);
  return {
    wasBroken: () => performance.now() - brokenAt < MOMENT_MS,
    dispose: () => document.removeEventListener('securitypolicyviolation', note),
  };
}
