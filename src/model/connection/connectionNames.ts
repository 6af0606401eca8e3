import { t } from '@vscode/l10n';
import { DEMO_ID } from './connection.ts';

/** Returns the demo's names in links, which must work in any language, and in the UI. Connections can't have them. */
export function demoNames(): readonly string[] {
  return [DEMO_ID, t('Demo')];
}

export function isSameName(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
