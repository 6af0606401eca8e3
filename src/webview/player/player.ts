import { t } from '@vscode/l10n';
import { make, makeButton, makeOption } from '../makeElement.ts';
import type { OpenPage } from '../openPage.ts';
import { buildPlayer, type Elements, readFrame } from './elements.ts';
import { canDecodeAac, canPlayHls, playHls } from './hlsPlayback.ts';
import { actOfKey, type KeyAct } from './keys.ts';
import { chooseAddress } from './mediaRequests.ts';
import type { Action, FromPlayer, Heading, MetProblem, Problem, Shown, Source, ToPlayer } from './messages.ts';
import { followSpeed, HeldSound, type Playback, type PlaybackEvents, playFile } from './playback.ts';
import { actionLabel, type ProblemText, problemText } from './problemTexts.ts';

interface PlayerHost {
  act(action: Action): void;
  frame(png: Uint8Array, position: number): void;
  failed(problem: MetProblem): void;
  ended(): void;
  position(): number;
  readonly isStream: boolean;
  /** A player that is part of a page does not start by itself and shows no offers: the page has buttons for them. */
  readonly isPart: boolean;
}

class Player {
  readonly #elements: Elements;
  readonly #host: PlayerHost;
  readonly #sound: HeldSound;
  #playback: Playback | undefined;
  #source: Source | undefined;
  #offers: readonly Action[] = [];
  #hasFile = false;
  /** Incremented whenever something else is shown, so that pending work for the old source is ignored. */
  #generation = 0;

