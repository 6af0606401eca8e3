import assert from 'node:assert/strict';
import { readPlayerMessage } from '../../../../src/panels/player/playerMessages.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const png = Uint8Array.from([...SIGNATURE, 1, 2, 3]);
const frame = { kind: 'frame', png, position: 1.5 };
const cut = {
  kind: 'createClip',
  clip: { order: 7, startTime: 1_795_600_000_000, endTime: 1_795_600_005_000, name: 'Goal' },
};
const failed = { kind: 'failed', serial: 3 };

describe('What a player may say', () => {
  it('is an act of the list, a frame, a problem that it met, or the end', () => {
    for (const message of [
      { kind: 'act', action: 'openInBrowser' },
      { kind: 'actOnMade', action: 'copyClipUrl' },
      frame,
      { ...failed, problem: { kind: 'status', status: 404, host: 'cdn.test' } },
      { ...failed, problem: { kind: 'unreachable', sentence: "Couldn't reach cdn.test." } },
      { ...failed, problem: { kind: 'brokenSegment' } },
      ...[100, 999].map((status) => ({ ...failed, problem: { kind: 'status', status, host: 'x'.repeat(300) } })),
      { kind: 'ended', serial: 3, hasPlayed: true },
      { kind: 'requestPart', part: 'mp4' },
      { kind: 'requestPart', part: 'sound' },
      { kind: 'soundFailed', reason: 'no memory' },
      { kind: 'cancelMedia', id: 9 },
      { kind: 'requestMedia', serial: 3, request: { id: 1, resource: 0, directives: undefined } },
      {
        kind: 'requestMedia',
        serial: 3,
        request: { id: 1, resource: 7, directives: '_HLS_msn=4&_HLS_part=1', range: { start: 0, end: 10 } },
      },
      { kind: 'playing', isPlaying: true },
      { kind: 'watched', date: 1_700_000_000_000 },
      { kind: 'playing', isPlaying: false },
      { kind: 'tookSound' },
      { kind: 'enterpictureinpicture' },
      { kind: 'leavepictureinpicture' },
      cut,
    ]) {
      assert.deepEqual(readPlayerMessage(message), message);
    }
  });

  it('is nothing without a shape', () => {
    for (const said of [
      undefined,
      null,
      'act',
      7,
      [],
      {},
      { kind: 'ready' },
      { kind: 'show' },
      { kind: '__proto__' },
      { kind: 'playing' },
      { kind: 'playing', isPlaying: 'yes' },
      { kind: 'watched', date: 'now' },
    ]) {
      assert.equal(readPlayerMessage(said), undefined);
    }
  });

  it('is no act beyond the list', () => {
    for (const action of ['deleteStream', 'liveStreams.watchStream', 'toString', '__proto__', '', 7, undefined]) {
      assert.equal(readPlayerMessage({ kind: 'act', action }), undefined);
      assert.equal(readPlayerMessage({ kind: 'actOnMade', action }), undefined);
    }
  });

  it('is no frame but a PNG of a size that can be, at a time that can be', () => {
    const huge = new Uint8Array(64 * 1024 * 1024 + 1);
    huge.set(SIGNATURE);
    const wrong = [SIGNATURE, 'PNG', undefined, Uint8Array.from(SIGNATURE), Uint8Array.from([1, ...png]), huge, {}];
    for (const each of wrong) assert.equal(readPlayerMessage({ ...frame, png: each }), undefined);
    assert.equal(readPlayerMessage({ ...frame, png: png.buffer }), undefined);
    for (const position of [Number.NaN, Number.POSITIVE_INFINITY, -1, '1', null, undefined]) {
      assert.equal(readPlayerMessage({ ...frame, position }), undefined);
    }
  });

  it('is no problem that only the host can know, and none that is not whole', () => {
    for (const problem of [
      { kind: 'said', sentence: 'Type your key here', actions: [] },
      { kind: 'unreachable', sentence: 7 },
      { kind: 'ended', hasRecording: true },
      { kind: 'toString' },
      { kind: 'status', status: '404', host: 'cdn.test' },
      { kind: 'status', status: [404], host: 'cdn.test' },
      { kind: 'status', status: 404.5, host: 'cdn.test' },
      { kind: 'status', status: 99, host: 'cdn.test' },
      { kind: 'status', status: 1000, host: 'cdn.test' },
      { kind: 'status', status: 404, host: 'x'.repeat(301) },
      { kind: 'status', status: Number.NaN, host: 'cdn.test' },
      { kind: 'status', status: 404 },
      { kind: 'unreachable', sentence: 'x'.repeat(10_000) },
      { kind: 'foreignScheme', scheme: 7 },
      'stopped',
      undefined,
    ]) {
      assert.equal(readPlayerMessage({ ...failed, problem }), undefined, JSON.stringify(problem));
    }
  });

  it('asks for media by number alone', () => {
    const request = { id: 1, resource: 1 };
    for (const wrong of [
      undefined,
      'https://evil.test',
      { ...request, id: '1' },
      { ...request, resource: 'https://evil.test' },
      { ...request, resource: -1 },
      { ...request, resource: 1.5 },
      { ...request, range: { start: 5, end: 5 } },
      { ...request, range: { start: -1, end: 5 } },
      { ...request, range: { start: '0', end: 5 } },
      { ...request, range: { start: 0, end: '5' } },
      { ...request, range: { start: 0.5, end: 5 } },
      { ...request, range: { end: 5 } },
      { ...request, range: null },
      { ...request, range: 'bytes=0-' },
      { ...request, directives: 'url=https://evil.test' },
      { ...request, directives: '_HLS_msn=1&_HLS_skip=YES' },
    ]) {
      const said = { kind: 'requestMedia', serial: 3, request: wrong };
      assert.equal(readPlayerMessage(said), undefined, JSON.stringify(wrong));
    }
    assert.equal(readPlayerMessage({ kind: 'requestPart', part: '../extension' }), undefined);
    assert.equal(readPlayerMessage({ kind: 'cancelMedia' }), undefined);
  });

  it('cuts no clip without times that can be, in their order, and a name of a length that can be', () => {
    const { clip } = cut;
    for (const wrong of [
      undefined,
      'clip',
      { ...clip, startTime: undefined },
      { ...clip, startTime: -1 },
      { ...clip, startTime: '0' },
      { ...clip, endTime: clip.startTime },
      { ...clip, endTime: clip.endTime + 0.5 },
      { ...clip, endTime: Number.POSITIVE_INFINITY },
      { ...clip, name: undefined },
      { ...clip, name: 'x'.repeat(501) },
      { ...clip, order: '7' },
    ]) {
      assert.equal(readPlayerMessage({ kind: 'createClip', clip: wrong }), undefined, JSON.stringify(wrong));
    }
    assert.deepEqual(readPlayerMessage({ ...cut, clip: { ...clip, id: 'other', sessionId: 'other' } }), cut);
  });

  it('says why there is no sound in words of a length that can be, or nothing', () => {
    const saidWith = (reason: unknown) => readPlayerMessage({ kind: 'soundFailed', reason });
    assert.deepEqual(saidWith('x'.repeat(301)), { kind: 'soundFailed', reason: 'x'.repeat(300) });
    for (const reason of [undefined, null, 7, ['x'], {}]) assert.equal(saidWith(reason), undefined);
  });

  it('says of what that was shown', () => {
    for (const serial of [undefined, '3', 1.5, Number.NaN]) {
      assert.equal(readPlayerMessage({ kind: 'ended', serial }), undefined);
      assert.equal(readPlayerMessage({ kind: 'failed', problem: { kind: 'stopped' }, serial }), undefined);
    }
  });

  it('carries no field beyond the known ones', () => {
    const problem = { kind: 'segmentStatus', status: 404, host: 'cdn.test', sentence: 'Type your key here' };
    assert.deepEqual(readPlayerMessage({ ...failed, problem, args: [1] }), {
      ...failed,
      problem: { kind: 'segmentStatus', status: 404, host: 'cdn.test' },
    });
  });
});
