import assert from 'node:assert/strict';
import { readVideo } from '../../../src/media/flvPayload.ts';

const KEY_FRAME_OF_H264 = 0x17;
const EXTENDED_KEY_FRAME = 0x90;
const NAME = Buffer.from('avc1');

describe('A picture in FLV', () => {
  const data = Buffer.of(1, 2, 3);

  it('has no offset where its packet says so by four letters', () => {
    const part = readVideo(Buffer.concat([Buffer.of(EXTENDED_KEY_FRAME | 3), NAME, data]));
    assert.deepEqual(part, { kind: 'video', data, isKey: true, compositionOffset: 0 });
  });

  it('is none where an older packet has a type that it doesn’t know', () => {
    assert.equal(readVideo(Buffer.concat([Buffer.of(KEY_FRAME_OF_H264, 3, 0, 0, 0), data])), undefined);
  });
});

describe('The size of a picture in FLV', () => {
  // 640 x 368: 40 by 23 blocks, after the numbers of the set, the frames, and their order.
  const blocks = ['1', '1', '011', '1', '0', '00000101000', '000010111', '1', '1', '0', '1'].join('');
  const rest = [...blocks.matchAll(/.{1,8}/g)].map(([bits]) => Number.parseInt(bits.padEnd(8, '0'), 2));

  const sizeOf = (head: readonly number[]) => {
    const parameterSet = [0x67, ...head, ...rest];
    const record = [1, ...head.slice(0, 3), 0xff, 0xe1, 0, parameterSet.length, ...parameterSet, 1, 0, 1, 0x68];
    const part = readVideo(Buffer.from([KEY_FRAME_OF_H264, 0, 0, 0, 0, ...record]));
    assert.ok(part?.kind === 'format' && part.format.kind === 'video');
    return [part.format.width, part.format.height];
  };

  it('is read with a 3 that follows one zero, or none', () => {
    for (const head of [
      [0x42, 0x00, 0x03],
      [0x00, 0x42, 0x03],
      [0x42, 0x03, 0x1e],
    ]) {
      assert.deepEqual(sizeOf(head), [640, 368], head.join());
    }
  });

  it('is read without a 3 that follows two zeros', () => {
    assert.deepEqual(sizeOf([0x00, 0x00, 0x03, 0x1e]), [640, 368]);
  });
});
