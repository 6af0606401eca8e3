// Sends the built-in test pattern in a process of its own, so that what it takes can be told from what the server takes.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createHistogram, type Histogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type BroadcastProgress, broadcast } from '../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import type { MediaSource } from '../../src/broadcast/source.ts';
import { inProject } from '../support/projectFolder.ts';
import { usedHeap } from './collectGarbage.ts';
import { serve } from './ownWorker.ts';

/** Times are milliseconds, sizes bytes. */
export interface BroadcastCost {
  readonly last: BroadcastProgress;
  /** After all garbage was collected, at equal intervals: the first after a warm-up. */
  readonly heap: readonly number[];
  /** How far packets left from their time, either way. */
  readonly lateness: Percentiles;
  /** How late a timer was in this process, whose callback does nothing. */
  readonly timer: Percentiles;
  readonly mostWaiting: number;
  /** Of one core, from 0 to 1. */
  readonly cores: number;
  /** Memory at the end over that before the first packet. */
  readonly moreMemory: number;
}

interface Percentiles {
  readonly median: number;
  readonly percentile99: number;
  readonly most: number;
}

const SAMPLES = 30;
const WARM_UP = 2;
/** Collecting garbage holds everything up, which is not the pace of the broadcast. */
const RECOVERY_MS = 250;
const MICROSECONDS = 1000;
const TIMER_MS = 10;

let socket: Socket | undefined;
subscribe('net.client.socket', (message) => {
  socket = (message as { readonly socket: Socket }).socket;
});

async function send(port: number, seconds: number): Promise<BroadcastCost> {
  const source = await openMp4Source(inProject('media/demo/source.mp4'));
  const parsed = parseIngest(`rtmp://127.0.0.1:${port}/live/{streamKey}`, 'bench');
  if (!parsed.ok) throw new Error(parsed.fault);
  const lateness = createHistogram();
  const timer = monitorEventLoopDelay({ resolution: TIMER_MS });
  const heap: number[] = [];
  let [mostWaiting, quietUntil] = [0, 0];
  const [rss, cpu, start] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
  const watched = watchPackets(source, (ms) => {
    if (performance.now() > quietUntil) lateness.record(Math.max(1, Math.round(Math.abs(ms) * MICROSECONDS)));
    mostWaiting = Math.max(mostWaiting, socket?.writableLength ?? 0);
  });
  let [collected, collectingCpu] = [0, 0];
  const collect = () => {
    timer.disable();
    const before = process.cpuUsage();
    const used = usedHeap();
    collectingCpu += cpuMs(before);
    collected += 1;
    if (collected > WARM_UP) heap.push(used);
    quietUntil = performance.now() + RECOVERY_MS;
    timer.enable();
  };
  const last = await broadcast({
    ...{ ingest: parsed.ingest, source: watched, seconds, signal: new AbortController().signal },
    onProgress: ({ state }) => {
      const isDue = performance.now() - start >= (collected * seconds * 1000) / SAMPLES;
      if (state === 'live' && isDue) collect();
    },
  });
  timer.disable();
  return {
    ...{ last, heap, mostWaiting },
    lateness: percentilesOf(lateness, MICROSECONDS, 0),
    timer: percentilesOf(timer, 1e6, TIMER_MS),
    cores: (cpuMs(cpu) - collectingCpu) / (performance.now() - start),
    moreMemory: process.memoryUsage.rss() - rss,
  };
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function percentilesOf(histogram: Histogram, unitsInMs: number, offsetMs: number): Percentiles {
  const ms = (value: number) => value / unitsInMs - offsetMs;
  const at = (percent: number) => ms(histogram.percentile(percent));
  return { median: at(50), percentile99: at(99), most: ms(histogram.max) };
}

/** The same source; `onSent` gets how late each packet left, by the first one. */
function watchPackets(source: MediaSource, onSent: (ms: number) => void): MediaSource {
  return {
    ...source,
    async *packets(from, signal) {
      let start: number | undefined;
      for await (const packet of source.packets(from, signal)) {
        yield packet; // the next one is asked for when this one was sent
        if (packet.isHeader) continue;
        start ??= performance.now() - packet.time;
        onSent(performance.now() - start - packet.time);
      }
    },
  };
}

const handlers = { send };
export type BroadcastHandlers = typeof handlers;
serve(handlers);
