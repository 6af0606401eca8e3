import { t } from '@vscode/l10n';
import type { NamedStream } from '../api/types.ts';
import { quotedName } from './names.ts';

const NAMED_AT_MOST = 5;

/** Returns at most five names in quotes, and how many more there are: '"Keynote", "Back stage", and 3 more'. */
export function listNames(streams: readonly NamedStream[]): string {
  const names = streams.slice(0, NAMED_AT_MOST).map(quotedName);
  const more = streams.length - names.length;
  return more > 0 ? t('{0}, and {1} more', names.join(', '), more) : names.join(', ');
}
