import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Converted,
  intersect,
  type Ranges,
  SoundBuffer,
} from '../../../../src/webview/player/sound/soundBuffer.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { readFixture } from '../../../support/sound/fixtures.ts';
import { splitFragments } from '../../../support/sound/fragments.ts';

function rangesOf(...pairs: readonly (readonly [number, number])[]): Ranges {
  return {
    length: pairs.length,
    start: (at) => pairs[at]?.[0] ?? Number.NaN,
    end: (at) => pairs[at]?.[1] ?? Number.NaN,
  };
}

const invalid = () => new DOMException('updating', 'InvalidStateError');

/** A source buffer of the browser's, whose work ends when the test says so. */
class FakeBuffer extends EventTarget {
  updating = false;
  buffered = rangesOf();
  mode: 'segments' | 'sequence' = 'segments';
  timestampOffset = 0;
  appendWindowStart = 0;
  appendWindowEnd = Number.POSITIVE_INFINITY;
  /** What was asked of it, in order. */
  readonly calls: string[] = [];
  readonly appended: Uint8Array[] = [];
  isFull = false;
  type: string;

  constructor(type: string) {
    super();
    this.type = type;
  }

  appendBuffer(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.#start(`append ${bytes.length}`);
    this.appended.push(bytes);
  }

  remove(start: number, end: number): void {
    this.#start(`remove ${start} ${end}`);
  }

  abort(): void {
    this.calls.push('abort');
    if (this.updating) this.end('abort');
  }

  changeType(type: string): void {
    if (this.updating) throw invalid();
    this.type = type;
  }

  #start(call: string): void {
    if (this.updating) throw invalid();
    this.updating = true;
    this.calls.push(call);
  }

  end(event: 'update' | 'error' | 'abort' = 'update'): void {
    this.updating = false;
    this.dispatchEvent(new Event(event));
    this.dispatchEvent(new Event('updateend'));
  }
}

function setUp(type: string) {
  const reals: FakeBuffer[] = [];
  const answers: { readonly bytes: Uint8Array; readonly answer: (converted: Converted | undefined) => void }[] = [];
  const forgotten: number[] = [];
  const media = Object.assign(new EventTarget(), { currentTime: 0 });
  const rates: number[] = [];
  const buffer = new SoundBuffer(
    {
      media,
      worker: {
        addTrack: () => 7,
        convert: (_, bytes) => new Promise((answer) => answers.push({ bytes, answer })),
        forget: (track) => void forgotten.push(track),
      },
      addSourceBuffer: (added) => {
        const real = new FakeBuffer(added);
        reals.push(real);
        return real;
      },
      onBytesPerSecond: (rate) => void rates.push(rate),
    },
    type,
  );
  const events: string[] = [];
  for (const name of ['updatestart', 'update', 'updateend', 'error', 'abort']) {
    buffer.addEventListener(name, () => events.push(name));
  }
  const flac = (length: number): Converted => ({
    kind: 'converted',
    bytes: new Uint8Array(length),
    bytesPerSecond: 192_000,
  });
  return { buffer, reals, answers, forgotten, media, events, rates, flac };
}

const AAC = 'audio/mp4;codecs=mp4a.40.2';
const MUXED = 'video/mp4;codecs=mp4a.40.2,avc1.64001f';

function setUpAac() {
  const all = setUp(AAC);
  const sound = all.reals[0] ?? assert.fail();
  return { ...all, sound };
}

function setUpMuxed() {
  const all = setUp(MUXED);
  const [picture = assert.fail(), sound = assert.fail()] = all.reals;
  return { ...all, picture, sound };
}

