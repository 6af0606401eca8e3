import * as vscode from 'vscode';
import { isLoopback } from '../../api/loopback.ts';
import { replaceOrigin } from '../../model/addresses.ts';

/**
 * Returns the URL at which the user's browser reaches this one. Only loopback URLs can differ, in a remote window or in
 * a browser. Replaces only the origin, because VS Code's Uri encodes the rest again, which breaks signatures.
 */
export async function externalAddress(url: string): Promise<string> {
  const parsed = URL.parse(url);
  if (parsed === null || !isLoopback(parsed.hostname)) return url;
  const reachable = await vscode.env.asExternalUri(vscode.Uri.parse(`${parsed.origin}/`));
  return replaceOrigin(url, reachable.toString(true));
}
