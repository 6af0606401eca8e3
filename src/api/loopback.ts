import { BlockList, isIP } from 'node:net';

/** Does this host, as `URL.hostname` gives it, stand for this very machine? 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isInRange(host, '127.0.0.0/8') || isInRange(host, '::1/128');
}

/** Does a request to this host end at this very machine? 0.0.0.0/8 and :: stand for it too, where they are asked. */
export function reachesThisMachine(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLoopback(host) || isInRange(host, '0.0.0.0/8') || isInRange(host, '::/128');
}

/** Lower case, without the brackets of an IPv6 address and the dot at a name's end. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** Is the address (of either family, an IPv4 one written as IPv6 too) within the CIDR range? No name is looked up. */
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
