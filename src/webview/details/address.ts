import { make } from '../makeElement.ts';

/**
 * Makes a URL in one line. If it doesn't fit, its masked query gets shorter, then whole folders of its path are cut, so
 * that its host and its end stay, and then its host is cut. Shown in full while it has focus.
 */
export function makeAddress(label: string, value: string): HTMLElement {
  const { host, middle, end, rest } = partsOf(value);
  const cut = { kept: make('span', '', middle), left: make('span', 'left'), rest: make('span', '', rest) };
  const parts = [make('span', 'host', host), make('span', 'middle', cut.kept, cut.left), make('span', 'end', end)];
  const shown = [...parts, cut.rest].filter((part) => part.textContent !== '');
  const text = make('span', 'value code address', ...shown);
  text.dir = 'ltr';
  text.title = value;
  text.tabIndex = 0;
  text.role = 'textbox';
  text.ariaReadOnly = 'true';
  text.ariaLabel = label;
  if (middle !== '' || rest !== '') new ResizeObserver(() => shorten(text, middle, cut)).observe(text);
  return text;
}

type Cut = Readonly<Record<'kept' | 'left' | 'rest', HTMLElement>>;

/** Leaves out as little as possible. Parts that are left out have no size, but are still there to be read aloud. */
function shorten(text: HTMLElement, middle: string, { kept, left, rest }: Cut): void {
  const keep = (length: number) => {
    kept.textContent = middle.slice(0, length);
    left.textContent = middle.slice(length);
  };
  // Checks whether it ends beyond the line, because nothing shrinks. A hundredth of a pixel is the browser's rounding.
  const isTooLong = () => {
    const [line, last] = [text, text.lastElementChild ?? text].map((part) => part.getBoundingClientRect());
    return line !== undefined && last !== undefined && last.right > line.right + 0.01;
  };
  text.classList.add('measured');
  kept.className = '';
  rest.className = '';
  keep(middle.length);
  if (isTooLong()) rest.className = 'left';
  for (let end = middle.length; end > 0 && isTooLong(); keep(end)) {
    kept.className = 'cut';
    end = middle.slice(0, end - 1).lastIndexOf('/') + 1;
  }
  // The host is cut instead, with an ellipsis of its own, unless only the path's ellipsis is too much.
  if (isTooLong()) {
    kept.className = '';
    if (!isTooLong()) kept.className = 'cut';
  }
  text.classList.remove('measured');
}

/** "http://127.0.0.1:4000/", "hls/3f2a", "/index.m3u8?", "••••••••". */
function partsOf(address: string): Readonly<Record<'host' | 'middle' | 'end' | 'rest', string>> {
  const [, host = '', path = '', rest = ''] = /^(\w+:\/\/[^/?#]*\/?)?(.*?)((?<=[?#])•+)?$/s.exec(address) ?? [];
  const at = Math.max(path.split(/[?#]/, 1)[0]?.lastIndexOf('/') ?? -1, 0);
  return { host, middle: path.slice(0, at), end: path.slice(at), rest };
}
