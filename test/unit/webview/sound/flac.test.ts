import assert from 'node:assert/strict';
import { concat } from '../../../../src/util/bytes.ts';
import { FlacWriter, type PcmFormat } from '../../../../src/webview/player/sound/flac.ts';
import { writeFlacFragment, writeFlacInit } from '../../../../src/webview/player/sound/flacMp4.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { readPlayable } from '../../../support/service/playableMedia.ts';
import { readFlac } from '../../../support/sound/flacReader.ts';

function write(format: PcmFormat, frames: readonly Float32Array[], { time = 0, editTime = 0 } = {}): Uint8Array {
  const writer = new FlacWriter(format);
  const samples = frames.map((pcm) => ({ data: writer.write(pcm), duration: format.samplesPerFrame }));
  return concat([writeFlacInit({ format, timescale: format.rate, editTime }), ...writeFlacFragment(1, time, samples)]);
}

const STEREO: PcmFormat = { rate: 48000, channels: 2, samplesPerFrame: 1024 };

describe('FLAC', () => {
  it('has each sample, rounded to 16 bits', () => {
    const pcm = Float32Array.from({ length: 2048 }, (_, at) => Math.sin(at / 7) * (at % 2 === 0 ? 0.9 : 0.4));
    const read = readFlac(write(STEREO, [pcm]));
    assert.equal(read.rate, 48000);
    for (const [channel, samples] of read.pcm.entries()) {
      assert.deepEqual(
        Array.from(samples),
        Array.from({ length: 1024 }, (_, time) => Math.round((pcm[time * 2 + channel] ?? 0) * 0x8000)),
      );
    }
  });

  it('is cut at its limits, and has silence where a decoder gave no number', () => {
    const pcm = Float32Array.from(
      { length: 2048 },
      (_, at) => [2, -2, Number.NaN, Number.POSITIVE_INFINITY][at % 4] ?? 0,
    );
    const [left, right] = readFlac(write(STEREO, [pcm])).pcm;
    assert.deepEqual([left?.[0], left?.[1], right?.[0], right?.[1]], [0x7fff, 0, -0x8000, 0x7fff]);
  });

  it('takes next to no room where a channel is silent', () => {
    const [silent, half] = [new Float32Array(2048), new Float32Array(2048).map((_, at) => (at % 2) * Math.sin(at))];
    assert.ok(new FlacWriter(STEREO).write(silent).length < 24);
    assert.ok(new FlacWriter(STEREO).write(half).length < 24 + 2048);
  });

  it('numbers frames for as long as a stream may last', () => {
    const writer = new FlacWriter({ rate: 8000, channels: 1, samplesPerFrame: 16 });
    const silence = new Float32Array(16);
    for (let at = 0; at < 70_000; at++) {
      const frame = Buffer.from(writer.write(silence));
      if (![0, 127, 128, 2047, 2048, 65535, 65536].includes(at)) continue;
      const bytes = at < 0x80 ? 1 : at < 0x800 ? 2 : at < 0x10000 ? 3 : 4;
      assert.equal(frame.toString('utf8', 4, 4 + bytes).codePointAt(0), at);
    }
  });

  for (const format of [
    STEREO,
    { rate: 44100, channels: 1, samplesPerFrame: 1024 },
    { rate: 96000, channels: 2, samplesPerFrame: 2048 },
    { rate: 48000, channels: 6, samplesPerFrame: 1024 },
    { rate: 48000, channels: 8, samplesPerFrame: 1024 },
  ]) {
    it(`is found in its MP4 by other readers: ${format.rate} Hz, ${format.channels} channels`, async () => {
      const frames = Array.from({ length: 3 }, () =>
        new Float32Array(format.samplesPerFrame * format.channels).fill(0.1),
      );
      const { audio } = await readPlayable(write(format, frames, { time: 2 ** 33 }));
      const duration = format.samplesPerFrame / format.rate;
      assert.equal(audio?.codec, 'flac');
      assert.deepEqual(
        audio?.packets.map(({ time, isKey }) => [
          Math.round((time * format.rate - 2 ** 33) / format.samplesPerFrame),
          isKey,
        ]),
        [0, 1, 2].map((at) => [at, true]),
      );
      for (const packet of audio?.packets ?? []) assert.ok(Math.abs(packet.duration - duration) < 1e-6);
    });
  }

  it('is shifted by an edit list like the sound that it was made of', async () => {
    const { audio } = await readPlayable(write(STEREO, [new Float32Array(2048)], { time: 2048, editTime: 1024 }));
    assert.deepEqual(fieldsOf(audio?.packets, 'time'), [1024 / 48000]);
  });
});
