import { envExpression, envImport } from '../../../src/code/envExpression.ts';
import { applyChanges } from './openText.ts';

export const KEY = '4f7a-x2k9-0bcd-q1w2';

export interface MovedKey {
  readonly before: string;
  /** undefined if it isn't moved. */
  readonly after: string | undefined;
}

const QUOTED = /(?<!["'])(?:'[^'\n\\]*'|"[^"\n\\]*"|`[^`$]*`)(?!["'])/g;

/** Puts a key into the first texts in quotes of a file, one at a time, comments and patterns among them, and moves it. */
export function* moveKeysIn(languageId: string, text: string, count = 30): Generator<MovedKey> {
  for (const { index, 0: quoted } of [...text.matchAll(QUOTED)].slice(0, count)) {
    const start = index + 1;
    const before = text.slice(0, start) + KEY + text.slice(start + quoted.length - 2);
    const change = envExpression({ languageId, text: before, start, end: start + KEY.length }, 'STREAM_KEY');
    const changes = change === undefined ? [] : [change, ...envImport({ languageId, text: before })];
    yield { before, after: change && applyChanges(before, changes) };
  }
}
