import { t } from '@vscode/l10n';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365 * DAY;
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];
/** Not by Intl, which writes Mb/s: too easily taken for megabytes. */
const BIT_UNITS = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'];

/**
 * "45 s", "12 min", "1 h 02 min", "3 d 4 h". Rounds down. The formatters here return undefined for invalid values, such
 * as missing, negative or absurd ones.
 */
export function formatDuration(seconds: number | undefined): string | undefined {
  if (!isTimeSpan(seconds)) return undefined;
  if (seconds < MINUTE) return t('{0} s', Math.floor(seconds));
  if (seconds < HOUR) return t('{0} min', Math.floor(seconds / MINUTE));
  if (seconds >= DAY) return t('{0}d {1}h', Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR));
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  return t('{0}h {1}m', Math.floor(seconds / HOUR), String(minutes).padStart(2, '0'));
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
  if (!isAmount(count) || count > Number.MAX_SAFE_INTEGER) return undefined;
  return formatNumber(count, locale, { maximumFractionDigits: 0 });
}

/** "999 bytes", "1.5 MB"; in French "1,5 Mo". */
export function formatBytes(bytes: number | undefined, locale: string): string | undefined {
  if (!isAmount(bytes)) return undefined;
  const { scaled, unit, maximumFractionDigits } = scale(bytes, BYTE_UNITS);
  // The short form of the first unit is "999 byte" in English.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return formatNumber(scaled, locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits });
}

export function formatBitrate(bitsPerSecond: number | undefined, locale: string): string | undefined {
  if (!isAmount(bitsPerSecond)) return undefined;
  const { scaled, unit, maximumFractionDigits } = scale(bitsPerSecond, BIT_UNITS);
  return `${formatNumber(scaled, locale, { maximumFractionDigits })} ${unit}`;
}

/** Returns the locale, or English if it isn't a BCP 47 tag, for which Intl would throw. */
export function localeOrEnglish(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** `units` are steps of 1000, the smallest first. */
function scale(value: number, units: readonly string[]) {
  let scaled = value;
  let step = 0;
  while (roundToTenth(scaled) >= 1000 && step < units.length - 1) {
    scaled /= 1000;
    step += 1;
  }
  return { scaled, unit: units[step] ?? '', maximumFractionDigits: step === 0 || scaled >= 100 ? 0 : 1 };
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

function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(localeOrEnglish(locale), options).format(value);
}
