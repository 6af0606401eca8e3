const HOUR = 3_600_000;

/**
 * When to try again, epoch ms on the local clock: never in the past, at most an hour away. `undefined` where the service did
 * not say. Dates are taken against the answer's own Date header, so that a wrong clock here does not matter.
 */
export function retryAtOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  const wait = /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - (dateOf(headers) ?? now);
  return Number.isNaN(wait) ? undefined : now + Math.min(Math.max(wait, 0), HOUR);
}

/** The answer's Date header, epoch ms. */
export function dateOf(headers: Readonly<Record<string, string>>): number | undefined {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? undefined : date;
}