describe('A source buffer for AAC', () => {
  it('is a buffer for FLAC, and one for the picture where the source has a picture', () => {
    assert.deepEqual(fieldsOf(setUp(AAC).reals, 'type'), ['audio/mp4; codecs="flac"']);
    assert.deepEqual(fieldsOf(setUp(MUXED).reals, 'type'), [
      'video/mp4; codecs="avc1.64001f"',
      'audio/mp4; codecs="flac"',
    ]);
  });

  it('is updating until the FLAC is appended, and tells the same events as the browser', async () => {
    const { buffer, sound, answers, events, rates, flac } = setUpAac();
    const given = new Uint8Array([1, 2, 3]);
    buffer.appendBuffer(given);
    assert.equal(buffer.updating, true);
    assert.throws(() => buffer.appendBuffer(given), { name: 'InvalidStateError' });
    assert.throws(() => (buffer.timestampOffset = 1), { name: 'InvalidStateError' });
    await nextTurn();
    assert.deepEqual(events, ['updatestart']);
    assert.deepEqual(answers[0]?.bytes, given);
    assert.notEqual(answers[0]?.bytes.buffer, given.buffer);
    answers[0]?.answer(flac(30));
    await nextTurn();
    assert.deepEqual([sound.calls, buffer.updating, rates], [['append 30'], true, [192_000]]);
    sound.end();
    await nextTurn();
    assert.deepEqual([events, buffer.updating], [['updatestart', 'update', 'updateend'], false]);
  });

  it('ends at once where there is nothing to append, as for an initialization segment', async () => {
    const { buffer, sound, answers, events } = setUpAac();
    buffer.appendBuffer(new ArrayBuffer(8));
    answers[0]?.answer({ kind: 'converted', bytes: new Uint8Array(0), bytesPerSecond: 0 });
    await nextTurn();
    assert.deepEqual([sound.calls, events], [[], ['updatestart', 'update', 'updateend']]);
  });

  it('hides the sound from the buffer of the picture, and waits for both', async () => {
    const { buffer, picture, sound, answers, events, flac } = setUpMuxed();
    const [init, segment] = splitFragments(readFixture('muxed48'));
    for (const bytes of [init ?? assert.fail(), segment ?? assert.fail()]) {
      buffer.appendBuffer(bytes);
      answers.at(-1)?.answer(flac(10));
      await nextTurn();
      sound.end();
      await nextTurn();
      assert.equal(buffer.updating, true);
      picture.end();
      await nextTurn();
      assert.equal(buffer.updating, false);
      assert.deepEqual(answers.at(-1)?.bytes, bytes);
    }
    const boxes = (bytes: Uint8Array | undefined, type: string) =>
      Buffer.from(bytes ?? [])
        .toString('latin1')
        .split(type).length - 1;
    const [hiddenInit, hidden] = picture.appended;
    assert.deepEqual(
      [boxes(init, 'trak'), boxes(hiddenInit, 'trak'), boxes(hiddenInit, 'trex'), boxes(hiddenInit, 'soun')],
      [2, 1, 1, 1],
    );
    assert.deepEqual([boxes(segment, 'traf'), boxes(hidden, 'traf'), hidden?.length], [2, 1, segment?.length]);
    assert.equal(events.filter((name) => name === 'updateend').length, 2);
  });

  it('has buffered what both have', () => {
    const { buffer, picture, sound } = setUpMuxed();
    picture.buffered = rangesOf([0, 10], [20, 30]);
    sound.buffered = rangesOf([0.5, 5], [6, 25], [29, 40]);
    const found = buffer.buffered;
    const pairs = Array.from({ length: found.length }, (_, at) => [found.start(at), found.end(at)]);
    assert.deepEqual(pairs, [
      [0.5, 5],
      [6, 10],
      [20, 25],
      [29, 30],
    ]);
    assert.throws(() => found.start(4), { name: 'IndexSizeError' });
    assert.equal(intersect(rangesOf(), rangesOf([0, 1])).length, 0);
    assert.equal(intersect(rangesOf([0, 1]), rangesOf([1, 2])).length, 0);
  });

  it('hands on times, mode and window to both', () => {
    const { buffer, picture, sound } = setUpMuxed();
    Object.assign(buffer, { timestampOffset: 3, mode: 'sequence', appendWindowStart: 1, appendWindowEnd: 9 });
    for (const real of [picture, sound]) {
      assert.deepEqual(
        [real.timestampOffset, real.mode, real.appendWindowStart, real.appendWindowEnd],
        [3, 'sequence', 1, 9],
      );
    }
    assert.deepEqual(
      [buffer.timestampOffset, buffer.mode, buffer.appendWindowStart, buffer.appendWindowEnd],
      [3, 'sequence', 1, 9],
    );
  });

  it('removes from both', async () => {
    const { buffer, picture, sound, events } = setUpMuxed();
    buffer.remove(1, 2);
    picture.end();
    await nextTurn();
    assert.equal(buffer.updating, true);
    sound.end();
    await nextTurn();
    assert.deepEqual([picture.calls, sound.calls], [['remove 1 2'], ['remove 1 2']]);
    assert.deepEqual(events, ['updatestart', 'update', 'updateend']);
  });

  it('refuses at once, and changes nothing, if the picture has no room', () => {
    const { buffer, picture, answers, events } = setUpMuxed();
    picture.isFull = true;
    assert.throws(() => buffer.appendBuffer(new Uint8Array(9)), { name: 'QuotaExceededError' });
    assert.deepEqual([buffer.updating, answers.length, events], [false, 0, []]);
  });

  it('makes room for FLAC by removing what was played, and waits where nothing was', async () => {
    const { buffer, sound, answers, media, flac, events } = setUpAac();
    sound.isFull = true;
    sound.buffered = rangesOf([0, 30]);
    media.currentTime = 1;
    buffer.appendBuffer(new Uint8Array(9));
    answers[0]?.answer(flac(50));
    await nextTurn();
    assert.deepEqual([sound.calls, buffer.updating], [[], true]);
    media.currentTime = 12;
    media.dispatchEvent(new Event('timeupdate'));
    await nextTurn();
    assert.deepEqual(sound.calls, ['remove 0 10']);
    sound.isFull = false;
    sound.buffered = rangesOf([10, 30]);
    sound.end();
    await nextTurn();
    assert.deepEqual(sound.calls, ['remove 0 10', 'append 50']);
    sound.end();
    await nextTurn();
    assert.deepEqual(events, ['updatestart', 'update', 'updateend']);
  });

  it('can be aborted in each of its states, and nothing follows', async () => {
    for (const state of ['converting', 'waiting for room', 'appending'] as const) {
      const { buffer, sound, answers, media, flac, events } = setUpAac();
      sound.isFull = state === 'waiting for room';
      buffer.appendBuffer(new Uint8Array(9));
      await nextTurn();
      if (state !== 'converting') answers[0]?.answer(flac(5));
      await nextTurn();
      buffer.abort();
      assert.deepEqual(events, ['updatestart', 'abort', 'updateend'], state);
      assert.equal(buffer.updating, false);
      sound.isFull = false;
      if (state === 'converting') answers[0]?.answer(flac(5));
      media.dispatchEvent(new Event('timeupdate'));
      await nextTurn();
      assert.deepEqual(events.length, 3, state);
      assert.equal(sound.appended.length, state === 'appending' ? 1 : 0);
      buffer.appendBuffer(new Uint8Array(9));
      assert.equal(buffer.updating, true);
    }
  });

  it('tells an error of the browser, and goes on', async () => {
    const { buffer, sound, answers, flac, events } = setUpAac();
    buffer.appendBuffer(new Uint8Array(9));
    answers[0]?.answer(flac(5));
    await nextTurn();
    sound.end('error');
    await nextTurn();
    assert.deepEqual([events, buffer.updating], [['updatestart', 'error', 'updateend'], false]);
  });

  it('lets the picture go on if there is no worker any more', async () => {
    const { buffer, picture, sound, answers, events } = setUpMuxed();
    buffer.appendBuffer(new Uint8Array(9));
    answers[0]?.answer(undefined);
    picture.end();
    await nextTurn();
    assert.deepEqual([picture.calls, sound.calls, events.at(-1)], [['append 9'], [], 'updateend']);
  });

  it('stays FLAC when one AAC becomes another, and passes through what is no AAC', async () => {
    const { buffer, sound, answers, forgotten, events } = setUpAac();
    buffer.changeType('audio/mp4;codecs=mp4a.40.5');
    assert.deepEqual([sound.type, forgotten], ['audio/mp4; codecs="flac"', []]);
    buffer.changeType('audio/mp4;codecs=ac-3');
    assert.deepEqual([sound.type, forgotten], ['audio/mp4;codecs=ac-3', [7]]);
    buffer.appendBuffer(new Uint8Array(4));
    sound.end();
    await nextTurn();
    assert.deepEqual([sound.calls, answers.length, events.at(-1)], [['append 4'], 0, 'updateend']);
    buffer.changeType(AAC);
    assert.equal(sound.type, 'audio/mp4; codecs="flac"');
  });

  it('changes the type of the picture, but not to one without sound that it knows', () => {
    const { buffer, picture, sound } = setUpMuxed();
    buffer.changeType('video/mp4;codecs=avc1.42c00c,mp4a.40.5');
    assert.deepEqual([picture.type, sound.type], ['video/mp4; codecs="avc1.42c00c"', 'audio/mp4; codecs="flac"']);
    assert.throws(() => buffer.changeType('video/mp4;codecs=avc1.42c00c'), { name: 'NotSupportedError' });
    assert.throws(() => buffer.changeType('video/mp4;codecs=avc1.42c00c,ac-3'), { name: 'NotSupportedError' });
  });
});
