import { packageForTests } from '../support/vscode/vsix.ts';
import { type BenchWorkbench, watchPaint, withBenchWorkbench } from './benchWorkbench.ts';
import { alternate, type Bench, figureOf, formatFigure, formatNumber } from './measure.ts';
import { change as changeStreams, FROM, LIVE, nameOf, settings, showIdleRows, takeSeen } from './shownRows.ts';

const IDLE = 10_000;
const ROUNDS = 9;
const AIM_MS = 60;
/** Beside the rows of the group in which the stream appears. */
const OTHER_ROWS = 4;

interface Change {
  /** From the answer, or the event, to the paint. */
  readonly ms: number;
  /** TreeItems that VS Code asked for. */
  readonly items: number;
  /** Rows of Active after it. */
  readonly active: number;
}

/** One of 10,000 shown idle streams goes live. */
export const change: Bench = {
  name: 'change',
  async run() {
    await packageForTests();
    return withBenchWorkbench(settings, async (bench) => {
      await showIdleRows(bench, IDLE);
      await showReference(bench);
      let live = 0;
      let fired = 0;
      const { ours, root } = await alternate(ROUNDS, {
        ours: () => {
          live += 1;
          return goLive(bench, live);
        },
        root: () => {
          fired += 1;
          return fireRoot(bench, fired);
        },
      });
      const ms = (all: readonly Change[]) => figureOf(all.map((each) => each.ms));
      const items = (all: readonly Change[]) => figureOf(all.map((each) => each.items));
      const areFew = ours.every((each) => each.items <= each.active + OTHER_ROWS);
      const describe = (all: readonly Change[]) =>
        `${formatFigure(ms(all), 'ms')}; ${formatFigure(items(all), 'TreeItems')} asked for`;
      return [
        {
          figure: `a change: one of ${formatNumber(IDLE)} shown idle streams goes live, from the response until it is shown`,
          measured: `${describe(ours)}, with ${LIVE} and more live`,
          reference: `a plain tree with the same number of rows that refreshes its root: ${describe(root)}`,
          aim: `${AIM_MS} ms; the rows of Active and ${OTHER_ROWS} more`,
          isMet: areFew && ms(ours).median <= AIM_MS,
        },
      ];
    });
  },
};

async function showReference({ page, driver }: BenchWorkbench): Promise<void> {
  await driver.call('fillReferenceTree', LIVE, IDLE);
  const { painted } = await watchPaint(page, { view: 'Reference', label: 'Reference live' });
  await driver.call('run', 'setContext', 'liveStreamsBench.showsRows', true);
  await painted;
}

async function goLive(bench: BenchWorkbench, count: number): Promise<Change> {
  const { page, driver } = bench;
  await driver.call('untilIdle');
  await driver.call('readTreeItemCount');
  await takeSeen(bench);
  const index = FROM - count;
  const { painted } = await watchPaint(page, { label: nameOf(index) });
  await changeStreams(bench, [[index, true]]);
  const paintedAt = await painted;
  await driver.call('untilIdle');
  // What has not changed is answered 304.
  const answer = (await takeSeen(bench)).find(({ status }) => status === 200);
  if (answer === undefined) throw new Error('The stream was painted, and nobody had asked for it');
  return { ms: paintedAt - answer.answeredAt, items: await driver.call('readTreeItemCount'), active: LIVE + count };
}

async function fireRoot({ page, driver }: BenchWorkbench, count: number): Promise<Change> {
  await driver.call('untilIdle');
  await driver.call('readReferenceCount');
  const label = `Reference new ${count}`;
  const { painted } = await watchPaint(page, { view: 'Reference', label });
  const firedAt = await driver.call('fireReferenceTree', label);
  const ms = (await painted) - firedAt;
  await driver.call('untilIdle');
  return { ms, items: await driver.call('readReferenceCount'), active: LIVE };
}
