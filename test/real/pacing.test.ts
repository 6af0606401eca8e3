import assert from 'node:assert/strict';
import { BROADCAST_AIMS, heapRange, measureBroadcast } from '../bench/broadcast.ts';

const SECONDS = 60;
const RATE = 15;
const MB = 1e6;

describe('A test broadcast of a minute', () => {
  it('keeps its pace, its heap, and to a small part of a core', async () => {
    const cost = await measureBroadcast(SECONDS);
    const { last, lateness, timer, mostWaiting, cores, moreMemory } = cost;
    const figures = { heapRangeMb: heapRange(cost), lateness, timer, mostWaiting, cores, moreMemory };
    console.log(`      ${JSON.stringify(figures)}`);
    assert.ok(last.sentFrames >= 0.95 * SECONDS * RATE, `${last.sentFrames} frames`);
    assert.deepEqual([last.droppedFrames, last.reconnects], [0, 0]);
    const { heapMb, latenessMs, waitingMb, cores: mostCores, memoryMb } = BROADCAST_AIMS;
    assert.ok(heapRange(cost) <= heapMb, `heap: ${heapRange(cost)} MB`);
    // On a busy machine, every timer is late.
    assert.ok(lateness.percentile99 <= latenessMs + timer.percentile99, `late: ${lateness.percentile99} ms`);
    assert.ok(mostWaiting / MB <= waitingMb, `waiting: ${mostWaiting} bytes`);
    assert.ok(cores <= mostCores, `${cores} of a core`);
    assert.ok(moreMemory / MB <= memoryMb, `memory: ${moreMemory} bytes`);
  });
});
