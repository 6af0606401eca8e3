import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { bareHost, isInRange } from '../loopback.ts';

/** The entries of a NO_PROXY variable: separated by commas or spaces. */
export function splitNoProxy(value: string | undefined): readonly string[] {
  return (value ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Is this address to be asked without a proxy? An entry is * (everything), a host (it and all below it, with or without
 * "." or "*." before it), an IP address or a CIDR range; with a port behind it only that port is meant.
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

/** "[::1]:80", "host:80", "::1", "host". */
function splitPort(entry: string): { readonly name: string; readonly onPort: string | undefined } {
  const [, bracketed, plain, onPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, onPort };
}
