import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { type FileVideo, followSpeed, HeldSound, playFile, SharedSound } from '../../../src/webview/player/playback.ts';

const NETWORK = 2;
const DECODE = 3;
const NO_SOURCE = 4;
const URL_OF_FILE = 'https://cdn.test/a.mp4';

/** A video element as far as a file's playback sees it. */
function fakeVideo() {
  const heard = new EventTarget();
  const video = {
    src: '',
    crossOrigin: null as string | null,
    currentTime: 0,
    duration: 60,
    paused: true,
    error: null as FileVideo['error'],
    /** How often its source was set. */
    loads: 0,
    load() {},
    async play() {
      video.paused = false;
    },
    removeAttribute(name: string) {
      if (name === 'crossorigin') video.crossOrigin = null;
    },
    addEventListener: (type: string, listener: () => void) => heard.addEventListener(type, listener),
    removeEventListener: (type: string, listener: () => void) => heard.removeEventListener(type, listener),
  };
  let src = '';
  Object.defineProperty(video, 'src', {
    get: () => src,
    set(url: string) {
      src = url;
      // As browsers do when a source is set.
      Object.assign(video, { loads: video.loads + 1, currentTime: 0, paused: true, error: null });
    },
  });
  const fire = (type: string) => heard.dispatchEvent(new Event(type));
  return {
    video,
    begin: () => fire('loadedmetadata'),
    fail(code: number) {
      video.error = { code };
      fire('error');
    },
    reach(seconds: number) {
      video.currentTime = seconds;
      fire('timeupdate');
    },
  };
}

function play(startAt = 0) {
  const faked = fakeVideo();
  const said: string[] = [];
  const events = {
    onFailed: ({ kind }: { readonly kind: string }) => void said.push(`failed ${kind}`),
    onTrouble: (problem: { readonly kind: string } | undefined) => void said.push(`trouble ${problem?.kind ?? 'over'}`),
    onNoSound: () => void said.push('no sound'),
  };
  const playback = playFile({ video: faked.video, url: URL_OF_FILE, startAt, events, canDecodeAac: true });
  return { ...faked, said, playback };
}

describe('A file that is played', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('goes on where it was, playing, after the network broke off', () => {
    const { video, begin, fail, reach, said } = play(5);
    begin();
    assert.equal(video.currentTime, 5);
    video.paused = false;
    reach(30);
    fail(NETWORK);
    assert.deepEqual(said, ['trouble network']);
    assert.equal(video.loads, 1, 'not at once');
    mock.timers.tick(1000);
    assert.equal(video.loads, 2);
    assert.equal(video.crossOrigin, 'anonymous', 'its picture can still be copied');
    begin();
    assert.deepEqual([video.currentTime, video.paused], [30, false]);
    reach(30.2);
    assert.deepEqual(said, ['trouble network', 'trouble over']);
  });

  it('stays paused where it was, when it was paused', () => {
    const { video, begin, fail, reach, said } = play();
    begin();
    reach(12);
    fail(NETWORK);
    mock.timers.tick(1000);
    begin();
    assert.deepEqual([video.currentTime, video.paused], [12, true]);
    reach(12);
    assert.equal(said.at(-1), 'trouble over');
  });

  it('tries a few times, each later than the last, and then says that the network failed', () => {
    const { video, begin, fail, reach, said } = play();
    begin();
    reach(12);
    fail(NETWORK);
    for (const [times, seconds] of [1, 2, 4, 8].entries()) {
      mock.timers.tick(seconds * 1000 - 1);
      assert.equal(video.loads, times + 1);
      mock.timers.tick(1);
      assert.equal(video.loads, times + 2);
      // What cannot be reached is no source to a browser.
      fail(NO_SOURCE);
    }
    assert.equal(said.at(-1), 'failed network');
    mock.timers.tick(60_000);
    assert.equal(video.loads, 5);
  });

  it('has all its tries again after it went on', () => {
    const { video, begin, fail, reach, said } = play();
    begin();
    for (let cut = 1; cut <= 10; cut++) {
      video.paused = false;
      reach(cut * 2);
      fail(NETWORK);
      mock.timers.tick(1000);
      begin();
      reach(cut * 2 + 1);
    }
    assert.equal(video.loads, 11);
    assert.ok(!said.some((each) => each.startsWith('failed')));
  });

  it('is asked for without CORS where a server does not offer it, before it has begun and never after', () => {
    const { video, begin, fail, reach } = play();
    fail(NO_SOURCE);
    assert.deepEqual([video.loads, video.crossOrigin], [2, null]);
    begin();
    const other = play();
    other.begin();
    other.reach(3);
    other.fail(NETWORK);
    mock.timers.tick(1000);
    assert.equal(other.video.crossOrigin, 'anonymous');
    reach(1);
  });

  it('fails at once where it is damaged, and where it is not there', () => {
    const damaged = play();
    damaged.begin();
    damaged.fail(DECODE);
    assert.deepEqual(damaged.said, ['failed brokenFile']);
    const missing = play();
    missing.fail(NO_SOURCE);
    missing.fail(NO_SOURCE);
    assert.deepEqual(missing.said, ['failed brokenFile']);
  });

  it('tries no more once it was closed', () => {
    const { video, begin, fail, playback } = play();
    begin();
    fail(NETWORK);
    playback.dispose();
    mock.timers.tick(60_000);
    assert.equal(video.loads, 1);
  });
});

