import assert from 'node:assert/strict';
import { openMediaFiles } from '../../../../src/demo/site.ts';
import { pictureSize } from '../../../../src/model/pages/thumbnails.ts';
import { MEDIA_ROOT } from '../../commands/fixture.ts';

/** Of one pixel each. */
const SMALL = {
  PNG: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  GIF: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'WebP (lossy)': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  'WebP (lossless)': 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  'WebP (with alpha)':
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
  'WebP (animation)':
    'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA',
};

/** One of them, with bytes of its header replaced. */
function patched(name: keyof typeof SMALL, at: number, bytes: readonly number[]): Uint8Array {
  const picture = Buffer.from(SMALL[name], 'base64');
  picture.set(bytes, at);
  return picture;
}

const jpeg = () => openMediaFiles(MEDIA_ROOT).part('stage/thumbnail.jpg');

describe('The size of a picture', () => {
  for (const [name, base64] of Object.entries(SMALL)) {
    it(`is read out of the header of a ${name}`, () => {
      assert.deepEqual(pictureSize(Buffer.from(base64, 'base64')), { width: 1, height: 1 });
    });

    it(`is not known of a ${name} that ends within its header, and its bytes are its own`, () => {
      const whole = Buffer.from(base64, 'base64');
      for (let length = 0; length < 20; length++) assert.equal(pictureSize(whole.subarray(0, length)), undefined);
      const within = Buffer.concat([Buffer.alloc(7), whole, Buffer.alloc(7)]).subarray(7, 7 + whole.length);
      assert.deepEqual(pictureSize(within), { width: 1, height: 1 });
    });
  }

  it('is read out of the frame header of a JPEG, behind other segments and bytes that fill up', async () => {
    const picture = await jpeg();
    assert.deepEqual(pictureSize(picture), { width: 320, height: 180 });
    const filled = Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, 0xff]), picture.subarray(2)]);
    assert.deepEqual(pictureSize(filled), { width: 320, height: 180 });
    const progressive = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0x59, 0xd8, 0x59, 0xd9, 1];
    assert.deepEqual(pictureSize(Uint8Array.from(progressive)), { width: 23_001, height: 23_000 });
  });

  it('is not known of a JPEG whose scan begins, or that ends, before its frame header', async () => {
    assert.equal(pictureSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3])), undefined);
    assert.equal(pictureSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xd9])), undefined);
    assert.equal(pictureSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])), undefined);
    assert.equal(pictureSize((await jpeg()).subarray(0, 25)), undefined);
  });

  it('is not known of a JPEG with anything else before its frame header, where a decoder would find another one', () => {
    const frame = (side: number) => [0xff, 0xc0, 0, 11, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0];
    const hidden = frame(20_000);
    const [start, shown] = [[0xff, 0xd8], frame(16)];
    const segment = (marker: number) => [0xff, marker, 0, 2 + hidden.length, ...hidden];
    for (const marker of [0x00, 0x01, 0x02, 0x4f, 0xbf, 0xc8, 0xcc, 0xd0, 0xd7, 0xd8, 0xdc, 0xde, 0xdf, 0xf0, 0xfd]) {
      const bytes = Uint8Array.from([...start, ...segment(marker), ...shown]);
      assert.equal(pictureSize(bytes), undefined, marker.toString(16));
    }
    for (const junk of [[0], [0xff, 0x00], [0xff, 0x01], [0xff, 0xe0, 0, 0], [0xff, 0xe0, 0, 1]]) {
      assert.equal(pictureSize(Uint8Array.from([...start, ...junk, ...hidden, ...shown])), undefined, `${junk}`);
    }
    for (const marker of [0xe0, 0xe1, 0xef, 0xfe, 0xdb, 0xc4, 0xdd]) {
      const bytes = Uint8Array.from([...start, ...segment(marker), ...shown]);
      assert.deepEqual(pictureSize(bytes), { width: 16, height: 16 }, marker.toString(16));
    }
  });

  it('is that of the header, however small the picture is', () => {
    const large = { width: 23_000, height: 23_000 };
    const [high, low] = [0x59, 0xd8];
    assert.deepEqual(pictureSize(patched('PNG', 16, [0, 0, high, low, 0, 0, high, low])), large);
    assert.deepEqual(pictureSize(patched('GIF', 6, [low, high, low, high])), large);
    assert.deepEqual(pictureSize(patched('WebP (with alpha)', 24, [low - 1, high, 0, low - 1, high, 0])), large);
    assert.deepEqual(pictureSize(patched('WebP (lossy)', 26, [0xff, 0x3f, 0xff, 0x3f])), {
      width: 16_383,
      height: 16_383,
    });
    assert.deepEqual(pictureSize(patched('WebP (lossless)', 21, [0xff, 0xff, 0xff, 0x0f])), {
      width: 16_384,
      height: 16_384,
    });
  });

  it('is that of the first frame of a GIF, where that exceeds the screen', () => {
    const frame = Buffer.from(SMALL.GIF, 'base64').indexOf(0x2c);
    const size = pictureSize(patched('GIF', frame + 1, [1, 0, 2, 0, 0xd8, 0x59, 0xd8, 0x59]));
    assert.deepEqual(size, { width: 23_001, height: 23_002 });
  });

  it('is not known of anything else', () => {
    for (const text of [
      '',
      'x',
      '<html>',
      '<svg width="1" height="1">',
      'BM',
      'RIFF....WAVEfmt ....................',
    ]) {
      assert.equal(pictureSize(new TextEncoder().encode(text)), undefined, text);
    }
  });
});
