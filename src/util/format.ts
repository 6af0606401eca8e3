import { t } from '@vscode/l10n';
import { joinTexts } from './text.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365 * DAY;
const SECONDS = { size: 1, unit: 'second' };
const YEARS = { size: YEAR, unit: 'year' };
// The largest first. Seconds stand alone: next to minutes, they don't matter.
const SPOKEN_UNITS = [
  { size: DAY, unit: 'day' },
  { size: HOUR, unit: 'hour' },
  { size: MINUTE, unit: 'minute' },
];
// Doesn't use Intl, which writes Mb/s: too easily taken for megabytes.
const BIT_RATES: readonly ((rate: string) => string)[] = [
  (rate) => t('{0} bps', rate),
  (rate) => t('{0} kbps', rate),
  (rate) => t('{0} Mbps', rate),
  (rate) => t('{0} Gbps', rate),
];

/**
 * "45 s", "12 min", "1 h 2 min", "3 d 4 h": hours and days have the next smaller unit beside them, unless it is 0.
 * Rounds down. The formatters here return undefined for invalid values, such as missing, negative, or absurd ones.
 * Doesn't use Intl, whose short forms are "45 sec" and "45 Min.", and whose DurationFormat is missing in Node 22.
 */
export function formatDuration(seconds: number | undefined): string | undefined {
  if (!isTimeSpan(seconds)) return undefined;
  if (seconds >= DAY) return joinTexts(formatDays(seconds / DAY), formatHours((seconds % DAY) / HOUR));
  if (seconds >= HOUR) return joinTexts(formatHours(seconds / HOUR), formatMinutes((seconds % HOUR) / MINUTE));
  return formatAge(seconds * 1000);
}

function formatDays(days: number): string | undefined {
  return days < 1 ? undefined : t('{0} d', Math.floor(days));
}

function formatHours(hours: number): string | undefined {
  return hours < 1 ? undefined : t('{0} h', Math.floor(hours));
}

function formatMinutes(minutes: number): string | undefined {
  return minutes < 1 ? undefined : t('{0} min', Math.floor(minutes));
}

/** "2:05", "1:00:00": for countdowns. */
export function formatTimer(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = `${two((seconds % HOUR) / MINUTE)}:${two(seconds % MINUTE)}`;
  return seconds >= HOUR ? `${Math.floor(seconds / HOUR)}:${rest}` : rest.replace(/^0/, '');
}

/** "1:05", or "0:01:05" if the whole is an hour or more: so that positions in one recording look alike. */
export function formatPosition(seconds: number, whole: number): string {
  // Like the times of clips, which say 0:12.00 for 11.9999 s.
  const timer = formatTimer(Math.max(0, Math.floor(seconds + 0.0001)));
  return whole < HOUR || timer.length > 5 ? timer : `0:${timer.padStart(5, '0')}`;
}

/** Like formatTimer, but rounded to the nearest second: a clip's frames are next to the times at which it was cut. */
export function formatClipTimer(seconds: number): string {
  return formatTimer(Math.round(seconds));
}

/** "1 hour 2 minutes", "3 days 4 hours": in whole words, for screen readers. */
export function formatSpokenDuration(seconds: number | undefined, locale: string): string | undefined {
  if (!isTimeSpan(seconds)) return undefined;
  const at = SPOKEN_UNITS.findIndex(({ size }) => seconds >= size);
  const [large = SECONDS, small] = at === -1 ? [] : SPOKEN_UNITS.slice(at, at + 2);
  const rest = small === undefined ? 0 : Math.floor((seconds % large.size) / small.size);
  const words = [speakUnits(Math.floor(seconds / large.size), large.unit, locale)];
  if (small !== undefined && rest > 0) words.push(speakUnits(rest, small.unit, locale));
  return words.join(' ');
}

/** "4 minutes", "3 hours": only the largest unit, as in formatAge. */
export function formatSpokenAge(ms: number | undefined, locale: string): string | undefined {
  if (ms === undefined || !isTimeSpan(ms / 1000)) return undefined;
  const seconds = ms / 1000;
  const { size, unit } = [YEARS, ...SPOKEN_UNITS].find((each) => seconds >= each.size) ?? SECONDS;
  return speakUnits(Math.floor(seconds / size), unit, locale);
}

/** Like formatDuration, but rounds up, so that the wait is long enough. */
export function formatWait(seconds: number | undefined): string | undefined {
  if (!isAmount(seconds)) return undefined;
  const roundUp = (value: number, unit: number) => Math.ceil(value / unit) * unit;
  const whole = Math.ceil(seconds);
  const minutes = roundUp(whole, MINUTE);
  return formatDuration(whole < MINUTE ? whole : minutes < DAY ? minutes : roundUp(minutes, HOUR));
}

/** "45 s", "4 min", "3 h", "2 d", "3 yr": only the largest unit. */
export function formatAge(ms: number | undefined): string | undefined {
  if (ms === undefined || !isTimeSpan(ms / 1000)) return undefined;
  const seconds = Math.floor(ms / 1000);
  if (seconds < MINUTE) return t('{0} s', seconds);
  if (seconds < HOUR) return formatMinutes(seconds / MINUTE);
  if (seconds < DAY) return formatHours(seconds / HOUR);
  if (seconds < YEAR) return formatDays(seconds / DAY);
  const years = Math.floor(seconds / YEAR);
  return years === 1 ? t('1 yr') : t('{0} yr', years);
}

export function formatCount(count: number | undefined, locale: string): string | undefined {
  if (!isAmount(count) || count > Number.MAX_SAFE_INTEGER) return undefined;
  return formatNumber(count, locale, { maximumFractionDigits: 0 });
}

export function formatBitrate(bitsPerSecond: number | undefined, locale: string): string | undefined {
  if (!isAmount(bitsPerSecond)) return undefined;
  const { scaled, step, maximumFractionDigits } = scale(bitsPerSecond, BIT_RATES.length);
  return BIT_RATES[step]?.(formatNumber(scaled, locale, { maximumFractionDigits }));
}

/** Returns the locale, or English if it isn't a BCP 47 tag, for which Intl would throw. */
export function localeOrEnglish(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

// Returns how often the value was divided by 1000 as `step`, which is less than `steps`.
export function scale(value: number, steps: number) {
  let scaled = value;
  let step = 0;
  while (roundToTenth(scaled) >= 1000 && step < steps - 1) {
    scaled /= 1000;
    step += 1;
  }
  return { scaled, step, maximumFractionDigits: step === 0 || scaled >= 100 ? 0 : 1 };
}

function roundToTenth(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}

function isTimeSpan(seconds: number | undefined): seconds is number {
  return isAmount(seconds) && seconds < 10_000 * YEAR;
}

export function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function speakUnits(count: number, unit: string, locale: string): string {
  return formatNumber(count, locale, { style: 'unit', unit, unitDisplay: 'long' });
}

export function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(localeOrEnglish(locale), options).format(value);
}
