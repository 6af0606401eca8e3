import assert from 'node:assert/strict';
import { masterPlaylist, mediaPlaylist } from '../../../../src/demo/ingest/playlists.ts';
import {
  type AudioFormat,
  DELTA_SAMPLE,
  ENTRY_BYTES,
  KEY_SAMPLE,
  movieBox,
  type StoredRun,
} from '../../../../src/media/mp4.ts';

const FORMAT: AudioFormat = {
  kind: 'audio',
  codec: 'mp4a.40.2',
  configuration: Buffer.of(0x11, 0x90),
  sampleRate: 48_000,
  channels: 2,
};

/** Each with samples of 1 byte that take 1,024 units of time, of which the first is a key sample. */
function makeRuns(count: number, samples: number): readonly StoredRun[] {
  return Array.from({ length: count }, (_, index) => {
    const entries = Buffer.alloc(samples * ENTRY_BYTES);
    for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
      entries.writeUInt32BE(1024, at);
      entries.writeUInt32BE(1, at + 4);
      entries.writeUInt32BE(at === 0 ? KEY_SAMPLE : DELTA_SAMPLE, at + 8);
    }
    return { format: FORMAT, start: index * samples * 1024, entries, offset: index * samples };
  });
}

/** The numbers in a box of a movie, of 32 bits each, after its version and flags. */
function numbersIn(bytes: Uint8Array, box: string): readonly number[] {
  const movie = Buffer.from(bytes.buffer);
  const at = movie.indexOf(box, 0, 'latin1') - 4;
  const count = (movie.readUInt32BE(at) - 12) / 4;
  return Array.from({ length: count }, (_, index) => movie.readUInt32BE(at + 12 + index * 4));
}

describe('Recordings with very many segments', () => {
  it('become playlists', () => {
    const segments = Array.from({ length: 250_000 }, (_, number) => ({
      ...{ number, start: number, duration: number === 100_000 ? 9 : 1, formats: [FORMAT] },
      bytes: number === 200_000 ? 1000 : 10,
    }));
    assert.match(masterPlaylist(segments), /BANDWIDTH=8000,/);
    const list = mediaPlaylist({ segments, folder: '', beganAt: 0, targetSeconds: 4, type: 'complete' });
    assert.match(list, /#EXT-X-TARGETDURATION:9\n/);
    assert.equal(list.match(/#EXTINF/g)?.length, 250_000);
  });

  it('become MP4 files, with every sample in the tables', () => {
    const movie = movieBox(makeRuns(150_000, 2), [FORMAT]);
    assert.deepEqual(numbersIn(movie, 'stts'), [1, 300_000, 1024]);
    assert.deepEqual(numbersIn(movie, 'stsz').slice(0, 4), [0, 300_000, 1, 1]);
    assert.deepEqual(numbersIn(movie, 'stsc'), [1, 1, 2, 1]);
    assert.deepEqual(numbersIn(movie, 'stss').slice(0, 4), [150_000, 1, 3, 5]);
    assert.deepEqual(numbersIn(movie, 'co64').slice(-4), [0, 299_996, 0, 299_998]);
  });
});
