import { make } from '../makeElement.ts';

/** How much of an address is always shown at its end, where addresses differ. */
const TAIL = 18;

/** An address that is cut in its middle where there is too little room, and is shown whole while it has the focus. */
export function makeAddress(label: string, value: string): HTMLElement {
  const at = Math.max(0, value.length - TAIL);
  const parts = [make('span', 'head', value.slice(0, at)), make('span', 'tail', value.slice(at))];
  const text = make('span', 'value code address', ...parts);
  text.dir = 'ltr';
  text.title = value;
  text.tabIndex = 0;
  text.role = 'textbox';
  text.ariaReadOnly = 'true';
  text.ariaLabel = label;
  new ResizeObserver(() => fitHead(parts[0])).observe(text);
  return text;
}

/** The ellipsis is followed by what remains of the room, less than a letter. Without that, there is no gap before the tail. */
function fitHead(head: HTMLElement | undefined): void {
  const drawing = document.createElement('canvas').getContext('2d');
  if (head === undefined || drawing === null) return;
  head.style.maxWidth = '';
  const { clientWidth: room, scrollWidth, textContent: text } = head;
  if (scrollWidth <= room) return;
  drawing.font = getComputedStyle(head).font;
  const widthOf = (length: number): number => drawing.measureText(`${text.slice(0, length)}…`).width;
  let length = 0;
  while (length < text.length && widthOf(length + 1) <= room) length++;
  head.style.maxWidth = `${Math.ceil(widthOf(length))}px`;
}
