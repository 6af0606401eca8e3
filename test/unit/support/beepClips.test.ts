import assert from 'node:assert/strict';
import { readPlayable } from '../../support/service/playableMedia.ts';
import { CLIP_SECONDS, makeBeepStream } from '../../support/sound/beepClips.ts';
import { readGaps } from '../../support/sound/soundMeter.ts';

const bytesOf = (files: ReadonlyMap<string, string | Uint8Array>, name: string): Uint8Array => {
  const file = files.get(name);
  return file instanceof Uint8Array ? file : assert.fail(`There is no ${name}`);
};

describe('A stream that flashes and beeps', () => {
  for (const container of ['ts', 'fmp4'] as const) {
    it(`has frames without a gap from clip to clip: ${container}`, async () => {
      const files = await makeBeepStream({ container, tracks: 'muxed', segments: 3 });
      const names = [...files.keys()].filter((name) => name !== 'index.m3u8' && name !== 'index.mp4');
      const init = container === 'fmp4' ? [bytesOf(files, 'index.mp4')] : [];
      const parts = await Promise.all(names.map((name) => readPlayable(...init, bytesOf(files, name))));
      assert.equal(parts.length, 3);
      for (const [at, { video, audio }] of parts.entries()) {
        assert.deepEqual([video?.packets.length, audio?.packets.length], [80, 150]);
        for (const track of [video, audio]) {
          assert.ok(Math.abs((track?.packets[0]?.time ?? Number.NaN) - at * CLIP_SECONDS) < 0.001);
        }
        assert.equal(video?.packets[0]?.isKey, true);
      }
    });
  }

  it('has its tracks in playlists of their own, or one of them', async () => {
    const separate = await makeBeepStream({ container: 'fmp4', tracks: 'separate', channels: 6, segments: 1 });
    assert.match(String(separate.get('index.m3u8')), /URI="sound.m3u8"[\s\S]*picture.m3u8/);
    const sound = await readPlayable(bytesOf(separate, 'sound.mp4'), bytesOf(separate, 'sound0.m4s'));
    assert.deepEqual([sound.video, sound.audio?.codec], [undefined, 'mp4a.40.2']);
    const picture = await makeBeepStream({ container: 'ts', tracks: 'pictureOnly', segments: 1 });
    assert.equal((await readPlayable(bytesOf(picture, 'index0.ts'))).audio, undefined);
  });
});

describe('The meter of sound', () => {
  it('compares each beep with the flash next to it, and leaves out those without', () => {
    const at = (...times: readonly number[]) => times.map((time) => ({ media: 0, at: time }));
    assert.deepEqual(readGaps({ beeps: at(100, 905, 2000), flashes: at(90, 900, 1200) }), [10, 5]);
    assert.deepEqual(readGaps({ beeps: at(100), flashes: [] }), []);
  });
});
