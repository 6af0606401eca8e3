import { t } from '@vscode/l10n';
import { safeFileName } from './fileName.ts';

/**
 * Together with time, extension and the additions of a .part file, stays below the 255 bytes that file systems accept.
 */
const MOST_NAME_BYTES = 180;

/**
 * Returns the file name for a recording: the stream's name and the session's start in the user's time zone: "Keynote
 * 2026-11-20 10-42.mp4".
 */
export function recordingFileName(streamName: string, startedAt: number | undefined, timeZone: string): string {
  const name = cutToBytes(safeFileName(streamName, t('Recording'), ''));
  const time = startedAt === undefined ? undefined : fileTime(startedAt, timeZone);
  return `${time === undefined ? name : `${name} ${time}`}.mp4`;
}

function cutToBytes(name: string): string {
  let characters = [...name];
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters = characters.slice(0, -1);
  return characters.join('').trim();
}

/** "2026-11-20 10-42": sorts by time, and has no colons, which some file systems don't accept. */
function fileTime(at: number, timeZone: string): string | undefined {
  if (!Number.isFinite(new Date(at).getTime())) return undefined;
  const parts = formatOf(timeZone).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${read('year')}-${read('month')}-${read('day')} ${read('hour')}-${read('minute')}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit';
  const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
}
