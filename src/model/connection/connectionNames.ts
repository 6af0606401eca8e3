import { t } from '@vscode/l10n';
import { DEMO_ID } from './connection.ts';

/** Names of the demo: in links, which must work in any language, and in the UI. No connection may have one of them. */
export function demoNames(): readonly string[] {
  return [DEMO_ID, t('Demo')];
}

export function isSameName(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
