import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { eventually } from '../host/eventually.ts';
import type { HostRow, Product } from '../host/product.ts';
import type { DemoStream } from '../support/demo/demoService.ts';
import type { Row } from '../support/page/treeView.ts';
import type { FaultyService } from './faultyService.ts';
import { rowsOnScreen } from './ownWindow.ts';
import { readSpoken, servedFacts } from './rowFacts.ts';

/** A change that was read back outweighs lists that know nothing of it for 30 s; a slow machine takes its time, too. */
const WITHIN_MS = 60_000;
const GROUPS = ['Active', 'Idle', 'Recording On'];
const SESSIONS_SHOWN = 10;

/** Fails unless the rows on screen come to be those of the service, in every group and below some streams. */
export async function assertAsServed(product: Product, service: FaultyService): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      await openAllGroups(product, service);
      const expected = expectedRows(service);
      assert.deepEqual(shownRows(await rowsOnScreen('Streams')), expected, service.name);
      return await assertSessions(product, service);
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(1000);
    }
  }
}

/**
 * Fails unless the live streams on screen come to be those of the service though nobody refreshes anything: by polls, and by what
 * commands read back. The groups of streams that are not live are listed only when somebody wants that.
 */
export async function assertFollowed(product: Product, service: FaultyService): Promise<void> {
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  await eventually(async () => {
    const active = (await product.rows()).find(({ label }) => label === 'Active');
    // Fails while all rows are redrawn.
    if (active !== undefined) await product.view.reveal(active.node, { expand: true, select: false });
  }, WITHIN_MS);
  await eventually(async () => {
    const { Active = [] } = shownRows(await rowsOnScreen('Streams'));
    assert.deepEqual(Active, expectedRows(service).Active, `${service.name}, by polls`);
  }, WITHIN_MS);
}

/** Loads every page of every group. */
async function openAllGroups(product: Product, service: FaultyService): Promise<void> {
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  await product.run('switchConnection', service.name);
  for (const command of ['showOneConnection', 'clearFilter', 'showAllSessions', 'refresh']) await product.run(command);
  await vscode.commands.executeCommand('workbench.actions.treeView.liveStreams.streams.collapseAll');
  for (const group of (await product.rows()).filter(({ label }) => GROUPS.includes(label))) {
    await product.view.reveal(group.node, { expand: true, select: false });
    for (let more = await moreOf(product, group); more !== undefined; more = await moreOf(product, group)) {
      await product.run('loadMore', more.node);
    }
  }
}

async function moreOf(product: Product, group: HostRow): Promise<HostRow | undefined> {
  return (await product.rows(group)).find(({ contextValue }) => contextValue.startsWith('more'));
}

/** Each group with its streams, sorted by their words: which came first is a matter of milliseconds. */
function expectedRows({ demo, face }: FaultyService): Readonly<Record<string, readonly string[]>> {
  const streams = demo.control.streams().filter(({ parentId }) => parentId === undefined);
  const words = (group: readonly DemoStream[]) => group.map((stream) => wordsOf(stream, face)).sort();
  // A suspended stream leaves Active at once, if the service says that it is suspended.
  const isOnAir = ({ isActive, suspended }: DemoStream) => isActive && (face === 'strict' || suspended !== true);
  return {
    Active: words(streams.filter(isOnAir)),
    Idle: words(streams.filter((stream) => !isOnAir(stream))),
    'Recording On': words(streams.filter(({ record }) => record)),
  };
}

function wordsOf(stream: DemoStream, face: string): string {
  const label = stream.name.trim() === '' ? stream.id : stream.name;
  return `${comparable(label)}: ${servedFacts(stream, face, Date.now())}`;
}

function shownRows(rows: readonly Row[]): Readonly<Record<string, readonly string[]>> {
  const groups: Record<string, string[]> = {};
  let group: string[] = [];
  for (const row of rows) {
    if (row.level === 1) groups[row.label] = group = [];
    else if (row.level === 2 && !/^No (live|idle) streams$|^No streams have/.test(row.label)) {
      const { name, facts } = readSpoken(row.ariaLabel);
      group.push(`${comparable(name)}: ${facts}`);
    }
  }
  for (const words of Object.values(groups)) words.sort();
  return groups;
}

/** Without the marks that keep another direction of writing to itself; rows cut what is long. */
function comparable(name: string): string {
  return name
    .replace(/[\u2066-\u2069]/g, '')
    .trim()
    .slice(0, 150);
}

async function assertSessions(product: Product, { demo }: FaultyService): Promise<void> {
  const idle = (await product.rows()).find(({ label }) => label === 'Idle');
  for (const row of (await product.rows(idle)).slice(0, 3)) {
    const { streamId } = row.node as { readonly streamId?: string };
    if (streamId === undefined) continue;
    await product.run('retry', row.node);
    const shown = (await product.rows(row)).map(({ node }) => (node as { readonly sessionId?: string }).sessionId);
    // The service keeps quiet about a session until something has arrived.
    const begun = demo.control.sessions(streamId).filter((session) => session.sourceSegmentsDuration > 0);
    const served = begun.filter(({ lastSeen }) => lastSeen > 0).slice(0, SESSIONS_SHOWN);
    for (const { id } of served) assert.ok(shown.includes(id), `session ${id} of ${row.label}: ${shown}`);
  }
}
