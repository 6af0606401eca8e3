import type { SessionLook } from './messages.ts';
import type { Theme } from './theme.ts';

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

export interface Surface {
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
