import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, onDispose } from '../../src/util/disposable.ts';
import { usedHeap } from '../bench/collectGarbage.ts';
import { eventually } from '../host/eventually.ts';
import { type Product, theContext, withProduct } from '../host/product.ts';
import { assertAsServed } from './asServed.ts';
import { type FaultyService, startFaultyServices } from './faultyService.ts';
import { growthOfEach, type HeapSample, KB, settled } from './heap.ts';
import { watchHoldings } from './holdingsWatch.ts';
import { leftSince } from './leftBehind.ts';
import { endLife, HURRIED_SECONDS, liveThrough, tryEachCommand } from './life.ts';
import { watchPaintedViews } from './paintedViews.ts';
import { commandsLeftOut } from './person.ts';
import { heapOverPolls } from './polls.ts';
import { reportOf } from './report.ts';
import { createTally } from './tallies.ts';
import { assertAnswersWithoutSecrets } from './toolAnswers.ts';

const ACTIONS = Number(process.env.SOAK_ACTIONS);
const SEED = Number(process.env.SOAK_SEED);
/** VS Code itself keeps some 220 bytes of each row that it is given again (test/bench/hour.ts). */
const MOST_GROWTH_A_POLL = 40 * KB;
/** Caches fill for some minutes: in a short run they would be most of it. */
const MOST_GROWTH_AN_ACTION = 4 * KB;
const ACTIONS_THAT_TELL = 2000;
/** Of the heap over polls; where little else is done, fewer. */
const POLL_SAMPLES = ACTIONS >= ACTIONS_THAT_TELL ? 7 : 4;

/** What nobody handled; VS Code cancels things of its own all the time. */
function watchRejections(): { readonly seen: readonly string[]; dispose(): void } {
  const seen: string[] = [];
  const note = (reason: unknown) => {
    if (!(reason instanceof Error && reason.name === 'Canceled')) seen.push(textOf(reason));
  };
  process.on('unhandledRejection', note);
  return { seen, dispose: () => void process.off('unhandledRejection', note) };
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}

/** Connections that are kept, and what waits for them, end a little later. */
async function leftInTheEnd(left: () => readonly string[]): Promise<readonly string[]> {
  await eventually(() => assert.deepEqual(left(), []), 15_000).catch(() => undefined);
  return left();
}

/** One of its own: other suites run at the same time. */
function useTemporaryFolder(path: string): Disposable {
  mkdirSync(path);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path;
  return onDispose(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
}

async function storageFolder(): Promise<string> {
  return (await theContext()).globalStorageUri.fsPath;
}

/** The person's settings: looks as often as they can be, and requests that are short of patience. */
function settingsFor(services: readonly FaultyService[]): Readonly<Record<string, unknown>> {
  return {
    addresses: Object.fromEntries(services.map(({ baseUrl, demo }) => [new URL(baseUrl).origin, demo.addresses])),
    ...{ refreshInterval: 5, pageSize: 20, 'network.timeout': HURRIED_SECONDS, showHistoricChildStreams: false },
    notifications: ['streamStarted', 'streamEnded', 'recordingReady'],
  };
}

/** The person may have turned them on last. */
function leaveOutHistoricChildStreams(): Thenable<void> {
  const { Global } = vscode.ConfigurationTarget;
  return vscode.workspace.getConfiguration('liveStreams').update('showHistoricChildStreams', false, Global);
}

async function connectAll(product: Product, services: readonly FaultyService[]): Promise<void> {
  for (const { name, baseUrl, demo } of services) {
    await product.run('addConnection', { name, baseUrl, apiKey: demo.apiKey });
  }
  assert.equal((await product.secretKeys()).length, services.length, product.window.readable());
}

function assertAllCommands({ context }: Product): void {
  const { commands }: { commands: readonly { readonly command: string }[] } = context.extension.packageJSON.contributes;
  const ids = commands.map(({ command }) => command.replace('liveStreams.', ''));
  assert.deepEqual(commandsLeftOut(ids), [], 'a command that the person of this soak never runs');
}

function assertFlat(samples: readonly HeapSample[], most: number, each: string): void {
  const growth = growthOfEach(samples);
  const seen = samples.map(({ count, bytes }) => `${count}: ${Math.round(bytes / KB)}`).join(', ');
  assert.ok(growth < most, `The heap grows ${Math.round(growth / KB)} kB for each ${each}; kB after so many: ${seen}`);
}

describe('A soak', function () {
  this.timeout((ACTIONS + 600) * 1000);

  it('ends with the rows that the services have, nothing unforeseen, a flat heap, and nothing left behind', async () => {
    const began = Date.now();
    const tallies = { effects: createTally(), actions: createTally(), changes: createTally(), faults: createTally() };
    const folder = mkdtempSync(join(tmpdir(), 'soak-'));
    const temporary = useTemporaryFolder(join(folder, 'tmp'));
    const rejections = watchRejections();
    const heaps: HeapSample[] = [];
    const polls: HeapSample[] = [];
    let isWhole = false;
    const unexpected: string[] = [];
    const holdings = watchHoldings(await storageFolder());
    // To and fro once: what is loaded on first use is there before anything is counted.
    await withProduct({}, async ({ run }) => void (await run('refresh')))();
    const before = holdings.now;
    assert.ok((before.listeners.get('onDidChangeConfiguration') ?? 0) > 0, 'nobody counts listeners');
    const services = await startFaultyServices(SEED, tallies.faults);
    const options = { isConnected: false, demo: { streamCount: 1 }, settings: settingsFor(services) };
    const live = withProduct(options, async (product) => {
      assertAllCommands(product);
      const views = watchPaintedViews();
      try {
        await product.restart();
        await connectAll(product, services);
        const noteHeap = (count: number) => void heaps.push({ count, bytes: usedHeap() });
        const life = { product, services, views, tallies, folder, unexpected, noteHeap };
        await tryEachCommand(SEED, life);
        await liveThrough(SEED, ACTIONS, life);
        await endLife(life);
        await leaveOutHistoricChildStreams();
        for (const service of services) await assertAsServed(product, service);
        await assertAnswersWithoutSecrets(product, services);
        polls.push(...(await heapOverPolls(product, services[0] ?? assert.fail('no service'), POLL_SAMPLES)));
        isWhole = true;
      } finally {
        views.dispose();
        unexpected.push(...views.mistakes);
      }
    });
    try {
      await live();
      for (const service of services) await eventually(() => assert.equal(service.connections, 0, 'sockets'), 15_000);
    } finally {
      rejections.dispose();
      unexpected.push(...rejections.seen);
      const requests = services.reduce((sum, service) => sum + service.requests, 0);
      for (const service of services) await service.close();
      unexpected.push(...(await leftInTheEnd(() => leftSince(before, holdings.now))));
      holdings.dispose();
      temporary.dispose();
      rmSync(folder, { recursive: true, force: true });
      const seconds = Math.round((Date.now() - began) / 1000);
      const { length: errors } = unexpected;
      const report = reportOf({ seconds, seed: SEED, requests, heaps, polls, errors, isWhole, ...tallies });
      writeFileSync(process.env.SOAK_TABLE ?? '', report);
      if (!isWhole) console.error(unexpected.join('\n'));
    }
    assert.deepEqual(unexpected, []);
    assertFlat(polls, MOST_GROWTH_A_POLL, 'poll');
    if (ACTIONS >= ACTIONS_THAT_TELL) assertFlat(settled(heaps), MOST_GROWTH_AN_ACTION, 'action');
  });
});
