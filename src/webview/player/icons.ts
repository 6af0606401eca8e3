const SVG = 'http://www.w3.org/2000/svg';

/** Paths in a square of 16: filled ones, and lines. */
interface Shape {
  readonly fill?: string;
  readonly line?: string;
}

const SPEAKER = 'M1.5 6v4h2.8L8 13.3V2.7L4.3 6z';

const SHAPES = {
  play: { fill: 'M4 2.3v11.4L13.5 8z' },
  pause: { fill: 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z' },
  sound: { fill: SPEAKER, line: 'M10 5.6a3.4 3.4 0 0 1 0 4.8M11.9 3.6a6.2 6.2 0 0 1 0 8.8' },
  muted: { fill: SPEAKER, line: 'M10.2 6l4 4M14.2 6l-4 4' },
  pictureInPicture: { fill: 'M8 8h5v4H8z', line: 'M1.5 2.5h13v11h-13z' },
  fullscreen: { line: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10' },
  smallScreen: { line: 'M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5' },
  more: {
    fill: 'M3 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM8 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM13 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z',
  },
  close: { line: 'M4 4l8 8M12 4l-8 8' },
} satisfies Readonly<Record<string, Shape>>;

export type Icon = keyof typeof SHAPES;

/** Creates an icon in the text's color. It has no name of its own: its button has. */
export function makeIcon(icon: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('playerIcon');
  const { fill, line }: Shape = SHAPES[icon];
  if (fill !== undefined) svg.append(makePath(fill, 'filled'));
  if (line !== undefined) svg.append(makePath(line, 'line'));
  return svg;
}

function makePath(data: string, className: string): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', data);
  path.classList.add(className);
  return path;
}
