import { t } from '@vscode/l10n';
import { formatSortable } from '../../util/dates.ts';
import { isBlank } from '../../util/text.ts';

const MAX_LENGTH = 80;
/**
 * Together with time, extension and the additions of a .part file, stays below the 255 bytes that file systems accept.
 */
const MOST_NAME_BYTES = 180;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

/**
 * Turns a name from the service into a safe file name: without characters that file systems refuse or that disguise a
 * name; `fallback` if nothing is left. `ending` includes its dot.
 */
export function safeFileName(name: string, fallback: string, ending: string): string {
  const cleaned = name
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ');
  const cut = [...cleaned].slice(0, MAX_LENGTH).join('');
  const trimmed = cut.replace(/^[. ]+|[. ]+$/g, '');
  return (isBlank(trimmed) || DEVICE.test(trimmed) ? fallback : trimmed) + ending;
}

/**
 * Returns the file name for a recording: the stream's name and the session's start in the user's time zone: "Keynote
 * 2026-11-20 10-42.mp4".
 */
export function recordingFileName(streamName: string, startedAt: number | undefined, timeZone: string): string {
  const name = cutToBytes(safeFileName(streamName, t('Recording'), ''));
  // Some file systems don't accept colons.
  const time = formatSortable(startedAt, timeZone)?.replace(':', '-');
  return `${time === undefined ? name : `${name} ${time}`}.mp4`;
}

function cutToBytes(name: string): string {
  let characters = [...name];
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters = characters.slice(0, -1);
  return characters.join('').trim();
}
