import { isKnownZone, isTime, type Reader } from './dates.ts';
import { memoize } from './memoize.ts';

/** Returns the wall-clock seconds since midnight in the reader's time zone, 0 to 86,399. */
export function secondOfDay(at: number | undefined, { timeZone }: Reader): number | undefined {
  if (!isTime(at)) return undefined;
  const parts = formatterOf(timeZone).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (read('hour') * 60 + read('minute')) * 60 + read('second');
}

const formatterOf = memoize((timeZone: string) => {
  const zone = {
    timeZone: isKnownZone(timeZone) ? timeZone : 'UTC',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  } as const;
  return new Intl.DateTimeFormat('en-US', { ...zone, hour: 'numeric', minute: 'numeric', second: 'numeric' });
});
