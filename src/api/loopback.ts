import { BlockList, isIP } from 'node:net';

/** Whether a host (as in `URL.hostname`) is this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isInRange(host, '127.0.0.0/8') || isInRange(host, '::1/128');
}

/** Whether a request to this host reaches this machine. Besides loopback, 0.0.0.0/8 and :: do. */
export function reachesThisMachine(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLoopback(host) || isInRange(host, '0.0.0.0/8') || isInRange(host, '::/128');
}

/** Whether the host is a link-local address (169.254.0.0/16, fe80::/10), where clouds keep their metadata. */
export function isLinkLocal(hostname: string): boolean {
  const host = bareHost(hostname);
  return isInRange(host, '169.254.0.0/16') || isInRange(host, 'fe80::/10');
}

export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** Whether the address (IPv4, IPv6 or IPv4-mapped IPv6) is within the CIDR range. Doesn't resolve names. */
export function isInRange(address: string, range: string): boolean {
  const [, net = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(range) ?? [];
  const [family, addressFamily] = [isIP(net), isIP(address)];
  if (family === 0 || addressFamily === 0 || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), nameOf(family));
  return list.check(address, nameOf(addressFamily));
}

function nameOf(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6';
}
