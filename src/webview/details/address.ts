import { make } from '../makeElement.ts';

/**
 * An address in one line. Where there is too little room, the middle of its path is cut, so that its host and its end stay,
 * and then its host. Shown whole while it has the focus.
 */
export function makeAddress(label: string, value: string): HTMLElement {
  const { host, middle, end } = partsOf(value);
  const cut = make('span', 'middle', middle);
  const parts = [make('span', 'host', host), cut, make('span', 'end', end)];
  const text = make('span', 'value code address', ...parts.filter((part) => part.textContent !== ''));
  text.dir = 'ltr';
  text.title = value;
  text.tabIndex = 0;
  text.role = 'textbox';
  text.ariaReadOnly = 'true';
  text.ariaLabel = label;
  if (middle !== '') new ResizeObserver(() => closeGap(cut)).observe(text);
  return text;
}

/** Narrows the text to the characters that fit with the ellipsis: what is left of its width would look like a space. */
function closeGap(text: HTMLElement): void {
  text.removeAttribute('style');
  const { width: room } = text.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(text);
  const widthOf = () => range.getBoundingClientRect().width;
  if (text.firstChild === null || widthOf() <= room) return;
  const ellipsis = widthOfEllipsis(text);
  let fitting = text.firstChild.textContent?.length ?? 0;
  do range.setEnd(text.firstChild, --fitting);
  while (fitting > 0 && widthOf() + ellipsis > room);
  // Half a pixel, as the browser rounds.
  const width = Math.min(widthOf() + ellipsis + 0.5, room);
  Object.assign(text.style, { flex: 'none', minWidth: '0', width: `${width}px` });
}

function widthOfEllipsis(text: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = getComputedStyle(text).font;
  return context.measureText('…').width;
}

/** "http://127.0.0.1:4000/", "hls/3f2a", "/index.m3u8". */
function partsOf(address: string): { readonly host: string; readonly middle: string; readonly end: string } {
  const [, host = '', path = ''] = /^(\w+:\/\/[^/?#]*\/?)(.*)$/s.exec(address) ?? ['', '', address];
  const at = path.split(/[?#]/, 1)[0]?.lastIndexOf('/') ?? -1;
  return at < 0 ? { host, middle: '', end: path } : { host, middle: path.slice(0, at), end: path.slice(at) };
}
