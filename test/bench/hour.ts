import { packageForTests } from '../support/vscode/vsix.ts';
import { type BenchWorkbench, withBenchWorkbench } from './benchWorkbench.ts';
import { type Bench, figureOf, formatFigure, formatNumber } from './measure.ts';
import { change, FROM, LIVE, LOOK_EVERY, settings, showIdleRows, takeSeen } from './shownRows.ts';

const IDLE = 5_000;
/** One every 15 s. */
const LOOKS = 240;
const LOOKS_A_SAMPLE = 30;
/** Streams that go live or end between two looks. */
const CHANGES = 5;
/** What grows beyond what VS Code keeps of each row that it is given again, whoever's row it is. */
const AIM_MB = 2;
const MB = 1e6;
/** After what VS Code and the product still have to grow to when rows move for the first time. */
const WARM_UP_LOOKS = 10;
const ROOTS = 20;

/** An hour in which somebody looks at the view and five streams of those on screen change between two looks. */
export const hour: Bench = {
  name: 'hour',
  async run(report) {
    await packageForTests();
    return withBenchWorkbench(settings, async (bench) => {
      await showIdleRows(bench, IDLE);
      const course = createCourse();
      await follow(bench, course, WARM_UP_LOOKS);
      const start = await usedHeap(bench);
      const samples: Sample[] = [];
      for (let looks = 0; looks < LOOKS; looks += LOOKS_A_SAMPLE) {
        samples.push(await follow(bench, course, LOOKS_A_SAMPLE));
        report(`${looks + LOOKS_A_SAMPLE} looks, ${formatNumber(((await usedHeap(bench)) - start) / MB)} MB more`);
      }
      const grown = ((await usedHeap(bench)) - start) / MB;
      const bytesOfItem = await keptOfItem(bench);
      const a = (part: keyof Sample) => figureOf(samples.map((sample) => sample[part] / LOOKS_A_SAMPLE));
      const items = samples.reduce((sum, sample) => sum + sample.items, 0);
      const byEditor = (items * bytesOfItem) / MB;
      return [
        {
          figure: `an hour of polls: ${LOOKS} looks, ${CHANGES} changes between two, ${formatNumber(IDLE)} shown idle rows`,
          measured: `heap ${formatNumber(grown)} MB over the start, ${formatNumber(grown - byEditor)} MB of it not VS Code's; a look: ${formatFigure(a('requests'), 'requests')}, ${formatFigure(a('items'), 'TreeItems')} asked for`,
          reference: `VS Code keeps ${formatNumber(bytesOfItem)} bytes of each TreeItem of a plain tree that it asks for again: ${formatNumber(byEditor)} MB for as many; firing the root of as many rows each time would keep ${formatNumber((bytesOfItem * (LIVE + IDLE) * LOOKS) / MB)} MB`,
          aim: `at most ${AIM_MB} MB beside VS Code's own`,
          isMet: grown - byEditor <= AIM_MB,
        },
      ];
    });
  },
};

interface Sample {
  readonly requests: number;
  readonly items: number;
}

/** Which streams change next: of the shown idle ones, each goes live and ends again some looks later. */
function createCourse(): () => readonly (readonly [index: number, isActive: boolean])[] {
  const live: number[] = [];
  let next = 0;
  return () => {
    const ending = live.splice(0, live.length >= LIVE ? 3 : live.length > CHANGES ? 2 : 0);
    const starting = Array.from({ length: CHANGES - ending.length }, (_, index) => (next + index) % FROM);
    next += starting.length;
    live.push(...starting);
    return [...ending.map((index) => [index, false] as const), ...starting.map((index) => [index, true] as const)];
  };
}

/** Lets so many looks pass, each after a change. */
async function follow(bench: BenchWorkbench, course: ReturnType<typeof createCourse>, looks: number): Promise<Sample> {
  await bench.driver.call('readTreeItemCount');
  await takeSeen(bench);
  let requests = 0;
  for (let count = 0; count < looks; count++) {
    await change(bench, course());
    requests += await requestsOfLook(bench);
  }
  return { requests, items: await bench.driver.call('readTreeItemCount') };
}

/** The look that saw the change, with the streams it looked up. */
async function requestsOfLook(bench: BenchWorkbench): Promise<number> {
  const end = Date.now() + 30_000;
  let seen = 0;
  let hasLooked = false;
  while (!hasLooked) {
    if (Date.now() > end) throw new Error('Nobody has looked for 30 s');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY / 10));
    const requests = (await takeSeen(bench)).filter(({ status }) => status !== 304);
    seen += requests.length;
    hasLooked = requests.some(({ path }) => path.startsWith('/stream?'));
  }
  return seen;
}

async function usedHeap({ driver }: BenchWorkbench): Promise<number> {
  await driver.call('untilIdle');
  return driver.call('usedHeap');
}

/**
 * Bytes that stay in the extension host of each TreeItem that is asked for again, by a plain tree beside the product's that does
 * nothing but fire its root: no poll, nothing of the product.
 */
async function keptOfItem(bench: BenchWorkbench): Promise<number> {
  const { driver, page } = bench;
  await driver.call('fillReferenceTree', LIVE, IDLE);
  await driver.call('run', 'setContext', 'liveStreamsBench.showsRows', true);
  await page.getByRole('tree', { name: 'Reference', exact: true }).getByRole('treeitem').nth(1).waitFor();
  await driver.call('readReferenceCount');
  const start = await usedHeap(bench);
  for (let count = 0; count < ROOTS; count++) {
    await driver.call('fireReferenceTree', `Reference new ${count}`);
    await driver.call('untilIdle');
  }
  return ((await usedHeap(bench)) - start) / (await driver.call('readReferenceCount'));
}
