import { make } from '../makeElement.ts';
import type { ShownBar, ShownTimeline, ShownTrack } from './messages.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** The size of the drawing in units. It's stretched to the width of the page. */
const [WIDTH, HEIGHT] = [1000, 32];
/** Space between segments, in units. Narrower bars touch. */
const GAP = 1.5;
/** In units. An outline would fill narrower bars. */
const LEAST_OUTLINED = 8;
/** Words for more bars would make the page slow. */
const MOST_WORDS = 200;

/** Draws a bar per segment of each rendition, as wide and as high as the segment is long. Words say the same. */
export function makeTimelinePart({ heading, tracks, first, last, legend }: ShownTimeline): HTMLElement {
  const signs = legend.map(({ sign, label }) => make('span', 'key', makeSign(sign), label));
  const axis = make('div', 'axis', make('span', '', first), make('span', 'legend', ...signs), make('span', '', last));
  const rows = make('ul', 'tracks', ...tracks.map(makeTrack));
  return make('section', 'card timeline', make('h2', 'heading', heading), rows, axis);
}

function makeTrack({ name, words, bars, target }: ShownTrack): HTMLElement {
  const label = make('p', 'trackLabel', make('span', 'trackName', name), ' ', make('span', 'trackWords', words));
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'bars');
  picture.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  // Screen readers read the words beside it.
  picture.setAttribute('aria-hidden', 'true');
  picture.append(...drawBars(bars), ...drawTarget(target), ...drawBreaks(bars));
  return make('li', 'track', label, picture);
}

/** Draws one path for each state, and a separate bar for each that has words. */
function drawBars(bars: readonly ShownBar[]): readonly SVGElement[] {
  const pathByState = new Map<ShownBar['state'], string>();
  const own: SVGElement[] = [];
  for (const bar of bars) {
    if (bar.state === 'gap' && bar.width * WIDTH < LEAST_OUTLINED) continue;
    if (bar.words !== undefined && own.length < MOST_WORDS) own.push(drawShape(bar.state, pathOf(bar), bar.words));
    else pathByState.set(bar.state, `${pathByState.get(bar.state) ?? ''}${pathOf(bar)}`);
  }
  return [...[...pathByState].map(([state, path]) => drawShape(state, path)), ...own];
}

function pathOf({ start, width, height }: ShownBar): string {
  const [left, wide, high] = [start * WIDTH, width * WIDTH, Math.max(height * HEIGHT, 1)];
  const shown = wide > 3 * GAP ? wide - GAP : wide;
  return `M${round(left)} ${HEIGHT}v${round(-high)}h${round(shown)}V${HEIGHT}z`;
}

function drawTarget(target: number | undefined): readonly SVGElement[] {
  if (target === undefined) return [];
  const y = round(HEIGHT - target * HEIGHT);
  return [drawShape('target', `M0 ${y}H${WIDTH}`)];
}

function drawBreaks(bars: readonly ShownBar[]): readonly SVGElement[] {
  const path = bars
    .filter(({ isAfterDiscontinuity }) => isAfterDiscontinuity)
    .map(({ start }) => `M${round(start * WIDTH)} 0V${HEIGHT}`)
    .join('');
  return path === '' ? [] : [drawShape('discontinuity', path)];
}

function drawShape(sign: string, path: string, words?: string): SVGElement {
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('class', 'sign');
  shape.setAttribute('data-sign', sign);
  shape.setAttribute('d', path);
  if (words !== undefined) {
    const title = document.createElementNS(SVG, 'title');
    title.textContent = words;
    shape.append(title);
  }
  return shape;
}

/** Makes a small drawing for the legend. */
function makeSign(sign: ShownTimeline['legend'][number]['sign']): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'legendSign');
  picture.setAttribute('viewBox', '0 0 12 12');
  picture.setAttribute('aria-hidden', 'true');
  const path = sign === 'target' ? 'M0 6H12' : sign === 'discontinuity' ? 'M6 0V12' : 'M1.5 1.5h9v9h-9z';
  picture.append(drawShape(sign, path));
  return picture;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
