import assert from 'node:assert/strict';
import { hlsAddress } from '../../../../src/model/account/account.ts';

const infoOf = (...source: readonly unknown[]) => ({ type: 'live', meta: { live: 1, source } });

describe('The HLS source in a playback info', () => {
  it('is its first HLS source, whatever stands before it', () => {
    const mp4 = { type: 'html5/video/mp4', url: 'https://a.test/x.mp4' };
    for (const type of ['html5/application/vnd.apple.mpegurl', 'application/x-mpegURL', 'audio/mpegurl']) {
      assert.equal(hlsAddress(infoOf(mp4, { type, url: ' https://a.test/x.m3u8 ' })), 'https://a.test/x.m3u8');
    }
  });

  it('is unknown where there is none, and for what is no such info', () => {
    const type = 'html5/application/vnd.apple.mpegurl';
    for (const info of [
      ...[undefined, null, 'x', {}, { meta: null }, { meta: { source: {} } }, infoOf()],
      ...[
        infoOf({ type }),
        infoOf({ type, url: 7 }),
        infoOf({ type: 'text/html', url: 'https://a.test' }),
        infoOf(null),
      ],
    ]) {
      assert.equal(hlsAddress(info), undefined);
    }
  });
});
