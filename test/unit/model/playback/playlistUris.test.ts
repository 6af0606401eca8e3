import assert from 'node:assert/strict';
import { type RewriteOptions, rewritePlaylist } from '../../../../src/model/playback/playlistUris.ts';
import { masterOf, playlistOf } from '../../../support/service/mediaServer.ts';

const AT = 'https://cdn.test/a/index.m3u8';

function rewrite(text: string, given: Partial<RewriteOptions> = {}) {
  const named: string[] = [];
  const replace: RewriteOptions['replace'] = (url, kind) => {
    named.push(`${kind} ${url}`);
    return `#${named.length}`;
  };
  const result = rewritePlaylist(text, { url: AT, imported: new Map(), replace, ...given });
  return { named, result };
}

function textOf(text: string, given: Partial<RewriteOptions> = {}): string {
  const { result } = rewrite(text, given);
  assert.ok('text' in result, JSON.stringify(result));
  return result.text;
}

describe('Rewriting a playlist', () => {
  it('replaces the URIs of renditions, audio groups, segments, maps, parts, and keys', () => {
    const audio = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="A",URI="audio.m3u8"';
    const master = rewrite(masterOf(['high.m3u8', 'https://other.test/low.m3u8']).replace('#EXT-X-VERSION:3', audio));
    assert.deepEqual(master.named, [
      'playlist https://cdn.test/a/audio.m3u8',
      'playlist https://cdn.test/a/high.m3u8',
      'playlist https://other.test/low.m3u8',
    ]);
    const media = rewrite(
      [
        '#EXTM3U',
        '#EXT-X-MAP:URI="init.mp4",BYTERANGE="600@0"',
        '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.test/k",IV=0x1',
        '#EXTINF:2,',
        '0.m4s',
        '#EXT-X-PART:DURATION=0.3,URI="1.0.m4s"',
      ].join('\r\n'),
    );
    assert.deepEqual(media.named, [
      'segment https://cdn.test/a/init.mp4',
      'key https://keys.test/k',
      'segment https://cdn.test/a/0.m4s',
      'segment https://cdn.test/a/1.0.m4s',
    ]);
    assert.ok('text' in media.result && !media.result.isComplete);
    assert.equal(
      media.result.text,
      [
        '#EXTM3U',
        '#EXT-X-MAP:URI="#1",BYTERANGE="600@0"',
        '#EXT-X-KEY:METHOD=AES-128,URI="#2",IV=0x1',
        '#EXTINF:2,',
        '#3',
        '#EXT-X-PART:DURATION=0.3,URI="#4"',
        '',
      ].join('\n'),
    );
  });

  it('leaves no URL of the playlist in its text', () => {
    const leading = [
      '#EXTM3U',
      '#EXT-X-CONTENT-STEERING:SERVER-URI="https://steer.test/s"',
      '#EXT-X-SESSION-DATA:DATA-ID="a",URI="https://data.test/d"',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="https://frames.test/i.m3u8"',
      '#EXT-X-RENDITION-REPORT:URI="https://report.test/r.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      'https://cdn.test/high.m3u8?token=secret',
    ].join('\n');
    assert.doesNotMatch(textOf(leading), /https?:|secret/);
  });

  it('tells empty, HTML, damaged, and other responses apart', () => {
    const kindOf = (text: string) => {
      const { result } = rewrite(text);
      return 'kind' in result ? result.kind : 'fine';
    };
    assert.equal(kindOf(''), 'emptyPlaylist');
    assert.equal(kindOf('#EXTM3U\n#EXT-X-ENDLIST'), 'emptyPlaylist');
    assert.equal(kindOf('<html>'), 'htmlPlaylist');
    assert.equal(kindOf('hello'), 'malformedPlaylist');
    assert.equal(kindOf('#EXTM3U\n#EXTINF:2,\n'), 'malformedPlaylist');
    assert.equal(kindOf('#EXTM3U\nonly.ts'), 'malformedPlaylist');
    assert.equal(kindOf(playlistOf(['http://[broken/0.ts'])), 'malformedPlaylist');
    assert.equal(kindOf(playlistOf(Array.from({ length: 200_001 }, (_, index) => `${index}.ts`))), 'endlessPlaylist');
    assert.equal(kindOf(playlistOf(['0.ts'])), 'fine');
  });

  it('refuses a playlist with a URI of another scheme, but lets keys have theirs', () => {
    assert.deepEqual(rewrite(playlistOf(['file:///etc/passwd'])).result, { kind: 'foreignScheme', scheme: 'file' });
    assert.deepEqual(rewrite(playlistOf(['data:video/mp2t,x'])).result, { kind: 'foreignScheme', scheme: 'data' });
    const key = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"';
    assert.ok(textOf(`#EXTM3U\n${key}\n#EXTINF:2,\n0.ts\n`).includes(key));
    const fileKey = '#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"';
    assert.deepEqual(rewrite(`#EXTM3U\n${fileKey}\n#EXTINF:2,\n0.ts\n`).result, {
      kind: 'foreignScheme',
      scheme: 'file',
    });
  });

  it('fills in variables: defined, imported, and of the playlist’s own query', () => {
    const text = [
      '#EXTM3U',
      '#EXT-X-DEFINE:NAME="path",VALUE="deep/er"',
      '#EXT-X-DEFINE:IMPORT="auth"',
      '#EXT-X-DEFINE:QUERYPARAM="cdn"',
      '#EXTINF:2,',
      '{$path}/0.ts?a={$auth}&c={$cdn}&u={$unknown}',
    ].join('\n');
    const { named } = rewrite(text, { url: `${AT}?cdn=7`, imported: new Map([['auth', 'x y']]) });
    assert.deepEqual(named, ['segment https://cdn.test/a/deep/er/0.ts?a=x%20y&c=7&u={$unknown}']);
  });

  it('offers no delta updates, which would not name the segments that they skip', () => {
    const control = '#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12.0,CAN-BLOCK-RELOAD=YES';
    const text = textOf(`#EXTM3U\n${control}\n#EXTINF:2,\n0.ts\n`);
    assert.match(text, /#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n/);
  });
});
