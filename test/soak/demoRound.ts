import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../host/eventually.ts';
import { type Product, untilDescribed } from '../host/product.ts';
import type { FaultyService } from './faultyService.ts';

const WITHIN_MS = 30_000;
const NAME = 'Recorded in the demo';

/**
 * Starts the demo, records a test broadcast in it, switches to a service and back, and stops the demo while it still records.
 * Fails unless nothing is left of the recording.
 */
export async function recordInDemo(product: Product, { name }: FaultyService): Promise<void> {
  const folder = join(product.context.globalStorageUri.fsPath, 'demo');
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  product.window.choose = ([first]) => first;
  try {
    await product.run('startDemo');
    await untilDescribed(product, /^Demo/);
    await product.run('createStream', { name: NAME, record: true });
    await product.run('startTestBroadcast', { id: await idOfStream(product), source: 'pattern', seconds: 600 });
    await eventually(() => assert.ok(sizeOf(folder) > 10_000, 'nothing is recorded'), WITHIN_MS);
    await product.run('switchConnection', name);
    await product.run('startDemo');
    await product.run('stopDemo');
    await eventually(() => assert.deepEqual(readdirSync(folder), []), WITHIN_MS);
  } finally {
    product.window.choose = () => undefined;
  }
}

function idOfStream(product: Product): Promise<unknown> {
  return eventually(async () => {
    const groups = (await product.rows()).filter(({ contextValue }) => contextValue.startsWith('group'));
    const rows = (await Promise.all(groups.map((group) => product.rows(group)))).flat();
    const found = rows.find(({ label }) => label === NAME) ?? assert.fail(rows.map(({ label }) => label).join());
    return Reflect.get(Object(found.node), 'streamId');
  }, WITHIN_MS);
}

/** Bytes of all recordings. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
