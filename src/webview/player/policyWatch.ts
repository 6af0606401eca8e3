const MOMENT_MS = 500;

/** Notes when the page's policy ended a request: the request itself fails like one that found no network. */
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
