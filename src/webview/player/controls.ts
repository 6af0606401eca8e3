import { t } from '@vscode/l10n';
import { formatPosition, formatTimer } from '../../util/format.ts';
import type { ClipBar } from './clips/clipBar.ts';
import { type Elements, formatTimeOfDay, SPEEDS, setTool } from './elements.ts';
import type { KeyAct } from './keys.ts';
import { actOfKey } from './keys.ts';
import { fastestSpeed, followSpeed, limitSpeed, type Playback, secondsAhead } from './playback.ts';
import { Statistics } from './statistics.ts';
import { TimeBelowPointer } from './timeBelowPointer.ts';

/** Below this width, quality and speed are in the menu. In CSS pixels. */
const WIDE = 480;
/** In full screen, the row hides after this time without movement. */
const QUIET_MS = 3000;
/** Shorter seekable ranges of a broadcast aren't worth seeking in. In seconds. */
const SHORTEST_LIVE_S = 5;
const DEFAULT_FRAMES_PER_SECOND = 30;

interface ControlsHost {
  playback(): Playback | undefined;
  /** Maximizes the editor group, where there is no full screen. */
  maximize(): void;
  /** Begins a clip, if one can be cut from what plays. */
  beginClip(): void;
  /** The user interacted with the player, which takes the sound back from another player. */
  touched(): void;
  /** Whether it's muted because another player has the sound. */
  hasYielded(): boolean;
  /** When the live broadcast began, as Unix time in milliseconds; undefined if it isn't known. */
  beganAt(): number | undefined;
  /** Whether the broadcast that's playing has ended. */
  hasEnded(): boolean;
  readonly isPart: boolean;
  readonly clipBar: ClipBar;
}

/** Connects the row of controls, the stage, and the keys with the video. All of them always show the same state. */
export class Controls {
  readonly #elements: Elements;
  readonly #host: ControlsHost;
  readonly #frames: FrameRate;
  readonly #below: TimeBelowPointer;
  readonly #statistics: Statistics;
  #isSeeking = false;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(elements: Elements, host: ControlsHost) {
    this.#elements = elements;
    this.#host = host;
    this.#frames = new FrameRate(elements.video);
    this.#below = new TimeBelowPointer(elements.seek, elements.below, (position) => this.#timeAt(position));
    this.#statistics = new Statistics(elements.video, () => host.playback());
    elements.stage.append(this.#statistics.element);
    this.#connectButtons();
    this.#connectSliders();
    this.#connectMenu();
    this.#connectScreens();
    const { video, speed } = elements;
    followSpeed(video, speed);
    for (const event of ['play', 'pause', 'ended', 'emptied', 'volumechange', 'seeking', 'seeked', 'timeupdate']) {
      video.addEventListener(event, () => this.draw());
    }
    for (const event of ['durationchange', 'playing']) video.addEventListener(event, () => this.draw());
    // The live edge moves on without any event.
    setInterval(() => {
      this.draw();
      this.#statistics.draw();
    }, 1000);
    window.addEventListener('keydown', (event) => this.#takeKey(event));
    this.draw();
  }

  /** Call when the page was shown or hidden. */
  seenOrHidden(isSeen: boolean): void {
    this.#statistics.seenOrHidden(isSeen);
  }

  draw(): void {
    const { video, play, mute, volume, speed } = this.#elements;
    if (video.paused || video.ended) setTool(play, 'play', t('Play'));
    else setTool(play, 'pause', t('Pause'));
    const isSilent = video.muted || video.volume === 0;
    const unmute = this.#host.hasYielded() ? t('Unmute and Mute Other Players') : t('Unmute');
    setTool(mute, isSilent ? 'muted' : 'sound', isSilent ? unmute : t('Mute'));
    volume.value = String(video.muted ? 0 : video.volume);
    fill(volume);
    volume.setAttribute('aria-valuetext', `${Math.round((video.muted ? 0 : video.volume) * 100)}%`);
    const behind = this.#host.playback()?.behindLive();
    limitSpeed(video, speed.options, fastestSpeed(behind));
    if (behind === undefined) this.#drawTime();
    else this.#drawLive(behind);
  }

  get framesPerSecond(): number {
    return this.#frames.perSecond;
  }

  #stepFrame(step: 1 | -1): void {
    const { video } = this.#elements;
    video.pause();
    video.currentTime = Math.max(0, video.currentTime + step / this.#frames.perSecond);
  }

  #drawTime(): void {
    const { video, clock, behind, goLive, seek } = this.#elements;
    const { currentTime, duration } = video;
    const isKnown = Number.isFinite(duration) && duration > 0;
    goLive.hidden = true;
    behind.hidden = true;
    const whole = isKnown ? formatPosition(duration, duration) : '0:00';
    clock.textContent = `${formatPosition(currentTime, isKnown ? duration : 0)} / ${whole}`;
    clock.title = '';
    seek.setAttribute('aria-valuetext', t('{0} of {1}', formatPosition(currentTime, 0), whole));
    seek.classList.remove('isShort');
    this.#drawSeek(isKnown ? { start: 0, end: duration } : undefined);
  }

