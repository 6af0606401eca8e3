import assert from 'node:assert/strict';
import { hideFragmentsOf, hideSoundTracks, isBoxFile } from '../../../src/webview/player/soundInBoxes.ts';
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

const canPlay = (codec: string) => codec !== 'mp4a.40.2';

describe('Hiding sound in the boxes of fMP4', () => {
  for (const order of [['video', 'audio'] as const, ['audio', 'video'] as const]) {
    it(`leaves the picture as it was, with the tracks in the order ${order.join(', ')}`, async () => {
      const { init, segments } = await fragmentClip(order);
      const before = await readPlayable(init, ...segments);
      assert.equal(before.audio?.codec, 'mp4a.40.2');
      const { trackIds, codec, isAlone, hasTracks } = hideSoundTracks(init, canPlay);
      assert.deepEqual(
        [[...trackIds], codec, isAlone, hasTracks],
        [[order.indexOf('audio') + 1], 'mp4a.40.2', false, true],
      );
      for (const segment of segments) hideFragmentsOf(segment, trackIds);
      const after = await readPlayable(init, ...segments);
      assert.equal(after.audio, undefined);
      assert.deepEqual(after.video, before.video);
    });
  }

  it('renames the boxes of the track, and changes nothing else', async () => {
    const clip = await fragmentClip(['video', 'audio']);
    const { init, segments } = copyOf(clip);
    const { trackIds } = hideSoundTracks(init, canPlay);
    assert.deepEqual(renamed(clip.init, init), ['trak', 'trex']);
    for (const [at, segment] of segments.entries()) {
      hideFragmentsOf(segment, trackIds);
      assert.deepEqual(renamed(clip.segments[at] ?? assert.fail(), segment), ['traf']);
    }
  });

  it('finds nothing to hide in a picture alone, nor a second time', async () => {
    const picture = await fragmentClip(['video']);
    const before = copyOf(picture);
    const found = hideSoundTracks(picture.init, canPlay);
    assert.deepEqual([found.codec, found.hasTracks, found.trackIds.size], [undefined, true, 0]);
    assert.deepEqual(picture.init, before.init);
    const both = await fragmentClip(['audio', 'video']);
    hideSoundTracks(both.init, canPlay);
    assert.equal(hideSoundTracks(both.init, canPlay).codec, undefined);
  });

  it('says that there is nothing else to play where there is sound alone', async () => {
    const { init } = await fragmentClip(['audio']);
    assert.equal(hideSoundTracks(init, canPlay).isAlone, true);
  });

  it('tells the codec of sound by its sample entry, also where it is encrypted, and hides what can’t be played', async () => {
    const { init } = await fragmentClip(['video', 'audio']);
    const objectType = '\x40\x15';
    const codecs: readonly (readonly [from: string, to: string, codec: string])[] = [
      ['mp4a', 'enca', 'mp4a.40.2'],
      ['mp4a', 'Opus', 'opus'],
      ['mp4a', 'fLaC', 'flac'],
      ['mp4a', 'ac-3', 'ac-3'],
      ['mp4a', 'ec-3', 'ec-3'],
      ['mp4a', 'dtsc', 'dtsc'],
      [objectType, '\x69\x15', 'mp4a.69'],
      [objectType, '\x6b\x15', 'mp4a.6b'],
      [objectType, '\x67\x15', 'mp4a.67'],
    ];
    for (const [from, to, codec] of codecs) {
      const copy = init.slice();
      replaceText(copy, from, to);
      assert.equal(hideSoundTracks(copy.slice(), (given) => given !== codec).codec, codec);
      assert.equal(hideSoundTracks(copy, () => true).codec, undefined);
      assert.equal(hideSoundTracks(copy, () => false).codec, codec, 'nothing was hidden before');
    }
  });

  it('leaves sound alone that it does not know', async () => {
    const { init } = await fragmentClip(['video', 'audio']);
    replaceText(init, 'mp4a', 'abcd');
    assert.equal(hideSoundTracks(init, () => false).codec, undefined);
  });

  it('tells fMP4 from other segments', async () => {
    const { init, segments } = await fragmentClip(['video']);
    for (const file of [init, ...segments]) assert.ok(isBoxFile(file));
    for (const other of [await readSegment(0), new Uint8Array(), new TextEncoder().encode('<html></html>')]) {
      assert.equal(isBoxFile(other), false);
    }
  });
});
