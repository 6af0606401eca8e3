import { t } from '@vscode/l10n';
import { DEMO_ID } from './current.ts';

/** What the demo goes by: in links, which lead into editors of any language, and in front of people. No connection may have such a name. */
export function demoNames(): readonly string[] {
  return [DEMO_ID, t('Demo')];
}

/** Names of connections are unique without case. */
export function isSameName(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

export function isDemoName(name: string): boolean {
  return demoNames().some((each) => isSameName(each, name));
}
