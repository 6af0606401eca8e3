import assert from 'node:assert/strict';
import { isAac, readMimeType, writePictureType } from '../../../../src/webview/player/sound/mimeTypes.ts';

describe('The type of a source buffer', () => {
  for (const [type, picture, sound] of [
    ['audio/mp4;codecs=mp4a.40.2', [], ['mp4a.40.2']],
    ['video/mp4;codecs=mp4a.40.2,avc1.64001f', ['avc1.64001f'], ['mp4a.40.2']],
    ['video/mp4; codecs="avc1.42c00c, mp4a.40.5"', ['avc1.42c00c'], ['mp4a.40.5']],
    ['audio/mpeg;codecs=', [], []],
    ['video/mp4', [], []],
  ] as const) {
    it(`is read: ${type}`, () => {
      const kind = readMimeType(type);
      assert.deepEqual([kind.picture, kind.sound], [picture, sound]);
    });
  }

  it('is AAC for its object types alone', () => {
    const isSo = (codecs: string) => isAac(readMimeType(`audio/mp4;codecs=${codecs}`));
    for (const codecs of ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29', 'mp4a.40.42', 'mp4a.67', 'MP4A.40.2', 'mp4a']) {
      assert.equal(isSo(codecs), true, codecs);
    }
    for (const codecs of ['mp4a.40.34', 'mp4a.6b', 'ac-3', 'ec-3', 'opus', 'flac', 'mp3', 'avc1.42c00c', '']) {
      assert.equal(isSo(codecs), false, codecs);
    }
    assert.equal(isAac(readMimeType('audio/mpeg;codecs=mp4a.40.2')), false);
  });

  it('is that of the picture without its sound', () => {
    assert.equal(
      writePictureType(readMimeType('video/mp4;codecs=avc1.42c00c,mp4a.40.2')),
      'video/mp4; codecs="avc1.42c00c"',
    );
    assert.equal(writePictureType(readMimeType('audio/mp4;codecs=mp4a.40.2')), undefined);
  });
});
