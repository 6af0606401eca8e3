import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { bareHost, isInRange } from '../loopback.ts';

export function splitNoProxy(value: string | undefined): readonly string[] {
  return (value ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Whether requests to this URL bypass the proxy. An entry is * (everything), a host (with its subdomains, with or
 * without a leading "." or "*."), an IP address or a CIDR range; a port restricts the entry to that port.
 */
export function isNoProxy(url: URL, entries: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(host, entry.replace(/[[\]]/g, ''));
  const { name, onPort } = splitPort(entry);
  if (onPort !== undefined && onPort !== port) return false;
  if (isIP(name) !== 0) return isInRange(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const domain = domainToASCII(name.replace(/^\*?\.+/, '').replace(/\.$/, ''));
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** Splits "[::1]:80", "host:80", "::1" or "host". */
function splitPort(entry: string): { readonly name: string; readonly onPort: string | undefined } {
  const [, bracketed, plain, onPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, onPort };
}
