import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Product } from '../host/product.ts';
import { assertFollowed } from './asServed.ts';
import { recordInDemo } from './demoRound.ts';
import { assertEffect, beginCalm } from './effects.ts';
import type { FaultyService } from './faultyService.ts';
import type { PaintedViews } from './paintedViews.ts';
import { act, answerBox, COMMANDS, KINDS_OF_STEPS, KINDS_ON_ONE_CONNECTION, type Scene } from './person.ts';
import { planSteps, type Step, shuffle } from './plan.ts';
import { createChance } from './random.ts';
import { changeService } from './serviceLife.ts';
import type { Tally } from './tallies.ts';

interface Life {
  readonly product: Product;
  readonly services: readonly FaultyService[];
  readonly views: PaintedViews;
  readonly tallies: Readonly<Record<'actions' | 'changes' | 'effects', Tally>>;
  /** For downloads. */
  readonly folder: string;
  /** Grows by what nobody foresaw. */
  readonly unexpected: string[];
  /** Is told how many actions there were so far. */
  readonly noteHeap: (actions: number) => void;
}

const MOST_UNDER_WAY = 6;
/** A person in a hurry. */
const PACE_MS = 100;
/** After so many actions the person goes to another connection, whose rows are to be right without a refresh in the end. */
const STEPS_A_ROUND = 120;
const STEPS_ON_ONE_CONNECTION = 50;
const STEPS_A_SAMPLE = 40;
/** Buttons after which another connection may be open. */
const TO_ANOTHER_CONNECTION = /switch|connect|key|demo/i;
/** What a person began ends within it once nothing is wrong any more. */
const PATIENCE_MS = 30_000;

/** Each command once, one after the other while everything is well, each looked at for what came of it. */
export async function tryEachCommand(seed: number, life: Life): Promise<void> {
  const { product, services, tallies, folder, unexpected } = life;
  const [service] = services;
  if (service === undefined) return;
  const calm = await beginCalm({ product, service, newFile: () => join(folder, `calm ${tallies.effects.total}.mp4`) });
  for (const command of shuffle(seed, [...new Set(COMMANDS)])) {
    tallies.effects.count(command);
    await assertEffect(calm, command).catch((error: unknown) => unexpected.push(`${command} in the calm: ${error}`));
  }
  service.demo.control.deleteStream(calm.streamId);
}

/**
 * A person, three services and their faults, all at once. What is done, and what changes or fails meanwhile, is the same for a
 * seed; what comes of it depends on which is faster. In the end nothing is under way or wrong.
 */
export async function liveThrough(seed: number, actions: number, life: Life): Promise<void> {
  for (let from = 0, round = 0; from < actions; from += STEPS_A_ROUND, round++) {
    const count = Math.min(STEPS_A_ROUND, actions - from);
    const before = Math.max(0, count - STEPS_ON_ONE_CONNECTION);
    await runSteps(planSteps(seed + 2 * round, KINDS_OF_STEPS, before), life, false);
    await stayOnOneConnection(seed + 2 * round + 1, count - before, life);
    await visitDemo(life);
  }
}

async function visitDemo({ product, services, unexpected }: Life): Promise<void> {
  const [service] = services;
  if (service === undefined) return;
  await recordInDemo(product, service).catch((error: unknown) => unexpected.push(`in the demo: ${error}`));
}

/** Faults that stall are to end soon; on a busy machine an answer may take as long. */
export const HURRIED_SECONDS = 2;
const PATIENT_SECONDS = 20;

function setTimeoutOfRequests(seconds: number): Thenable<void> {
  const { Global } = vscode.ConfigurationTarget;
  return vscode.workspace.getConfiguration('liveStreams').update('network.timeout', seconds, Global);
}

