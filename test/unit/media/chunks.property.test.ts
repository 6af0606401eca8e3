import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChunkReader, encodeMessage, MESSAGE, type RtmpMessage } from '../../../src/media/chunks.ts';
import { isProtocolError } from '../../../src/media/protocolError.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { forAll } from '../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../support/runner/largeBuffers.ts';

const message = fc.record(
  {
    type: fc.constantFrom(MESSAGE.audio, MESSAGE.video, MESSAGE.data, MESSAGE.command, 99),
    streamId: fc.nat(3),
    timestamp: fc.oneof(fc.nat(100_000), fc.constantFrom(0xfffffe, 0xffffff, 0x1000000, 0xffffffff)),
    payload: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  },
  { noNullPrototype: true },
);

function setChunkSize(size: number): RtmpMessage {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(size);
  return { type: MESSAGE.setChunkSize, streamId: 0, timestamp: 0, payload };
}

function readIn(pieces: readonly Buffer[], reader = new ChunkReader()): readonly RtmpMessage[] {
  return pieces.flatMap((piece) => reader.push(piece));
}

function splitAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

describe('Chunks of RTMP', () => {
  it('are read as they were written, however they are split', () => {
    const input = fc.tuple(fc.array(message, { maxLength: 6 }), fc.integer({ min: 1, max: 700 }), fc.array(fc.nat()));
    forAll(input, ([messages, size, places]) => {
      const bytes = [encodeMessage(setChunkSize(size), 2)];
      for (const [index, one] of messages.entries()) bytes.push(encodeMessage(one, 3 + (index % 4), size));
      const read = readIn(splitAt(Buffer.concat(bytes), places));
      assert.deepEqual(read.slice(1), messages);
    });
  });

  it('are read at every split of one connection, and byte by byte', () => {
    const video = { type: MESSAGE.video, streamId: 1, timestamp: 0x1000000, payload: Buffer.alloc(300, 7) };
    const audio = { type: MESSAGE.audio, streamId: 1, timestamp: 20, payload: Buffer.alloc(0) };
    const bytes = Buffer.concat([encodeMessage(video, 5), encodeMessage(audio, 4), encodeMessage(video, 5)]);
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(readIn([bytes.subarray(0, at), bytes.subarray(at)]), [video, audio, video]);
    }
    assert.deepEqual(readIn([...bytes].map((byte) => Buffer.of(byte))), [video, audio, video]);
  });

  it('may alternate between several messages', () => {
    const video = { type: MESSAGE.video, streamId: 1, timestamp: 5, payload: Buffer.alloc(200, 1) };
    const audio = { type: MESSAGE.audio, streamId: 1, timestamp: 6, payload: Buffer.alloc(200, 2) };
    const [a, b] = [encodeMessage(video, 5), encodeMessage(audio, 4)];
    const first = 12 + 128;
    const alternating = [a.subarray(0, first), b.subarray(0, first), a.subarray(first), b.subarray(first)];
    assert.deepEqual(readIn(alternating), [video, audio]);
  });

  it('repeat what short headers leave out, and add to the time', () => {
    const full = encodeMessage({ type: MESSAGE.audio, streamId: 1, timestamp: 1000, payload: Buffer.of(1) }, 4);
    const sameStream = Buffer.of(0x44, 0, 0, 23, 0, 0, 2, MESSAGE.audio, 2, 2);
    const sameLength = Buffer.of(0x84, 0, 0, 10, 3, 3);
    const sameAll = Buffer.of(0xc4, 4, 4);
    const read = readIn([full, sameStream, sameLength, sameAll]);
    assert.deepEqual(
      read.map(({ timestamp, streamId, payload }) => [timestamp, streamId, payload.length]),
      [
        [1000, 1, 1],
        [1023, 1, 2],
        [1033, 1, 2],
        [1043, 1, 2],
      ],
    );
  });

  it('take their ids from one, two, or three bytes', () => {
    const header = Buffer.of(0, 0, 0, 0, 0, 1, MESSAGE.audio, 1, 0, 0, 0);
    const ids = [Buffer.of(0x3f), Buffer.of(0x00, 0xff), Buffer.of(0x01, 0xff, 0xff)];
    const bytes = ids.flatMap((id) => [id, header, Buffer.of(9)]);
    assert.equal(readIn(bytes).length, 3);
    const again = ids.map((id) => Buffer.concat([Buffer.of((id[0] ?? 0) | 0xc0), id.subarray(1), Buffer.of(8)]));
    assert.equal(readIn([...bytes, ...again]).length, 6);
  });

  it('are forgotten if their message is aborted', () => {
    const video = { type: MESSAGE.video, streamId: 1, timestamp: 5, payload: Buffer.alloc(200, 1) };
    const abort = { ...setChunkSize(5), type: MESSAGE.abort };
    const read = readIn([encodeMessage(video, 5).subarray(0, 140), encodeMessage(abort, 2), encodeMessage(video, 5)]);
    assert.deepEqual(read, [abort, video]);
  });

  it('may begin with the second format, as librtmp answers pings', () => {
    const pong = Buffer.of(0x42, 0, 0, 0, 0, 0, 6, MESSAGE.userControl, 0, 7, 0, 0, 0, 1);
    assert.deepEqual(fieldsOf(readIn([pong]), 'type', 'streamId'), [[MESSAGE.userControl, 0]]);
  });
});

