/** Lines and filled parts in a square of 16. */
const SHAPES = {
  stream:
    '<circle cx="8" cy="8" r="1.4" fill="COLOR"/><path d="M5.2 10.8a4 4 0 0 1 0-5.6M10.8 5.2a4 4 0 0 1 0 5.6M3 13a7 7 0 0 1 0-10M13 3a7 7 0 0 1 0 10"/>',
  idle: '<circle cx="8" cy="8" r="6.2"/>',
  session: '<circle cx="8" cy="8" r="6.2"/><path d="M6.6 5.4v5.2L10.8 8z" fill="COLOR"/>',
  details: '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.3v4M8 4.7v.8"/>',
  check: '<path d="M2.2 4.4l1.3 1.3 2.3-2.6M2.2 10.8l1.3 1.3 2.3-2.6M8.5 4.6h5.3M8.5 11h5.3"/>',
  delivery: '<rect x="1.8" y="3.4" width="12.4" height="9.2" rx="1.4"/><path d="M2.4 4.4L8 8.8l5.6-4.4"/>',
};

export type TabShape = keyof typeof SHAPES;

const LIGHT = '#424242';
const DARK = '#c5c5c5';

/** Returns the icon of a tab as `data:` URLs. It isn't a file, because the package should have few files. */
export function tabIcon(shape: TabShape): { readonly light: string; readonly dark: string } {
  return { light: drawIcon(SHAPES[shape], LIGHT), dark: drawIcon(SHAPES[shape], DARK) };
}

function drawIcon(shape: string, color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill="none" stroke="COLOR" stroke-width="1.2" stroke-linecap="round">${shape}</svg>`;
  const data = Buffer.from(svg.replaceAll('COLOR', color)).toString('base64');
  return `data:image/svg+xml;base64,${data}`;
}
