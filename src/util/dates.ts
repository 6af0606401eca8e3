import { t } from '@vscode/l10n';

/** Where and when a text is read: dates are written for it. */
export interface Reader {
  /** Epoch ms. */
  readonly now: number;
  /** BCP 47; one that is unknown to the platform reads as English. */
  readonly locale: string;
  /** IANA name; one that is unknown reads as UTC. */
  readonly timeZone: string;
}

type Shape = 'clock' | 'day' | 'dayAndYear' | 'full' | 'numbers' | 'timeOfDay';

/** The clock has 24 hours everywhere: an editor's language ("en") does not say which clock its person reads. */
const SHAPES: Readonly<Record<Shape, Intl.DateTimeFormatOptions>> = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric' },
  dayAndYear: { year: 'numeric', month: 'short', day: 'numeric' },
  full: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  numbers: { year: 'numeric', month: 'numeric', day: 'numeric', calendar: 'gregory', numberingSystem: 'latn' },
  timeOfDay: { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23', numberingSystem: 'latn' },
};
const MAX_TIME = 8.64e15;
const MS_A_DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** "10:42". Undefined for what is no time. */
export function formatClock(at: number | undefined, reader: Reader): string | undefined {
  return isTime(at) ? format('clock', at, reader) : undefined;
}

/** "Today", "Yesterday", "Nov 12", "Nov 12, 2024", by the calendar of the reader's time zone. Undefined for what is no time. */
export function formatDay(at: number | undefined, reader: Reader): string | undefined {
  if (!isTime(at)) return undefined;
  if (!isTime(reader.now)) return format('dayAndYear', at, reader);
  const then = calendarDay(at, reader);
  const today = calendarDay(reader.now, reader);
  if (then.number === today.number) return t('Today');
  if (then.number === today.number - 1) return t('Yesterday');
  return format(then.year === today.year ? 'day' : 'dayAndYear', at, reader);
}

/** "Nov 12", "Nov 12, 2024": never a word. Undefined for what is no time. */
export function formatDate(at: number | undefined, reader: Reader): string | undefined {
  if (!isTime(at)) return undefined;
  const isThisYear = isTime(reader.now) && calendarDay(at, reader).year === calendarDay(reader.now, reader).year;
  return format(isThisYear ? 'day' : 'dayAndYear', at, reader);
}

/** The day on the calendar of the reader's time zone, counted from the first of January 1970. Undefined for what is no time. */
export function dayNumber(at: number | undefined, reader: Reader): number | undefined {
  const number = isTime(at) ? calendarDay(at, reader).number : Number.NaN;
  return Number.isNaN(number) ? undefined : number;
}

/** Seconds since midnight as the clock on the reader's wall shows them, 0 to 86,399. Undefined for what is no time. */
export function secondOfDay(at: number | undefined, reader: Reader): number | undefined {
  if (!isTime(at)) return undefined;
  const parts = formatter('timeOfDay', { ...reader, locale: 'en-US' }).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (read('hour') * 60 + read('minute')) * 60 + read('second');
}

/** A day as `dayNumber` counts it: "Today", "Yesterday", "Nov 12", "Nov 12, 2024". */
export function formatDayNumber(day: number, reader: Reader): string | undefined {
  const today = dayNumber(reader.now, reader);
  const now = today === undefined ? Number.NaN : noonOf(today);
  return formatDay(noonOf(day), { locale: reader.locale, timeZone: 'UTC', now });
}

function noonOf(day: number): number {
  return (day + 0.5) * MS_A_DAY;
}

/** "Today 10:42", "Nov 12 18:00". Undefined for what is no time. */
export function formatDayAndClock(at: number | undefined, reader: Reader): string | undefined {
  const day = formatDay(at, reader);
  const clock = formatClock(at, reader);
  return day === undefined || clock === undefined ? undefined : `${day} ${clock}`;
}

/** "Nov 12, 2026, 18:00:05". Undefined for what is no time. */
export function formatDateTime(at: number | undefined, reader: Reader): string | undefined {
  return isTime(at) ? format('full', at, reader) : undefined;
}

function isTime(at: number | undefined): at is number {
  return at !== undefined && Number.isFinite(at) && Math.abs(at) <= MAX_TIME;
}

/** Days are counted on the calendar, not in hours: a day in which clocks change has 23 or 25. */
function calendarDay(at: number, reader: Reader): { readonly number: number; readonly year: number } {
  const parts = formatter('numbers', { ...reader, locale: 'en-US' }).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const year = read('year');
  return { number: Math.round(Date.UTC(year, read('month') - 1, read('day')) / MS_A_DAY), year };
}

function format(shape: Shape, at: number, reader: Reader): string {
  return formatter(shape, reader).format(at);
}

function formatter(shape: Shape, { locale, timeZone }: Reader): Intl.DateTimeFormat {
  const key = `${shape} ${locale} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = makeFormatter(SHAPES[shape], locale, timeZone);
  formats.set(key, made);
  return made;
}

function makeFormatter(options: Intl.DateTimeFormatOptions, locale: string, timeZone: string): Intl.DateTimeFormat {
  for (const [tag, zone] of [
    [locale, timeZone],
    ['en', timeZone],
    [locale, 'UTC'],
  ]) {
    try {
      return new Intl.DateTimeFormat(tag, { ...options, timeZone: zone });
    } catch {}
  }
  return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
}
