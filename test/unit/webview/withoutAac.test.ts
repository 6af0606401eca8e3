import assert from 'node:assert/strict';
import { hideAac, withoutAacCodecs } from '../../../src/webview/player/withoutAac.ts';
import { masterOf, playlistOf, readSegment } from '../../support/service/mediaServer.ts';

const demoSegment = () => readSegment(0);

/** The stream types that a transport stream's first program map names. */
function streamTypes(ts: Uint8Array): number[] {
  const read16 = (at: number) => ((ts[at] ?? 0) << 8) | (ts[at + 1] ?? 0);
  let mapPid = -1;
  for (let at = 0; at + 188 <= ts.length; at += 188) {
    const pid = read16(at + 1) & 0x1fff;
    const from = at + 5 + ((ts[at + 3] ?? 0) & 0x20 ? 1 + (ts[at + 4] ?? 0) : 0);
    if (pid === 0) mapPid = read16(from + 10) & 0x1fff;
    if (pid !== mapPid) continue;
    const types: number[] = [];
    const end = from + 3 + (read16(from + 1) & 0xfff) - 4;
    for (let entry = from + 12 + (read16(from + 10) & 0xfff); entry < end; entry += 5 + (read16(entry + 3) & 0xfff)) {
      types.push(ts[entry] ?? 0);
    }
    return types;
  }
  return [];
}

describe('Taking AAC out of what is played', () => {
  it('hides the sound of a transport stream from its program map, and touches nothing else', async () => {
    const before = new Uint8Array(await demoSegment());
    assert.deepEqual(streamTypes(before), [0x1b, 0x0f]);
    const after = before.slice();
    assert.equal(hideAac(after), true);
    assert.deepEqual(streamTypes(after), [0x1b, 0x05]);
    const changed = after.filter((byte, at) => byte !== before[at]).length;
    const maps = before.filter((byte, at) => byte === 0x47 && at % 188 === 0).length;
    assert.ok(changed >= 1 && changed < maps / 2, `${changed} bytes changed`);
  });

  it('finds nothing to hide a second time, nor in what is no transport stream', async () => {
    const segment = new Uint8Array(await demoSegment());
    hideAac(segment);
    assert.equal(hideAac(segment), false);
    for (const other of [new Uint8Array(), new Uint8Array(5000).fill(0x47), new TextEncoder().encode('<html>')]) {
      const copy = other.slice();
      assert.equal(hideAac(other), false);
      assert.deepEqual(other, copy);
    }
  });

  it('changes in a segment that is cut what it changes in the whole one, or nothing', async () => {
    const segment = new Uint8Array(await demoSegment());
    const hidden = segment.slice();
    hideAac(hidden);
    const found = new Set<boolean>();
    for (let length = 0; length < 1000; length += 7) {
      const [before, cut] = [segment.slice(0, length), segment.slice(0, length)];
      const isFound = hideAac(cut);
      found.add(isFound);
      assert.deepEqual(cut, isFound ? hidden.slice(0, length) : before, `${length} bytes`);
    }
    assert.deepEqual([...found], [false, true], 'the program map is among the first bytes');
  });

  it('promises no AAC in a master playlist', () => {
    const { playlist, isChanged } = withoutAacCodecs(masterOf(['high.m3u8', 'low.m3u8']));
    assert.equal(isChanged, true);
    assert.doesNotMatch(playlist, /mp4a/);
    assert.match(playlist, /CODECS="avc1.4d401e"/);
    assert.match(playlist, /high\.m3u8\n.*\nlow\.m3u8/);
  });

  it('leaves out audio groups, and renditions that are nothing but sound', () => {
    const { playlist } = withoutAacCodecs(
      [
        '#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="english.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a",CODECS="avc1.4d401e,mp4a.40.2"',
        'picture.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"',
        'sound.m3u8',
      ].join('\n'),
    );
    assert.equal(playlist, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="avc1.4d401e"\npicture.m3u8');
  });

  it('leaves sound alone that is not AAC, and playlists of segments', () => {
    for (const codecs of ['avc1.4d401e,opus', 'avc1.4d401e,mp4a.40.34', 'avc1.4d401e']) {
      const text = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="${codecs}"\nall.m3u8\n`;
      assert.deepEqual(withoutAacCodecs(text), { playlist: text, isChanged: false });
    }
    const segments = playlistOf(['0.ts']);
    assert.deepEqual(withoutAacCodecs(segments), { playlist: segments, isChanged: false });
  });
});
