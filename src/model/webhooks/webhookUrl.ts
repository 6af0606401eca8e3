import { bareHost, isInRange, isLinkLocal, reachesThisMachine } from '../../api/loopback.ts';
import type { ConnectionInfo } from '../store/snapshot.ts';
import { checkLocalUrl, hasScheme } from './localUrl.ts';

/**
 * `local`: the service never delivers to it, because only this computer or its network can reach it. `notOfDemo`: the
 * demo delivers to this computer alone.
 */
export type WebhookUrlFault = 'notUrl' | 'notHttp' | 'local' | 'notOfDemo';

/** The hosts a service delivers to: the demo to this computer, a local service to all, and others to public hosts. */
export type WebhookReach = 'computer' | 'all' | 'public';

export function webhookReachOf({ isDemo, baseUrl }: Pick<ConnectionInfo, 'isDemo' | 'baseUrl'>): WebhookReach {
  if (isDemo) return 'computer';
  return isUnreachable(new URL(baseUrl).hostname) ? 'all' : 'public';
}

const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** Checks a URL for deliveries and completes short forms such as "example.com/hook" and "localhost:3000". */
export function checkWebhookUrl(
  text: string,
  reach: WebhookReach,
): { readonly url: string } | { readonly fault: WebhookUrlFault } {
  const typed = text.trim();
  const local = checkLocalUrl(typed);
  const completed = 'url' in local ? local.url : `https://${typed}`;
  const whole = hasScheme(typed) ? typed : completed;
  const url = URL.parse(whole);
  if (url === null) return { fault: 'notUrl' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { fault: 'notHttp' };
  if (reach === 'computer' && 'fault' in local && !url.hostname.endsWith('.example')) return { fault: 'notOfDemo' };
  if (reach === 'computer' || !isUnreachable(url.hostname)) return { url: whole };
  const isWord = 'fault' in local && !/[.:/]/.test(typed);
  if (isWord) return { fault: 'notUrl' };
  return reach === 'public' ? { fault: 'local' } : { url: whole };
}

function isUnreachable(hostname: string): boolean {
  const host = bareHost(hostname);
  if (reachesThisMachine(host) || isLinkLocal(host)) return true;
  if (PRIVATE_RANGES.some((range) => isInRange(host, range))) return true;
  return !host.includes('.') && !host.includes(':');
}
