import assert from 'node:assert/strict';
import { MESSAGE, type RtmpMessage } from '../../../src/media/chunks.ts';
import { isProtocolError } from '../../../src/media/protocolError.ts';
import { RtmpConnection, readCommand } from '../../../src/media/rtmpConnection.ts';

/** Two sides whose bytes are handed over by `run`, `step` bytes at a time. */
function connectBoth(step = 4096) {
  const queues = { client: [] as Buffer[], server: [] as Buffer[] };
  const server = new RtmpConnection({ side: 'server', write: (bytes) => void queues.client.push(bytes) });
  const client = new RtmpConnection({ side: 'client', write: (bytes) => void queues.server.push(bytes) });
  const received = { client: [] as RtmpMessage[], server: [] as RtmpMessage[] };
  const hand = (side: 'client' | 'server', connection: RtmpConnection): void => {
    const bytes = Buffer.concat(queues[side].splice(0));
    for (let at = 0; at < bytes.length; at += step) {
      received[side].push(...connection.push(bytes.subarray(at, at + step)));
    }
  };
  const run = (): void => {
    while (queues.client.length + queues.server.length > 0) {
      hand('server', server);
      hand('client', client);
    }
  };
  run();
  return { client, server, received, run };
}

function aMessage(type: number, payload: Buffer): RtmpMessage {
  return { type, streamId: 0, timestamp: 0, payload };
}

describe('An RTMP connection', () => {
  for (const step of [1, 1000, 1536, 1537, 4096]) {
    it(`completes the handshake of both sides, ${step} bytes at a time`, () => {
      const { client, server } = connectBoth(step);
      assert.deepEqual([client.isReady, server.isReady], [true, true]);
    });
  }

  it('carries commands both ways', () => {
    const { client, server, received, run } = connectBoth();
    client.setChunkSize(4096);
    client.sendCommand(0, ['connect', 1, { app: 'live' }]);
    server.sendCommand(0, ['_result', 1, null, { code: 'NetConnection.Connect.Success' }]);
    run();
    assert.deepEqual(
      received.server.map(readCommand).filter((command) => command !== undefined),
      [{ name: 'connect', transaction: 1, args: [{ app: 'live' }], streamId: 0 }],
    );
    assert.equal(received.client.map(readCommand)[0]?.name, '_result');
  });

  it('answers a ping with its number', () => {
    const { client, server, received, run } = connectBoth();
    client.send(aMessage(MESSAGE.userControl, Buffer.of(0, 6, 1, 2, 3, 4)));
    server.send(aMessage(MESSAGE.userControl, Buffer.of(0, 6, 5, 6, 7, 8)));
    run();
    assert.deepEqual(received.client.at(-1)?.payload, Buffer.of(0, 7, 1, 2, 3, 4));
    assert.deepEqual(received.server.at(-1)?.payload, Buffer.of(0, 7, 5, 6, 7, 8));
  });

  it('acknowledges what it received once the window of the peer is full', () => {
    const { client, server, received, run } = connectBoth();
    server.setWindowSize(5000);
    server.send(aMessage(MESSAGE.video, Buffer.alloc(4000)));
    run();
    assert.equal(received.server.at(-1)?.type, MESSAGE.acknowledgement);
    const count = received.server.at(-1)?.payload.readUInt32BE() ?? 0;
    assert.ok(count > 3073 + 4000, `${count} bytes`);
    client.sendCommand(0, ['nothing', 0]);
    run();
    assert.equal(received.server.filter(({ type }) => type === MESSAGE.acknowledgement).length, 1);
  });

  it('reads a command of the AMF3 kind, and refuses one without a name', () => {
    const { client, server, received, run } = connectBoth();
    client.sendCommand(0, ['publish', 5, null, 'a key']);
    run();
    const [sent] = received.server;
    assert.ok(sent);
    const asAmf3 = aMessage(MESSAGE.amf3Command, Buffer.concat([Buffer.of(0), sent.payload]));
    assert.deepEqual(readCommand(asAmf3)?.args, [null, 'a key']);
    assert.throws(() => readCommand(aMessage(MESSAGE.command, Buffer.of(5))), isProtocolError);
    assert.equal(readCommand(aMessage(MESSAGE.audio, Buffer.of(5))), undefined);
    assert.ok(server.isReady);
  });

  it('refuses a peer that speaks something else', () => {
    const client = new RtmpConnection({ side: 'client', write: () => undefined });
    assert.throws(() => client.push(Buffer.from('HTTP/1.1 400 Bad Request\r\n')), isProtocolError);
  });
});
