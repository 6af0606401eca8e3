import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { usedHeap } from '../bench/collectGarbage.ts';
import { compressTimers } from '../bench/driver/compressTimers.ts';
import { eventually } from '../host/eventually.ts';
import type { Product } from '../host/product.ts';
import type { FaultyService } from './faultyService.ts';
import type { HeapSample } from './heap.ts';

/** The heap grows to what it needs at first. */
const POLLS_BEFORE = 40;
const POLLS_A_SAMPLE = 20;
/** The poller waits 5 s at least from one poll to the next: here that passes in a moment. */
const [FROM_MS, TO_MS, INSTEAD_MS] = [3000, 5000, 30];

/** The heap over polls, each of which sees that other streams are live than before, while somebody looks at the view. */
export async function heapOverPolls(
  product: Product,
  service: FaultyService,
  sampleCount: number,
): Promise<readonly HeapSample[]> {
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  await product.run('switchConnection', service.name);
  await product.run('refresh');
  const restore = compressTimers(FROM_MS, TO_MS, INSTEAD_MS);
  try {
    await poll(service, POLLS_BEFORE);
    const samples: HeapSample[] = [];
    for (let count = 0; count < sampleCount; count++) {
      samples.push({ count: count * POLLS_A_SAMPLE, bytes: usedHeap() });
      if (count < sampleCount - 1) await poll(service, POLLS_A_SAMPLE);
    }
    return samples;
  } finally {
    restore();
  }
}

/** Lets so many polls pass, a change before each. */
async function poll({ demo: { control } }: FaultyService, polls: number): Promise<void> {
  const [{ id } = { id: '' }] = control.streams().filter(({ parentId, suspended }) => !parentId && !suspended);
  for (let count = 0; count < polls; count++) {
    control.setStream(id, { isActive: count % 2 === 0 });
    control.clearRequests();
    await eventually(() => assert.ok(control.requests.some(isPoll), 'nobody polls'), 30_000);
  }
}

function isPoll({
  path,
  query,
  status,
}: {
  readonly path: string;
  readonly query: string;
  readonly status: number;
}): boolean {
  return status > 0 && path.endsWith('/stream') && decodeURIComponent(query).includes('"isActive","value":true');
}
