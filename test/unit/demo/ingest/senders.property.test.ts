import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { RtmpConnection } from '../../../../src/media/rtmpConnection.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { FUZZ_RUNS } from '../../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../../support/runner/largeBuffers.ts';
import { type Clip, framesBetween, readClip } from '../../../support/service/clipMessages.ts';
import { withDemo } from '../demoFixture.ts';

/** All that a sender writes, from the first byte of its handshake to the end of its broadcast. */
function writtenBy(streamKey: string, clip: Clip): Buffer {
  const parts: Buffer[] = [];
  const client = new RtmpConnection({ side: 'client', write: (bytes) => void parts.push(bytes) });
  const handshakeOfServer = Buffer.alloc(1 + 2 * 1536, 3);
  client.push(handshakeOfServer);
  client.sendCommand(0, ['connect', 1, { app: 'live', objectEncoding: 0 }]);
  client.setChunkSize(4096);
  client.sendCommand(0, ['createStream', 2, null]);
  client.sendCommand(1, ['publish', 3, null, streamKey, 'live']);
  for (const message of [...clip.formats, ...framesBetween(clip, 0, 2500)]) client.send(message);
  client.sendCommand(0, ['deleteStream', 4, null, 1]);
  return Buffer.concat(parts);
}

describe('Senders that were damaged on the way', () => {
  forbidLargeBuffers();
  const log = fakeLog();

  it(
    'are served or disconnected, and nothing else goes wrong',
    withDemo({ streamCount: 3, liveCount: 0, log }, async ({ demo }) => {
      const stream = demo.control.addStream({ name: 'Sent' });
      const whole = writtenBy(stream.streamKey ?? '', await readClip());
      const { hostname, port } = new URL((demo.addresses.rtmp ?? '').replace('rtmp:', 'http:'));
      const damages = fc.array(fc.tuple(fc.nat(6000), fc.nat(255)), { minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(damages, fc.integer({ min: 3073, max: whole.length }), async (changes, length) => {
          const bytes = Buffer.from(whole.subarray(0, length));
          for (const [at, value] of changes) if (3073 + at < length) bytes[3073 + at] = value;
          const socket = connect(Number(port), hostname);
          socket.on('error', () => {});
          socket.end(bytes);
          socket.resume();
          await new Promise((resolve) => socket.once('close', resolve));
        }),
        { numRuns: Math.ceil(FUZZ_RUNS / 4) },
      );
      await waitUntil(() => demo.control.streams().find(({ id }) => id === stream.id)?.isActive === false);
      assert.ok(demo.control.sessions(stream.id).length > 0, 'none was served');
      assert.deepEqual(
        log.lines.filter((line) => line.includes('failed')),
        [],
      );
    }),
  ).timeout(600_000);
});
