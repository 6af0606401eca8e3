import assert from 'node:assert/strict';
import { type ErrorData, ErrorDetails, ErrorTypes, Events } from 'hls.js';
import { followFailures, type MediaFailure } from '../../../src/webview/player/hlsFailures.ts';
import { heldClock } from '../../support/model/heldClock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function createPlayback() {
  const clock = heldClock();
  const done: string[] = [];
  const listeners = new Map<string, (event: never, data: ErrorData) => void>();
  const hls = {
    levels: [],
    latestLevelDetails: null,
    loadSource: () => done.push('load'),
    on: (event: string, listener: (event: never, data: ErrorData) => void) => listeners.set(event, listener),
  };
  const events = {
    onFailed: ({ kind }: { readonly kind: string }) => void done.push(`failed: ${kind}`),
    onTrouble: (problem: { readonly kind: string } | undefined) => void done.push(problem?.kind ?? 'fine'),
  };
  const recover = ({ segment, isReset }: MediaFailure) =>
    void done.push(`recover${segment === undefined ? '' : ` from ${segment.start}`}${isReset ? ', reset' : ''}`);
  const failures = followFailures(hls, { url: 'source', events, clock, recover });
  const fail = (fields: Partial<ErrorData>) => {
    const error = new Error('of a test');
    const data = { type: ErrorTypes.MEDIA_ERROR, details: ErrorDetails.BUFFER_APPEND_ERROR, fatal: true };
    listeners.get(Events.ERROR)?.(undefined as never, { ...data, error, err: error, ...fields } as ErrorData);
    return done.splice(0).join();
  };
  return {
    clock,
    failures,
    fail,
    done,
    loadPlaylist: () => {
      listeners.get(Events.LEVEL_LOADED)?.(undefined as never, {} as ErrorData);
      return done.splice(0).join();
    },
    buffer: () => listeners.get(Events.FRAG_BUFFERED)?.(undefined as never, {} as ErrorData),
  };
}

describe('Recovering from media errors', () => {
  it('happens three times within a minute, then the player stops', async () => {
    const { clock, fail } = createPlayback();
    for (let time = 0; time < 3; time++) {
      assert.equal(fail({}), 'recover');
      await clock.advance(MINUTE_MS / 4);
    }
    assert.equal(fail({}), 'failed: brokenSegment');
  });

  it('goes on for a day of errors that are far enough apart', async () => {
    const { clock, fail } = createPlayback();
    for (let passed = 0; passed < DAY_MS; passed += MINUTE_MS / 2) {
      assert.equal(fail({}), 'recover', `after ${passed} ms`);
      await clock.advance(MINUTE_MS / 2);
    }
  }).timeout(60_000);

  it('is counted by the last minute alone', async () => {
    const { clock, fail } = createPlayback();
    for (let time = 0; time < 3; time++) assert.equal(fail({}), 'recover');
    await clock.advance(MINUTE_MS - 1);
    assert.equal(fail({}), 'failed: brokenSegment');
    await clock.advance(1);
    assert.equal(fail({}), 'recover');
  });

  it('is tried where playback stalls and where the media source has to be replaced, and for nothing else', () => {
    const tried = Object.values(ErrorDetails).filter((details) =>
      createPlayback().fail({ details }).startsWith('recover'),
    );
    assert.deepEqual(tried.toSorted(), ['bufferAppendError', 'bufferStalledError', 'mediaSourceRequiresReset']);
  });

  it('tells what could not be appended, and whether hls.js has replaced the media source', () => {
    const segment = { start: 4, end: 6 } as NonNullable<ErrorData['frag']>;
    const { fail, failures } = createPlayback();
    assert.equal(fail({ frag: segment }), 'recover from 4');
    const reset = { details: ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET, frag: segment };
    assert.equal(fail({ ...reset, fatal: false }), 'recover, reset');
    failures.failMedia();
    assert.equal(fail({}), 'recover,failed: brokenSegment', 'the fourth within a minute');
  });

  it('is left to hls.js for errors that are not fatal', () => {
    assert.equal(createPlayback().fail({ fatal: false }), '');
  });
});

describe('A live playlist that could not be loaded again', () => {
  const network = (details: ErrorDetails) => ({
    type: ErrorTypes.NETWORK_ERROR,
    details,
    fatal: false,
    networkDetails: { kind: 'status', status: 503, host: 'cdn.test' },
  });

  it('is fine once it is loaded, though a paused player with a full buffer loads no segment', () => {
    const { fail, loadPlaylist } = createPlayback();
    for (const details of [ErrorDetails.LEVEL_LOAD_ERROR, ErrorDetails.LEVEL_LOAD_TIMEOUT]) {
      assert.equal(fail(network(details)), 'status');
      assert.equal(loadPlaylist(), 'fine');
      assert.equal(loadPlaylist(), '', 'once');
    }
  });

  it('says nothing about segments that can’t be loaded', () => {
    const { fail, loadPlaylist } = createPlayback();
    assert.equal(fail(network(ErrorDetails.LEVEL_LOAD_ERROR)), 'status');
    assert.equal(fail(network(ErrorDetails.FRAG_LOAD_ERROR)), 'status');
    assert.equal(loadPlaylist(), '');
  });
});

describe('A playlist that could not be loaded', () => {
  const loadError = (code: number) => ({
    type: ErrorTypes.NETWORK_ERROR,
    details: ErrorDetails.MANIFEST_LOAD_ERROR,
    response: { code, text: '', url: 'source' },
    networkDetails: { kind: 'status', status: code, host: 'cdn.test' },
  });

  it('is loaded three times more, with growing pauses', async () => {
    const { clock, fail, done } = createPlayback();
    for (const pause of [1000, 2000, 4000]) {
      assert.equal(fail(loadError(503)), 'status');
      await clock.advance(pause - 1);
      assert.deepEqual(done, []);
      await clock.advance(1);
      assert.deepEqual(done.splice(0), ['load']);
    }
    assert.equal(fail(loadError(503)), 'failed: status');
  });

  it('is not loaded again if that can’t help', () => {
    assert.equal(createPlayback().fail(loadError(404)), 'failed: status');
  });

  it('is not retried by a player that shows something else by then', async () => {
    const { clock, failures, fail, done } = createPlayback();
    fail(loadError(503));
    failures.dispose();
    await clock.advance(MINUTE_MS);
    assert.deepEqual(done, []);
  });
});

describe('A part of the video that could not be loaded', () => {
  const segmentError = (code: number) => ({
    type: ErrorTypes.NETWORK_ERROR,
    details: ErrorDetails.FRAG_LOAD_ERROR,
    fatal: false,
    response: { code, text: '', url: 'segment' },
    networkDetails: { kind: 'segmentStatus', status: code, host: 'cdn.test' },
  });

  it('is named while it is retried, until the next part is there', () => {
    const { fail, buffer, done } = createPlayback();
    assert.equal(fail(segmentError(503)), 'segmentStatus');
    buffer();
    assert.deepEqual(done, ['fine']);
  });

  it('stops the only rendition of a recording if a retry can’t help', () => {
    assert.equal(createPlayback().fail(segmentError(404)), 'failed: segmentStatus');
  });
});
