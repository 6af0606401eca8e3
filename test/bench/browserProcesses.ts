import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export interface BrowserUse {
  /** Processor time of all processes so far, in seconds. */
  readonly cpuSeconds: number;
  /** What the processes that run pages hold of their own: nothing of the browser's files. */
  readonly rendererBytes: number;
}

/** Reads what a browser's processes have used. */
export async function readBrowserUse(browser: Browser): Promise<BrowserUse> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return {
    cpuSeconds: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    rendererBytes: renderers.reduce((sum, { id }) => sum + readOwnBytes(id), 0),
  };
}

function readOwnBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = /^Pss_Anon:\s+(\d+) kB/m.exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`The memory of ${pid} can't be read:\n${text}`);
  return Number(kilobytes) * 1024;
}
