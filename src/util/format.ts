import { t } from '@vscode/l10n';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365 * DAY;
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const BIT_UNITS = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'];

const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * "45 s", "12 min", "1 h 02 min", "3 d 4 h". Rounds down. The formatters here return undefined for invalid values, such
 * as missing, negative or absurd ones.
 */
export function formatDuration(seconds: number | undefined): string | undefined {
  if (!isTimeSpan(seconds)) return undefined;
  if (seconds < MINUTE) return t('{0} s', Math.floor(seconds));
  if (seconds < HOUR) return t('{0} min', Math.floor(seconds / MINUTE));
  if (seconds >= DAY) return t('{0} d {1} h', Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR));
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  return t('{0} h {1} min', Math.floor(seconds / HOUR), String(minutes).padStart(2, '0'));
}

/** Like formatDuration, but rounds up, so that the wait is long enough. */
export function formatWait(seconds: number | undefined): string | undefined {
  if (!isAmount(seconds)) return undefined;
  const whole = Math.ceil(seconds);
  return formatDuration(whole < MINUTE ? whole : Math.ceil(whole / MINUTE) * MINUTE);
}

/** "45 s", "4 min", "3 h", "2 d", "3 y": only the largest unit. */
export function formatAge(ms: number | undefined): string | undefined {
  if (ms === undefined || !isTimeSpan(ms / 1000)) return undefined;
  const seconds = Math.floor(ms / 1000);
  if (seconds < MINUTE) return t('{0} s', seconds);
  if (seconds < HOUR) return t('{0} min', Math.floor(seconds / MINUTE));
  if (seconds < DAY) return t('{0} h', Math.floor(seconds / HOUR));
  if (seconds < YEAR) return t('{0} d', Math.floor(seconds / DAY));
  return t('{0} y', Math.floor(seconds / YEAR));
}

export function formatCount(count: number | undefined, locale: string): string | undefined {
  return isAmount(count) && count <= Number.MAX_SAFE_INTEGER ? numberFormat(locale, 0).format(count) : undefined;
}

export function formatBytes(bytes: number | undefined, locale: string): string | undefined {
  return formatScaled(bytes, BYTE_UNITS, locale);
}

export function formatBitrate(bitsPerSecond: number | undefined, locale: string): string | undefined {
  return formatScaled(bitsPerSecond, BIT_UNITS, locale);
}

function formatScaled(value: number | undefined, units: readonly string[], locale: string): string | undefined {
  if (!isAmount(value)) return undefined;
  let scaled = value;
  let step = 0;
  while (roundToTenth(scaled) >= 1000 && step < units.length - 1) {
    scaled /= 1000;
    step += 1;
  }
  const digits = step === 0 || scaled >= 100 ? 0 : 1;
  return `${numberFormat(locale, digits).format(scaled)} ${units[step]}`;
}

function roundToTenth(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}

function isTimeSpan(seconds: number | undefined): seconds is number {
  return isAmount(seconds) && seconds < 10_000 * YEAR;
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function numberFormat(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const known = numberFormats.get(key);
  if (known !== undefined) return known;
  const made = makeNumberFormat(locale, digits);
  numberFormats.set(key, made);
  return made;
}

function makeNumberFormat(locale: string, maximumFractionDigits: number): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, { maximumFractionDigits });
  } catch {
    return new Intl.NumberFormat('en', { maximumFractionDigits });
  }
}
