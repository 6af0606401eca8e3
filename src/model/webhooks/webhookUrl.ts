import { bareHost, isInRange, isLinkLocal, reachesThisMachine } from '../../api/loopback.ts';

/** `local`: the service never delivers to it, because only this computer or its network can reach it. */
export type WebhookUrlFault = 'notUrl' | 'notHttp' | 'local';

const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** Checks a URL that a service is to deliver to. @param isDemo whether the service is on this computer itself */
export function checkWebhookUrl(
  text: string,
  isDemo: boolean,
): { readonly url: string } | { readonly fault: WebhookUrlFault } {
  const url = URL.parse(text.trim());
  if (url === null) return { fault: 'notUrl' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { fault: 'notHttp' };
  if (!isDemo && isUnreachable(url.hostname)) return { fault: 'local' };
  return { url: url.href };
}

function isUnreachable(hostname: string): boolean {
  const host = bareHost(hostname);
  if (reachesThisMachine(host) || isLinkLocal(host)) return true;
  if (PRIVATE_RANGES.some((range) => isInRange(host, range))) return true;
  return !host.includes('.') && !host.includes(':');
}
