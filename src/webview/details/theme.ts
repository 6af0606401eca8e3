import type { SessionLook } from './messages.ts';

export interface Theme {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  /** Dashes of grid lines, on and off in CSS pixels; empty for solid lines. */
  readonly dash: readonly number[];
  readonly background: string;
  readonly font: string;
  readonly looks: Readonly<Record<SessionLook, string>>;
  readonly source: string;
  readonly transcoded: string;
}

/** Reads the theme from the page's style. Colors that the theme does not define get the text color. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.body);
  const read = (...names: readonly string[]): string => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== '') return value;
    }
    return style.color;
  };
  const isHighContrast = document.body.classList.contains('vscode-high-contrast');
  return {
    text: read('foreground'),
    quiet: isHighContrast ? read('foreground') : read('descriptionForeground', 'foreground'),
    line: isHighContrast ? read('contrastBorder') : read('widget-border', 'panel-border', 'editorWidget-border'),
    dash: isHighContrast ? [1, 5] : [],
    background: read('editor-background'),
    font: `11px ${style.fontFamily}`,
    looks: {
      running: read('liveStreams-liveForeground', 'charts-green'),
      ready: read('charts-blue'),
      processing: read('liveStreams-staleForeground', 'charts-yellow'),
      lost: read('liveStreams-recordingForeground', 'charts-red'),
      recorded: read('charts-blue'),
      notRecorded: isHighContrast ? read('foreground') : read('descriptionForeground', 'foreground'),
    },
    source: read('charts-blue'),
    transcoded: read('charts-purple', 'charts-orange'),
  };
}

/** VS Code writes the theme's colors into the style of the page, and its kind into the classes of the body. */
export function onThemeChange(run: () => void): void {
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      run();
    });
  };
  const observer = new MutationObserver(plan);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}

/** In device pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Fill = 'solid' | 'striped' | 'hatched' | 'crossed' | 'empty';

/** One fill each, because many users can't tell them apart by color alone. */
const FILLS: Readonly<Record<SessionLook, Fill>> = {
  running: 'striped',
  ready: 'solid',
  processing: 'hatched',
  lost: 'crossed',
  recorded: 'hatched',
  notRecorded: 'empty',
};

const TILE = 6;

type Point = readonly [x: number, y: number];

interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export function paintSession(surface: Surface, box: Box, look: SessionLook): void {
  const { context, theme, ratio } = surface;
  const color = theme.looks[look];
  context.save();
  context.setLineDash([]); // the axes may have set their own
  context.fillStyle = fillOf(surface, look);
  context.fillRect(box.left, box.top, box.width, box.height);
  context.strokeStyle = color;
  context.lineWidth = ratio;
  const inset = ratio / 2;
  context.strokeRect(box.left + inset, box.top + inset, box.width - ratio, Math.max(ratio, box.height - ratio));
  context.restore();
}

export function hatched(context: CanvasRenderingContext2D, color: string, ratio: number): CanvasPattern | string {
  return patternOf(context, ratio, (tile, size) => {
    tile.strokeStyle = color;
    tile.lineWidth = ratio * 1.5;
    line(tile, [-size, size], [size, -size]);
    line(tile, [0, size], [size, 0]);
    line(tile, [0, size * 2], [size * 2, 0]);
  });
}

function fillOf({ context, theme, ratio }: Surface, look: SessionLook): CanvasPattern | string {
  const color = theme.looks[look];
  switch (FILLS[look]) {
    case 'solid':
      return color;
    case 'empty':
      return theme.background;
    case 'hatched':
      return hatched(context, color, ratio);
    case 'striped':
      return patternOf(context, ratio, (tile, size) => {
        tile.fillStyle = color;
        tile.fillRect(0, 0, size * 0.7, size);
      });
    case 'crossed':
      return patternOf(context, ratio, (tile, size) => {
        tile.strokeStyle = color;
        tile.lineWidth = ratio;
        line(tile, [0, size], [size, 0]);
        line(tile, [0, 0], [size, size]);
      });
  }
}

function patternOf(
  context: CanvasRenderingContext2D,
  ratio: number,
  paint: (tile: CanvasRenderingContext2D, size: number) => void,
): CanvasPattern | string {
  const size = Math.round(TILE * ratio);
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const tile = canvas.getContext('2d');
  if (tile !== null) paint(tile, size);
  return context.createPattern(canvas, 'repeat') ?? '';
}

function line(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
