import { make } from './makeElement.ts';
import type { Tone } from './messages.ts';

/** Returns the mark in front of words that say the same. It has nothing for a screen reader to read. */
export function makeMark(tone: Tone): HTMLElement {
  const mark = make('span', 'mark');
  mark.dataset.tone = tone;
  return mark;
}
