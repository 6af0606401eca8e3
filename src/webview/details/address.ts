import { make } from '../makeElement.ts';

/** An address that is cut at its end where there is too little room, so that its host stays, and is shown whole while it has the focus. */
export function makeAddress(label: string, value: string): HTMLElement {
  const text = make('span', 'value code address', value);
  text.dir = 'ltr';
  text.title = value;
  text.tabIndex = 0;
  text.role = 'textbox';
  text.ariaReadOnly = 'true';
  text.ariaLabel = label;
  return text;
}
