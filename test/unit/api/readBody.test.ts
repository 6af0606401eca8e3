import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { isApiError } from '../../../src/api/errors.ts';
import { readBody } from '../../../src/api/transport/readBody.ts';

const CHUNK = 64 * 1024;
const LIMIT = 1024 * 1024;

/** A body of so many chunks, and how many of them were read. */
function bodyOf(chunks: number) {
  const given = { count: 0 };
  const body = new Readable({
    highWaterMark: 1,
    read() {
      given.count += 1;
      this.push(given.count > chunks ? null : Buffer.alloc(CHUNK, given.count));
    },
  });
  return { body, given };
}

describe('Reading a body', () => {
  it('takes one of exactly the limit, byte for byte', async () => {
    const { body } = bodyOf(LIMIT / CHUNK);
    const bytes = await readBody(body, { status: 200, headers: {}, maxBytes: LIMIT });
    assert.equal(bytes.byteLength, LIMIT);
    assert.deepEqual([bytes[0], bytes[CHUNK], bytes.at(-1)], [1, 2, LIMIT / CHUNK]);
  });

  it('holds no more than the limit and a part of what is too large, and joins none of it', async () => {
    const { body, given } = bodyOf(10_000);
    const joined: number[] = [];
    const { concat } = Buffer;
    Buffer.concat = (list, length) => {
      joined.push(list.length);
      return concat(list, length);
    };
    try {
      await assert.rejects(
        readBody(body, { status: 200, headers: {}, maxBytes: LIMIT }),
        (error) => isApiError(error) && error.why === 'tooLarge',
      );
    } finally {
      Buffer.concat = concat;
    }
    assert.ok(given.count <= LIMIT / CHUNK + 3, `${given.count} parts were read`);
    assert.deepEqual(joined, []);
  });

  it('keeps 64 KiB of an error, whatever comes', async () => {
    const { body, given } = bodyOf(10_000);
    const bytes = await readBody(body, { status: 500, headers: {} });
    assert.equal(bytes.byteLength, 64 * 1024);
    assert.ok(given.count <= 4, `${given.count} parts were read`);
  });
});
