import { t } from '@vscode/l10n';
import type { NamedStream } from '../api/types.ts';
import { isAmbiguous, type NamesConnection, nameOf, quotedText, withNote } from './names.ts';

const NAMED_AT_MOST = 5;

/** A stream's name in quotes. Replaces quotation marks of any language inside the name, so that they can't end it. */
export function quotedName(stream: NamedStream): string {
  return quotedText(nameOf(stream).replaceAll(/["\u201c-\u201f\u00ab\u00bb\u300c-\u300f]/g, '\u2019'));
}

/** Returns at most five names in quotes, and how many more there are: '"Keynote", "Back stage", and 3 more'. */
export function listNames(streams: readonly NamedStream[]): string {
  const names = streams.slice(0, NAMED_AT_MOST).map(quotedName);
  const more = streams.length - names.length;
  return more > 0 ? t('{0}, and {1} more', names.join(', '), more) : names.join(', ');
}

/** Appends the connection's name if there are several connections. */
export function withConnection({ store, connection }: NamesConnection, words: string): string {
  const name = connection.info?.name;
  return name !== undefined && isAmbiguous(store.snapshot) ? withNote(words, name) : words;
}
