import assert from 'node:assert/strict';
import { addAdtsHeader, makeSilentFrame, readAacConfig } from '../../../../src/webview/player/sound/aacConfig.ts';

const read = (hex: string) => readAacConfig(new Uint8Array(Buffer.from(hex, 'hex')));

describe('The configuration of AAC', () => {
  it('is read with its rate and channels', () => {
    assert.deepEqual(read('1190'), { objectType: 2, rate: 48000, rateIndex: 3, channelConfig: 2, channels: 2 });
    assert.deepEqual(read('1588'), { objectType: 2, rate: 8000, rateIndex: 11, channelConfig: 1, channels: 1 });
    assert.deepEqual(read('11b0')?.channels, 6);
    assert.deepEqual(read('11b8')?.channels, 8);
  });

  it('is that of the core where SBR or PS is signalled', () => {
    const core = { objectType: 2, rate: 22050, rateIndex: 7, channelConfig: 2, channels: 2 };
    assert.deepEqual(read('2b920800'), core);
    assert.deepEqual(read('eb8a0800'), { ...core, channelConfig: 1, channels: 1 });
  });

  it('is read if its rate is spelled out', () => {
    // Object type 2, index 15, 24 bits of 44,100, two channels.
    assert.deepEqual(read('17805622' + '10')?.rate, 44100);
  });

  for (const [what, hex] of [
    ['low delay', 'b98c00'],
    ['xHE-AAC', 'f9468c'],
    ['960 samples a frame', '1194'],
    ['channels of a program config element', '1180'],
    ['a rate of its own', '17800003e810'],
    ['nothing', ''],
  ] as const) {
    it(`is unknown for ${what}`, () => assert.equal(read(hex), undefined));
  }
});

describe('An ADTS header', () => {
  const config = read('1190') ?? assert.fail();

  it('says what the frame is, and how long', () => {
    const adts = addAdtsHeader(config, new Uint8Array(1000)) ?? assert.fail();
    assert.deepEqual(Buffer.from(adts.subarray(0, 7)).toString('hex'), 'fff14c807dfffc');
    assert.equal(adts.length, 1007);
  });

  it('is not made for a frame that is empty or longer than it can say', () => {
    assert.equal(addAdtsHeader(config, new Uint8Array(0)), undefined);
    assert.equal(addAdtsHeader(config, new Uint8Array(8184))?.length, 8191);
    assert.equal(addAdtsHeader(config, new Uint8Array(8185)), undefined);
  });
});

describe('A silent frame', () => {
  it('has an element for each channel or pair', () => {
    const bitsOf = (channelConfig: number) =>
      Array.from(makeSilentFrame({ channelConfig }), (byte) => byte.toString(2).padStart(8, '0')).join('');
    assert.match(bitsOf(1), /^000.{4}0{22}111/);
    assert.match(bitsOf(2), /^001.{4}0{45}111/);
    assert.match(bitsOf(6), /^0000000.{22}0010000.{45}0010001.{45}0110000.{22}111/);
  });
});
