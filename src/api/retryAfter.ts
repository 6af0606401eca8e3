const HOUR = 3_600_000;

/**
 * Returns when to retry according to Retry-After, as Unix time in milliseconds by the local clock, at most an hour
 * ahead. Dates are compared with the Date header of the response, so that a wrong local clock doesn't matter.
 */
export function retryAtOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  const wait = /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - (dateOf(headers) ?? now);
  return Number.isNaN(wait) ? undefined : now + Math.min(Math.max(wait, 0), HOUR);
}

export function dateOf(headers: Readonly<Record<string, string>>): number | undefined {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? undefined : date;
}
