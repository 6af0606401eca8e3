import assert from 'node:assert/strict';
import { isAacCodec } from '../../../src/webview/player/leftOutSound.ts';
import { removeSoundFromPlaylist } from '../../../src/webview/player/soundInPlaylist.ts';
import { masterOf, playlistOf } from '../../support/service/mediaServer.ts';

const canPlay = (codec: string) => !isAacCodec(codec) && codec !== 'ac-3';
const removeSound = (playlist: string) => removeSoundFromPlaylist(playlist, canPlay);

function masterWith(...lines: readonly string[]): string {
  return ['#EXTM3U', '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="english.m3u8"', ...lines].join('\n');
}

describe('Removing sound from a playlist', () => {
  it('promises no AAC in a master playlist', () => {
    const { playlist, codec } = removeSound(masterOf(['high.m3u8', 'low.m3u8']));
    assert.equal(codec, 'mp4a.40.2');
    assert.doesNotMatch(playlist, /mp4a/);
    assert.match(playlist, /CODECS="avc1.4d401e"/);
    assert.match(playlist, /high\.m3u8\n.*\nlow\.m3u8/);
  });

  it('leaves out audio groups, and renditions that are nothing but sound', () => {
    const { playlist, isAlone } = removeSound(
      masterWith(
        '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a",CODECS="avc1.4d401e,mp4a.40.2"',
        'picture.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"',
        'sound.m3u8',
      ),
    );
    assert.equal(playlist, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="avc1.4d401e"\npicture.m3u8');
    assert.equal(isAlone, false);
  });

  it('takes a group for AAC unless another codec is named', () => {
    const renditions: readonly (readonly [string, string])[] = [
      ['#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a"', '#EXT-X-STREAM-INF:BANDWIDTH=2'],
      ['#EXT-X-STREAM-INF:AUDIO="a",CODECS="hvc1.1.6.L93,stpp"', '#EXT-X-STREAM-INF:CODECS="hvc1.1.6.L93,stpp"'],
    ];
    for (const [line, expected] of renditions) {
      const { playlist, codec } = removeSound(masterWith(line, 'picture.m3u8'));
      assert.deepEqual([playlist, codec], [`#EXTM3U\n${expected}\npicture.m3u8`, 'mp4a.40.2']);
    }
    const opus = masterWith('#EXT-X-STREAM-INF:AUDIO="a",CODECS="avc1.4d401e,opus"', 'picture.m3u8');
    assert.deepEqual(removeSound(opus), { playlist: opus, codec: undefined, isAlone: false });
  });

  it('keeps the group of a rendition whose codec can be decoded', () => {
    const { playlist, codec } = removeSound(
      masterWith(
        '#EXT-X-STREAM-INF:CODECS="avc1.4d401e,mp4a.40.2",AUDIO="b"',
        'one.m3u8',
        '#EXT-X-STREAM-INF:CODECS="avc1.4d401e,opus",AUDIO="a"',
        'other.m3u8',
      ),
    );
    assert.match(playlist, /GROUP-ID="a".*\n#EXT-X-STREAM-INF:CODECS="avc1.4d401e"\none.*\n.*opus",AUDIO="a"/);
    assert.equal(codec, 'mp4a.40.2');
  });

  it('says so if all renditions are sound alone', () => {
    const { isAlone } = removeSound(masterWith('#EXT-X-STREAM-INF:CODECS="mp4a.40.2"', 'sound.m3u8'));
    assert.ok(isAlone);
  });

  it('leaves sound alone that is not AAC, and playlists of segments', () => {
    for (const codecs of ['avc1.4d401e,opus', 'avc1.4d401e,mp4a.40.34', 'avc1.4d401e']) {
      const text = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="${codecs}"\nall.m3u8\n`;
      assert.deepEqual(removeSound(text), { playlist: text, codec: undefined, isAlone: false });
    }
    const segments = playlistOf(['0.ts']);
    assert.deepEqual(removeSound(segments), { playlist: segments, codec: undefined, isAlone: false });
  });

  it('names what it leaves out', () => {
    const { playlist, codec } = removeSound('#EXTM3U\n#EXT-X-STREAM-INF:CODECS="avc1.4d401e,ac-3"\nall.m3u8\n');
    assert.deepEqual([playlist, codec], ['#EXTM3U\n#EXT-X-STREAM-INF:CODECS="avc1.4d401e"\nall.m3u8\n', 'ac-3']);
  });

  it('takes a group whose codec isn’t named for AAC, and keeps it where that can be played', () => {
    const master = masterWith('#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a"', 'picture.m3u8');
    assert.equal(removeSoundFromPlaylist(master, () => true).playlist, master);
  });
});
