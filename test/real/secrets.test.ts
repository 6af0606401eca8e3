import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { broadcast } from '../../src/broadcast/broadcast.ts';
import { ffmpegSource } from '../../src/broadcast/ffmpeg.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { readProcesses } from '../support/process/readProcesses.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { itWith } from '../support/runner/itWith.ts';
import { makeCountedVideo } from '../support/service/ffmpegTools.ts';
import { startRtmpServer } from '../support/service/rtmpServer.ts';

const KEY = 'key/that nobody?sees&1b7d';

describe('The stream key', () => {
  itWith('ffmpeg')('is in no argument and no environment while all sources are sent', async () => {
    const folder = makeTemporaryFolder('secrets');
    const file = join(folder, 'counted.mp4');
    await makeCountedVideo(file, 20, 0);
    const server = await startRtmpServer();
    const parsed = parseIngest(`rtmp://127.0.0.1:${server.port}/live/{streamKey}`, KEY);
    assert.ok(parsed.ok);
    const { ingest } = parsed;
    const stop = new AbortController();
    const sources = [
      await openMp4Source(inProject('media/demo/source.mp4')),
      await openMp4Source(file),
      ffmpegSource('ffmpeg', { kind: 'clock' }),
      ffmpegSource('ffmpeg', { kind: 'file', path: file }),
    ];
    const seen: string[] = [];
    const look = () => seen.push(readProcesses(), execFileSync('ps', ['-eo', 'args'], { encoding: 'latin1' }));
    let frames = sources.map(() => 0);
    const sending = sources.map((source, index) =>
      broadcast({
        ...{ ingest, source, seconds: 120, signal: stop.signal },
        onProgress: ({ sentFrames }) => {
          frames = frames.with(index, sentFrames);
          look();
        },
      }),
    );
    await waitUntil(() => frames.every((count) => count > 60));
    for (const word of ['testsrc2', `file:${file}`]) assert.ok(seen.at(-1)?.includes(word), word);
    stop.abort();
    await Promise.all(sending);
    look();
    await server.close();
    rmSync(folder, { recursive: true });
    const words = [KEY, encodeURIComponent(KEY), 'nobody?sees', `127.0.0.1:${server.port}`];
    for (const word of words) assert.ok(!seen.join('\n').includes(word), word);
  });
});
