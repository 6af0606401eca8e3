import { localeOrEnglish } from './format.ts';
import { memoize } from './memoize.ts';

/** `now` is a Unix time in milliseconds. Unknown locales (BCP 47) fall back to English, time zones to UTC. */
export interface Reader {
  readonly now: number;
  readonly locale: string;
  readonly timeZone: string;
}

type Shape = 'clock' | 'seconds' | 'day' | 'weekday' | 'dayAndYear' | 'full' | 'numbers';

// Always 24 hours: the language of the editor ("en") doesn't imply which clock its user reads.
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECONDS = { ...CLOCK, second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;
const DAY_AND_YEAR = { ...DAY, year: 'numeric' } as const;

const SHAPES: Readonly<Record<Shape, Intl.DateTimeFormatOptions>> = {
  clock: CLOCK,
  seconds: SECONDS,
  day: DAY,
  weekday: { ...DAY, weekday: 'short' },
  dayAndYear: DAY_AND_YEAR,
  full: { ...DAY_AND_YEAR, ...SECONDS },
  numbers: { year: 'numeric', month: 'numeric', day: 'numeric', calendar: 'gregory', numberingSystem: 'latn' },
};
const MAX_TIME = 8.64e15;
const MS_A_DAY = 86_400_000;

/** "10:42". All formatters here return undefined for an invalid time. */
export function formatClock(at: number | undefined, reader: Reader): string | undefined {
  return isTime(at) ? format('clock', at, reader) : undefined;
}

/** "Today", "Yesterday", "Nov 12" or "Nov 12, 2024", by the calendar of the reader's time zone. */
export function formatDay(at: number | undefined, reader: Reader, shape: Shape = 'day'): string | undefined {
  if (!isTime(at)) return undefined;
  if (!isTime(reader.now)) return format('dayAndYear', at, reader);
  const then = calendarDay(at, reader);
  const today = calendarDay(reader.now, reader);
  const days = then.number - today.number;
  if (days === 0 || days === -1) return capitalize(relativeDays(reader.locale).format(days, 'day'));
  return format(then.year === today.year ? shape : 'dayAndYear', at, reader);
}

/** "Nov 12" or "Nov 12, 2024", never a word. */
export function formatDate(at: number | undefined, reader: Reader): string | undefined {
  if (!isTime(at)) return undefined;
  const isThisYear = isTime(reader.now) && calendarDay(at, reader).year === calendarDay(reader.now, reader).year;
  return format(isThisYear ? 'day' : 'dayAndYear', at, reader);
}

/** Returns the day in the reader's time zone, counted from January 1, 1970. */
export function dayNumber(at: number | undefined, reader: Reader): number | undefined {
  const number = isTime(at) ? calendarDay(at, reader).number : Number.NaN;
  return Number.isNaN(number) ? undefined : number;
}

/** "Today", "Yesterday", "Tue, Nov 12" or "Nov 12, 2024". */
export function formatDayNumber(day: number, reader: Reader): string | undefined {
  const today = dayNumber(reader.now, reader);
  const now = today === undefined ? Number.NaN : noonOf(today);
  return formatDay(noonOf(day), { locale: reader.locale, timeZone: 'UTC', now }, 'weekday');
}

function noonOf(day: number): number {
  return (day + 0.5) * MS_A_DAY;
}

export function formatDayAndClock(
  at: number | undefined,
  reader: Reader,
  clock: 'clock' | 'seconds' = 'clock',
): string | undefined {
  const day = formatDay(at, reader);
  return day === undefined || !isTime(at) ? undefined : `${day} ${format(clock, at, reader)}`;
}

/** "10:42", or "Yesterday 10:42" on any other day than today. */
export function formatRecent(at: number | undefined, reader: Reader): string | undefined {
  const isToday = formatDay(at, reader) === formatDay(reader.now, reader);
  return isToday ? formatClock(at, reader) : formatDayAndClock(at, reader);
}

export function formatDateTime(at: number | undefined, reader: Reader): string | undefined {
  return isTime(at) ? format('full', at, reader) : undefined;
}

export function isTime(at: number | undefined): at is number {
  return at !== undefined && Number.isFinite(at) && Math.abs(at) <= MAX_TIME;
}

function calendarDay(at: number, reader: Reader): { readonly number: number; readonly year: number } {
  const parts = formatterOf('numbers', 'en-US', reader.timeZone).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const year = read('year');
  // Counts calendar days, not hours: a day on which clocks change has 23 or 25 hours.
  return { number: Math.round(Date.UTC(year, read('month') - 1, read('day')) / MS_A_DAY), year };
}

function format(shape: Shape, at: number, reader: Reader): string {
  return formatterOf(shape, reader.locale, reader.timeZone).format(at);
}

// Creating a formatter takes up to 40 µs, sixty times as long as using it, and lists format a date in each row.
const formatterOf = memoize((shape: Shape, locale: string, timeZone: string) => {
  const options = { ...SHAPES[shape], timeZone: isKnownZone(timeZone) ? timeZone : 'UTC' };
  return new Intl.DateTimeFormat(localeOrEnglish(locale), options);
});

const relativeDays = memoize(
  (locale: string) => new Intl.RelativeTimeFormat(localeOrEnglish(locale), { numeric: 'auto' }),
);

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
