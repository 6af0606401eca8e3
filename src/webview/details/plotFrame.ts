import uPlot from 'uplot';
import { make } from '../makeElement.ts';
import { readTheme, type Theme } from './theme.ts';

export interface PlotFrame {
  readonly element: HTMLElement;
  draw(
    make: (theme: Theme, width: number) => { readonly options: uPlot.Options; readonly data: uPlot.AlignedData },
  ): void;
  redraw(): void;
  setLabel(label: string): void;
  /** Shows lines of text at a point, in CSS pixels of the plotting area. Hides them if there are none. */
  tip(lines: readonly string[], at?: { readonly left: number; readonly top: number }): void;
}

type Make = Parameters<PlotFrame['draw']>[0];

export function createPlotFrame(): PlotFrame {
  const canvas = make('div', 'canvas');
  canvas.setAttribute('role', 'img');
  const tip = make('div', 'tip');
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  const element = make('div', 'plot', canvas, tip);
  let plot: uPlot | undefined;
  let drawn: Make | undefined;

  const redraw = (): void => {
    const width = Math.floor(canvas.clientWidth);
    if (drawn === undefined || width < 50) return;
    const { options, data } = drawn(readTheme(), width);
    plot?.destroy();
    plot = new uPlot(options, data, canvas);
  };
  new ResizeObserver(() => {
    const width = Math.floor(canvas.clientWidth);
    if (plot === undefined) redraw();
    else if (width >= 50 && width !== plot.width) plot.setSize({ width, height: plot.height });
  }).observe(canvas);
  return {
    element,
    draw(next) {
      drawn = next;
      redraw();
    },
    redraw,
    setLabel: (label) => canvas.setAttribute('aria-label', label),
    tip(lines, at = { left: 0, top: 0 }) {
      tip.hidden = lines.length === 0;
      if (tip.hidden || plot === undefined) return;
      tip.replaceChildren(...lines.map((text) => make('div', '', text)));
      const area = plot.over.getBoundingClientRect();
      const outer = element.getBoundingClientRect();
      const left = area.left - outer.left + at.left;
      const isRight = left > outer.width / 2;
      tip.style.left = isRight ? '' : `${left + 12}px`;
      tip.style.right = isRight ? `${outer.width - left + 12}px` : '';
      tip.style.top = `${Math.max(0, area.top - outer.top + at.top - 10)}px`;
    },
  };
}

export function axisOf(theme: Theme, axis: uPlot.Axis): uPlot.Axis {
  const line = { stroke: theme.line, width: 1 };
  const grid = { ...line, dash: [...theme.dash] };
  return { stroke: theme.quiet, font: theme.font, grid, ticks: { ...line, size: 4 }, gap: 4, ...axis };
}

/** Turns off uPlot's own legend, cursor and selection. */
export const PLAIN = {
  legend: { show: false },
  cursor: { show: false },
  select: { show: false, left: 0, top: 0, width: 0, height: 0 },
} as const satisfies Partial<uPlot.Options>;
