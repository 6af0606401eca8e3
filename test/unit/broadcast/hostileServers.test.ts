import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { broadcast } from '../../../src/broadcast/broadcast.ts';
import { type BroadcastErrorReason, isBroadcastError } from '../../../src/broadcast/errors.ts';
import { parseIngest } from '../../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { openPublisher } from '../../../src/broadcast/publisher.ts';
import { type AmfValue, encodeAmf } from '../../../src/media/amf.ts';
import { encodeMessage, MESSAGE } from '../../../src/media/chunks.ts';
import { readCommand } from '../../../src/media/rtmpConnection.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { assertBounded } from '../../support/process/runCost.ts';
import { inProject } from '../../support/projectFolder.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../support/runner/largeBuffers.ts';
import { answerPublishing, startBareServer } from '../../support/service/rtmpServer.ts';

/** Broadcasts to a server that does this with each connection, and returns how that ended. All sockets are closed then. */
async function sendTo(
  onSocket: (socket: Socket) => void,
  signal = new AbortController().signal,
): Promise<BroadcastErrorReason | 'well'> {
  const server = await startBareServer(onSocket);
  const parsed = parseIngest(`rtmp://127.0.0.1:${server.port}/live/{streamKey}`, 'a-key');
  assert.ok(parsed.ok);
  const source = await openMp4Source(inProject('media/demo/source.mp4'));
  try {
    await broadcast({ ingest: parsed.ingest, source, seconds: 60, signal });
    return 'well';
  } catch (error) {
    assert.ok(isBroadcastError(error), String(error));
    assert.doesNotMatch(`${error.message} ${error.detail}`, /words of the server/);
    return error.reason;
  } finally {
    await waitUntil(() => server.sockets.every(({ destroyed }) => destroyed));
    await server.close();
  }
}

type Step = 'connect' | 'createStream' | 'publish' | 'live';

/** Sends this before its answer to a command, or once there is a picture. */
function sending(bytes: Buffer, step: Step): (socket: Socket) => void {
  return (socket) => {
    let isSent = false;
    answerPublishing(socket, {}, (message) => {
      const isNow = step === 'live' ? message.type === MESSAGE.video : readCommand(message)?.name === step;
      if (!isNow || isSent) return;
      isSent = true;
      socket.write(bytes);
    });
  };
}

const message = (type: number, payload: Buffer): Buffer =>
  encodeMessage({ type, streamId: 0, timestamp: 0, payload }, 3, 65_536);
const numbered = (type: number, value: number): Buffer => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return message(type, payload);
};
const command = (...values: readonly AmfValue[]): Buffer => message(MESSAGE.command, encodeAmf(values));

describe('A server that breaks the rules of RTMP', () => {
  forbidLargeBuffers();

  const faults: Readonly<Record<string, Buffer>> = {
    'a chunk size of 0': numbered(MESSAGE.setChunkSize, 0),
    'a chunk size of 2³¹': numbered(MESSAGE.setChunkSize, 2 ** 31),
    'a message of 16 MB': Buffer.of(3, 0, 0, 0, 0xff, 0xff, 0xff, MESSAGE.data, 0, 0, 0, 0),
    'a chunk without a header': Buffer.of(0xc9, 1, 2, 3),
    'AMF3 in place of AMF0': message(MESSAGE.command, Buffer.of(0x11, 0x06, 0x01)),
    'a command without a name': command(null, 1),
    'a web page': Buffer.from('HTTP/1.1 200 OK\r\nServer: words of the server\r\n\r\n'),
  };
  for (const [what, bytes] of Object.entries(faults)) {
    for (const step of ['connect', 'publish', 'live'] as const) {
      it(`ends the broadcast: ${what}, ${step === 'live' ? 'while live' : `for an answer to ${step}`}`, async () => {
        assert.equal(await sendTo(sending(bytes, step)), 'protocol');
      });
    }
  }

  it('ends it with noise after the handshake', async () => {
    const noise = Buffer.alloc(1 + 2 * 1536 + 100_000, 0x9d);
    noise[0] = 3;
    assert.equal(await sendTo((socket) => void socket.write(noise)), 'protocol');
  });

  const wordless: readonly (readonly AmfValue[])[] = [
    [],
    [null, undefined],
    [null, {}],
    [null, 'words of the server'],
    [1, [2]],
  ];
  for (const args of wordless) {
    it(`refuses without words: _error ${JSON.stringify(args)}`, async () => {
      for (const step of ['connect', 'createStream', 'publish']) {
        const reason = await sendTo((socket) =>
          answerPublishing(socket, {}, (sent) => {
            const asked = readCommand(sent);
            if (asked?.name === step) socket.write(command('_error', asked.transaction, ...args));
          }),
        );
        assert.match(reason, step === 'publish' ? /^(keyRejected|publishFailed)$/ : /^appRejected$/, step);
      }
    });
  }
});

