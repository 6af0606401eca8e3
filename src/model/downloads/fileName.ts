import { isBlank } from '../../util/text.ts';

const MAX_LENGTH = 80;
/** Reserved device names on Windows, with any extension. */
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
