import { t } from '@vscode/l10n';
import { liveLabel } from '../../texts/labels.ts';
import { formatDuration } from '../../util/format.ts';
import { make, makeButton, makeOption } from '../makeElement.ts';
import { makeMark } from '../marks.ts';
import type { Tone } from '../messages.ts';
import type { OpenPage } from '../openPage.ts';
import { canDecodeAac } from './aacSupport.ts';
import { ClipBar } from './clips/clipBar.ts';
import { peek } from './clips/peek.ts';
import { Controls } from './controls.ts';
import { buildPlayer, drawFrame, type Elements, makeClose, makeEntry, readFrame } from './elements.ts';
import { canPlayHls, playHls, type Sound } from './hlsPlayback.ts';
import { keepPosition } from './keptPosition.ts';
import { formatName } from './leftOutSound.ts';
import { MediaClient, type MediaFetcher } from './mediaClient.ts';
import type { Place } from './mediaDates.ts';
import type {
  Action,
  ClipOutcome,
  FromPlayer,
  Heading,
  LoadedPart,
  MetProblem,
  PagePart,
  Problem,
  ShownPlayer,
  Source,
  ToPlayer,
} from './messages.ts';
import { createMp4Fetcher } from './mp4/mp4Fetcher.ts';
import { PartLoader } from './partLoader.ts';
import { HeldSound, type Playback, type PlaybackEvents, SharedSound, secondsAhead } from './playback.ts';
import { actionLabel, type ProblemText, problemText } from './problemTexts.ts';

interface PlayerHost {
  readonly client: MediaFetcher;
  readonly loadPart: (part: PagePart) => Promise<LoadedPart>;
  send(said: FromPlayer): void;
  failed(problem: MetProblem): void;
  ended(hasPlayed: boolean): void;
  position(): number;
  readonly isStream: boolean;
  /** A player that is part of a page doesn't start by itself and offers no actions: the page has buttons for them. */
  readonly isPart: boolean;
}

// A live playlist rarely lists more at its edge than this.
const NEAR_END_SECONDS = 30;
const ELAPSED_EVERY_MS = 10_000;
/** After any of these events, a video may have the frame that it lacked, or lack the next one. */
const LOADING_EVENTS = [
  'loadstart',
  'loadeddata',
  'canplay',
  'playing',
  'waiting',
  'pause',
  'seeking',
  'seeked',
  'ended',
  'emptied',
  'resize',
];
const PLAYING_EVENTS = ['play', 'playing', 'pause', 'ended', 'emptied'];
const INSET_EVENTS = ['enterpictureinpicture', 'leavepictureinpicture'] as const;
/** How long the host may take to find out that a broadcast has ended, before the failure is shown. */
const RECONSIDERED_WITHIN_MS = 1500;
const ON_PAGE: ReadonlySet<Action> = new Set(['showDetails', 'watchLive']);
const OPENING: ShownPlayer = {
  heading: { title: '', facts: [], isLive: false },
  source: undefined,
  problem: { kind: 'opening' },
  offers: [],
  hasFile: false,
};

const WITHOUT_SOUND: Promise<Sound> = Promise.resolve({ kind: 'leftOut' });

class Player {
  readonly #elements: Elements;
  readonly #host: PlayerHost;
  readonly #sound: HeldSound;
  readonly #sharedSound: SharedSound;
  readonly #controls: Controls;
  readonly #clipBar: ClipBar;
  /** Determined before a source is played, and only once unless the sound decoder could not be read. */
  #aac: Promise<Sound> | undefined;
  #playback: Playback | undefined;
  #mp4: ReturnType<typeof createMp4Fetcher> | undefined;
  /** Fetches the media that plays. */
  #fetcher: MediaFetcher | undefined;
  #source: Source | undefined;
  /** Where a broadcast that no longer plays was paused. */
  #left: Place | undefined;
  #offers: readonly Action[] = [];
  #canClip = false;
  #hasFile = false;
  /** The label of the quality that was selected. It's kept for the next stream or recording. */
  #quality: string | undefined;
  /** As last reported to the host. */
  #isPlaying = false;
  #heading = OPENING.heading;
  #beganAt: number | undefined;
  #problem: Problem | undefined;
  /** The problem that playback is recovering from. */
  #trouble: Problem | undefined;
  /** Incremented whenever something else is shown, so that pending work for the old source is ignored. */
  #generation = 0;
  #isVisible = true;
  /** Whether it was paused because it's neither seen nor heard. */
  #isResting = false;
  #isLoading = true;
  #isClipBarDue = false;

