import { t } from '@vscode/l10n';
import { make, makeButton, makeOption } from '../makeElement.ts';
import { canDecodeAac } from './canDecodeAac.ts';
import type { Elements } from './elements.ts';
import { playFile } from './filePlayback.ts';
import { readFrame } from './frame.ts';
import { HeldSound } from './heldSound.ts';
import { canPlayHls, playHls } from './hlsPlayback.ts';
import type { Action, Heading, MetProblem, Problem, Shown, Source } from './messages.ts';
import type { Playback, PlaybackEvents } from './playback.ts';
import { actionLabel, type ProblemText, problemText } from './problemTexts.ts';
import { chooseAddress } from './reachable.ts';
import { followSpeed } from './speed.ts';

export interface PlayerHost {
  act(action: Action): void;
  frame(png: Uint8Array, position: number): void;
  failed(problem: MetProblem): void;
  ended(): void;
  position(): number;
  readonly isStream: boolean;
  /** A player that is part of a page does not start by itself and shows no offers: the page has buttons for them. */
  readonly isPart: boolean;
}

export class Player {
  readonly #elements: Elements;
  readonly #host: PlayerHost;
  readonly #sound: HeldSound;
  #playback: Playback | undefined;
  #source: Source | undefined;
  #offers: readonly Action[] = [];
  #hasFile = false;
  /** Incremented whenever something else is shown, so that pending work for the old source is ignored. */
  #turn = 0;

  constructor(elements: Elements, host: PlayerHost) {
    this.#elements = elements;
    this.#host = host;
    const { video, goLive, quality, speed, saveFrame } = elements;
    goLive.addEventListener('click', () => this.#playback?.goLive());
    quality.addEventListener('change', () =>
      this.#playback?.setQuality(quality.value === '' ? undefined : Number(quality.value)),
    );
    followSpeed(video, speed);
    this.#sound = new HeldSound(video, () => this.#hideHeld());
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
    this.#turn += 1;
    this.showHeading(heading);
    this.#stop();
    this.#source = source;
    this.#hasFile = hasFile;
    this.#elements.notice.hidden = true;
    this.#sound.release();
    this.#offers = this.#host.isPart ? [] : offers;
    this.#drawProblem(problem);
    this.#drawQualities();
    if (source !== undefined) void this.#play(source, this.#turn);
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

  async #play(source: Source, turn: number): Promise<void> {
    const { video } = this.#elements;
    const { url, place } = await chooseAddress(source);
    if (turn !== this.#turn) return;
    const events = this.#eventsOf(turn);
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
        () => this.#sayHeld(),
        () => this.#sound.release(),
      );
    }
  }

  /** Does not replace the notice that there is no sound at all. */
  #sayHeld(): void {
    const { notice } = this.#elements;
    if (!this.#sound.isHeld || (!notice.hidden && notice.classList.contains('sound'))) return;
    this.#notice(t('The sound is off until you turn it on.'), [[t('Turn On Sound'), () => this.#sound.free()]]);
    notice.classList.add('held');
  }

  #hideHeld(): void {
    const { notice } = this.#elements;
    if (notice.classList.contains('held')) notice.hidden = true;
  }

  #eventsOf(turn: number): PlaybackEvents {
    const ifCurrent =
      <A extends readonly unknown[]>(run: (...args: A) => void) =>
      (...args: A): void => {
        if (turn === this.#turn) run(...args);
      };
    return {
      onFailed: ifCurrent((problem: MetProblem) => this.#failAfterBuffer(problem, turn)),
      onTrouble: ifCurrent((problem: Problem | undefined) => this.#drawTrouble(problem)),
      onQualities: ifCurrent(() => this.#drawQualities()),
      onNoSound: ifCurrent(() => this.#sayNoSound()),
    };
  }

  #failAfterBuffer(problem: MetProblem, turn: number): void {
    if (turn !== this.#turn) return;
    const { video } = this.#elements;
    const isPlayingOn = !video.paused && !video.ended && secondsAhead(video) > 0.3;
    if (isPlayingOn) setTimeout(() => this.#failAfterBuffer(problem, turn), 250);
    else this.#fail(problem);
  }

  #fail(problem: MetProblem): void {
    this.#turn += 1;
    this.#stop();
    this.#drawProblem(problem);
    this.#host.failed(problem);
  }

  #stop(): void {
    this.#playback?.dispose();
    this.#playback = undefined;
    this.#drawTrouble(undefined);
  }

  #sayNoSound(): void {
    if (!this.#elements.notice.hidden && this.#elements.notice.classList.contains('sound')) return;
    const { isStream } = this.#host;
    this.#notice(t('No sound here: this editor cannot decode AAC.'), [
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
    trouble.textContent = problem === undefined ? '' : t('{0} Trying again…', this.#textOf(problem).sentence);
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
      if (png === undefined) this.#notice(t('There is no picture yet.'), []);
      else this.#host.frame(png, video.currentTime);
    } catch {
      this.#notice(t('The server of this video does not let its picture be copied.'), []);
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