/** Each byte 0xc5 that follows repeats it. */
const EMPTY_MESSAGE = Buffer.of(5, 0, 0, 0, 0, 0, 0, MESSAGE.data, 1, 0, 0, 0);

describe('The chunk reader', () => {
  forbidLargeBuffers();
  const hostile: Readonly<Record<string, Buffer>> = {
    'a chunk size of 0': encodeMessage(setChunkSize(0), 2),
    'a chunk size of 2^31': encodeMessage(setChunkSize(2 ** 31), 2),
    'a chunk size without a number': encodeMessage({ ...setChunkSize(1), payload: Buffer.alloc(1) }, 2),
    'a message of 16 MB': Buffer.of(5, 0, 0, 0, 0xff, 0xff, 0xff, MESSAGE.video, 1, 0, 0, 0),
    'a first chunk without a length': Buffer.of(0x85, 0, 0, 1),
    'a first chunk without a header': Buffer.of(0xc5),
    'a header within a message': Buffer.concat([
      encodeMessage({ type: 9, streamId: 1, timestamp: 0, payload: Buffer.alloc(200) }, 5).subarray(0, 140),
      Buffer.of(5, 0, 0, 0, 0, 0, 1, 9, 1, 0, 0, 0),
    ]),
    '65 chunk streams': Buffer.concat(
      Array.from({ length: 65 }, (_, id) => Buffer.of(0, id, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0)),
    ),
    '5,000 empty messages in one piece': Buffer.concat([EMPTY_MESSAGE, Buffer.alloc(5000, 0xc5)]),
    'nine messages at a time': Buffer.concat(
      Array.from({ length: 9 }, (_, id) =>
        Buffer.concat([Buffer.of(3 + id, 0, 0, 0, 0, 1, 0, 9, 1, 0, 0, 0), Buffer.alloc(128)]),
      ),
    ),
  };
  for (const [what, bytes] of Object.entries(hostile)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => new ChunkReader().push(bytes), isProtocolError);
    });
  }

  it('stops reading where it refuses', () => {
    const reader = new ChunkReader();
    assert.equal(reader.push(Buffer.concat([EMPTY_MESSAGE, Buffer.alloc(4095, 0xc5)])).length, 4096);
    const million = Buffer.alloc(1_000_000, 0xc5);
    let reads = 0;
    const counted = new Proxy(million, {
      get(target, property) {
        if (property === 'subarray') reads += 1;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    assert.throws(() => reader.push(counted), isProtocolError);
    assert.ok(reads > 0 && reads < 20_000, `${reads}`);
  });

  it('takes no more messages from a connection than it may have', () => {
    const reader = new ChunkReader({ mostMessages: 10_000 });
    for (let count = 0; count < 10_000; count += 1000) reader.push(Buffer.concat(Array(1000).fill(EMPTY_MESSAGE)));
    assert.throws(() => reader.push(EMPTY_MESSAGE), isProtocolError);
  });

  it('lets messages begin that take the place of completed and aborted ones', () => {
    const reader = new ChunkReader();
    const begun = (id: number) =>
      Buffer.concat([Buffer.of(3 + id, 0, 0, 0, 0, 1, 0, 9, 1, 0, 0, 0), Buffer.alloc(128)]);
    const abort = (id: number) => encodeMessage({ ...setChunkSize(3 + id), type: MESSAGE.abort }, 2);
    for (let round = 0; round < 20; round++) {
      for (let id = 0; id < 7; id++) reader.push(begun(id));
      for (let id = 0; id < 7; id++) reader.push(abort(id));
      reader.push(abort(0));
      reader.push(EMPTY_MESSAGE);
    }
  });

  const readOrRefuse = (pieces: readonly Buffer[], reader = new ChunkReader()): void => {
    try {
      readIn(pieces, reader);
    } catch (error) {
      assert.ok(isProtocolError(error), String(error));
    }
  };

  it('throws nothing but its own error, and keeps little, whatever it reads', () => {
    forAll(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }), (pieces) => {
      const bytes = pieces.map((piece) => Buffer.from(piece));
      readOrRefuse(bytes, new ChunkReader({ largestMessage: 4096 }));
    });
  });

  it('throws nothing but its own error for a connection that is damaged, in any split', () => {
    const damages = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const messages = fc.array(message, { minLength: 1, maxLength: 8 });
    forAll(messages, damages, fc.array(fc.nat(), { maxLength: 6 }), (sent, changes, places) => {
      const parts = [encodeMessage(setChunkSize(200), 2)];
      for (const [index, one] of sent.entries()) parts.push(encodeMessage(one, 3 + (index % 4), 200));
      const bytes = Buffer.concat(parts);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      readOrRefuse(splitAt(bytes, places));
    });
  });
});