  #drawLive(seconds: number): void {
    const { video, clock, behind, goLive, seek } = this.#elements;
    const isAtEdge = seconds === 0;
    const distance = formatTimer(Math.round(seconds));
    const words = isAtEdge ? t('At the live edge') : t('{0} behind live', distance);
    const hasEnded = this.#host.hasEnded();
    // Players hold back what is beyond the live edge. It's played to its end after the broadcast.
    const end = Math.max(video.currentTime + seconds, hasEnded ? endOf(video.seekable) : 0);
    goLive.hidden = false;
    behind.hidden = false;
    behind.textContent = isAtEdge ? '' : `−${distance}`;
    if (video.readyState === 0) {
      // Without its state, the button only keeps its place.
      delete goLive.dataset.edge;
      clock.textContent = '';
      this.#drawSeek(undefined);
      seek.classList.add('isShort');
      return;
    }
    const playback = this.#host.playback();
    const start = playback?.liveStart() ?? 0;
    const time = this.#timeOfBroadcast(video.currentTime, end);
    // If it isn't known when the broadcast began, the playable part begins at 0.
    const timeOf = (position: number) =>
      this.#timeOfBroadcast(position, end) || formatPosition(position - start, end - start);
    const shown = hasEnded ? `${timeOf(video.currentTime)} / ${timeOf(end)}` : time;
    goLive.title = words;
    goLive.classList.toggle('isPaused', video.paused);
    if (goLive.dataset.edge !== String(isAtEdge)) {
      goLive.dataset.edge = String(isAtEdge);
      goLive.ariaLabel = isAtEdge ? words : t('Go Live');
      goLive.setAttribute('aria-disabled', String(isAtEdge));
    }
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.title = this.#host.beganAt() === undefined ? '' : t('Time since the broadcast began');
    seek.setAttribute('aria-valuetext', time === '' ? words : `${words}, ${time}`);
    this.#drawSeek({ start, end });
    // A bar across the page would look as if it reached back to the beginning.
    const reach = playback?.liveReach() ?? end - start;
    seek.classList.toggle('isShort', !hasEnded && reach < SHORTEST_LIVE_S);
  }

  /** Returns the time in a recording or a broadcast; if a broadcast's time isn't known, how far it's behind live. */
  #timeAt(position: number): string {
    const end = Number(this.#elements.seek.max);
    if (this.#host.playback()?.behindLive() === undefined) return formatPosition(position, end);
    return this.#timeOfBroadcast(position, end) || `−${formatTimer(Math.round(end - position))}`;
  }

  /**
   * Returns the time since the broadcast began. If unknown, the time of day while a clip is cut, as in the clip's form.
   */
  #timeOfBroadcast(position: number, end: number): string {
    const [playback, beganAt] = [this.#host.playback(), this.#host.beganAt()];
    if (beganAt === undefined && !this.#host.clipBar.isOpen) return '';
    const [date, last] = [playback?.dateAt(position), playback?.dateAt(end)];
    if (date === undefined || last === undefined) return '';
    return beganAt === undefined
      ? formatTimeOfDay(date)
      : formatPosition((date - beganAt) / 1000, (last - beganAt) / 1000);
  }

  #drawSeek(range: { readonly start: number; readonly end: number } | undefined): void {
    const { video, seek } = this.#elements;
    seek.disabled = range === undefined;
    if (range === undefined) seek.value = '0';
    else {
      seek.min = String(range.start);
      seek.max = String(range.end);
      if (!this.#isSeeking) seek.value = String(video.currentTime);
      this.#host.clipBar.drawRange();
    }
    fill(seek, video.currentTime + secondsAhead(video));
    this.#below.draw();
  }

  #connectButtons(): void {
    const { video, play, previousFrame, nextFrame, goLive, mute, showKeys, showStatistics, keys, menu } =
      this.#elements;
    play.addEventListener('click', () => this.#do({ act: 'toggle' }));
    previousFrame.addEventListener('click', () => this.#do({ act: 'frame', step: -1 }));
    nextFrame.addEventListener('click', () => this.#do({ act: 'frame', step: 1 }));
    mute.addEventListener('click', () => this.#do({ act: 'mute' }));
    goLive.addEventListener('click', () => this.#host.playback()?.goLive());
    showStatistics.addEventListener('click', () => {
      menu.hidePopover();
      this.#statistics.toggle();
    });
    showKeys.addEventListener('click', () => {
      menu.hidePopover();
      keys.showPopover();
    });
    video.addEventListener('click', () => {
      this.#do({ act: 'toggle' });
      video.focus();
    });
    video.addEventListener('dblclick', () => this.#do({ act: 'fullscreen' }));
  }

  #connectSliders(): void {
    const { video, seek, volume } = this.#elements;
    seek.addEventListener('input', () => {
      this.#isSeeking = true;
      video.currentTime = Number(seek.value);
    });
    seek.addEventListener('change', () => {
      this.#isSeeking = false;
    });
    volume.addEventListener('input', () => {
      video.volume = Number(volume.value);
      video.muted = video.volume === 0;
    });
  }

  #connectMenu(): void {
    const { menu, root, choices, saveFrame, inset } = this.#elements;
    menu.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('.menuEntry') !== null) menu.hidePopover();
    });
    menu.addEventListener('keydown', (event) => moveFocus(event, menu));
    new ResizeObserver(() => {
      const isWide = root.clientWidth >= WIDE;
      if (isWide === (choices.parentElement !== menu)) return;
      if (isWide) inset.before(choices);
      else saveFrame.before(choices);
    }).observe(root);
  }

  #connectScreens(): void {
    const { root, video, mute, inset, fullscreen } = this.#elements;
    inset.hidden = !document.pictureInPictureEnabled;
    inset.addEventListener('click', () => {
      const isInset = document.pictureInPictureElement === video;
      void (isInset ? document.exitPictureInPicture() : video.requestPictureInPicture()).catch(() => undefined);
    });
    const drawFullscreen = (): void => {
      const isFull = document.fullscreenElement !== null;
      const label = document.fullscreenEnabled ? t('Full Screen') : t('Maximize');
      setTool(fullscreen, isFull ? 'smallScreen' : 'fullscreen', isFull ? t('Exit Full Screen') : label);
      this.#stir();
    };
    fullscreen.addEventListener('click', () => this.#do({ act: 'fullscreen' }));
    document.addEventListener('fullscreenchange', drawFullscreen);
    for (const event of ['pointermove', 'pointerdown', 'keydown']) root.addEventListener(event, () => this.#stir());
    // Sound that comes back with the press would be muted by the click.
    root.addEventListener('pointerdown', ({ target }) => {
      if (!(target instanceof Node && mute.contains(target))) this.#host.touched();
    });
    drawFullscreen();
  }

  /** Shows the row again, which hides in full screen while nothing moves. */
  #stir(): void {
    const { root } = this.#elements;
    clearTimeout(this.#quietTimer);
    root.classList.remove('quiet');
    if (document.fullscreenElement !== root) return;
    this.#quietTimer = setTimeout(() => root.classList.add('quiet'), QUIET_MS);
  }

  #takeKey(event: KeyboardEvent): void {
    const { root, video, seek, menu } = this.#elements;
    const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
    if (video.hidden || root.offsetParent === null || defaultPrevented) return;
    const tag = target instanceof Element ? target.tagName : '';
    const isSlider = target instanceof HTMLInputElement && target.type === 'range';
    const on = target === seek ? '' : isSlider ? 'RANGE' : tag;
    const isInside = !this.#host.isPart || (target instanceof Node && root.contains(target));
    const act = actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside });
    if (act === undefined || (act.act === 'clipEnd' && !this.#host.clipBar.isOpen)) return;
    event.preventDefault();
    menu.hidePopover();
    if (act.act !== 'mute') this.#host.touched();
    this.#do(act);
  }

  #do(act: KeyAct): void {
    const { root, video, keys, seek } = this.#elements;
    switch (act.act) {
      case 'toggle':
        if (video.paused) void video.play().catch(() => undefined);
        else video.pause();
        return;
      case 'seek':
        video.currentTime = Math.max(0, video.currentTime + act.seconds);
        return;
      case 'jump':
        if (seek.disabled) return;
        video.currentTime = Number(seek.min) + act.portion * (Number(seek.max) - Number(seek.min));
        return;
      case 'frame':
        this.#stepFrame(act.step);
        return;
      case 'clip':
        this.#host.beginClip();
        return;
      case 'clipEnd':
        this.#host.clipBar.set(act.end);
        return;
      case 'speed':
        video.playbackRate = Math.min(
          nextSpeed(video.playbackRate, act.step),
          fastestSpeed(this.#host.playback()?.behindLive()),
        );
        return;
      case 'volume':
        video.volume = Math.min(1, Math.max(0, video.volume + act.step));
        if (act.step > 0) video.muted = false;
        return;
      case 'mute':
        video.muted = !video.muted;
        if (!video.muted && video.volume === 0) video.volume = 0.5;
        return;
      case 'fullscreen':
        toggleFullscreen(root, () => this.#host.maximize());
        return;
      case 'statistics':
        this.#statistics.toggle();
        return;
      case 'help':
        keys.togglePopover();
        return;
      default:
        act satisfies never;
    }
  }
}

/** Reads the frame rate from the times of frames, because a video doesn't report it. */
class FrameRate {
  #perSecond = DEFAULT_FRAMES_PER_SECOND;
  #shortest = Number.POSITIVE_INFINITY;
  #last = Number.NaN;

  constructor(video: HTMLVideoElement) {
    // Uses the shortest time between two frames: a busy computer skips some.
    const note = (_: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
      video.requestVideoFrameCallback(note);
      const seconds = mediaTime - this.#last;
      this.#last = mediaTime;
      if (seconds < 1 / 125 || seconds > 1 / 5 || !(seconds < this.#shortest)) return;
      this.#shortest = seconds;
      this.#perSecond = Math.round(1 / seconds);
    };
    video.requestVideoFrameCallback(note);
    for (const event of ['emptied', 'resize']) {
      video.addEventListener(event, () => {
        this.#shortest = Number.POSITIVE_INFINITY;
      });
    }
  }

  get perSecond(): number {
    return this.#perSecond;
  }
}

/** Draws a slider's track up to its thumb, whose position CSS doesn't know, and up to what has loaded. */
function fill(slider: HTMLInputElement, loadedTo = 0): void {
  const [start, end] = [Number(slider.min), Number(slider.max)];
  const percentOf = (at: number) => `${(end > start ? ((at - start) / (end - start)) * 100 : 0).toFixed(2)}%`;
  slider.style.setProperty('--filled', percentOf(Number(slider.value)));
  slider.style.setProperty('--loaded', percentOf(loadedTo));
}

function nextSpeed(now: number, step: 1 | -1): number {
  const others = SPEEDS.filter((speed) => (step > 0 ? speed > now : speed < now));
  return (step > 0 ? others[0] : others.at(-1)) ?? now;
}

/** Up and Down go from one entry of the menu to the next. */
function moveFocus(event: KeyboardEvent, menu: HTMLElement): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  const all = [...menu.querySelectorAll<HTMLElement>('select:enabled, .menuEntry')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  all.at((at + step) % all.length)?.focus();
}

/** A desktop webview can't use the full screen API, so the editor group is maximized instead. */
function toggleFullscreen(root: HTMLElement, maximize: () => void): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else if (document.fullscreenEnabled) root.requestFullscreen().catch(maximize);
  else maximize();
}

function endOf(ranges: TimeRanges): number {
  return ranges.length === 0 ? 0 : ranges.end(ranges.length - 1);
}
