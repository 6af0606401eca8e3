import { inProject } from '../support/projectFolder.ts';
import { startMediaServer } from '../support/service/rtmpServer.ts';
import type { BroadcastCost, BroadcastHandlers } from './broadcastProcess.ts';
import { type Bench, formatNumber } from './measure.ts';
import { startWorker } from './ownWorker.ts';

const MINUTES = 30;
const MB = 1e6;
export const BROADCAST_AIMS = { heapMb: 2, latenessMs: 40, waitingMb: 2, cores: 0.03, memoryMb: 15 } as const;

/** Half an hour of the built-in test pattern, sent to node-media-server in real time. */
export const broadcast: Bench = {
  name: 'broadcast',
  async run(report) {
    report(`${MINUTES} minutes in real time`);
    const cost = await measureBroadcast(MINUTES * 60);
    report(JSON.stringify(cost));
    const { last, lateness, timer, mostWaiting, cores, moreMemory } = cost;
    const { heapMb, latenessMs, waitingMb, cores: mostCores, memoryMb } = BROADCAST_AIMS;
    const heap = heapRange(cost);
    const frames = `${formatNumber(last.sentFrames)} frames, ${last.droppedFrames} dropped, ${last.reconnects} reconnects`;
    return [
      {
        figure: `a test broadcast of ${MINUTES} minutes: heap and memory`,
        measured: `heap varies by ${formatNumber(heap)} MB, memory is ${formatNumber(moreMemory / MB)} MB higher than at the start; ${frames}`,
        reference: '',
        aim: `heap within ${heapMb} MB, ${memoryMb} MB of memory`,
        isMet: heap <= heapMb && moreMemory / MB <= memoryMb,
      },
      {
        figure: '… from when a packet is due until it is sent',
        measured: percentiles(lateness),
        reference: `a timer in the same process: ${percentiles(timer)}`,
        aim: `${latenessMs} ms`,
        isMet: lateness.most <= latenessMs,
      },
      {
        figure: '… bytes waiting in the socket, and CPU',
        measured: `at most ${formatNumber(mostWaiting / MB)} MB; ${cores.toFixed(3)} of a core`,
        reference: '',
        aim: `${waitingMb} MB, ${mostCores} of a core`,
        isMet: mostWaiting / MB <= waitingMb && cores <= mostCores,
      },
    ];
  },
};

function percentiles({ median, percentile99, most }: BroadcastCost['lateness']): string {
  return `${formatNumber(median)} ms, 99th percentile ${formatNumber(percentile99)} ms, at most ${formatNumber(most)} ms`;
}

/** Sends the test pattern for so many seconds. */
export async function measureBroadcast(seconds: number): Promise<BroadcastCost> {
  const server = await startMediaServer();
  const sender = startWorker<BroadcastHandlers>(inProject('test/bench/broadcastProcess.ts'));
  try {
    return await sender.call('send', server.rtmpPort, seconds);
  } finally {
    await sender.close();
    await server.close();
  }
}

/** Megabytes between the smallest and the largest heap. */
export function heapRange({ heap }: BroadcastCost): number {
  return (Math.max(...heap) - Math.min(...heap)) / MB;
}
