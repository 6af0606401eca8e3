// node downloadProcess.ts FOLDER, which is for notes of what is under way. Downloads as the product does, in a process of its own, so that what it takes can be told from what the measuring takes.
import { rm } from 'node:fs/promises';
import { createUndiciTransport } from '../../src/api/transport/undiciTransport.ts';
import { Downloader } from '../../src/model/downloads/download.ts';
import { createDownloadFiles } from '../../src/model/downloads/downloadFiles.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { serve } from './ownWorker.ts';

export interface Downloaded {
  readonly ms: number;
  readonly bytes: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
  /** Bytes of memory at the most over those before it. */
  readonly moreMemory: number;
}

const clock = createTestClock();
const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const transport = createUndiciTransport({ settings: () => ({ timeoutMs: 60_000 }), clock, log });
const files = createDownloadFiles({ folder: process.argv[2] ?? '', clock, log });
const downloader = new Downloader({ transport, files, clock, log, random: Math.random });

async function download(url: string, target: string): Promise<Downloaded> {
  const [before, cpu, start] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const order = { url, target, connection: { baseUrl: new URL(url).origin }, signal: new AbortController().signal };
  const of = { connection: { id: 'bench', name: 'bench' }, sessionId: 'recording' };
  const bytes = await downloader.download({ ...order, of, mayReplace: true, onProgress() {}, onWait() {} });
  const ms = performance.now() - start;
  clearInterval(watching);
  const { user, system } = process.cpuUsage(cpu);
  await rm(target);
  return { ms, bytes, cpu: (user + system) / 1000, moreMemory: peak - before };
}

const handlers = { download };
export type DownloadHandlers = typeof handlers;
serve(handlers);
