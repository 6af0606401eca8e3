import assert from 'node:assert/strict';
import { templatesSaid } from '../../../../src/model/account/serviceAddresses.ts';

const BASE = 'https://studio.example/api';
const said = (fields: unknown, baseUrl = BASE) => templatesSaid([fields], baseUrl);

describe('The addresses in a service’s answer', () => {
  it('are those of RTMP, SRT, and HLS', () => {
    const answer = {
      ingest: 'rtmp://rtmp.studio.example/live',
      ingests: { rtmp: 'rtmp://rtmp.studio.example/live', srt: 'srt://rtmp.studio.example:2935' },
      playback: 'https://cdn.studio.example/hls',
      base: 'https://studio.example',
      origin: 'http://studio.example',
    };
    assert.deepEqual(said(answer), {
      rtmp: 'rtmp://rtmp.studio.example/live/{streamKey}',
      srt: 'srt://rtmp.studio.example:2935?streamid={streamKey}',
      hls: 'https://cdn.studio.example/hls/{playbackId}/index.m3u8',
    });
  });

  it('may end in a slash, and have a query for SRT, or be said in one field alone', () => {
    assert.deepEqual(said({ ingest: 'rtmps://a.example:443/x/live/' }), {
      rtmp: 'rtmps://a.example:443/x/live/{streamKey}',
    });
    assert.deepEqual(said({ ingests: { srt: 'srt://a.example:1?mode=caller' } }), {
      srt: 'srt://a.example:1?mode=caller&streamid={streamKey}',
    });
  });

  const unusable: readonly unknown[] = [
    ...[undefined, null, {}, [], 'rtmp://a.example/live', 7, [null, 'a'], [[]]],
    [{ ingest: 7, ingests: 'a', playback: {} }],
    [{ ingest: 'http://a.example/live', playback: 'ftp://a.example/hls' }],
    [{ ingest: 'rtmp://user:word@a.example/live', playback: 'https://user:word@a.example/hls' }],
    [{ ingest: 'rtmp://a.example/live?x=1', playback: 'https://a.example/hls?token=1' }],
    [{ ingest: 'rtmp://a.example/{id}', playback: 'https://a.example/{id}' }],
    [{ ingest: 'rtmp://a.example/live#a', playback: 'https://a.example/hls#a' }],
    [{ ingest: `rtmp://a.example/${'a'.repeat(1000)}`, playback: 'http://a.example/hls' }],
    [{ ingest: 'rtmp://127.0.0.1/live', ingests: { srt: 'srt://localhost:1' }, playback: 'https://127.0.0.1/hls' }],
    [{ ingest: 'rtmp://[::1]/live', ingests: { srt: 'srt://0.0.0.0:1' }, playback: 'https://localhost/hls' }],
  ];
  for (const answer of unusable) {
    it(`are none if they can't be used: ${JSON.stringify(answer)?.slice(0, 80)}`, () => {
      assert.deepEqual(templatesSaid(answer, BASE), {});
    });
  }

  it('may be of this machine where the service is', () => {
    const local = said(
      { ingest: 'rtmp://127.0.0.1:1935/live', playback: 'http://localhost/hls' },
      'http://127.0.0.1:3004/api',
    );
    assert.deepEqual(Object.keys(local), ['rtmp', 'hls']);
  });
});
