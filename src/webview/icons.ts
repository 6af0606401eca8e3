const SVG = 'http://www.w3.org/2000/svg';

/** Paths of 16 × 16 pixels. */
const ICONS = {
  play: 'M4.5 2.7v10.6c0 .4.4.6.7.4l8.3-5.3a.5.5 0 0 0 0-.8L5.2 2.3a.5.5 0 0 0-.7.4Z',
  download:
    'M4.2 11.2A3.1 3.1 0 0 1 3.8 5 4.3 4.3 0 0 1 12.1 5 3.1 3.1 0 0 1 11.8 11.2H11V10h.8a1.9 1.9 0 0 0 0-3.8H11l-.1-.6a3.1 3.1 0 0 0-6 .2l-.1.4-.6.1A1.9 1.9 0 0 0 4.2 10H5v1.2zM7.4 7.5h1.2v5l1.6-1.6.85.85L8 14.8l-3.05-3.05.85-.85 1.6 1.6z',
  check: 'M6.3 12.6 2.2 8.5l1.1-1.1 3 3 6.4-6.4 1.1 1.1z',
  more: 'M3.2 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm4.8 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm4.8 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Z',
} as const;

/** An icon in the color of the text. Screen readers skip it. */
export function makeIcon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}
