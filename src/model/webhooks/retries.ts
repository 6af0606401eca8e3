import type { Delivery, DeliveryDetails } from '../../api/webhooks.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** An attempt takes up to 30 seconds and is listed within a minute. */
const KNOWN_LATE_BY_MS = 90_000;
/** 33 retries (src/api/README.md, Webhooks). */
const RETRIED_FOR_MS = 25 * 60 * 60_000;

/** Whether the service waits that long before a retry: 5 seconds, then twice as long each time, up to an hour. */
export function isRetryPause(ms: number): boolean {
  for (let pause = FIRST_PAUSE_MS; pause < 2 * LONGEST_PAUSE_MS; pause *= 2) {
    const due = Math.min(pause, LONGEST_PAUSE_MS);
    if (ms >= due - 500 && ms <= due * 1.05 + 2000) return true;
  }
  return false;
}

/**
 * Whether the service may still repeat a delivery that failed.
 * @param last its last known attempt
 */
export function mayBeRetried(delivery: DeliveryDetails, last: Delivery, now: number): boolean {
  if (!isRetried(last)) return false;
  const body = parseJson(delivery.request?.body ?? '');
  const happenedAt = isRecord(body) && typeof body.createdAt === 'number' ? body.createdAt : delivery.createdAt;
  // The sum of all pauses so far is the next pause minus the first one.
  const pause = Math.min(LONGEST_PAUSE_MS, last.createdAt - happenedAt + FIRST_PAUSE_MS);
  return now - happenedAt < RETRIED_FOR_MS && now - last.createdAt < pause * 1.05 + KNOWN_LATE_BY_MS;
}

/** Returns the last listed attempt of a delivery, judging by the pauses; the delivery itself if there's no other. */
export function lastTryOf(delivery: Delivery, listed: readonly Delivery[]): Delivery {
  const { event, streamId } = delivery;
  // Without a stream, other deliveries may be about anything.
  if (streamId === undefined) return delivery;
  const later = listed
    .filter((each) => each.event === event && each.streamId === streamId && each.createdAt > delivery.createdAt)
    .sort((a, b) => a.createdAt - b.createdAt);
  return later.reduce((last, next) => (isRetryOf(next, last) ? next : last), delivery);
}

/** Whether the service sent a delivery because the previous one failed, judging by the pause. */
export function isRetryOf(delivery: Delivery, before: Delivery): boolean {
  return isRetried(before) && isRetryPause(startOf(delivery) - before.createdAt);
}

// Log entries have the time of the response.
export function startOf({ createdAt, duration = 0 }: Delivery): number {
  return createdAt - duration;
}

export function isRetried({ isSuccess, statusCode }: Delivery): boolean {
  return !isSuccess && (statusCode === undefined || statusCode >= 500);
}