/** The same, for servers that send much. */
const boundedSendTo: typeof sendTo = (...args) => assertBounded(() => sendTo(...args));

describe('A server that says more than anybody asked', () => {
  forbidLargeBuffers();

  it('ends the broadcast if it never reads the answers', async () => {
    const ping = message(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, 9));
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
    const ended = await boundedSendTo((socket) => {
      const ask = (): void => {
        while (!socket.destroyed && socket.write(pings));
      };
      answerPublishing(socket, {}, ({ type }) => {
        if (type !== MESSAGE.video) return;
        socket.pause();
        socket.on('drain', ask);
        ask();
      });
    });
    assert.equal(ended, 'protocol');
  }).timeout(60_000);

  const emptyMessage = message(MESSAGE.data, Buffer.alloc(0));
  const chunksWithoutHeader = Buffer.alloc(1_000_000, 0xc3);
  const millions: Readonly<Record<string, (socket: Socket) => void>> = {
    'at once': (socket) => void socket.write(Buffer.concat([emptyMessage, chunksWithoutHeader])),
    'in pieces, as fast as they are taken': (socket) => {
      const pieces = Buffer.alloc(emptyMessage.length * 4000, emptyMessage);
      const send = (): void => {
        if (!socket.destroyed) socket.write(pieces, () => setImmediate(send));
      };
      send();
    },
    '130,000 each second': (socket) => {
      socket.write(emptyMessage);
      const timer = setInterval(() => socket.write(chunksWithoutHeader.subarray(0, 3900)), 30);
      socket.on('close', () => clearInterval(timer));
    },
  };
  for (const [how, send] of sampleOf(Object.entries(millions), 1)) {
    it(`ends it with a million empty messages, ${how}`, async () => {
      const ended = await boundedSendTo((socket) => {
        let isSending = false;
        answerPublishing(socket, {}, ({ type }) => {
          if (type !== MESSAGE.video || isSending) return;
          isSending = true;
          send(socket);
        });
      });
      assert.equal(ended, 'protocol');
    });
  }

  it('does not disturb the broadcast: unknown messages, answers to nothing, pings, and 30 MB of data', async () => {
    const stop = new AbortController();
    const large = message(MESSAGE.data, Buffer.alloc(600_000, 1));
    const ping = message(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, 9));
    const odd = [
      ...[7, 16, 19, 22, 99].map((type) => message(type, Buffer.from('words of the server'))),
      ...[
        command('_result', 99, null),
        command('_error', 77, null, {}),
        command('onBWDone', 0),
        command('onStatus', 0),
      ],
      ...[numbered(MESSAGE.windowSize, 0), numbered(MESSAGE.acknowledgement, 1), numbered(MESSAGE.abort, 60)],
      ...Array.from({ length: 1000 }, () => ping),
    ];
    let frames = 0;
    const ended = await boundedSendTo((socket) => {
      answerPublishing(socket, {}, ({ type }) => {
        if (type !== MESSAGE.video) return;
        frames += 1;
        // From here on in larger chunks, as `message` makes them.
        if (frames === 2) socket.write(Buffer.concat([numbered(MESSAGE.setChunkSize, 65_536), ...odd]));
        if (frames > 2 && frames <= 52) socket.write(large);
        if (frames > 60) stop.abort();
      });
    }, stop.signal);
    assert.deepEqual([ended, frames > 60], ['well', true]);
  }).timeout(30_000);
});

describe('A server that sends one byte now and then', () => {
  it('is left at the deadline of the step that it keeps waiting', async () => {
    const server = await startBareServer((socket) => {
      socket.write(Buffer.of(3));
      const timer = setInterval(() => socket.write(Buffer.of(0)), 2);
      socket.on('close', () => clearInterval(timer));
    });
    const parsed = parseIngest(`rtmp://127.0.0.1:${server.port}/live/{streamKey}`, 'a-key');
    assert.ok(parsed.ok);
    const { ingest } = parsed;
    const { signal } = new AbortController();
    try {
      await assertBounded(() =>
        assert.rejects(openPublisher(ingest, { signal, deadlineMs: 500 }), { reason: 'timeout' }),
      );
      await waitUntil(() => server.sockets.every(({ destroyed }) => destroyed));
    } finally {
      await server.close();
    }
  });
});