describe('The speed of a player', () => {
  function fakes() {
    const played = Object.assign(new EventTarget(), { playbackRate: 1, defaultPlaybackRate: 1 });
    const choice = Object.assign(new EventTarget(), { value: '1' });
    followSpeed(played, choice);
    return { played, choice };
  }

  it('is that of the next source too', () => {
    const { played, choice } = fakes();
    choice.value = '2';
    choice.dispatchEvent(new Event('change'));
    assert.deepEqual([played.playbackRate, played.defaultPlaybackRate], [2, 2]);
  });

  it('is shown where the video’s own menu changed it', () => {
    const { played, choice } = fakes();
    played.playbackRate = 1.5;
    played.dispatchEvent(new Event('ratechange'));
    assert.deepEqual([choice.value, played.defaultPlaybackRate], ['1.5', 1.5]);
  });
});

describe('Sound that the browser holds back', () => {
  function fakes() {
    const video = Object.assign(new EventTarget(), { muted: false });
    const told: string[] = [];
    const sound = new HeldSound(video, () => told.push('free'));
    const change = (muted: boolean) => {
      video.muted = muted;
      video.dispatchEvent(new Event('volumechange'));
    };
    return { video, sound, told, change };
  }

  it('is on again for the next source', () => {
    const { video, sound } = fakes();
    sound.hold();
    assert.deepEqual([video.muted, sound.isHeld], [true, true]);
    sound.release();
    assert.deepEqual([video.muted, sound.isHeld], [false, false]);
  });

  it('stays off where the person turned it off', () => {
    const { video, sound, change } = fakes();
    change(true);
    sound.hold();
    sound.release();
    assert.equal(video.muted, true);
  });

  it('is free once anybody turns it on', () => {
    const { video, sound, told, change } = fakes();
    sound.hold();
    change(true);
    assert.deepEqual(told, []);
    sound.free();
    change(video.muted);
    assert.deepEqual([told, sound.isHeld], [['free'], false]);
    change(true);
    sound.release();
    assert.equal(video.muted, true, 'what the person turned off later stays off');
  });
});

describe('Sound that one player at a time has', () => {
  function fakes() {
    const video = Object.assign(new EventTarget(), { muted: false });
    return { video, sound: new SharedSound(video) };
  }

  it('is off while another player has it, and comes back with a touch', () => {
    const { video, sound } = fakes();
    sound.yield();
    assert.equal(video.muted, true);
    sound.take();
    assert.equal(video.muted, false);
  });

  it('stays off where the user turned it off', () => {
    const { video, sound } = fakes();
    video.muted = true;
    sound.yield();
    sound.take();
    assert.equal(video.muted, true);
    video.muted = false;
    sound.yield();
    video.muted = false;
    video.dispatchEvent(new Event('volumechange'));
    video.muted = true;
    sound.take();
    assert.equal(video.muted, true, 'what the user turned off later stays off');
  });
});
