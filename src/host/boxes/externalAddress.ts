import * as vscode from 'vscode';
import { isLoopback } from '../../api/loopback.ts';
import { replaceOrigin } from './replaceOrigin.ts';

/**
 * Where the person's browser reaches an address: only loopback ones can differ, in a remote window or a browser's. Everything
 * behind the origin stays as it is written, because the editor's own addresses re-encode it, which breaks signatures.
 */
export async function externalAddress(url: string): Promise<string> {
  const parsed = URL.parse(url);
  if (parsed === null || !isLoopback(parsed.hostname)) return url;
  const reachable = await vscode.env.asExternalUri(vscode.Uri.parse(`${parsed.origin}/`));
  return replaceOrigin(url, reachable.toString(true));
}
