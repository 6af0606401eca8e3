import { make } from '../makeElement.ts';

/**
 * An address in one line. Where there is too little room, the middle of its path is cut, so that its host and its end stay,
 * and then its host. Shown whole while it has the focus.
 */
export function makeAddress(label: string, value: string): HTMLElement {
  const { host, middle, end } = partsOf(value);
  const parts = [make('span', 'host', host), make('span', 'middle', middle), make('span', 'end', end)];
  const text = make('span', 'value code address', ...parts.filter((part) => part.textContent !== ''));
  text.dir = 'ltr';
  text.title = value;
  text.tabIndex = 0;
  text.role = 'textbox';
  text.ariaReadOnly = 'true';
  text.ariaLabel = label;
  return text;
}

/** "http://127.0.0.1:4000/", "hls/3f2a", "/index.m3u8". */
function partsOf(address: string): { readonly host: string; readonly middle: string; readonly end: string } {
  const [, host = '', path = ''] = /^(\w+:\/\/[^/?#]*\/?)(.*)$/s.exec(address) ?? ['', '', address];
  const at = path.split(/[?#]/, 1)[0]?.lastIndexOf('/') ?? -1;
  return at < 0 ? { host, middle: '', end: path } : { host, middle: path.slice(0, at), end: path.slice(at) };
}
