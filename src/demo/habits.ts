import type { Habit } from './names.ts';
import type { Random } from './random.ts';

interface Rhythm {
  /** Days of the week; 0 is Sunday. */
  readonly days: readonly number[];
  /** Range of start hours in local time. */
  readonly hours: readonly [number, number];
  readonly minutes: readonly [number, number];
  /** Share of the possible days that have a broadcast. */
  readonly share: number;
}

const WEEKS = 5;
const WEEKDAYS = [1, 2, 3, 4, 5];
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];

const RHYTHMS: Readonly<Record<Habit, Rhythm>> = {
  meeting: { days: WEEKDAYS, hours: [9, 16], minutes: [22, 62], share: 0.3 },
  show: { days: [2, 4, 5, 6], hours: [18, 21], minutes: [45, 125], share: 0.5 },
  service: { days: [0], hours: [9, 11], minutes: [58, 84], share: 1 },
  camera: { days: ALL_DAYS, hours: [5, 7], minutes: [500, 720], share: 0.35 },
  test: { days: WEEKDAYS, hours: [0, 23], minutes: [2, 6], share: 0.6 },
  event: { days: [3, 4, 6], hours: [10, 17], minutes: [90, 260], share: 0.3 },
  lesson: { days: WEEKDAYS, hours: [8, 17], minutes: [40, 55], share: 0.35 },
};

/** In epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the broadcasts of a habit in the five weeks before `now`, newest first, without those that ended in the last two
 * hours. A day's broadcast is the same for any `now`, because each day has its own branch of the random source.
 */
export function pastBroadcasts(habit: Habit, now: number, random: Random): readonly Span[] {
  const rhythm = RHYTHMS[habit];
  const spans: Span[] = [];
  for (let day = 0; day < WEEKS * 7; day++) {
    const date = new Date(now);
    date.setDate(date.getDate() - day);
    const chance = random.branch(dayOf(date));
    if (!rhythm.days.includes(date.getDay()) || chance.fraction() >= rhythm.share) continue;
    const span = spanOn(date, rhythm, chance);
    if (span.to < now - 7_200_000) spans.push(span);
  }
  return spans;
}

export function dayOf(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

function spanOn(date: Date, rhythm: Rhythm, random: Random): Span {
  const start = new Date(date);
  start.setHours(
    random.between(...rhythm.hours),
    random.between(0, 11) * 5,
    random.between(0, 50),
    random.between(0, 999),
  );
  const from = start.getTime();
  return { from, to: from + random.between(rhythm.minutes[0] * 60, rhythm.minutes[1] * 60) * 1000 };
}
