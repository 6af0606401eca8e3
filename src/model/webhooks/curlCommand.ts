import type { DeliveryRequest } from '../../api/webhooks.ts';

// curl writes these itself, and they may be wrong for another URL.
const LEFT_OUT = /^(host|content-length|connection|transfer-encoding|expect)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
// Linux allows 128 KiB for one argument. Commands built into the shell have no limit.
const LONGEST_ARGUMENT = 100_000;

/**
 * Returns a command for POSIX shells that sends a request again, byte for byte. Undefined if its URL isn't an HTTP URL,
 * because curl also reads files.
 */
export function curlCommand({ url, method, headers, body }: DeliveryRequest): string | undefined {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return undefined;
  const { before, data } = dataOf(body.toWellFormed());
  const parts = [
    '--include --globoff',
    `--request ${quote(/^[A-Z]+$/i.test(method) ? method : 'POST')}`,
    `--url ${quote(url)}`,
    ...headerLines(headers).map((line) => `--header ${quote(line)}`),
    data,
  ];
  return `${before}curl ${parts.join(' \\\n  ')}`;
}

function headerLines(headers: DeliveryRequest['headers']): readonly string[] {
  const known = Object.entries(headers).filter(([name]) => HEADER_NAME.test(name) && !LEFT_OUT.test(name));
  const hasType = known.some(([name]) => name.toLowerCase() === 'content-type');
  return [
    // curl removes a header that ends in a colon and sends an empty one that ends in a semicolon.
    ...known.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value.replace(/[\r\n\0]+/g, ' ')}`)),
    ...(hasType ? [] : ['Content-Type:']),
  ];
}

/** curl takes data that begins with @ as a file name, and arguments can't contain a zero byte. */
function dataOf(body: string): { readonly before: string; readonly data: string } {
  if (body.includes('\0')) {
    const escaped = body.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000');
    return { before: `printf '%b' ${quote(escaped)} | `, data: '--data-binary @-' };
  }
  if (body.startsWith('@') || body.length > LONGEST_ARGUMENT / 3) {
    return { before: `printf '%s' ${quote(body)} | `, data: '--data-binary @-' };
  }
  return { before: '', data: `--data-binary ${quote(body)}` };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
