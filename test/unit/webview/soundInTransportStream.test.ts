import assert from 'node:assert/strict';
import { hideSoundStreams } from '../../../src/webview/player/soundInTransportStream.ts';
import { readSegment } from '../../support/service/mediaServer.ts';

const NOTHING = { codec: undefined, isAlone: false };
const HIDDEN = { codec: 'mp4a.40.2', isAlone: false };
const canPlay = (codec: string) => codec !== 'mp4a.40.2';

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

describe('Hiding sound in a transport stream', () => {
  it('hides the sound from the program map, and touches nothing else', async () => {
    const before = new Uint8Array(await demoSegment());
    assert.deepEqual(streamTypes(before), [0x1b, 0x0f]);
    const after = before.slice();
    assert.deepEqual(hideSoundStreams(after, canPlay), HIDDEN);
    assert.deepEqual(streamTypes(after), [0x1b, 0x05]);
    const changed = after.filter((byte, at) => byte !== before[at]).length;
    const maps = before.filter((byte, at) => byte === 0x47 && at % 188 === 0).length;
    assert.ok(changed >= 1 && changed < maps / 2, `${changed} bytes changed`);
  });

  it('finds nothing to hide a second time, nor in what is no transport stream', async () => {
    const segment = new Uint8Array(await demoSegment());
    hideSoundStreams(segment, canPlay);
    assert.deepEqual(hideSoundStreams(segment, canPlay), NOTHING);
    for (const other of [new Uint8Array(), new Uint8Array(5000).fill(0x47), new TextEncoder().encode('<html>')]) {
      const copy = other.slice();
      assert.deepEqual(hideSoundStreams(other, canPlay), NOTHING);
      assert.deepEqual(other, copy);
    }
  });

  it('changes in a segment that is cut what it changes in the whole one, or nothing', async () => {
    const segment = new Uint8Array(await demoSegment());
    const hidden = segment.slice();
    hideSoundStreams(hidden, canPlay);
    const found = new Set<boolean>();
    for (let length = 0; length < 1000; length += 7) {
      const [before, cut] = [segment.slice(0, length), segment.slice(0, length)];
      const isFound = hideSoundStreams(cut, canPlay).codec !== undefined;
      found.add(isFound);
      assert.deepEqual(cut, isFound ? hidden.slice(0, length) : before, `${length} bytes`);
    }
    assert.deepEqual([...found], [false, true], 'the program map is among the first bytes');
  });

  it('says that there is nothing else to play in a program of sound alone', async () => {
    const segment = new Uint8Array(await demoSegment());
    const picture = segment.indexOf(0x1b, segment.indexOf(0x47, 188));
    segment[picture] = 0x15; // metadata
    assert.deepEqual(streamTypes(segment), [0x15, 0x0f]);
    assert.deepEqual(hideSoundStreams(segment, canPlay), { codec: 'mp4a.40.2', isAlone: true });
  });

  /** A segment whose sound is said to be of this type, with these descriptors. */
  async function segmentWith(type: number, descriptors: readonly number[] = []): Promise<Uint8Array> {
    const segment = new Uint8Array(await demoSegment());
    const map = segment.indexOf(0x47, 188);
    const entry = segment.indexOf(0x0f, segment.indexOf(0x1b, map) + 5);
    const length = ((segment[map + 6] ?? 0) << 8) | (segment[map + 7] ?? 0);
    segment[entry] = type;
    segment[entry + 4] = descriptors.length;
    segment.set(descriptors, entry + 5);
    segment[map + 7] = (length & 0xff) + descriptors.length;
    return segment;
  }
  const registration = (name: string) => [0x05, 4, ...Buffer.from(name, 'latin1')];
  const formats: readonly (readonly [codec: string, type: number, descriptors?: readonly number[]])[] = [
    ['ac-3', 0x81],
    ['ec-3', 0x87],
    ['mp3', 0x03],
    ['dtsc', 0x8a],
    ['opus', 0x06, registration('Opus')],
    ['ac-3', 0x06, registration('AC-3')],
    ['ac-3', 0x06, [0x6a, 1, 0]],
    ['ec-3', 0x06, [0x0a, 4, 1, 2, 3, 4, 0x7a, 1, 0]],
  ];
  for (const [codec, type, descriptors] of formats) {
    it(`hides ${codec} of type ${type} that can’t be played`, async () => {
      const segment = await segmentWith(type, descriptors);
      const before = segment.slice();
      assert.deepEqual(
        hideSoundStreams(segment, () => false),
        { codec, isAlone: false },
      );
      const isDemuxed = codec !== 'opus' && codec !== 'dtsc';
      const found = hideSoundStreams(before, () => true).codec;
      assert.equal(found, isDemuxed ? undefined : codec, 'hls.js has to demux it, too');
    });
  }

  it('leaves private data alone that is no sound', async () => {
    for (const descriptors of [[], registration('KLVA'), [0x05, 200, 1]]) {
      const segment = await segmentWith(0x06, descriptors);
      assert.deepEqual(
        hideSoundStreams(segment, () => false),
        NOTHING,
      );
    }
  });
});
