const SVG = 'http://www.w3.org/2000/svg';

/** Paths of 16 × 16 pixels. */
const ICONS = {
  play: 'M4.5 2.7v10.6c0 .4.4.6.7.4l8.3-5.3a.5.5 0 0 0 0-.8L5.2 2.3a.5.5 0 0 0-.7.4Z',
  download: 'M7.25 1.5h1.5v6.9l2.5-2.5 1.05 1.1L8 11.3 3.7 7l1.05-1.1 2.5 2.5zM2.5 13h11v1.5h-11z',
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
