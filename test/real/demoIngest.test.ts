import assert from 'node:assert/strict';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { broadcast } from '../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { type DemoService, type DemoStream, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { requireProcess } from '../support/process/ownProcess.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { itWith } from '../support/runner/itWith.ts';
import {
  COUNTED_RATE,
  makeCountedVideo,
  probeMedia,
  readCounters,
  readPictures,
} from '../support/service/ffmpegTools.ts';
import { spreadOfDelays } from '../support/service/frameTimes.ts';
import { OBS_RATE, startObs } from '../support/service/obs.ts';

const SECONDS = 60;
/** What is watched live of them: a player is some seconds behind. */
const WATCHED_SECONDS = 50;
const PATTERN = inProject('media/demo/source.mp4');

interface Scene {
  readonly demo: DemoService;
  readonly stream: DemoStream;
  readonly folder: string;
  /** Where to publish, with the key. */
  readonly address: string;
  readonly hls: string;
}

async function withDemoStream(test: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = makeTemporaryFolder('ingest');
  const mediaRoot = inProject('media/demo');
  const demo = await startDemo({ clock: createTestClock(), mediaRoot, isLively: false, recordings: { folder } });
  try {
    const stream = demo.control.addStream({ name: 'Sent', record: true });
    const { streamKey = '', playbackId = '' } = stream;
    const address = demo.addresses.rtmp?.replace('{streamKey}', streamKey) ?? '';
    const hls = demo.addresses.hls?.replace('{playbackId}', playbackId) ?? '';
    await test({ demo, stream, folder, address, hls });
  } finally {
    demo.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until the recording is ready, downloads its MP4, and returns the paths of both. */
async function downloadRecording({ demo, stream, folder }: Scene): Promise<{ mp4: string; playlist: string }> {
  const ready = await waitUntil(() => {
    const [session] = demo.control.sessions(stream.id);
    return session?.recordingStatus === 'ready' && session;
  });
  const mp4 = join(folder, 'downloaded.mp4');
  const { body } = await fetch(ready.mp4Url ?? '');
  assert.ok(body !== null);
  await pipeline(Readable.from(body), createWriteStream(mp4));
  return { mp4, playlist: ready.recordingUrl ?? '' };
}

describe('The ingest of the demo from real senders', () => {
  const itWithFfmpeg = itWith('ffmpeg');

  for (const bFrames of [0, 2]) {
    itWithFfmpeg(`plays and records the file that ffmpeg copies to it, with ${bFrames} B-frames at a time`, () =>
      withDemoStream(async (scene) => {
        const file = join(scene.folder, 'counted.mp4');
        await makeCountedVideo(file, SECONDS, bFrames);
        const copied = ['-re', '-i', file, '-c', 'copy', '-f', 'flv', scene.address];
        const sending = requireProcess('ffmpeg', ['-v', 'error', ...copied]);
        await waitUntil(async () => (await fetch(scene.hls)).ok);
        const watched = WATCHED_SECONDS * COUNTED_RATE;
        const live = await readCounters(scene.hls, ['-live_start_index', '0'], watched);
        await sending;
        assert.deepEqual(
          live,
          Array.from({ length: watched }, (_, index) => index),
        );
        const { mp4, playlist } = await downloadRecording(scene);
        const sent = await probeMedia(file);
        const all = Array.from({ length: SECONDS * COUNTED_RATE }, (_, index) => index);
        for (const input of [mp4, playlist]) {
          assert.deepEqual(await readCounters(input), all);
          const { codecs, packets } = await probeMedia(input);
          assert.deepEqual(codecs, { video: 'h264', audio: 'aac' });
          const spread = spreadOfDelays(packets, sent.packets, SECONDS * 1000);
          console.log(`      ${packets.length} packets of ${sent.packets.length}, ${spread.toFixed(1)} ms apart`);
          assert.ok(spread <= 50, `${spread} ms`);
        }
      }),
    );
  }

  itWithFfmpeg('plays and records the test pattern picture by picture', () =>
    withDemoStream(async (scene) => {
      const parsed = parseIngest(scene.demo.addresses.rtmp ?? '', scene.stream.streamKey ?? '');
      assert.ok(parsed.ok);
      const source = await openMp4Source(PATTERN);
      const sending = broadcast({ ingest: parsed.ingest, source, seconds: 30, signal: new AbortController().signal });
      await waitUntil(async () => (await fetch(scene.hls)).ok);
      const pictures = await readPictures(PATTERN);
      const shown = await readPictures(scene.hls, ['-live_start_index', '0'], 300);
      const { sentFrames } = await sending;
      const { mp4 } = await downloadRecording(scene);
      const recorded = await readPictures(mp4);
      assert.equal(recorded.length, sentFrames);
      for (const played of [shown, recorded]) {
        assert.deepEqual(
          played,
          played.map((_, index) => pictures[index % pictures.length]),
        );
      }
    }),
  );

  itWith('ffmpeg', 'OBS and Xvfb')('ffmpeg', () =>
    withDemoStream(async (scene) => {
      const { demo, stream, folder, address } = scene;
      const { streamKey = '' } = stream;
      const server = address.slice(0, -1 - streamKey.length);
      const obs = await startObs({ folder: join(folder, 'obs'), server, streamKey });
      try {
        await waitUntil(() => (demo.control.sessions(stream.id)[0]?.sourceSegments ?? 0) >= 3);
        const { decoded } = await probeMedia(scene.hls, ['-live_start_index', '0', '-read_intervals', '%+5']);
        assert.ok((decoded.video ?? 0) > 4 * OBS_RATE, `${decoded.video} frames`);
      } catch (error) {
        console.error(obs.output());
        throw error;
      } finally {
        await obs.kill();
      }
      const { mp4 } = await downloadRecording(scene);
      const { codecs, decoded, packets } = await probeMedia(mp4);
      assert.deepEqual(codecs, { video: 'h264', audio: 'aac' });
      const seconds = Math.max(...packets.map(({ time }) => time)) / 1000;
      console.log(`      ${decoded.video} frames in ${seconds.toFixed(1)} s`);
      assert.ok((decoded.video ?? 0) >= 0.95 * seconds * OBS_RATE, `${decoded.video} frames`);
    }),
  );
});
