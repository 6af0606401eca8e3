import * as vscode from 'vscode';
import { createFetchTransport } from '../../api/transport/fetchTransport.ts';
import type { NetworkSettings } from '../../api/transport/proxyRoute.ts';
import { createChosenTransport } from '../../api/transport/sharedTransport.ts';
import { createUndiciTransport } from '../../api/transport/undiciTransport.ts';
import type { Settings } from '../../model/settingValues.ts';
import type { Clock, Downloads, Log, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

interface HostTransportOptions {
  readonly settings: Settings;
  readonly where: vscode.ExtensionKind;
  readonly clock: Clock;
  readonly log: Log;
}

export function createTransport({
  settings,
  where,
  clock,
  log,
}: HostTransportOptions): Transport & Downloads & Disposable {
  const network = () => readNetworkSettings(where, settings.networkTimeout());
  // Looked up for each request: VS Code may replace it at any time.
  const fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);
  return createChosenTransport(settings.networkClient, {
    undici: createUndiciTransport({ settings: network, clock, log }),
    editor: createFetchTransport({ fetch, settings: network, clock, log }),
  });
}

const PROXY_SUPPORT = ['off', 'on', 'override', 'fallback'] as const;

/**
 * Reads VS Code's `http.*` settings, or the environment variables if those name no proxy. Call it for each request. If
 * the extension runs on the user's machine in a remote window, the local values count, as for VS Code itself.
 * @param where on which side of a remote window the extension runs
 */
export function readNetworkSettings(where: vscode.ExtensionKind, timeoutMs: number): NetworkSettings {
  const configuration = vscode.workspace.getConfiguration('http');
  const read = (key: string): unknown =>
    where === vscode.ExtensionKind.UI ? localValue(configuration.inspect(key)) : configuration.get<unknown>(key);
  const proxySupport = textOf(read('proxySupport'));
  return {
    timeoutMs,
    proxy: textOf(read('proxy')),
    proxyAuthorization: textOf(read('proxyAuthorization')),
    noProxy: textsOf(read('noProxy')),
    proxySupport: PROXY_SUPPORT.find((word) => word === proxySupport) ?? 'override',
    strictSSL: read('proxyStrictSSL') !== false,
    systemCertificates: read('systemCertificates') !== false,
    env: process.env,
  };
}

// `globalLocalValue` isn't in the types: it's the value on the user's machine, without that of the remote.
function localValue(inspected: object | undefined): unknown {
  if (inspected === undefined) return undefined;
  const values: { readonly globalLocalValue?: unknown; readonly defaultValue?: unknown } = inspected;
  return values.globalLocalValue ?? values.defaultValue;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== undefined) : [];
}
