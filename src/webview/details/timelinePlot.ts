import { t } from '@vscode/l10n';
import type uPlot from 'uplot';
import { type Box, paintSession } from './fills.ts';
import type { ShownBar, ShownSession, ShownSessions } from './messages.ts';
import { axisOf, createPlotFrame, PLAIN, type PlotFrame } from './plotFrame.ts';
import type { Theme } from './theme.ts';

const HEIGHT = 260;
const HOURS = [0, 6, 12, 18, 24];
const SECONDS_AN_HOUR = 3600;
/** Minimum height of a bar, and how close the pointer must be to hit it. In CSS pixels. */
const LEAST_HEIGHT = 4;
const NEAR = 3;
const LABEL_WIDTH = 64;

interface Drawn {
  readonly box: Box;
  readonly session: ShownSession;
}

export interface TimelinePlot extends Pick<PlotFrame, 'element' | 'redraw'> {
  show(shown: ShownSessions): void;
}

/** One column per day, with midnight at the top; one bar per session. */
export function createTimelinePlot(open: (sessionId: string) => void): TimelinePlot {
  const frame = createPlotFrame();
  let drawn: readonly Drawn[] = [];

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
      frame.tip(found === undefined ? [] : tipOf(found), { left: offsetX, top: offsetY });
    });
    over.addEventListener('mouseleave', () => frame.tip([]));
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
        return { options: { ...optionsOf(theme, shown), width, height: HEIGHT, hooks }, data: dataOf(shown) };
      });
    },
  };
}

function optionsOf(theme: Theme, { days }: ShownSessions): Omit<uPlot.Options, 'width' | 'height'> {
  const last = days.length - 1;
  return {
    ...PLAIN,
    padding: [8, 20, 0, 0],
    scales: { x: { time: false, range: () => [-0.5, last + 0.5] }, y: { dir: -1, range: () => [0, 24] } },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      axisOf(theme, {
        size: 28,
        splits: (plot) => labelled(days.length, plot.bbox.width / devicePixelRatio),
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

function dataOf({ days }: ShownSessions): uPlot.AlignedData {
  return [days.map((_, day) => day), days.map(() => null)];
}

function labelled(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * LABEL_WIDTH) / Math.max(1, width)));
  return Array.from({ length: count }, (_, day) => day).filter((day) => (count - 1 - day) % step === 0);
}

function boxOf(plot: uPlot, { day, from, to }: ShownBar, ratio: number): Box {
  const column = plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true);
  const width = Math.max(2 * ratio, Math.round(column * 0.72));
  const top = plot.valToPos(from / SECONDS_AN_HOUR, 'y', true);
  const height = Math.max(LEAST_HEIGHT * ratio, plot.valToPos(to / SECONDS_AN_HOUR, 'y', true) - top);
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

function at(drawn: readonly Drawn[], x: number, y: number): ShownSession | undefined {
  const isIn = ({ left, top, width, height }: Box, slack: number) =>
    x >= left - slack && x <= left + width + slack && y >= top - slack && y <= top + height + slack;
  const found = drawn.find(({ box }) => isIn(box, 0)) ?? drawn.find(({ box }) => isIn(box, NEAR));
  return found?.session;
}

function tipOf({ start, duration, recording, canOpen }: ShownSession): readonly string[] {
  const lines = [start, duration, recording, canOpen ? t('Click to open the recording') : ''];
  return lines.filter((line) => line !== '');
}
