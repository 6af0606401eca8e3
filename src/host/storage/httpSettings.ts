import * as vscode from 'vscode';

/** VS Code's own network settings, which an extension with its own HTTP client has to respect. */
export interface HttpSettings {
  readonly proxy?: string;
  /** The value of the Proxy-Authorization header. A secret. */
  readonly proxyAuthorization?: string;
  readonly noProxy: readonly string[];
  /** off, on, fallback or override. */
  readonly proxySupport: string;
  readonly strictSSL: boolean;
  readonly systemCertificates: boolean;
}

/**
 * Reads `http.*`. If the extension runs on the user's machine in a remote window (`where` is UI), the local values
 * count, as for VS Code itself: the remote machine's proxy may not be reachable from here.
 */
export function readHttpSettings(where: vscode.ExtensionKind): HttpSettings {
  const configuration = vscode.workspace.getConfiguration('http');
  const read = (key: string): unknown =>
    where === vscode.ExtensionKind.UI ? localValue(configuration.inspect(key)) : configuration.get<unknown>(key);
  const proxy = textOf(read('proxy'));
  const proxyAuthorization = textOf(read('proxyAuthorization'));
  const proxySupport = textOf(read('proxySupport'));
  return {
    ...(proxy === undefined ? {} : { proxy }),
    ...(proxyAuthorization === undefined ? {} : { proxyAuthorization }),
    noProxy: textsOf(read('noProxy')),
    proxySupport: proxySupport ?? 'override',
    strictSSL: read('proxyStrictSSL') !== false,
    systemCertificates: read('systemCertificates') !== false,
  };
}

/** `globalLocalValue` exists, but not in the types: the value of the user's machine without that of the remote. */
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
