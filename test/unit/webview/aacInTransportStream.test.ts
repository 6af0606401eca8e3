import assert from 'node:assert/strict';
import { hideAacStreams } from '../../../src/webview/player/aacInTransportStream.ts';
import { readSegment } from '../../support/service/mediaServer.ts';

const NO_AAC = { hasAac: false, isAlone: false };
const HIDDEN = { hasAac: true, isAlone: false };

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

describe('Hiding AAC in a transport stream', () => {
  it('hides the sound from the program map, and touches nothing else', async () => {
    const before = new Uint8Array(await demoSegment());
    assert.deepEqual(streamTypes(before), [0x1b, 0x0f]);
    const after = before.slice();
    assert.deepEqual(hideAacStreams(after), HIDDEN);
    assert.deepEqual(streamTypes(after), [0x1b, 0x05]);
    const changed = after.filter((byte, at) => byte !== before[at]).length;
    const maps = before.filter((byte, at) => byte === 0x47 && at % 188 === 0).length;
    assert.ok(changed >= 1 && changed < maps / 2, `${changed} bytes changed`);
  });

  it('finds nothing to hide a second time, nor in what is no transport stream', async () => {
    const segment = new Uint8Array(await demoSegment());
    hideAacStreams(segment);
    assert.deepEqual(hideAacStreams(segment), NO_AAC);
    for (const other of [new Uint8Array(), new Uint8Array(5000).fill(0x47), new TextEncoder().encode('<html>')]) {
      const copy = other.slice();
      assert.deepEqual(hideAacStreams(other), NO_AAC);
      assert.deepEqual(other, copy);
    }
  });

  it('changes in a segment that is cut what it changes in the whole one, or nothing', async () => {
    const segment = new Uint8Array(await demoSegment());
    const hidden = segment.slice();
    hideAacStreams(hidden);
    const found = new Set<boolean>();
    for (let length = 0; length < 1000; length += 7) {
      const [before, cut] = [segment.slice(0, length), segment.slice(0, length)];
      const isFound = hideAacStreams(cut).hasAac;
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
    assert.deepEqual(hideAacStreams(segment), { hasAac: true, isAlone: true });
  });
});
