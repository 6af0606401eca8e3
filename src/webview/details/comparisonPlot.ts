import { t } from '@vscode/l10n';
import uPlot from 'uplot';
import { formatDuration } from '../../util/format.ts';
import { hatched } from './fills.ts';
import type { ShownSession, ShownSessions } from './messages.ts';
import { axisOf, createPlotFrame, PLAIN, type PlotFrame } from './plotFrame.ts';
import type { Theme } from './theme.ts';

const HEIGHT = 220;
const LABEL_WIDTH = 96;
const MINUTE = 60;
const HOUR = 3600;
/** In seconds. */
const STEPS = [
  ...[1, 5, 10, 30, MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[1, 2, 4, 6, 12, 24, 48, 120, 240, 480, 1200].map((hours) => hours * HOUR),
];

export interface ComparisonPlot extends Pick<PlotFrame, 'element' | 'redraw'> {
  show(shown: ShownSessions): void;
}

export function createComparisonPlot(): ComparisonPlot {
  const frame = createPlotFrame();
  return {
    element: frame.element,
    redraw: frame.redraw,
    show(shown) {
      const compared = shown.compared.flatMap((place) => shown.sessions[place] ?? []);
      frame.setLabel(t('Source and transcoded duration by session. {0}', shown.comparison));
      const listen = ({ over, posToIdx }: uPlot): void => {
        over.addEventListener('mousemove', ({ offsetX, offsetY }) => {
          const session = compared[posToIdx(offsetX)];
          frame.tip(session === undefined ? [] : tipOf(session), { left: offsetX, top: offsetY });
        });
        over.addEventListener('mouseleave', () => frame.tip([]));
      };
      frame.draw((theme, width) => ({
        options: { ...optionsOf(theme, compared), width, height: HEIGHT, hooks: { ready: [listen] } },
        data: [
          compared.map((_, place) => place),
          compared.map(({ source }) => source ?? null),
          compared.map(({ transcoded }) => transcoded ?? null),
        ],
      }));
    },
  };
}

function optionsOf(theme: Theme, compared: readonly ShownSession[]): Omit<uPlot.Options, 'width' | 'height'> {
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
        splits: (plot) => labelled(compared.length, (plot.bbox.width / devicePixelRatio) * ((last + 1) / (room + 0.5))),
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

/** Returns the sessions that have room for a label, always including the newest. */
function labelled(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * LABEL_WIDTH) / Math.max(1, width)));
  return Array.from({ length: count }, (_, place) => place).filter((place) => (count - 1 - place) % step === 0);
}

function tipOf({ start, sourceText, transcodedText }: ShownSession): readonly string[] {
  const unknown = t('not known');
  return [start, t('Source: {0}', sourceText || unknown), t('Transcoded: {0}', transcodedText || unknown)];
}
