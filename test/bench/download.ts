import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inProject } from '../support/projectFolder.ts';
import type { Downloaded, DownloadHandlers } from './downloadProcess.ts';
import type { FileHandlers } from './fileProcess.ts';
import { alternate, type Bench, figureOf, formatFigure, formatRatio } from './measure.ts';
import { startWorker } from './ownWorker.ts';

const SIZE = 2 * 1024 ** 3;
const ROUNDS = 7;
const MB = 1e6;
const RATE_AIM = 0.8;
const MEMORY_AIM_MB = 100;

/** Files in memory, where the system has that: it is not the disk that is measured. */
const MEMORY = '/dev/shm';

/** 2 GB over loopback into a file, as Download MP4 does it, and with curl. */
export const download: Bench = {
  name: 'download',
  async run(report) {
    const isInMemory = existsSync(MEMORY);
    const folder = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), 'live-streams-bench-'));
    report(`into ${folder}`);
    const server = startWorker<FileHandlers>(inProject('test/bench/fileProcess.ts'));
    try {
      const url = await server.call('open', SIZE);
      const target = join(folder, 'recording.mp4');
      const hasCurl = await promisify(execFile)('curl', ['--version']).then(
        () => true,
        () => false,
      );
      if (!hasCurl) report('there is no curl on this machine');
      const ours = () => downloadOurs(url, target, join(folder, 'notes'));
      const found = await (hasCurl
        ? alternate(ROUNDS, { ours, curl: () => downloadWithCurl(url, target) })
        : alternate<string, Downloaded>(ROUNDS, { ours }));
      return [resultOf(isInMemory ? 'memory' : 'the disk', found.ours ?? [], found.curl)];
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function resultOf(where: string, ours: readonly Downloaded[], curl: readonly Downloaded[] | undefined) {
  const rate = (samples: readonly Downloaded[]) => figureOf(samples.map(({ ms }) => SIZE / MB / (ms / 1000)));
  const cpu = (samples: readonly Downloaded[]) => figureOf(samples.map((sample) => sample.cpu / 1000));
  const memory = figureOf(ours.map(({ moreMemory }) => moreMemory / MB));
  const inWords = (samples: readonly Downloaded[]) =>
    `${formatFigure(rate(samples), 'MB/s')}; ${formatFigure(cpu(samples), 's')} of CPU`;
  const ratio = curl === undefined ? undefined : rate(ours).median / rate(curl).median;
  return {
    figure: `download: 2 GB over loopback into a file in ${where}`,
    measured: `${inWords(ours)}; ${formatFigure(memory, 'MB')} of memory over the start`,
    reference:
      curl === undefined || ratio === undefined
        ? 'there was no curl to compare with'
        : `curl: ${inWords(curl)}; ${formatRatio(ratio)} its rate`,
    aim: `${RATE_AIM} × the rate of curl, ${MEMORY_AIM_MB} MB`,
    isMet: ratio === undefined ? undefined : ratio >= RATE_AIM && memory.median <= MEMORY_AIM_MB,
  };
}

/** In a process that has done nothing before, as memory that was taken once is hardly given back. */
async function downloadOurs(url: string, target: string, notes: string): Promise<Downloaded> {
  const worker = startWorker<DownloadHandlers>(inProject('test/bench/downloadProcess.ts'), notes);
  try {
    const found = await worker.call('download', url, target);
    if (found.bytes !== SIZE) throw new Error(`${found.bytes} bytes came`);
    return found;
  } finally {
    await worker.close();
  }
}

/** The product has the disk confirm the file before it gets its name; so that both do the same, curl's is confirmed too. */
async function downloadWithCurl(url: string, target: string): Promise<Downloaded> {
  const script = 'curl --silent --show-error --fail --output "$1" "$2" && sync "$1" && times';
  const start = performance.now();
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', target, url]);
  const ms = performance.now() - start;
  const { size } = statSync(target);
  if (size !== SIZE) throw new Error(`curl wrote ${size} bytes`);
  rmSync(target);
  return { ms, bytes: size, cpu: childrenCpu(stdout), moreMemory: 0 };
}

/** What bash's `times` prints: of itself, and in a second line of what it started, 0m0.031s 0m1.234s. */
function childrenCpu(times: string): number {
  const [, line = ''] = times.trim().split('\n');
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
}
