import assert from 'node:assert/strict';
import { fastestSpeed, followSpeed, HeldSound, limitSpeed, SharedSound } from '../../../src/webview/player/playback.ts';

describe('The speed of a player', () => {
  function fakes() {
    const played = Object.assign(new EventTarget(), { playbackRate: 1, defaultPlaybackRate: 1 });
    const choice = Object.assign(new EventTarget(), { value: '1' });
    followSpeed(played, choice);
    return { played, choice };
  }

  it('is kept for the next source', () => {
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

  it('is above 1 only behind the live edge, and goes back to 1 at the edge', () => {
    const { played } = fakes();
    const speeds = ['0.5', '1', '1.25', '2'].map((value) => ({ value, disabled: false }));
    const rateAt = (behindLive: number | undefined) => {
      limitSpeed(played, speeds, fastestSpeed(behindLive));
      return [played.playbackRate, speeds.flatMap(({ value, disabled }) => (disabled ? [value] : []))];
    };
    played.playbackRate = 2;
    assert.deepEqual(rateAt(undefined), [2, []], 'a recording');
    assert.deepEqual(rateAt(30), [2, []]);
    assert.deepEqual(rateAt(0), [1, ['1.25', '2']]);
    assert.deepEqual(rateAt(0.5), [1, []], 'it does not speed up by itself');
    played.playbackRate = 0.5;
    assert.deepEqual(rateAt(0), [0.5, ['1.25', '2']]);
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