/** After trouble that passes by itself, rows come to be right by themselves. */
async function stayOnOneConnection(seed: number, count: number, life: Life): Promise<void> {
  const { product, services, unexpected } = life;
  const service = createChance(seed).pick(services);
  if (service === undefined) return;
  for (const each of services) await each.recover();
  await product.run('switchConnection', service.name);
  await runSteps(planSteps(seed, KINDS_ON_ONE_CONNECTION, count), life, true);
  await product.run('clearFilter');
  // Who comes back does not wait for as long as polls wait that nobody sees.
  await vscode.commands.executeCommand('workbench.view.explorer');
  // A message's button that was pressed before the switch may have opened another connection since.
  if (!product.view.description?.includes(service.name)) await product.run('switchConnection', service.name);
  await setTimeoutOfRequests(PATIENT_SECONDS);
  await assertFollowed(product, service).catch((error: unknown) => {
    const { requests } = service.demo.control;
    const asked = requests.slice(-10).map(({ method, path, query, status }) => `${method} ${path}?${query} ${status}`);
    unexpected.push([error, product.view.description, ...asked, ...product.log.slice(-20)].join('\n'));
  });
  await setTimeoutOfRequests(HURRIED_SECONDS);
}

async function runSteps(steps: readonly Step[], life: Life, isPassing: boolean): Promise<void> {
  const { product, services } = life;
  const chanceOfMessages = createChance(steps.length);
  const underWay = new Set<Promise<unknown>>();
  product.window.choose = (actions) => {
    const offered = isPassing ? actions.filter((action) => !TO_ANOTHER_CONNECTION.test(action)) : actions;
    return chanceOfMessages.below(3) === 0 ? undefined : chanceOfMessages.pick(offered);
  };
  for (const step of steps) {
    await untilFewer(underWay, step);
    changeServices(step, life);
    if (step.otherFaults) await step.chance.pick(services)?.makeTrouble(step.chance, isPassing);
    begin(step, life, underWay);
    if (underWay.size > 0 && step.chance.below(3) === 0) await answerBox(step.chance);
    await wait(PACE_MS);
    if (life.tallies.actions.total % STEPS_A_SAMPLE === 0) takeSample(life);
  }
  for (const service of services) await service.recover();
  await finish(life, underWay);
}

/** Boxes are answered until fewer things are under way: a person has two hands. */
async function untilFewer(underWay: ReadonlySet<Promise<unknown>>, { chance }: Step): Promise<void> {
  // Another answer each time: one that the box does not take leaves it open.
  const answers = createChance(chance.seed);
  while (underWay.size >= MOST_UNDER_WAY) {
    await answerBox(answers);
    await Promise.race([...underWay, wait(350)]);
  }
}

function changeServices({ changes, chance }: Step, { services, tallies }: Life): void {
  for (let count = 0; count < changes; count++) {
    const service = chance.pick(services);
    if (service !== undefined) tallies.changes.count(changeService(service.demo.control, chance));
  }
}

function begin(step: Step, life: Life, underWay: Set<Promise<unknown>>): void {
  const { product, services, views, tallies, folder, unexpected } = life;
  const newFile = () => join(folder, `${tallies.actions.total}.mp4`);
  const scene: Scene = { product, services, views, chance: step.chance, newFile };
  const { what, mayFail, done } = act(scene, step.what);
  tallies.actions.count(what);
  const tracked: Promise<unknown> = done
    .catch((error: unknown) => {
      if (!mayFail) unexpected.push(`${what}: ${error}`);
    })
    .finally(() => underWay.delete(tracked));
  underWay.add(tracked);
}

/** What is kept for tests alone goes, or the heap would grow by it. */
function takeSample({ product, unexpected, noteHeap, tallies }: Life): void {
  for (const line of product.log.splice(0)) {
    if (line.startsWith('error: ')) unexpected.push(line);
  }
  const { said, questions, details, heard, flashes, opened } = product.window;
  for (const kept of [said, questions, details, heard, flashes, opened]) kept.length = 0;
  noteHeap(tallies.actions.total);
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
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Ends what the person may have left. */
export async function endLife(life: Life): Promise<void> {
  await life.product.run('stopDemo');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  takeSample(life);
}
