import assert from 'node:assert/strict';
import { hideAacTracks, hideFragmentsOf, isBoxFile } from '../../../src/webview/player/aacInBoxes.ts';
import { type FragmentedMedia, fragmentClip } from '../../support/service/fragmentedMedia.ts';
import { readSegment } from '../../support/service/mediaServer.ts';
import { readPlayable } from '../../support/service/playableMedia.ts';

/** The names of boxes that were renamed, in order. Fails if anything else was changed. */
function renamed(before: Uint8Array, after: Uint8Array): string[] {
  assert.equal(after.length, before.length);
  const names: string[] = [];
  for (let at = 0; at < before.length; at++) {
    if (before[at] === after[at]) continue;
    assert.equal(readName(after, at), 'free');
    names.push(readName(before, at));
    at += 3;
  }
  return names;
}

function readName(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
}

/** Overwrites a text in a file with another of the same length. */
function replaceText(bytes: Uint8Array, from: string, to: string): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf(from, 0, 'latin1');
  assert.ok(at >= 0, from);
  file.write(to, at, 'latin1');
}

function copyOf({ init, segments }: FragmentedMedia): FragmentedMedia {
  return { init: init.slice(), segments: segments.map((segment) => segment.slice()) };
}

describe('Hiding AAC in the boxes of fMP4', () => {
  for (const order of [['video', 'audio'] as const, ['audio', 'video'] as const]) {
    it(`leaves the picture as it was, with the tracks in the order ${order.join(', ')}`, async () => {
      const { init, segments } = await fragmentClip(order);
      const before = await readPlayable(init, ...segments);
      assert.equal(before.audio?.codec, 'mp4a.40.2');
      const { trackIds, hasAac, isAlone, hasTracks } = hideAacTracks(init);
      assert.deepEqual([[...trackIds], hasAac, isAlone, hasTracks], [[order.indexOf('audio') + 1], true, false, true]);
      for (const segment of segments) hideFragmentsOf(segment, trackIds);
      const after = await readPlayable(init, ...segments);
      assert.equal(after.audio, undefined);
      assert.deepEqual(after.video, before.video);
    });
  }

  it('renames the boxes of the track, and changes nothing else', async () => {
    const clip = await fragmentClip(['video', 'audio']);
    const { init, segments } = copyOf(clip);
    const { trackIds } = hideAacTracks(init);
    assert.deepEqual(renamed(clip.init, init), ['trak', 'trex']);
    for (const [at, segment] of segments.entries()) {
      hideFragmentsOf(segment, trackIds);
      assert.deepEqual(renamed(clip.segments[at] ?? assert.fail(), segment), ['traf']);
    }
  });

  it('finds nothing to hide in a picture alone, nor a second time', async () => {
    const picture = await fragmentClip(['video']);
    const before = copyOf(picture);
    const found = hideAacTracks(picture.init);
    assert.deepEqual([found.hasAac, found.hasTracks, found.trackIds.size], [false, true, 0]);
    assert.deepEqual(picture.init, before.init);
    const both = await fragmentClip(['audio', 'video']);
    hideAacTracks(both.init);
    assert.equal(hideAacTracks(both.init).hasAac, false);
  });

  it('says that there is nothing else to play where there is sound alone', async () => {
    const { init } = await fragmentClip(['audio']);
    assert.equal(hideAacTracks(init).isAlone, true);
  });

  it('finds AAC that is encrypted, and leaves MP3 and other codecs alone', async () => {
    const { init } = await fragmentClip(['video', 'audio']);
    const variantOf = (change: (copy: Uint8Array) => void) => {
      const copy = init.slice();
      change(copy);
      return hideAacTracks(copy).hasAac;
    };
    assert.equal(
      variantOf((copy) => replaceText(copy, 'mp4a', 'enca')),
      true,
    );
    assert.equal(
      variantOf((copy) => replaceText(copy, 'mp4a', 'Opus')),
      false,
    );
    const objectType = '\x40\x15';
    for (const mp3 of ['\x69\x15', '\x6b\x15'])
      assert.equal(
        variantOf((copy) => replaceText(copy, objectType, mp3)),
        false,
      );
    assert.equal(
      variantOf((copy) => replaceText(copy, objectType, '\x67\x15')),
      true,
      'AAC of MPEG-2',
    );
  });

  it('tells fMP4 from other segments', async () => {
    const { init, segments } = await fragmentClip(['video']);
    for (const file of [init, ...segments]) assert.ok(isBoxFile(file));
    for (const other of [await readSegment(0), new Uint8Array(), new TextEncoder().encode('<html></html>')]) {
      assert.equal(isBoxFile(other), false);
    }
  });
});
