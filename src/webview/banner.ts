import { make } from './makeElement.ts';
import { makeMark } from './marks.ts';

/** Makes a warning with the buttons that help. */
export function makeBanner(text: string, buttons: readonly HTMLElement[]): HTMLElement {
  return make('div', 'warning', makeMark('warning'), make('p', 'words', text), make('div', 'ways', ...buttons));
}
