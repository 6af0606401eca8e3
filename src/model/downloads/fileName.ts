import { isBlank } from '../../util/text.ts';

const MAX_LENGTH = 80;
/** What Windows takes for a device, whatever ending follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

/**
 * A file's name made of a name the service sent: without what no file system takes, or what makes it look like another
 * name; `fallback` where nothing is left. The ending comes with its dot.
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