  constructor(elements: Elements, host: PlayerHost) {
    this.#elements = elements;
    this.#host = host;
    const { video, goLive, quality, speed, saveFrame } = elements;
    goLive.addEventListener('click', () => this.#playback?.goLive());
    quality.addEventListener('change', () =>
      this.#playback?.setQuality(quality.value === '' ? undefined : Number(quality.value)),
    );
    followSpeed(video, speed);
    this.#sound = new HeldSound(video, () => this.#hideHeldSound());
    saveFrame.addEventListener('click', () => void this.#saveFrame());
    video.addEventListener('ended', () => {
      if (this.#source?.isLive === true) this.#host.ended();
    });
    for (const moved of ['seeking', 'seeked', 'timeupdate', 'durationchange', 'pause', 'playing']) {
      video.addEventListener(moved, () => this.#drawLive());
    }
    // The live edge moves on without any event.
    setInterval(() => this.#drawLive(), 1000);
  }

  get isLive(): boolean {
    return this.#source?.isLive === true;
  }

  show({ heading, source, problem, offers, hasFile }: Shown): void {
    this.#generation += 1;
    this.showHeading(heading);
    this.#stop();
    this.#source = source;
    this.#hasFile = hasFile;
    this.#elements.notice.hidden = true;
    this.#sound.release();
    this.#offers = this.#host.isPart ? [] : offers;
    this.#drawProblem(problem);
    this.#drawQualities();
    if (source !== undefined) void this.#play(source, this.#generation);
  }

  showHeading({ title, facts, isLive }: Heading): void {
    const { title: titleElement, facts: factsElement, live, video } = this.#elements;
    titleElement.textContent = title;
    if (title !== '' && !this.#host.isPart) document.title = title;
    factsElement.textContent = facts.join(' · ');
    factsElement.hidden = facts.length === 0;
    live.hidden = !isLive;
    video.setAttribute('aria-label', [title, ...facts].join(', '));
  }

  async #play(source: Source, generation: number): Promise<void> {
    const { video } = this.#elements;
    const { url, place } = await chooseAddress(source);
    if (generation !== this.#generation) return;
    const events = this.#eventsOf(generation);
    const startAt = this.#host.position();
    const file = { video, url, startAt, events, canDecodeAac: canDecodeAac() };
    if (source.kind === 'mp4') this.#playback = playFile(file);
    else if (canPlayHls()) this.#playback = playHls({ video, source, url, place, startAt, events });
    else if (video.canPlayType('application/vnd.apple.mpegurl') !== '') {
      this.#playback = playFile(file);
    } else return this.#fail({ kind: 'noHls' });
    if (source.startsItself) await this.#start();
  }

  /** Browsers may block sound until the user clicks. Then playback starts muted, with a notice. */
  async #start(): Promise<void> {
    const { video } = this.#elements;
    try {
      await video.play();
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      this.#sound.hold();
      await video.play().then(
        () => this.#showHeldSound(),
        () => this.#sound.release(),
      );
    }
  }

  /** Does not replace the notice that there is no sound at all. */
  #showHeldSound(): void {
    const { notice } = this.#elements;
    if (!this.#sound.isHeld || (!notice.hidden && notice.classList.contains('sound'))) return;
    this.#notice(t('Sound is muted'), [[t('Unmute'), () => this.#sound.free()]]);
    notice.classList.add('held');
  }

  #hideHeldSound(): void {
    const { notice } = this.#elements;
    if (notice.classList.contains('held')) notice.hidden = true;
  }

  #eventsOf(generation: number): PlaybackEvents {
    const ifCurrent =
      <A extends readonly unknown[]>(run: (...args: A) => void) =>
      (...args: A): void => {
        if (generation === this.#generation) run(...args);
      };
    return {
      onFailed: ifCurrent((problem: MetProblem) => this.#failAfterBuffer(problem, generation)),
      onTrouble: ifCurrent((problem: Problem | undefined) => this.#drawTrouble(problem)),
      onQualities: ifCurrent(() => this.#drawQualities()),
      onNoSound: ifCurrent(() => this.#showNoSound()),
    };
  }

  #failAfterBuffer(problem: MetProblem, generation: number): void {
    if (generation !== this.#generation) return;
    const { video } = this.#elements;
    const isPlayingOn = !video.paused && !video.ended && secondsAhead(video) > 0.3;
    if (isPlayingOn) setTimeout(() => this.#failAfterBuffer(problem, generation), 250);
    else this.#fail(problem);
  }

  #fail(problem: MetProblem): void {
    this.#generation += 1;
    this.#stop();
    this.#drawProblem(problem);
    this.#host.failed(problem);
  }

  #stop(): void {
    this.#playback?.dispose();
    this.#playback = undefined;
    this.#drawTrouble(undefined);
  }

  #showNoSound(): void {
    if (!this.#elements.notice.hidden && this.#elements.notice.classList.contains('sound')) return;
    const { isStream } = this.#host;
    this.#notice(t("No sound. This version of VS Code can't decode AAC audio."), [
      [actionLabel('openInBrowser', isStream), () => this.#host.act('openInBrowser')],
      [actionLabel('alwaysInBrowser', isStream), () => this.#host.act('alwaysInBrowser')],
    ]);
    this.#elements.notice.classList.add('sound');
  }

  #notice(sentence: string, buttons: readonly (readonly [string, () => void])[]): void {
    const { notice } = this.#elements;
    notice.classList.remove('sound', 'held');
    notice.replaceChildren(make('span', 'words', sentence), ...buttons.map(([label, run]) => makeButton(label, run)));
    notice.hidden = false;
  }

  #drawProblem(problem: Problem | undefined): void {
    const { isStream } = this.#host;
    const { problem: section, video, bar } = this.#elements;
    section.hidden = problem === undefined;
    video.hidden = problem !== undefined;
    bar.classList.toggle('idle', problem !== undefined);
    section.replaceChildren();
    this.#drawOffers([]);
    if (problem === undefined) return;
    const { sentence, actions, isWaiting = false } = this.#textOf(problem);
    const buttons = actions.map((action) => makeButton(actionLabel(action, isStream), () => this.#host.act(action)));
    section.classList.toggle('waiting', isWaiting);
    this.#drawOffers(actions);
    section.replaceChildren(make('p', 'sentence', sentence), make('p', 'actions', ...buttons));
  }

  #textOf(problem: Problem): ProblemText {
    const { isStream, isPart } = this.#host;
    return problemText(problem, { isStream, isPart, hasFile: this.#hasFile });
  }

  #drawTrouble(problem: Problem | undefined): void {
    const { trouble } = this.#elements;
    trouble.hidden = problem === undefined;
    trouble.textContent = problem === undefined ? '' : t('{0} Retrying…', this.#textOf(problem).sentence);
  }

  /** Omits offers that are shown beside a problem already. */
  #drawOffers(shown: readonly Action[]): void {
    const { isStream } = this.#host;
    const offers = this.#offers.filter((offer) => !shown.includes(offer));
    const buttons = offers.map((action) => makeButton(actionLabel(action, isStream), () => this.#host.act(action)));
    this.#elements.offers.replaceChildren(...buttons);
  }

  #drawQualities(): void {
    const { quality } = this.#elements;
    const qualities = this.#playback?.qualities() ?? [];
    const options = qualities.map(({ index, label }) => makeOption(String(index), label));
    quality.replaceChildren(makeOption('', t('Auto')), ...options);
    quality.value = '';
    quality.disabled = options.length === 0;
  }

  #drawLive(): void {
    const { behind, goLive } = this.#elements;
    const seconds = this.#playback?.behindLive();
    behind.hidden = seconds === undefined;
    goLive.hidden = seconds === undefined || seconds === 0;
    if (seconds === undefined) return;
    behind.textContent = seconds === 0 ? t('At the live edge') : t('{0} s behind live', Math.round(seconds));
  }

  async #saveFrame(): Promise<void> {
    const { video } = this.#elements;
    try {
      const png = await readFrame(video);
      if (png === undefined) this.#notice(t("There's no frame to save yet."), []);
      else this.#host.frame(png, video.currentTime);
    } catch {
      this.#notice(t("Couldn't save the frame. The video server doesn't allow cross-origin access."), []);
    }
  }
}

function secondsAhead({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.1 && currentTime < buffered.end(index)) {
      return buffered.end(index) - currentTime;
    }
  }
  return 0;
}

export interface PlayerMount {
  /** Title and state, for pages without a header of their own. */
  readonly header: HTMLElement;
  readonly element: HTMLElement;
  readonly receive: (message: ToPlayer) => void;
  readonly hasShown: () => boolean;
  /** Stops playing until the next 'show' message. */
  readonly stop: () => void;
}

interface MountOptions {
  /** True for a stream's broadcasts, live or not; false for a session's recording. Decides the wording. */
  readonly isStream: boolean;
  /** Whether the page has other parts, with buttons and keys of their own. */
  readonly isPart: boolean;
  /** Start position in seconds. */
  readonly position: () => number;
  readonly keep: (position: number) => void;
  readonly send: (said: FromPlayer) => void;
}

const KEEP_EVERY_MS = 1000;
const OPENING: Shown = {
  heading: { title: '', facts: [], isLive: false },
  source: undefined,
  problem: { kind: 'opening' },
  offers: [],
  hasFile: false,
};

export function mountPlayer({ isStream, isPart, position, keep, send }: MountOptions): PlayerMount {
  const elements = buildPlayer(isPart);
  let serial: number | undefined;
  const player = new Player(elements, {
    position,
    isStream,
    isPart,
    act: (action) => send({ kind: 'act', action }),
    frame: (png, at) => send({ kind: 'frame', png, position: at }),
    failed: (problem) => send({ kind: 'failed', problem, serial: serial ?? 0 }),
    ended: () => send({ kind: 'ended', serial: serial ?? 0 }),
  });
  keepPosition(player, elements.video, keep);
  listenToKeys(elements, isPart, () => send({ kind: 'act', action: 'maximise' }));
  player.show(OPENING);
  return {
    header: elements.header,
    element: elements.root,
    receive(message) {
      if (message.kind === 'heading') player.showHeading(message.heading);
      else if (message.serial !== serial) {
        serial = message.serial;
        player.show(message);
      }
    },
    hasShown: () => serial !== undefined,
    stop() {
      serial = undefined;
      player.show(OPENING);
    },
  };
}

function keepPosition(player: Player, video: HTMLVideoElement, keep: (position: number) => void): void {
  let keptAt = 0;
  const note = (): void => {
    // The video reports 0 while its source changes.
    if (video.currentTime === 0) return;
    keptAt = performance.now();
    keep(player.isLive ? 0 : video.currentTime);
  };
  video.addEventListener('timeupdate', () => {
    if (performance.now() - keptAt >= KEEP_EVERY_MS) note();
  });
  video.addEventListener('seeked', note);
}

export function startPlayerPage(page: OpenPage): void {
  const player = mountPlayer({
    isStream: page.subject.kind === 'stream',
    isPart: false,
    position: page.position,
    keep: page.keep,
    send: page.send,
  });
  document.body.classList.add('playerTab');
  document.body.replaceChildren(player.header, player.element);
  page.listen<ToPlayer>(player.receive, player.hasShown);
}

function listenToKeys(elements: Elements, isPart: boolean, maximise: () => void): void {
  const { root, video, stage } = elements;
  // In the capture phase, because the browser's own controls would change the volume as well.
  video.addEventListener('keydown', (event) => take(event, true), true);
  window.addEventListener('keydown', (event) => take(event, false));

  function take(event: KeyboardEvent, isOnPicture: boolean): void {
    const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
    if (video.hidden || root.offsetParent === null || defaultPrevented) return;
    // Events of the browser's controls have the video as their target, which then has :focus-within, not :focus.
    const isPicture = target === video && video.matches(':focus');
    const on = target instanceof Element && !isPicture ? target.tagName : '';
    const isInside = !isPart || (target instanceof Node && root.contains(target));
    const act = actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside });
    if (act === undefined) return;
    event.preventDefault();
    if (isOnPicture) event.stopImmediatePropagation();
    doAct(act, { video, stage, maximise });
  }
}

interface Worked extends Pick<Elements, 'video' | 'stage'> {
  readonly maximise: () => void;
}

function doAct(act: KeyAct, { video, stage, maximise }: Worked): void {
  switch (act.act) {
    case 'toggle':
      if (video.paused) void video.play().catch(() => undefined);
      else video.pause();
      return;
    case 'seek':
      video.currentTime = Math.max(0, video.currentTime + act.seconds);
      return;
    case 'volume':
      video.volume = Math.min(1, Math.max(0, video.volume + act.step));
      return;
    case 'mute':
      video.muted = !video.muted;
      return;
    case 'fullscreen':
      toggleFullscreen(stage, maximise);
      return;
    default:
      act satisfies never;
  }
}

/** A desktop webview can't use the full screen API, so the editor group is maximized instead. */
function toggleFullscreen(stage: HTMLElement, maximise: () => void): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else if (document.fullscreenEnabled) stage.requestFullscreen().catch(maximise);
  else maximise();
}
