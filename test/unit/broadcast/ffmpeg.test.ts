import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broadcast } from '../../../src/broadcast/broadcast.ts';
import { type BroadcastError, isBroadcastError } from '../../../src/broadcast/errors.ts';
import { ffmpegSource, isFfmpeg } from '../../../src/broadcast/ffmpeg.ts';
import { type Ingest, parseIngest } from '../../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { MESSAGE } from '../../../src/media/chunks.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { readProcesses } from '../../support/process/readProcesses.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { type FfmpegDeed, writeFakeFfmpeg } from '../../support/service/fakeFfmpeg.ts';
import { type RtmpServer, startRtmpServer } from '../../support/service/rtmpServer.ts';

const KEY = 'key-that-nobody-sees-1b7d';

function ingestAt(port: number): Ingest {
  const parsed = parseIngest(`rtmp://127.0.0.1:${port}/live/{streamKey}`, KEY);
  assert.ok(parsed.ok);
  return parsed.ingest;
}

const ownChildren = (program: string) => readProcesses().includes(program);

describe('ffmpeg as a source', () => {
  let folder: string;
  let server: RtmpServer;
  before(async () => {
    folder = makeTemporaryFolder('ffmpeg');
    server = await startRtmpServer();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  const send = (deed: FfmpegDeed, signal = new AbortController().signal, seconds = 1) => {
    const source = ffmpegSource(writeFakeFfmpeg(folder, deed), { kind: 'file', path: '/tmp/any video.mkv' });
    return broadcast({ ingest: ingestAt(server.port), source, seconds, signal });
  };

  /** Ends once so many frames were sent. */
  const sendFrames = async (deed: FfmpegDeed, count: number): Promise<void> => {
    const frames = () => server.received().filter(({ type }) => type === MESSAGE.video).length;
    const before = frames();
    const stop = new AbortController();
    const sending = send(deed, stop.signal, 600);
    await waitUntil(() => frames() > before + count); // the first has the decoder settings
    stop.abort();
    assert.ok((await sending).sentFrames >= count);
  };

  const failureOf = async (sending: Promise<unknown>): Promise<BroadcastError> => {
    const error = await sending.catch((failure: unknown) => failure);
    assert.ok(isBroadcastError(error), String(error));
    return error;
  };

  it('is recognized by its encoders, and nothing else is', async () => {
    assert.equal(await isFfmpeg(writeFakeFfmpeg(folder, 'encode')), true);
    assert.equal(await isFfmpeg(join(folder, 'missing')), false);
    assert.equal(await isFfmpeg(process.execPath), false);
    const endless = join(folder, 'endless');
    writeFileSync(endless, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
    assert.equal(await isFfmpeg(endless), false);
  }).timeout(120_000);

  it('is sent, and ended with the broadcast', async () => {
    await sendFrames('encode', 15);
    await waitUntil(() => !ownChildren(join(folder, 'ffmpeg-encode')));
  }).timeout(120_000);

  it('is sent even if it floods its log', async () => {
    await sendFrames('noise', 1);
  }).timeout(120_000);

  it('is reported with the end of what it said if it fails', async () => {
    const { reason, detail = '' } = await failureOf(send('fail', undefined, 60));
    assert.equal(reason, 'ffmpeg');
    assert.ok(detail.endsWith('Invalid data found when processing input') && detail.length <= 4096);
  }).timeout(120_000);

  it('is reported if it writes something other than FLV', async () => {
    const program = join(folder, 'text');
    writeFileSync(program, '#!/bin/sh\necho "Not a video at all"\n', { mode: 0o755 });
    const packets = ffmpegSource(program, { kind: 'clock' }).packets(0, new AbortController().signal);
    const read = async () => {
      for await (const _ of packets) assert.fail('There is no packet');
    };
    const { reason, message } = await failureOf(read());
    assert.deepEqual([reason, message], ['ffmpeg', 'ffmpeg wrote no file header instead of FLV']);
  });

  it('is reported if it cannot be started', async () => {
    const source = ffmpegSource(join(folder, 'missing'), { kind: 'clock' });
    const sending = broadcast({
      ingest: ingestAt(server.port),
      source,
      seconds: 5,
      signal: new AbortController().signal,
    });
    assert.equal((await failureOf(sending)).reason, 'ffmpeg');
  });

  it('is killed if it hangs, or does not end when told to', async () => {
    for (const deed of ['hang', 'ignoreSignals'] as const) {
      const stop = new AbortController();
      const sending = send(deed, stop.signal, 60);
      await waitUntil(() => ownChildren(join(folder, `ffmpeg-${deed}`)));
      stop.abort();
      await sending;
      await waitUntil(() => !ownChildren(join(folder, `ffmpeg-${deed}`)));
    }
  }).timeout(120_000);

  it('is ended if it says nothing for ten seconds, but not because one look came late, as after a sleep', async () => {
    for (const deed of ['hang', 'encode'] as const) {
      const clock = heldClock();
      const source = ffmpegSource(writeFakeFfmpeg(folder, deed), { kind: 'clock' }, clock);
      const packets = source.packets(0, new AbortController().signal)[Symbol.asyncIterator]();
      const reading = (async () => {
        for (let read = 0; read < 3; read++) {
          const packet = (await packets.next()).value;
          await clock.advance(5000);
          // What was written meanwhile is read next.
          for (let next = packet; (next?.time ?? 0) < (packet?.time ?? 0) + 500; ) next = (await packets.next()).value;
        }
      })();
      if (deed === 'hang') {
        await waitUntil(() => ownChildren('ffmpeg-hang'));
        await clock.advance(10_000);
        assert.equal((await failureOf(reading)).reason, 'ffmpeg');
      } else {
        await reading;
      }
      await packets.return?.();
      await waitUntil(() => !ownChildren(join(folder, `ffmpeg-${deed}`)));
      assert.equal(clock.timerCount, 0);
    }
  }).timeout(120_000);

  it('never gets the stream key or the address: no process on this machine has them', async () => {
    const stop = new AbortController();
    const own = broadcast({
      ingest: ingestAt(server.port),
      source: await openMp4Source(inProject('media/demo/source.mp4')),
      ...{ seconds: 60, signal: stop.signal },
    });
    const others = (['clock', 'file'] as const).map((kind) => {
      const input = kind === 'clock' ? { kind } : { kind, path: '/tmp/any video.mkv' };
      const source = ffmpegSource(writeFakeFfmpeg(folder, 'encode'), input);
      return broadcast({ ingest: ingestAt(server.port), source, seconds: 60, signal: stop.signal });
    });
    const before = server.received().length;
    const secrets = [KEY, `rtmp://127.0.0.1:${server.port}`];
    try {
      await waitUntil(() => {
        const now = readProcesses();
        for (const secret of secrets) assert.ok(!now.includes(secret), secret);
        return now.includes('testsrc2') && now.includes('any video.mkv') && server.received().length > before + 200;
      });
    } finally {
      stop.abort();
      await Promise.all([own, ...others]);
    }
  }).timeout(120_000);

  it('would be caught giving the stream key to a process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'in arguments'], {
      env: { MARK: 'in environment' },
    });
    await waitUntil(() => readProcesses().includes('in arguments') && readProcesses().includes('in environment'));
    child.kill();
  });
});
