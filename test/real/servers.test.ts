import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createUndiciTransport } from '../../src/api/transport/undiciTransport.ts';
import { type BroadcastProgress, broadcast } from '../../src/broadcast/broadcast.ts';
import { isBroadcastError } from '../../src/broadcast/errors.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { judgeHls } from '../../src/model/inspection/hlsFindings.ts';
import { inspectHls } from '../../src/model/inspection/inspectHls.ts';
import { createClock } from '../../src/util/clock.ts';
import { fakeLog } from '../support/model/fakes.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { startProcess } from '../support/process/ownProcess.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { itWith } from '../support/runner/itWith.ts';
import { probeMedia } from '../support/service/ffmpegTools.ts';
import { spreadOfDelays } from '../support/service/frameTimes.ts';
import { type NginxServer, startNginx } from '../support/service/nginxServer.ts';
import { freePort, reasonOf } from '../support/service/rtmpServer.ts';

const PATTERN = inProject('media/demo/source.mp4');
const PASS_MS = 12_000;
const RATE = 15;
/** Two seams of the loop, and a little more. */
const SECONDS = 26;

interface Target {
  readonly port: number;
  readonly app?: string;
  readonly key?: string;
}

async function send(
  { port, app = 'live', key = 'keynote' }: Target,
  seconds: number,
  signal = new AbortController().signal,
): Promise<BroadcastProgress> {
  const parsed = parseIngest(`rtmp://127.0.0.1:${port}/${app}/{streamKey}`, key);
  assert.ok(parsed.ok);
  return broadcast({ ingest: parsed.ingest, source: await openMp4Source(PATTERN), seconds, signal });
}

/** Of a file that a server wrote of what it was sent for SECONDS. */
async function assertComplete(file: string, sent: BroadcastProgress): Promise<void> {
  assert.deepEqual([sent.droppedFrames, sent.reconnects], [0, 0]);
  const { codecs, decoded, packets } = await probeMedia(file);
  assert.deepEqual(codecs, { video: 'h264', audio: 'aac' });
  assert.ok((decoded.video ?? 0) >= 0.95 * SECONDS * RATE, `${decoded.video} frames`);
  for (const track of ['audio', 'video']) {
    const times = packets.filter(({ kind }) => kind === track).map(({ decodeTime }) => decodeTime);
    const isRising = times.every((time, index) => time > (times[index - 1] ?? Number.NEGATIVE_INFINITY));
    assert.ok(isRising, `${track}: ${times}`);
  }
  const spread = spreadOfDelays(packets, (await probeMedia(PATTERN)).packets, PASS_MS);
  console.log(`      ${decoded.video} frames, ${decoded.audio} of sound, ${spread.toFixed(1)} ms apart`);
  assert.ok(spread <= 50, `${spread} ms`);
}

/** Runs with nginx, which refuses every key of its locked application. */
async function withNginx(test: (nginx: NginxServer, asked: readonly string[]) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  const gate = createServer((request, response) => {
    request.on('data', (bytes) => asked.push(String(bytes)));
    request.on('end', () => response.writeHead(403).end());
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const nginx = await startNginx(`http://127.0.0.1:${(gate.address() as AddressInfo).port}/`);
  try {
    await test(nginx, asked);
  } catch (error) {
    console.error(nginx.log());
    throw error;
  } finally {
    await nginx.close();
    gate.close();
  }
}

describe('A broadcast to a real server', () => {
  const itWithFfmpeg = itWith('ffmpeg');
  const itWithNginx = itWith('nginx with its RTMP module');

  itWith('ffmpeg', 'nginx with its RTMP module')('arrives complete at nginx, over the seams of the loop', () =>
    withNginx(async ({ rtmpPort, recording }) => {
      const sent = await send({ port: rtmpPort }, SECONDS);
      await assertComplete(recording('keynote'), sent);
    }),
  );

  itWithFfmpeg('arrives complete at ffmpeg as a server, over the seams of the loop', async () => {
    const folder = makeTemporaryFolder('listen');
    const [port, file] = [await freePort(), join(folder, 'received.flv')];
    const address = `rtmp://127.0.0.1:${port}/live/keynote`;
    const server = startProcess('ffmpeg', ['-v', 'error', '-listen', '1', '-i', address, '-c', 'copy', file]);
    try {
      // It takes one connection, so nothing else can find out whether it listens.
      const sent = await waitUntil(() => send({ port }, SECONDS).catch(unlessRefused));
      assert.equal(await server.exited, 0, server.output());
      await assertComplete(file, sent);
    } finally {
      await server.kill();
      rmSync(folder, { recursive: true });
    }
  });

  itWithNginx('is played by nginx over HLS, in which the inspection finds nothing bad', () =>
    withNginx(async ({ rtmpPort, hlsUrl }) => {
      const stop = new AbortController();
      const sending = send({ port: rtmpPort }, 120, stop.signal);
      const url = hlsUrl('keynote');
      await waitUntil(async () => ((await (await fetch(url)).text()).match(/#EXTINF/g) ?? []).length >= 4);
      const [clock, log] = [createClock(), fakeLog()];
      const downloads = createUndiciTransport({ settings: () => ({ timeoutMs: 10_000 }), clock, log });
      const facts = await inspectHls({ url, downloads, clock, signal: stop.signal });
      stop.abort();
      await sending;
      downloads.dispose();
      const findings = judgeHls(facts, 'en').flatMap((section) => section.findings);
      assert.ok(findings.some(({ id, mark }) => id === 'sequence' && mark === 'good'));
      assert.deepEqual(
        findings.filter(({ mark }) => mark === 'bad'),
        [],
      );
    }),
  );

  itWithNginx('is told within 3 s that nginx rejects its key, or doesn’t have its application', () =>
    withNginx(async ({ rtmpPort, lockedApp }, asked) => {
      const began = performance.now();
      assert.equal(await reasonOf(send({ port: rtmpPort, app: lockedApp, key: 'wrong key/?&%#' }, 5)), 'keyRejected');
      assert.ok(performance.now() - began < 3000);
      assert.equal(new URLSearchParams(asked.join('')).get('name'), 'wrong key/');
      assert.equal(await reasonOf(send({ port: rtmpPort, app: 'unknown' }, 5)), 'appRejected');
    }),
  );

  itWithNginx('is told that its key is in use', () =>
    withNginx(async ({ rtmpPort, hlsUrl }) => {
      const stop = new AbortController();
      const first = send({ port: rtmpPort }, 60, stop.signal);
      await waitUntil(async () => (await fetch(hlsUrl('keynote'))).ok);
      assert.equal(await reasonOf(send({ port: rtmpPort }, 5)), 'keyInUse');
      stop.abort();
      await first;
    }),
  );
});

function unlessRefused(error: unknown): undefined {
  if (!isBroadcastError(error) || error.reason !== 'refused') throw error;
}