  constructor(elements: Elements, host: PlayerHost) {
    this.#elements = elements;
    this.#host = host;
    const { root, video, saveFrame, way, details, quality } = elements;
    this.#clipBar = new ClipBar(elements, {
      playback: () => this.#playback,
      canClip: () => this.#canClip,
      framesPerSecond: () => this.#controls.framesPerSecond,
      beganAt: () => this.#beganAt,
      peek: async (at, signal) => {
        const [source, fetcher] = [this.#source, this.#fetcher];
        return source && fetcher && peek({ ...at, source, fetcher, beganAt: () => this.#beganAt }, signal);
      },
      create: (clip) => host.send({ kind: 'createClip', clip }),
      actOnMade: (action) => host.send({ kind: 'actOnMade', action }),
      setApiKey: () => this.#act('setApiKey'),
      openAnother: () => this.#take('createClip'),
    });
    const { element, made, underWay } = this.#clipBar;
    root.append(element, made.element, underWay.element);
    this.#sharedSound = new SharedSound(video);
    this.#controls = new Controls(elements, {
      playback: () => this.#playback,
      maximize: () => this.#act('maximize'),
      // If no clip can be cut, the command says why.
      beginClip: () => this.#problem?.kind !== 'opening' && this.#take('createClip'),
      touched: () => this.#takeSound(),
      hasYielded: () => this.#sharedSound.isYielded,
      beganAt: () => this.#beganAt,
      hasEnded: () => this.#isSilent,
      isPart: host.isPart,
      clipBar: this.#clipBar,
    });
    quality.addEventListener('change', () => {
      this.#quality = quality.selectedOptions[0]?.label;
      this.#playback?.setQuality(quality.value === '' ? undefined : Number(quality.value));
    });
    this.#sound = new HeldSound(video, () => this.#hideHeldSound());
    saveFrame.addEventListener('click', () => void this.#saveFrame());
    details.addEventListener('click', () => this.#act('showDetails'));
    way.addEventListener('click', () => {
      if (this.#heading.way !== undefined) this.#act(this.#heading.way);
    });
    video.addEventListener('ended', () => this.#host.ended(true));
    for (const event of LOADING_EVENTS) video.addEventListener(event, () => this.#drawLoading());
    for (const event of PLAYING_EVENTS) video.addEventListener(event, () => this.#reportPlaying());
    video.addEventListener('play', () => {
      // It may be paused again by now.
      if (video.paused) return;
      this.#left = undefined;
      this.#isResting = false;
      // The user can't have started a video that isn't seen: it resumed by itself.
      if (this.#isSeen) this.#takeSound();
      else this.#noteSound();
    });
    for (const kind of INSET_EVENTS) video.addEventListener(kind, () => host.send({ kind }));
    for (const event of ['play', 'pause']) video.addEventListener(event, () => this.#followUse());
    video.addEventListener('volumechange', () => {
      this.#noteSound();
    });
    setInterval(() => this.#drawElapsed(), ELAPSED_EVERY_MS);
  }

  get isLive(): boolean {
    return this.#source?.isLive === true;
  }

  dateAt(position: number): number | undefined {
    return this.#playback?.dateAt(position);
  }

  show({ heading, source, problem, offers, hasFile }: ShownPlayer): void {
    this.#generation += 1;
    this.#problem = problem;
    this.#source = source;
    this.showHeading(heading);
    this.#stop();
    if (problem?.kind === 'ended' || problem?.kind === 'notLive') this.#left = undefined;
    this.#hasFile = hasFile;
    this.#elements.notice.hidden = true;
    this.#sound.release();
    this.#offers = this.#host.isPart ? [] : offers;
    this.#canClip = offers.includes('createClip');
    this.#isClipBarDue = false;
    if (source !== undefined && !this.#canClip) this.#clipBar.close();
    this.#drawProblem(problem);
    this.#drawQualities();
    if (source !== undefined) void this.#play(source, this.#generation);
  }

  showHeading(heading: Heading): void {
    this.#heading = heading;
    // The host forgets the sessions of streams collapsed in the tree, and an ended broadcast keeps playing for a while.
    const goesOn = heading.isLive || (this.isLive && this.#problem === undefined);
    this.#beganAt = heading.beganAt ?? (goesOn ? this.#beganAt : undefined);
    const { title: titleElement, video } = this.#elements;
    const { title, facts } = heading;
    titleElement.textContent = title;
    titleElement.title = title;
    if (title !== '' && !this.#host.isPart) document.title = title;
    video.setAttribute('aria-label', [title, ...facts].join(', '));
    this.#drawState();
  }

  /** Opens the bar for clips once part of what is shown has loaded. */
  openClipBarSoon(): void {
    this.#isClipBarDue = !this.openClipBar();
  }

  /** Returns false if no clip can be cut from what is shown. */
  openClipBar(): boolean {
    return this.#canClip && this.#playback !== undefined && this.#clipBar.open();
  }

  finishClip(outcome: ClipOutcome): void {
    this.#clipBar.finish(outcome);
  }

  showClipProgress(order: number, progress: number): void {
    this.#clipBar.showProgress(order, progress);
  }

  yieldSound(): void {
    if (!this.#sound.isHeld) this.#sharedSound.yield();
    this.#restUnnoticed();
  }

  takeSound(): void {
    if (!this.#elements.video.paused) this.#takeSound();
  }

  /** The service still reports a stream as live for a while after its broadcast has ended. */
  #drawState(): void {
    const { live, controls, facts: element, way } = this.#elements;
    const { facts, note, isLive } = this.#heading;
    const isPlayable = this.#problem === undefined;
    // A problem has the button itself.
    way.hidden = this.#heading.way === undefined || !isPlayable;
    if (this.#heading.way !== undefined) way.textContent = actionLabel(this.#heading.way, this.#host.isStream);
    const hasEnded = this.#problem?.kind === 'ended';
    const isOver = hasEnded || this.#problem?.kind === 'notLive';
    const mayPlay = isPlayable || this.#problem?.kind === 'opening';
    // If the service still reports it as live, nothing else in the heading says so.
    const over = hasEnded && isLive ? t('Ended') : '';
    const words = isOver ? over : isLive && mayPlay ? liveLabel() : '';
    live.hidden = words === '';
    const isSilent = this.#isSilent;
    controls.classList.toggle('isSilent', isSilent);
    this.#drawTrouble();
    // The row of controls says so while something plays.
    live.classList.toggle('quiet', !isOver);
    // The problem says the same to screen readers.
    live.ariaHidden = String(isOver);
    if (live.textContent !== words) live.textContent = words;
    const said = note !== undefined && isPlayable ? [...facts, note] : facts;
    const text = isOver && isLive ? '' : said.join(' · ');
    const tone = this.#toneOfFacts(isSilent && !isOver);
    element.replaceChildren(...(tone === undefined ? [] : [makeMark(tone)]), text);
    element.title = text;
    element.hidden = text === '';
  }

  #toneOfFacts(isSilent: boolean): Tone | undefined {
    const { way, isOver, tone } = this.#heading;
    if (way === 'setApiKey') return 'warning';
    if (!isSilent) return tone;
    // The end of a broadcast isn't an error.
    return isOver === true ? 'quiet' : 'doubtful';
  }

  #reportPlaying(): void {
    const { video } = this.#elements;
    const isPlaying = this.#playback !== undefined && !video.paused && !video.ended;
    if (isPlaying === this.#isPlaying) return;
    this.#isPlaying = isPlaying;
    this.#host.send({ kind: 'playing', isPlaying });
  }

  /** Shows that the video is late, or that there is only sound: both would otherwise be a black area. */
  #drawLoading(): void {
    const { video, last, loading, soundOnly } = this.#elements;
    const hasData = this.#playback !== undefined && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
    if (hasData) last.width = 0;
    if (hasData && this.#isClipBarDue) this.openClipBarSoon();
    this.#drawLast();
    soundOnly.hidden = !hasData || video.videoWidth > 0;
    const needed = video.paused ? HTMLMediaElement.HAVE_CURRENT_DATA : HTMLMediaElement.HAVE_FUTURE_DATA;
    loading.hidden = this.#playback === undefined || video.ended || video.readyState >= needed;
    this.#drawTrouble();
  }

  #takeSound(): void {
    this.#sharedSound.take();
    this.#noteSound();
  }

  #noteSound(): void {
    const { video } = this.#elements;
    if (!video.paused && !video.muted) this.#host.send({ kind: 'tookSound' });
  }

  #act(action: Action): void {
    this.#host.send({ kind: 'act', action });
  }

  async #play(source: Source, generation: number, { startAt = this.#host.position(), isSilent = false } = {}) {
    const { video } = this.#elements;
    if (!canPlayHls()) return this.#fail({ kind: 'noHls' });
    const aac = isSilent ? WITHOUT_SOUND : this.#chooseSound();
    const [fetcher, sound] = await Promise.all([this.#fetcherOf(source, generation), aac]);
    if (generation !== this.#generation) return;
    if (fetcher === undefined) return this.#fail({ kind: 'stopped' });
    const events = this.#eventsOf(generation);
    this.#fetcher = fetcher;
    const place = this.#left;
    const beganAt = () => this.#beganAt;
    this.#playback = playHls({ video, source, fetcher, startAt, place, beganAt, events, sound });
    this.#clipBar.followPlayback();
    this.#drawLoading();
    this.#followUse();
    if (source.startsItself) await this.#start();
  }

  /** Returns undefined if a part of the page could not be loaded, or something else is shown by now. */
  async #fetcherOf({ kind }: Source, generation: number): Promise<MediaFetcher | undefined> {
    const { client, loadPart } = this.#host;
    if (kind === 'hls') return client;
    const { script } = await loadPart('mp4');
    if (script === undefined || generation !== this.#generation) return undefined;
    let isNoted = false;
    const onLeftOut = (codec: string) => {
      if (generation === this.#generation && !isNoted) this.#showNoSound(codec);
      isNoted = true;
    };
    this.#mp4 = createMp4Fetcher(client, { script, onLeftOut });
    return this.#mp4;
  }

  #chooseSound(): Promise<Sound> {
    this.#aac ??= chooseSound(this.#host);
    return this.#aac;
  }

  /** Continues without sound: until the page is closed, or only for this source if the decoder could not be read. */
  #leaveOutSound(reason: string | undefined): void {
    const source = this.#source;
    const { paused, currentTime } = this.#elements.video;
    this.#aac = reason === undefined ? undefined : WITHOUT_SOUND;
    if (reason !== undefined) this.#host.send({ kind: 'soundFailed', reason });
    if (source === undefined) return;
    this.#generation += 1;
    this.#stop();
    const startAt = currentTime > 0 ? currentTime : this.#host.position();
    void this.#play({ ...source, startsItself: !paused }, this.#generation, { startAt, isSilent: true });
  }

  setVisible(isVisible: boolean): void {
    const isShownAgain = isVisible && !this.#isVisible;
    if (!isVisible && this.#isVisible) this.#clipBar.made.hideNoticed();
    this.#isVisible = isVisible;
    this.#controls.seenOrHidden(isVisible);
    if (isShownAgain && this.#isResting) void this.#start();
    else this.#restUnnoticed();
    this.#followUse();
  }

  get #isSeen(): boolean {
    return this.#isVisible || document.pictureInPictureElement === this.#elements.video;
  }

  /** Pauses a video that is neither seen nor heard, to keep its place. At the live edge, it keeps playing, muted. */
  #restUnnoticed(): void {
    const { video } = this.#elements;
    if (this.#isSeen || video.paused || !this.#sharedSound.isYielded) return;
    if (this.#playback?.behindLive() === 0) return;
    this.#isResting = true;
    video.pause();
  }

  /** A hidden player that is paused loads nothing. */
  #followUse(): void {
    const isUsed = this.#isVisible || !this.#elements.video.paused;
    if (this.#playback === undefined || isUsed === this.#isLoading) return;
    this.#isLoading = isUsed;
    this.#playback.setLoading(isUsed);
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

  /** Doesn't replace the notice that there is no sound at all. */
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
      onOver: ifCurrent(() => this.#reportOver()),
      onTrouble: ifCurrent((problem?: Problem) => {
        this.#trouble = this.#mayBeEnd(problem) ? undefined : problem;
        this.#drawTrouble();
      }),
      onQualities: ifCurrent(() => this.#drawQualities()),
      onNoSound: ifCurrent((codec: string) => this.#showNoSound(codec)),
      onSoundFailed: ifCurrent((reason: string | undefined) => this.#leaveOutSound(reason)),
    };
  }

  #reportOver(): void {
    this.#generation += 1;
    this.#stop();
    this.#problem = OPENING.problem;
    this.#drawProblem(this.#problem);
    this.#host.ended(false);
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
    const generation = this.#generation;
    this.#host.failed(problem);
    const draw = () => {
      if (generation === this.#generation) this.#drawFailure(problem);
    };
    if (this.#mayBeEnd(problem)) setTimeout(draw, RECONSIDERED_WITHIN_MS);
    else draw();
  }

  #drawFailure(problem: MetProblem): void {
    this.#problem = problem;
    this.#elements.notice.hidden = true;
    this.#stop();
    this.#drawState();
    this.#drawProblem(problem);
  }

  /** The playlist of a broadcast that ends is often gone before the service says that it has ended. */
  #mayBeEnd(problem: Problem | undefined): boolean {
    return this.isLive && problem?.kind === 'status' && problem.status === 404;
  }

  #stop(): void {
    const { video, last } = this.#elements;
    // The video loses its frame with its source. A retry that fails has no frame and leaves the previous one.
    if (this.#playback !== undefined) drawFrame(video, last);
    if (video.paused) this.#left = this.#playback?.place() ?? this.#left;
    this.#playback?.dispose();
    this.#playback = undefined;
    this.#isResting = false;
    this.#fetcher = undefined;
    this.#clipBar.followPlayback();
    this.#mp4?.dispose();
    this.#mp4 = undefined;
    this.#isLoading = true;
    this.#reportPlaying();
    this.#drawLoading();
    this.#trouble = undefined;
    this.#drawTrouble();
  }

  #showNoSound(codec: string): void {
    if (!this.#elements.notice.hidden && this.#elements.notice.classList.contains('sound')) return;
    const { isStream } = this.#host;
    const sentence =
      codec === ''
        ? t("No sound. This version of VS Code can't decode the audio format.")
        : t("No sound. This version of VS Code can't decode {0} audio.", formatName(codec));
    this.#notice(sentence, [
      [actionLabel('openInBrowser', isStream), () => this.#act('openInBrowser')],
      [actionLabel('alwaysInBrowser', isStream), () => this.#act('alwaysInBrowser')],
    ]);
    this.#elements.notice.classList.add('sound');
  }

  #notice(sentence: string, buttons: readonly (readonly [string, () => void])[]): void {
    const { notice } = this.#elements;
    notice.classList.remove('sound', 'held');
    const close = makeClose(() => {
      notice.hidden = true;
    });
    const acts = buttons.map(([label, run]) => makeButton(label, run));
    notice.replaceChildren(make('span', 'words', sentence), ...acts, close);
    notice.hidden = false;
  }

  #drawProblem(problem: Problem | undefined): void {
    const { isStream, isPart } = this.#host;
    const { problem: section, video, controls, details, more, menu } = this.#elements;
    section.hidden = problem === undefined;
    video.hidden = problem !== undefined;
    this.#drawLast();
    details.hidden = false;
    controls.classList.toggle('idle', problem !== undefined);
    controls.classList.toggle('opening', problem?.kind === 'opening');
    section.replaceChildren();
    // Where a problem is shown, its row of buttons has the menu.
    if (more.parentElement !== controls) controls.append(more, menu);
    this.#drawOffers([]);
    if (problem === undefined) return;
    const { sentence, detail, actions, isWaiting = false, isFailure = false, isGone = false } = this.#textOf(problem);
    // The page around a part already shows the details and has a button for the broadcast.
    const shown = isPart ? actions.filter((action) => !ON_PAGE.has(action)) : withoutDetails(actions);
    details.hidden = problem.kind !== 'opening' && shown.length === actions.length;
    const buttons = shown.map((action) => makeButton(actionLabel(action, isStream), () => this.#act(action)));
    section.classList.toggle('waiting', isWaiting);
    section.classList.toggle('opening', problem.kind === 'opening');
    section.classList.toggle('unpublished', problem.kind === 'unpublished');
    const hasOffers = this.#drawOffers(isGone ? [...shown, 'copyAddress', 'openInBrowser', 'createClip'] : shown);
    section.append(make('p', 'sentence', ...(isFailure ? [makeMark('warning')] : []), sentence));
    if (!isPart && problem.kind === 'processing' && problem.since !== undefined) section.append(makeElapsed());
    if (detail !== undefined) section.append(make('p', 'detail', detail));
    const rest = problem.kind !== 'opening' && hasOffers ? [more, menu] : [];
    if (buttons.length + rest.length > 0) section.append(make('p', 'actions', ...buttons, ...rest));
    this.#drawElapsed();
  }

  /** Keeps the last frame below anything that interrupts or ends playback, until there is another. */
  #drawLast(): void {
    const { last, stage } = this.#elements;
    last.hidden = this.#problem?.kind === 'notLive' || last.width === 0;
    stage.classList.toggle('hasLast', !last.hidden);
  }

  #drawElapsed(): void {
    const element = this.#elements.problem.querySelector('.elapsed');
    // A hidden page keeps its text, which it shows again until its host has checked with the service.
    if (document.hidden && element?.textContent !== '') return;
    if (element === null || this.#problem?.kind !== 'processing' || this.#problem.since === undefined) return;
    const duration = formatDuration(Math.max(0, Date.now() - this.#problem.since) / 1000);
    element.textContent = duration === undefined ? '' : t('Processing ({0} elapsed)', duration);
  }

  #textOf(problem: Problem): ProblemText {
    const { isStream, isPart } = this.#host;
    return problemText(problem, { isStream, isPart, hasFile: this.#hasFile });
  }

  /** Whether the stream is no longer live but its playlist is still there, with the end of what was sent. */
  get #isSilent(): boolean {
    return this.isLive && !this.#heading.isLive;
  }

  /** A user who watches an earlier part isn't waiting. */
  get #isNearEnd(): boolean {
    const { video } = this.#elements;
    const { length } = video.seekable;
    return length === 0 || video.seekable.end(length - 1) - video.currentTime < NEAR_END_SECONDS;
  }

  #drawTrouble(): void {
    const { trouble, controls, video } = this.#elements;
    const hasPicture = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
    const isWaiting = hasPicture && this.#isSilent && this.#heading.isOver !== true && this.#isNearEnd;
    const retrying = this.#trouble && t('{0} Retrying…', this.#textOf(this.#trouble).sentence);
    const words =
      retrying ?? (isWaiting ? t('Waiting for the encoder to send data. The video shows what it sent last.') : '');
    trouble.hidden = words === '';
    controls.classList.toggle('isHeldUp', retrying !== undefined);
    if (trouble.textContent === words) return;
    trouble.replaceChildren(makeMark(retrying === undefined ? 'doubtful' : 'warning'), words);
  }

  /**
   * @param without actions that a problem shows already, or that can't help
   * @returns whether any are offered
   */
  #drawOffers(without: readonly Action[]): boolean {
    const shown = this.#offers.filter((offer) => !without.includes(offer));
    const entries = (isClip: boolean) =>
      shown.filter((each) => (each === 'createClip') === isClip).map(this.#makeOffer);
    this.#elements.clipOffer.replaceChildren(...entries(true));
    this.#elements.offers.replaceChildren(...entries(false));
    return shown.length > 0;
  }

  readonly #makeOffer = (action: Action): HTMLElement => {
    const entry = makeEntry(actionLabel(action, this.#host.isStream), action === 'createClip' ? 'C' : undefined);
    entry.addEventListener('click', () => this.#take(action));
    return entry;
  };

  #take(action: Action): void {
    if (action !== 'createClip' || !this.openClipBar()) this.#act(action);
  }

  #drawQualities(): void {
    const { quality } = this.#elements;
    const qualities = this.#playback?.qualities() ?? [];
    const options = qualities.map(({ index, label }) => makeOption(String(index), label));
    quality.replaceChildren(makeOption('', t('Auto')), ...options);
    const chosen = qualities.find(({ label }) => label === this.#quality);
    quality.value = String(chosen?.index ?? '');
    if (chosen !== undefined) this.#playback?.setQuality(chosen.index);
    quality.disabled = options.length === 0;
    this.#controls.draw();
  }

  async #saveFrame(): Promise<void> {
    const { video } = this.#elements;
    const png = await readFrame(video);
    if (png === undefined) this.#notice(t("There's no frame to save yet."), []);
    else this.#host.send({ kind: 'frame', png, position: video.currentTime });
  }
}

/** Leaves out the button for details beside others, because the header has one. */
function withoutDetails(actions: readonly Action[]): readonly Action[] {
  return actions.length === 1 ? actions : actions.filter((action) => action !== 'showDetails');
}

/** Not announced: it changes every minute. */
function makeElapsed(): HTMLElement {
  const elapsed = make('p', 'elapsed');
  elapsed.setAttribute('aria-live', 'off');
  return elapsed;
}

export interface PlayerMount {
  /** Title and state, for pages without a header of their own. */
  readonly header: HTMLElement;
  readonly element: HTMLElement;
  readonly receive: (message: ToPlayer) => void;
  readonly hasShown: () => boolean;
  readonly openClipBar: () => boolean;
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

export function mountPlayer({ isStream, isPart, position, keep, send }: MountOptions): PlayerMount {
  const elements = buildPlayer(isPart);
  let serial: number | undefined;
  const client = new MediaClient({
    request: (request) => send({ kind: 'requestMedia', serial: serial ?? 0, request }),
    cancel: (id) => send({ kind: 'cancelMedia', id }),
  });
  const parts = new PartLoader((part) => send({ kind: 'requestPart', part }));
  const player = new Player(elements, {
    client,
    loadPart: (part) => parts.load(part),
    position,
    isStream,
    isPart,
    send,
    failed: (problem) => send({ kind: 'failed', problem, serial: serial ?? 0 }),
    ended: (hasPlayed) => send({ kind: 'ended', serial: serial ?? 0, hasPlayed }),
  });
  keepPosition(elements.video, (seconds) => {
    keep(player.isLive ? 0 : seconds);
    const date = player.dateAt(seconds);
    if (date !== undefined) send({ kind: 'watched', date: Math.round(date) });
  });
  player.show(OPENING);
  return {
    header: elements.header,
    element: elements.root,
    receive(message) {
      if (message.kind === 'yieldSound') player.yieldSound();
      else if (message.kind === 'takeSound') player.takeSound();
      else if (message.kind === 'heading') player.showHeading(message.heading);
      else if (message.kind === 'media') client.receive(message.reply);
      else if (message.kind === 'part') parts.receive(message);
      else if (message.kind === 'openClipBar') player.openClipBarSoon();
      else if (message.kind === 'clip') player.finishClip(message);
      else if (message.kind === 'clipProgress') player.showClipProgress(message.order, message.progress);
      else if (message.kind === 'visible') player.setVisible(message.isVisible);
      else if (message.serial !== serial) {
        serial = message.serial;
        client.reset();
        player.show(message);
        if (message.isForClip) player.openClipBarSoon();
      }
    },
    hasShown: () => serial !== undefined,
    openClipBar: () => player.openClipBar(),
    stop() {
      serial = undefined;
      player.show(OPENING);
    },
  };
}

/** Loads the AAC decoder only if the browser has none, and doesn't wait for it: the video takes as long to load. */
async function chooseSound({ loadPart }: PlayerHost): Promise<Sound> {
  if (await canDecodeAac()) return { kind: 'native' };
  const parts = loadPart('sound').then(({ script, wasm }) =>
    script === undefined || wasm === undefined ? undefined : { script, wasm },
  );
  return { kind: 'decoded', parts };
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
