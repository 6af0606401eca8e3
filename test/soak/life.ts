import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Product } from '../host/product.ts';
import type { FaultyService } from './faultyService.ts';
import type { PaintedViews } from './paintedViews.ts';
import { act, answerBox, type Scene } from './person.ts';
import type { Chance, Chances } from './random.ts';
import { changeService } from './serviceLife.ts';
import type { Tally } from './tallies.ts';

export interface Life {
  readonly product: Product;
  readonly services: readonly FaultyService[];
  readonly views: PaintedViews;
  readonly chances: Chances;
  readonly tallies: Readonly<Record<'actions' | 'changes', Tally>>;
  /** For downloads. */
  readonly folder: string;
  /** Grows by what nobody foresaw. */
  readonly unexpected: string[];
  readonly noteHeap: () => void;
}

const MOST_UNDER_WAY = 6;
const SAMPLES = 60;
/** What a person began ends within it once nothing is wrong any more. */
const PATIENCE_MS = 30_000;

/** A person, three services and their faults, all at once and each at its own pace. In the end nothing is under way or wrong. */
export async function liveFor(ms: number, life: Life): Promise<void> {
  const { product, services, chances, tallies } = life;
  const end = Date.now() + ms;
  const underWay = new Set<Promise<unknown>>();
  product.window.choose = (actions) => (chances.messages.below(3) === 0 ? undefined : chances.messages.pick(actions));
  const every = async (pause: (chance: Chance) => number, chance: Chance, run: () => unknown): Promise<void> => {
    while (Date.now() < end) {
      await run();
      await wait(pause(chance));
    }
  };
  await Promise.all([
    every(
      () => 120,
      chances.person,
      () => actOnce(life, underWay),
    ),
    every(
      () => 350,
      chances.boxes,
      () => (underWay.size > 0 ? answerBox(chances.boxes) : undefined),
    ),
    every(
      (chance) => chance.below(500),
      chances.changes,
      () => {
        const service = chances.changes.pick(services);
        if (service !== undefined) tallies.changes.count(changeService(service.demo.control, chances.changes));
      },
    ),
    every(
      (chance) => chance.below(4000),
      chances.faults,
      () => chances.faults.pick(services)?.makeTrouble(chances.faults),
    ),
    every(
      () => Math.max(2000, ms / SAMPLES),
      chances.person,
      () => takeSample(life),
    ),
  ]);
  for (const service of services) await service.recover();
  await finish(life, underWay);
}

async function actOnce(life: Life, underWay: Set<Promise<unknown>>): Promise<void> {
  const { product, services, views, chances, tallies, folder, unexpected } = life;
  if (underWay.size >= MOST_UNDER_WAY) await Promise.race([...underWay, wait(2000)]);
  if (underWay.size >= MOST_UNDER_WAY) return;
  const newFile = () => join(folder, `${tallies.actions.total}.mp4`);
  const scene: Scene = { product, services, views, chance: chances.person, newFile };
  const { what, mayFail, done } = act(scene);
  tallies.actions.count(what);
  const tracked: Promise<unknown> = done
    .catch((error: unknown) => {
      if (!mayFail) unexpected.push(`${what}: ${error}`);
    })
    .finally(() => underWay.delete(tracked));
  underWay.add(tracked);
}

/** What is kept for tests alone goes, or the heap would grow by it. */
function takeSample({ product, unexpected, noteHeap }: Life): void {
  for (const line of product.log.splice(0)) {
    if (line.startsWith('error: ')) unexpected.push(line);
  }
  const { said, questions, flashes, opened } = product.window;
  for (const kept of [said, questions, flashes, opened]) kept.length = 0;
  noteHeap();
}

/** Boxes are dismissed until everything has come to its end. */
async function finish(life: Life, underWay: ReadonlySet<Promise<unknown>>): Promise<void> {
  const { product, unexpected } = life;
  product.window.choose = () => undefined;
  const end = Date.now() + PATIENCE_MS;
  while (underWay.size > 0 && Date.now() < end) {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await Promise.race([...underWay, wait(500)]);
  }
  if (underWay.size > 0) unexpected.push(`${underWay.size} things that the person did came to no end`);
  await product.run('stopDemo');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  takeSample(life);
}
