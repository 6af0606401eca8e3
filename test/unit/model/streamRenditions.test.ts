import assert from 'node:assert/strict';
import { parseRenditions, readRenditions } from '../../../src/model/streamRenditions.ts';

const profile = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 0 };
const problemOf = (value: unknown) => {
  const read = readRenditions(value);
  return read.ok ? undefined : read.problem;
};

describe('Renditions of a stream', () => {
  it('are a list, each with a name, a size, a bitrate, and a frame rate', () => {
    assert.deepEqual(readRenditions([profile, { ...profile, gop: '2', profile: 'H264High' }]).ok, true);
    assert.deepEqual(parseRenditions(' ', [profile]), { ok: true, profiles: [] });
    assert.deepEqual(parseRenditions(JSON.stringify([profile]), undefined), { ok: true, profiles: [profile] });
  });

  it('are nothing else', () => {
    for (const text of ['[', '{}', '7', 'null', '"720p"']) {
      assert.deepEqual(parseRenditions(text, undefined), { ok: false, problem: { kind: 'notList' } }, text);
    }
    assert.deepEqual(problemOf([profile, '720p']), { kind: 'notObject', place: 2 });
    for (const name of [undefined, '', 7])
      assert.deepEqual(problemOf([{ ...profile, name }]), { kind: 'name', place: 1 });
    for (const [field, least] of [
      ['width', 128],
      ['height', 128],
      ['bitrate', 400],
      ['fps', 0],
    ] as const) {
      for (const value of [undefined, '720', least - 1, 500.5, Number.NaN]) {
        const problem = { kind: 'number', place: 1, field, least };
        assert.deepEqual(problemOf([{ ...profile, [field]: value }]), problem, `${field}: ${value}`);
      }
      assert.equal(problemOf([{ ...profile, [field]: least }]), undefined);
    }
  });

  it('may be of another shape where the service has sent such renditions', () => {
    const before = [{ name: 'hd', preset: 'fast' }];
    assert.equal(readRenditions([...before, profile], before).ok, true);
    assert.equal(readRenditions([{ name: 'hd', preset: 'slow' }], before).ok, false);
  });
});
