import { t } from '@vscode/l10n';
import uPlot from 'uplot';
import { formatDuration } from '../../util/format.ts';
import { make } from '../makeElement.ts';
import type { ShownBar, ShownSession, ShownSessions } from './messages.ts';
import { type Box, hatched, paintSession, readTheme, type Theme } from './theme.ts';

/** All sizes are in CSS pixels. */
const LEAST_WIDTH = 50;
const TIMELINE_HEIGHT = 260;
const COMPARISON_HEIGHT = 220;
const DAY_LABEL_WIDTH = 64;
const START_LABEL_WIDTH = 96;
/** Minimum height of a bar, and how close the pointer must be to hit it. */
const LEAST_HEIGHT = 4;
const NEAR = 3;

const HOURS = [0, 6, 12, 18, 24];
const MINUTE = 60;
const HOUR = 3600;
/** Of the axis of durations, in seconds. */
const STEPS = [
  ...[1, 5, 10, 30, MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[1, 2, 4, 6, 12, 24, 48, 120, 240, 480, 1200].map((hours) => hours * HOUR),
];

/** A plot of a stream's sessions. */
interface SessionsPlot extends Pick<PlotFrame, 'element' | 'redraw'> {
  show(shown: ShownSessions): void;
}

type Drawing = (theme: Theme, width: number) => { readonly options: uPlot.Options; readonly data: uPlot.AlignedData };

type PlotFrame = ReturnType<typeof createPlotFrame>;

/** The element of a plot, which is drawn again when its width changes, and its tooltip. */
function createPlotFrame() {
  const canvas = make('div', 'canvas');
  canvas.setAttribute('role', 'img');
  const tip = make('div', 'tip');
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  const element = make('div', 'plot', canvas, tip);
  let plot: uPlot | undefined;
  let drawing: Drawing | undefined;

  const redraw = (): void => {
    const width = Math.floor(canvas.clientWidth);
    if (drawing === undefined || width < LEAST_WIDTH) return;
    const { options, data } = drawing(readTheme(), width);
    plot?.destroy();
    plot = new uPlot(options, data, canvas);
  };
  new ResizeObserver(() => {
    const width = Math.floor(canvas.clientWidth);
    if (plot === undefined) redraw();
    else if (width >= LEAST_WIDTH && width !== plot.width) plot.setSize({ width, height: plot.height });
  }).observe(canvas);
  return {
    element,
    draw(next: Drawing): void {
      drawing = next;
      redraw();
    },
    redraw,
    setLabel: (label: string): void => canvas.setAttribute('aria-label', label),
    /** Shows lines of text at a point, in CSS pixels of the plotting area. Hides them if there are none. */
    showTip(lines: readonly string[], at = { left: 0, top: 0 }): void {
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

function axisOf(theme: Theme, axis: uPlot.Axis): uPlot.Axis {
  const line = { stroke: theme.line, width: 1 };
  const grid = { ...line, dash: [...theme.dash] };
  return { stroke: theme.quiet, font: theme.font, grid, ticks: { ...line, size: 4 }, gap: 4, ...axis };
}

/** Turns off uPlot's own legend, cursor and selection. */
const PLAIN = {
  legend: { show: false },
  cursor: { show: false },
  select: { show: false, left: 0, top: 0, width: 0, height: 0 },
} as const satisfies Partial<uPlot.Options>;

/** Returns the columns that have room for a label, always including the last. */
function labelledColumns(count: number, width: number, labelWidth: number): number[] {
  const step = Math.max(1, Math.ceil((count * labelWidth) / Math.max(1, width)));
  return Array.from({ length: count }, (_, column) => column).filter((column) => (count - 1 - column) % step === 0);
}

interface Bar {
  readonly box: Box;
  readonly session: ShownSession;
}

/** One column per day, with midnight at the top; one bar per session. */
export function createTimelinePlot(open: (sessionId: string) => void): SessionsPlot {
  const frame = createPlotFrame();
  let drawn: readonly Bar[] = [];

  function draw(plot: uPlot, theme: Theme, { bars, sessions }: ShownSessions): void {
    const ratio = devicePixelRatio;
    const made = bars.flatMap((bar) => {
      const session = sessions[bar.session];
      return session === undefined ? [] : [{ box: boxOf(plot, bar, ratio), session }];
    });
    const surface = { context: plot.ctx, theme, ratio };
    for (const { box, session } of made) paintSession(surface, box, session.look);
    drawn = made.map(({ box, session }) => ({ box: inCss(box, plot, ratio), session }));
  }

  function listen(plot: uPlot): void {
    const { over } = plot;
    over.addEventListener('mousemove', ({ offsetX, offsetY }) => {
      const found = at(drawn, offsetX, offsetY);
      over.style.cursor = found?.canOpen === true ? 'pointer' : '';
      frame.showTip(found === undefined ? [] : timelineTip(found), { left: offsetX, top: offsetY });
    });
    over.addEventListener('mouseleave', () => frame.showTip([]));
    over.addEventListener('click', ({ offsetX, offsetY }) => {
      const found = at(drawn, offsetX, offsetY);
      if (found?.canOpen === true) open(found.id);
    });
  }

  return {
    element: frame.element,
    redraw: frame.redraw,
    show(shown) {
      frame.setLabel(t('Timeline. {0}', shown.timeline));
      frame.draw((theme, width) => {
        const hooks = { draw: [(plot: uPlot) => draw(plot, theme, shown)], ready: [listen] };
        return {
          options: { ...timelineOptions(theme, shown), width, height: TIMELINE_HEIGHT, hooks },
          data: timelineData(shown),
        };
      });
    },
  };
}

function timelineOptions(theme: Theme, { days }: ShownSessions): Omit<uPlot.Options, 'width' | 'height'> {
  const last = days.length - 1;
  return {
    ...PLAIN,
    padding: [8, 20, 0, 0],
    scales: { x: { time: false, range: () => [-0.5, last + 0.5] }, y: { dir: -1, range: () => [0, 24] } },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      axisOf(theme, {
        size: 28,
        splits: (plot) => labelledColumns(days.length, plot.bbox.width / devicePixelRatio, DAY_LABEL_WIDTH),
        values: (_, splits) => splits.map((day) => days[day] ?? ''),
      }),
      axisOf(theme, {
        size: 48,
        splits: () => HOURS,
        values: (_, splits) => splits.map((hour) => `${String(hour).padStart(2, '0')}:00`),
      }),
    ],
  };
}

function timelineData({ days }: ShownSessions): uPlot.AlignedData {
  return [days.map((_, day) => day), days.map(() => null)];
}

function boxOf(plot: uPlot, { day, from, to }: ShownBar, ratio: number): Box {
  const column = plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true);
  const width = Math.max(2 * ratio, Math.round(column * 0.72));
  const top = plot.valToPos(from / HOUR, 'y', true);
  const height = Math.max(LEAST_HEIGHT * ratio, plot.valToPos(to / HOUR, 'y', true) - top);
  const lowest = plot.bbox.top + plot.bbox.height - height;
  return {
    left: Math.round(plot.valToPos(day, 'x', true) - width / 2),
    top: Math.round(Math.min(top, lowest)),
    width,
    height: Math.round(height),
  };
}

/** Converts to CSS pixels of the plotting area. */
function inCss({ left, top, width, height }: Box, { bbox }: uPlot, ratio: number): Box {
  return {
    left: (left - bbox.left) / ratio,
    top: (top - bbox.top) / ratio,
    width: width / ratio,
    height: height / ratio,
  };
}

function at(drawn: readonly Bar[], x: number, y: number): ShownSession | undefined {
  const isIn = ({ left, top, width, height }: Box, slack: number) =>
    x >= left - slack && x <= left + width + slack && y >= top - slack && y <= top + height + slack;
  const found = drawn.find(({ box }) => isIn(box, 0)) ?? drawn.find(({ box }) => isIn(box, NEAR));
  return found?.session;
}

function timelineTip({ start, duration, recording, canOpen }: ShownSession): readonly string[] {
  const lines = [start, duration, recording, canOpen ? t('Click to watch the recording') : ''];
  return lines.filter((line) => line !== '');
}

export function createComparisonPlot(): SessionsPlot {
  const frame = createPlotFrame();
  return {
    element: frame.element,
    redraw: frame.redraw,
    show(shown) {
      const compared = shown.compared.flatMap((place) => shown.sessions[place] ?? []);
      frame.setLabel(t('Source and transcoded duration. {0}', shown.comparison));
      const listen = ({ over, posToIdx }: uPlot): void => {
        over.addEventListener('mousemove', ({ offsetX, offsetY }) => {
          const session = compared[posToIdx(offsetX)];
          frame.showTip(session === undefined ? [] : comparisonTip(session), { left: offsetX, top: offsetY });
        });
        over.addEventListener('mouseleave', () => frame.showTip([]));
      };
      frame.draw((theme, width) => ({
        options: {
          ...comparisonOptions(theme, compared),
          width,
          height: COMPARISON_HEIGHT,
          hooks: { ready: [listen] },
        },
        data: [
          compared.map((_, place) => place),
          compared.map(({ source }) => source ?? null),
          compared.map(({ transcoded }) => transcoded ?? null),
        ],
      }));
    },
  };
}

function comparisonOptions(theme: Theme, compared: readonly ShownSession[]): Omit<uPlot.Options, 'width' | 'height'> {
  const last = Math.max(0, compared.length - 1);
  // Keeps the bars of a few sessions from filling the whole width.
  const room = Math.max(last + 0.5, 7.5);
  return {
    ...PLAIN,
    padding: [8, 20, 0, 0],
    scales: {
      x: { time: false, range: () => [-0.5, room] },
      y: { range: (_, _min, max) => [0, Math.max(1, max) * 1.05] },
    },
    series: [
      {},
      barsOf(-1, theme.source, theme.source),
      barsOf(1, theme.transcoded, (plot) => hatched(plot.ctx, theme.transcoded, devicePixelRatio)),
    ],
    axes: [
      axisOf(theme, {
        size: 28,
        grid: { show: false },
        splits: (plot) => {
          const width = (plot.bbox.width / devicePixelRatio) * ((last + 1) / (room + 0.5));
          return labelledColumns(compared.length, width, START_LABEL_WIDTH);
        },
        values: (_, splits) => splits.map((place) => compared[place]?.start ?? ''),
      }),
      axisOf(theme, {
        size: 76,
        incrs: STEPS,
        values: (_, splits) => splits.map((seconds) => formatDuration(seconds) ?? ''),
      }),
    ],
  };
}

function barsOf(align: -1 | 1, stroke: string, fill: uPlot.Series.Fill): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.36, 40], align, gap: 2 });
  return { stroke, fill, width: 1, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
}

function comparisonTip({ start, sourceText, transcodedText }: ShownSession): readonly string[] {
  const unknown = t('Unknown');
  return [start, t('Source: {0}', sourceText || unknown), t('Transcoded: {0}', transcodedText || unknown)];
}
