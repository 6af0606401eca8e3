import type * as vscode from 'vscode';
import type { NetworkSettings } from '../../api/transport/networkSettings.ts';
import { readHttpSettings } from './httpSettings.ts';

type ProxySupport = NonNullable<NetworkSettings['proxySupport']>;

const PROXY_SUPPORT: readonly ProxySupport[] = ['off', 'on', 'override', 'fallback'];

/**
 * Returns how requests are sent now: by VS Code's settings, or by this process's environment variables if those name no
 * proxy. Read it for each request, so that a change needs no reload.
 * @param where on which side of a remote window the extension runs
 */
export function readNetworkSettings(where: vscode.ExtensionKind, timeoutMs: number): NetworkSettings {
  const { proxySupport, ...http } = readHttpSettings(where);
  const known = PROXY_SUPPORT.find((word) => word === proxySupport);
  return { ...http, ...(known !== undefined && { proxySupport: known }), timeoutMs, env: process.env };
}
