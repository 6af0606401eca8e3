import assert from 'node:assert/strict';
import { type MediaPlaylist, parsePlaylist } from '../../../../src/model/inspection/playlist.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { assertCpuTime } from '../../../support/process/cpuTime.ts';

function readMedia(...lines: readonly string[]): MediaPlaylist {
  const playlist = parsePlaylist(['#EXTM3U', ...lines].join('\n'));
  assert.equal(playlist.kind, 'media');
  return playlist as MediaPlaylist;
}

describe('A playlist that is inspected', () => {
  it('has the segments with their sequence, times and marks', () => {
    const { segments, ...playlist } = readMedia(
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-DISCONTINUITY-SEQUENCE:2',
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-20T10:00:00.500Z',
      '#EXTINF:3.96,a title, with a comma',
      'a.ts',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-GAP',
      '#EXTINF:4',
      'b.ts?signature=1',
    );
    const shared = { isGap: false, isAfterDiscontinuity: false, byteRange: undefined, programDateTime: undefined };
    const time = Date.UTC(2026, 10, 20, 10, 0, 0, 500);
    assert.deepEqual(segments, [
      { ...shared, uri: 'a.ts', duration: 3.96, sequence: 7, programDateTime: time },
      { ...shared, uri: 'b.ts?signature=1', duration: 4, sequence: 8, isGap: true, isAfterDiscontinuity: true },
    ]);
    assert.equal(playlist.targetDuration, 4);
    assert.equal(playlist.discontinuitySequence, 2);
    assert.equal(playlist.isEnded, false);
  });

  it('has byte ranges, of which one without an offset continues the one before', () => {
    const { segments, map } = readMedia(
      '#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"',
      '#EXTINF:2,',
      '#EXT-X-BYTERANGE:100@720',
      'all.mp4',
      '#EXTINF:2,',
      '#EXT-X-BYTERANGE:50',
      'all.mp4',
    );
    assert.deepEqual(map, { uri: 'init.mp4', byteRange: { offset: 0, length: 720 } });
    assert.deepEqual(fieldsOf(segments, 'byteRange'), [
      { offset: 720, length: 100 },
      { offset: 820, length: 50 },
    ]);
  });

  it('has its encryption, its parts, and its end', () => {
    const playlist = readMedia(
      '#EXT-X-PART-INF:PART-TARGET=0.33334',
      '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/k"',
      '#EXTINF:2,',
      'a.ts',
      '#EXT-X-PART:DURATION=0.33334,URI="part.ts"',
      '#EXT-X-ENDLIST',
    );
    assert.deepEqual(
      [playlist.encryption, playlist.partTarget, playlist.isEnded, playlist.segments.length],
      ['AES-128', 0.33334, true, 1],
    );
  });

  it('is not encrypted if it says so, and is read without the lines that nobody knows', () => {
    const known = ['#EXT-X-TARGETDURATION:2', '#EXTINF:2,', 'a.ts'];
    const plain = readMedia(...known);
    assert.equal(plain.encryption, undefined);
    const unknown = [
      '#EXT-X-KEY:METHOD=NONE',
      '#EXT-X-SOMETHING-NEW:A=1',
      '#EXTINFO:9,',
      '# a remark',
      '#EXT-X-constructor',
    ];
    assert.deepEqual(readMedia(...unknown, ...known), plain);
    assert.deepEqual(readMedia(...known.toSpliced(2, 0, ...unknown)), plain);
  });

  it('has variants, and audio that has a playlist of its own', () => {
    const playlist = parsePlaylist(
      [
        '\uFEFF#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English, stereo",URI="en.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",URI="subtitles.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=1280000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"',
        'low.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=fast',
        'high.m3u8',
      ].join('\r\n'),
    );
    assert.deepEqual(playlist, {
      kind: 'master',
      variables: new Map(),
      audio: [{ name: 'English, stereo', uri: 'en.m3u8' }],
      variants: [
        { uri: 'low.m3u8', bandwidth: 1_280_000, resolution: '640x360', codecs: 'avc1.4d401e,mp4a.40.2' },
        { uri: 'high.m3u8', bandwidth: undefined, resolution: undefined, codecs: undefined },
      ],
    });
  });

  const faults: readonly (readonly [what: string, text: string, fault: string])[] = [
    ['nothing', '', 'empty'],
    ['blank lines', '\n \r\n', 'empty'],
    ['a web page', '<!doctype html>', 'html'],
    ['no #EXTM3U', '#EXTINF:2,\na.ts', 'noHeader'],
    ['a word that begins like #EXTM3U', '#EXTM3U8\n#EXTINF:2,\na.ts', 'noHeader'],
    ['no entries', '#EXTM3U\n#EXT-X-VERSION:3\n', 'noEntries'],
    ['more entries than anybody plays', `#EXTM3U\n${'#EXTINF:1,\na\n'.repeat(250_001)}`, 'tooMany'],
  ];
  for (const [what, text, fault] of faults) {
    it(`is a fault if it has ${what}`, () => {
      assert.deepEqual(parsePlaylist(text), { kind: 'fault', fault });
    });
  }

  it('takes less than two seconds of CPU time if it has 100,000 segments, a tag of 10 MB, a million spaces, or references to a value of 1 MB', () => {
    const many = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${'#EXTINF:2.000,\nsegment.ts\n'.repeat(100_000)}`;
    const long = `#EXTM3U\n#EXT-X-MEDIA:${'A'.repeat(10_000_000)}\n#EXTINF:2,\na.ts`;
    const spaces = `#EXTM3U\n#EXT-X-STREAM-INF:A=${' '.repeat(1_000_000)}"\na.m3u8`;
    const value = `#EXT-X-DEFINE:NAME="a",VALUE="${'A'.repeat(1_000_000)}"`;
    const references = `#EXTM3U\n${value}\n${`#EXTINF:2,\n${'{$a}'.repeat(10)}\n`.repeat(100_000)}`;
    assertCpuTime(2000, () => {
      for (const text of [many, long, spaces, references]) parsePlaylist(text);
    });
    const [first, second] = [parsePlaylist(many), parsePlaylist(long)];
    assert.equal(first.kind === 'media' && first.segments.length, 100_000);
    assert.equal(second.kind === 'media' && second.segments.length, 1);
  });
});
