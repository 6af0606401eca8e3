import { t } from '@vscode/l10n';
import { setApiKeyLabel } from '../../../texts/labels.ts';
import { createClipLabel, withoutDots } from '../../../texts/lateLabels.ts';
import { parseTimer } from '../../../util/positions.ts';
import { make, makeButton } from '../../makeElement.ts';
import { hasPopover } from '../../popovers.ts';
import { drawFrame, formatTimeOfDay, makeIcon, withKey } from '../elements.ts';
import type { Action, ClipCut, ClipOutcome, ClipProblem } from '../messages.ts';
import type { Playback } from '../playback.ts';
import {
  type ClipEnd,
  type ClipMarks,
  type ClipTimes,
  clipTimesOf,
  faultOfMarks,
  formatClipLength,
  formatClipTime,
  type MarksFault,
  proposeMarks,
  setMark,
} from './clipMarks.ts';
import { ClipProgress, ClipsUnderWay } from './clipProgress.ts';
import { MadeClip } from './madeClip.ts';
import type { Peeked } from './peek.ts';
import { Stills } from './stills.ts';
import { stepOf, stepsHint, TrimBar } from './trimBar.ts';

interface ClipBarHost {
  playback(): Playback | undefined;
  /** Whether clips can be cut from what plays. */
  canClip(): boolean;
  framesPerSecond(): number;
  /** When the live broadcast began, as Unix time in milliseconds; undefined if it isn't known. */
  beganAt(): number | undefined;
  /** Undefined if there is no frame, or nothing plays. */
  peek(at: Pick<Peeked, 'position' | 'date' | 'width'>, signal: AbortSignal): Promise<HTMLCanvasElement | undefined>;
  create(clip: ClipCut): void;
  actOnMade(action: Action): void;
  setApiKey(): void;
  /** Opens the bar, or what replaces it. */
  openAnother(): void;
}

const ENDS = ['start', 'end'] as const;
const STILL_WIDTH = 100;
/** A frame that the video reports as shown is at most this old. In seconds. */
const OLDEST_FRAME = 0.25;
/** The times of ends are rounded when shown, and a broadcast continues while its end is typed. */
const NEAR_END_S = 1;
/** A busy computer takes a while to report a frame. */
const FRAME_WITHIN_MS = 1000;
/** So that rounding doesn't seek to the frame before. In seconds. */
const INSIDE_FRAME = 0.001;
/** As `createClip` takes it. */
const NAME_LENGTH_AT_MOST = 500;

/** The row in which a clip is cut. It keeps what was set until the clip is created or canceled. */
export class ClipBar {
  readonly element: HTMLElement;
  /** Shown after the bar. */
  readonly made: MadeClip;
  readonly underWay: ClipsUnderWay;
  readonly #host: ClipBarHost;
  readonly #video: HTMLVideoElement;
  readonly #seek: HTMLInputElement;
  readonly #ends: Readonly<Record<ClipEnd, ReturnType<typeof makeEnd>>>;
  readonly #trim: TrimBar;
  readonly #name = makeName();
  readonly #create = makeButton(withoutDots(createClipLabel()), () => this.#order());
  readonly #close = makeButton('', () => this.close());
  /** Problems or progress, in place of the hint. */
  readonly #words: HTMLElement;
  /** The message about the clip, after the faults of its ends. */
  readonly #said = make('span', '');
  readonly #progress = new ClipProgress();
  readonly #setApiKey = makeButton(setApiKeyLabel(), () => this.#host.setApiKey());
  readonly #length = make('span', 'clipLength');
  readonly #stills = new Stills<HTMLCanvasElement>();
  readonly #peeks = new Map<ClipEnd, AbortController>();
  #marks: ClipMarks = {};
  /** The clip that was requested, until it's created or the bar is closed. */
  #ordered: { readonly order: number; readonly marks: ClipMarks; readonly name: string } | undefined;
  /** The progress of the clips that are being created, by their numbers. */
  readonly #progressOf = new Map<number, number>();
  /** Why the clip wasn't created. It can be requested again, unchanged or edited. */
  #refusal: ClipProblem | undefined;
  #isByKeyboard = false;
  /** Where the shown frame begins, in seconds, if the video has reported it. */
  #frameAt: number | undefined;
  /** Functions that set ends that are waiting for the report of a frame. */
  readonly #awaited = new Map<ClipEnd, () => void>();
  /** Whether to create the clip once these are set. */
  #isOrderDue = false;
  /** What is wrong with the typed times. No clip is created until they are corrected. */
  readonly #typos = new Map<ClipEnd, string>();
  /** The end that was changed last, which is at fault if the two don't make a clip. */
  #changed: ClipEnd = 'end';

  constructor(
    { video, seek }: { readonly video: HTMLVideoElement; readonly seek: HTMLInputElement },
    host: ClipBarHost,
  ) {
    this.#host = host;
    this.#video = video;
    this.#seek = seek;
    this.#ends = { start: this.#makeEnd('start'), end: this.#makeEnd('end') };
    this.#trim = new TrimBar({
      moveEnd: (which, position) => this.#move(which, position),
      goTo: (position) => {
        video.currentTime = position;
      },
      timeAt: (position) => this.#timeOf(this.#dateAt(position) ?? 0),
    });
    this.#name.addEventListener('input', () => this.#forgetRefusal());
    this.#name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      // Otherwise, the key would press the button that then has focus.
      event.preventDefault();
      this.#order();
    });
    const { start, end } = this.#ends;
    this.#words = make('span', 'clipWords', start.fault, ' ', end.fault, this.#said);
    for (const said of [this.#words, this.#length]) said.setAttribute('role', 'status');
    const cut = make('div', 'clipCut', start.group, end.group, this.#length, this.#trim.scale);
    const actions = make('span', 'actions', this.#create, this.#close);
    // Both labels keep their place, so that nothing moves.
    this.#close.classList.add('clipClose');
    this.#close.append(make('span', 'isCutting', t('Cancel')), make('span', 'isSent', t('Close')));
    const hint = make(
      'span',
      'clipHint',
      make('strong', '', withoutDots(createClipLabel())),
      ' ',
      t('Drag the ends of the clip, enter the times, or go to a frame and set it as the start (I) or the end (O).'),
    );
    const order = make('div', 'clipOrder', this.#name, actions);
    const now = make('span', 'clipNow', this.#words, this.#progress.element);
    this.element = make(
      'div',
      'clipBar',
      make('p', 'clipSaid', hint, now, this.#setApiKey),
      this.#trim.element,
      cut,
      order,
    );
    this.element.tabIndex = -1;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', withoutDots(createClipLabel()));
    this.element.hidden = true;
    this.element.addEventListener('keydown', ({ key, target, isComposing, defaultPrevented }) => {
      if (key === 'Escape' && !isComposing && !defaultPrevented && !hasPopover()) this.close();
      if (key === 'Enter' && target === this.element) this.#create.click();
    });
    this.made = new MadeClip({
      act: (action) => host.actOnMade(action),
      createAnother: () => host.openAnother(),
      setApiKey: () => host.setApiKey(),
      focus: () => this.#video.focus(),
    });
    this.underWay = new ClipsUnderWay(() => host.openAnother());
    this.#followFrames();
  }

  get #isCreating(): boolean {
    return this.#ordered !== undefined && this.#progressOf.has(this.#ordered.order);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /**
   * Opens the bar with a proposed clip, unless it's open with a clip that can be changed. Returns false if the time of
   * what is shown isn't known.
   */
  open(): boolean {
    const watched = { ...this.#playable, goesOn: this.#isLive, framesPerSecond: this.#host.framesPerSecond() };
    const proposed = proposeMarks(this.#shownAt, watched, (at) => this.#dateAt(at));
    if (proposed === undefined) return false;
    if (this.#isCreating) this.close();
    if (!this.isOpen) {
      this.#marks = proposed;
      const shown = this.#dateAt(this.#shownAt);
      for (const which of ENDS) {
        this.#drawStill(which, { isShown: proposed[which] === shown });
        void this.#peek(which);
      }
    }
    this.element.hidden = false;
    this.made.hide();
    this.#draw();
    // Enter then creates the proposed clip, and the keys of the player still find a frame.
    this.element.focus();
    return true;
  }

  get #playable() {
    const begin = this.#host.playback()?.liveStart() ?? 0;
    return { begin, end: this.#seek.disabled ? begin : Number(this.#seek.max) };
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    // A request that was sent can't be withdrawn.
    this.#ordered = undefined;
    this.#isOrderDue = false;
    this.#typos.clear();
    this.#refusal = undefined;
    this.#marks = {};
    this.#name.value = '';
    for (const { still } of Object.values(this.#ends)) still.width = 0;
    for (const peeking of this.#peeks.values()) peeking.abort();
    this.#draw();
    if (hadFocus) this.#video.focus();
  }

  /** Sets an end to the frame that is shown, or is about to be. */
  set(which: ClipEnd): void {
    const video = this.#video;
    if (this.#isCreating) return;
    if (video.seeking) video.addEventListener('seeked', () => this.set(which), { once: true });
    else if (video.paused && this.#frameAt === undefined) this.#setWithFrame(which);
    else this.#mark(which, this.#shownAt);
  }

  /** Waits for the report of the frame that a seek led to, which may come a while after the frame is shown. */
  #setWithFrame(which: ClipEnd): void {
    const { currentTime } = this.#video;
    const settle = (): void => {
      clearTimeout(timer);
      this.#awaited.delete(which);
      this.#mark(which, this.#frameAt ?? currentTime);
      if (this.#isOrderDue && this.#awaited.size === 0) this.#order();
    };
    // A video that is hidden reports no frame.
    const timer = setTimeout(settle, FRAME_WITHIN_MS);
    this.#awaited.get(which)?.();
    this.#awaited.set(which, settle);
  }

  /** Sets an end. A typed time doesn't move the other end. */
  #mark(which: ClipEnd, position: number, { isTyped = false } = {}): void {
    const date = this.#dateAt(position);
    if (date === undefined || !this.isOpen) return;
    const before = this.#marks;
    this.#changed = which;
    this.#typos.delete(which);
    this.#refusal = undefined;
    const { begin, end } = this.#playable;
    const limits = { first: this.#dateAt(begin), last: this.#dateAt(end), goesOn: this.#isLive };
    this.#marks = isTyped ? { ...before, [which]: date } : setMark(before, which, date, limits);
    const other = which === 'start' ? 'end' : 'start';
    if (this.#marks[other] !== before[other]) {
      this.#drawStill(other, { isShown: false });
      void this.#peek(other);
    }
    this.#drawStill(which, { isShown: !isTyped });
    this.#draw();
  }

  #forgetRefusal(): void {
    this.#refusal = undefined;
    this.#draw();
  }

  /**
   * Call when the clip was created or creating it failed. After a failure, it may still be created later, without this
   * bar. Shows the name and what can be done next, or the problem, which the bar shows while it's open.
   */
  finish({ order, isMade, name, problem }: ClipOutcome): void {
    const { activeElement } = document;
    const isLeft = activeElement === document.body || this.element.contains(activeElement);
    const ordered = this.#ordered?.order === order ? this.#ordered : undefined;
    const isSame = ordered?.marks === this.#marks && ordered.name === this.#name.value;
    this.#progressOf.delete(order);
    if (isMade && ordered !== undefined) this.#ordered = undefined;
    if (isMade && isSame) this.close();
    else {
      if (ordered !== undefined) this.#refusal = problem;
      this.#draw();
      if (ordered !== undefined && activeElement === this.#close) this.#create.focus();
    }
    if (problem !== undefined && ordered === undefined) this.made.showProblem(problem);
    if (name === undefined) return;
    this.made.show(name);
    if (isSame && isLeft && this.#isByKeyboard) this.made.focus();
  }

  showProgress(order: number, progress: number): void {
    if (!this.#progressOf.has(order)) return;
    this.#progressOf.set(order, progress);
    this.#drawProgress();
  }

  /** Call when something starts or stops playing. What was set stays, and the clip can be created without a video. */
  followPlayback(): void {
    if (!this.#isPlayed) {
      this.#typos.clear();
      for (const { time } of Object.values(this.#ends)) time.value = time.defaultValue;
    }
    this.#draw();
  }

  get #isLive(): boolean {
    return this.#host.playback()?.behindLive() !== undefined;
  }

  get #isPlayed(): boolean {
    return this.#host.playback() !== undefined;
  }

  /**
   * Marks the range on the timeline, which moves while a broadcast continues. When the broadcast began may be known
   * only after a while.
   */
  drawRange(): void {
    if (this.isOpen) this.#drawTimes();
    this.#drawTrim();
    const { start, end } = this.#marks;
    const hasRange = this.isOpen && this.#faults.size === 0 && (start ?? end) !== undefined;
    this.#seek.classList.toggle('hasRange', hasRange);
    this.#seek.style.setProperty('--from', this.#portionOf(start ?? end));
    this.#seek.style.setProperty('--to', this.#portionOf(end ?? start));
  }

  #drawTrim(): void {
    const { begin, end } = this.#playable;
    if (!this.isOpen || !this.#isPlayed || end <= begin) {
      this.#trim.draw(undefined);
      return;
    }
    // The previous position of an end isn't what its field says.
    const [start, until] = ENDS.map((which) =>
      this.#typos.has(which) ? undefined : this.#placeOf(this.#cutAt(which)),
    );
    const [shownAt, isDisabled, isWrong] = [this.#video.currentTime, this.#isCreating, this.#faults.size > 0];
    this.#trim.draw({ start, end: until, shownAt, playable: { from: begin, to: end }, isDisabled, isWrong });
  }

  #placeOf(date: number | undefined): number | undefined {
    return date === undefined ? undefined : this.#host.playback()?.positionOf(date);
  }

  #portionOf(date: number | undefined): string {
    const position = this.#placeOf(date);
    const [from, to] = [Number(this.#seek.min), Number(this.#seek.max)];
    if (position === undefined || to <= from) return '0%';
    return `${(Math.min(1, Math.max(0, (position - from) / (to - from))) * 100).toFixed(2)}%`;
  }

  #makeEnd(which: ClipEnd): ReturnType<typeof makeEnd> {
    const end = makeEnd(which);
    end.set.addEventListener('click', () => this.set(which));
    end.jump.addEventListener('click', () => this.#jump(which));
    end.time.addEventListener('change', () => this.#takeTyped(which));
    end.time.addEventListener('blur', () => this.#draw());
    end.time.addEventListener('keydown', (event) => this.#takeKey(event, which));
    return end;
  }

  /** Up and Down move an end by a second, with Alt by a tenth, with Shift by ten. */
  #takeKey(event: KeyboardEvent, which: ClipEnd): void {
    const { time } = this.#ends[which];
    const step = stepOf(event);
    const seconds = step === undefined ? undefined : parseTimer(time.value);
    const isTyped = time.value !== time.defaultValue || this.#typos.has(which);
    if (event.key === 'Escape' && isTyped) {
      event.preventDefault();
      this.#typos.delete(which);
      this.#draw();
      this.#drawTime(which, { isForced: true });
    }
    if (step === undefined || seconds === undefined || time.readOnly) return;
    event.preventDefault();
    time.value = this.#format(Math.max(0, seconds + step));
    this.#takeTyped(which, { isStep: true });
  }

  /** Sets an end to the typed time and seeks there. */
  #takeTyped(which: ClipEnd, { isStep = false } = {}): void {
    const { time } = this.#ends[which];
    const seconds = parseTimer(time.value);
    const position = seconds === undefined ? undefined : this.#positionOf(seconds - this.#lastFrame(which));
    const notTime = seconds === undefined ? t('Enter a time such as 1:30.') : undefined;
    const sentence = notTime ?? (isStep ? undefined : this.#beyond(position));
    if (sentence === undefined) this.#typos.delete(which);
    else this.#typos.set(which, t('{0}: {1}', time.ariaLabel ?? '', sentence));
    this.#draw();
    if (sentence !== undefined || position === undefined) return;
    time.defaultValue = time.value;
    this.#put(which, position);
  }

  /** Sets an end to where its handle was moved and seeks there. */
  #move(which: ClipEnd, position: number): void {
    this.#put(which, position - this.#lastFrame(which));
  }

  #put(which: ClipEnd, position: number): void {
    const { begin, end } = this.#playable;
    this.#mark(which, Math.min(Math.max(begin, position), end), { isTyped: true });
    this.#jump(which);
  }

  /** A clip ends after its last frame. In seconds. */
  #lastFrame(which: ClipEnd): number {
    return which === 'start' ? 0 : 1 / this.#host.framesPerSecond();
  }

  #beyond(position: number | undefined): string | undefined {
    const { begin, end } = this.#playable;
    if (position === undefined || (position > begin - NEAR_END_S && position < end + NEAR_END_S)) return undefined;
    const [first = 0, last = 0] = [this.#dateAt(begin), this.#dateAt(end)];
    return t('Enter a time from {0} to {1}.', this.#timeOf(first), this.#timeOf(last));
  }

  #jump(which: ClipEnd): void {
    const date = this.#marks[which];
    const playback = this.#host.playback();
    const position = date === undefined ? undefined : playback?.positionOf(date);
    if (position === undefined) return;
    this.#video.pause();
    // The beginning of a broadcast doesn't stay playable forever.
    const to = Math.max(playback?.liveStart() ?? 0, position + INSIDE_FRAME);
    const draw = (): void => {
      if (this.#marks[which] !== date) return;
      if (Math.abs(this.#video.currentTime - to) < OLDEST_FRAME) this.#drawStill(which, { isShown: true });
      // The other end was typed before this one was shown.
      else void this.#peek(which);
    };
    this.#video.addEventListener('seeked', draw, { once: true });
    this.#video.currentTime = to;
  }

  /** Draws the shown frame, or one that was shown at about that time. */
  #drawStill(which: ClipEnd, { isShown }: { readonly isShown: boolean }): void {
    const { still } = this.#ends[which];
    this.#peeks.get(which)?.abort();
    if (!isShown || !drawFrame(this.#video, still, STILL_WIDTH)) {
      const date = this.#marks[which];
      const position = this.#placeOf(date);
      this.#copyStill(still, position === undefined ? undefined : this.#stills.nearest(position));
    }
    this.#drawTimes();
  }

  #copyStill(still: HTMLCanvasElement, picture: HTMLCanvasElement | undefined): void {
    still.width = picture?.width ?? 0;
    still.height = picture?.height ?? 0;
    if (picture !== undefined) still.getContext('2d')?.drawImage(picture, 0, 0);
  }

  /** Gets the frame of an end that was never shown. */
  async #peek(which: ClipEnd): Promise<void> {
    const { still } = this.#ends[which];
    const date = this.#marks[which];
    const at = this.#placeOf(date);
    if (date === undefined || at === undefined || still.width > 0) return;
    const peeking = new AbortController();
    this.#peeks.set(which, peeking);
    // Nothing is shown at the very end.
    const position = Math.max(0, Math.min(at + INSIDE_FRAME, this.#playable.end - OLDEST_FRAME));
    const picture = await this.#host.peek({ position, date, width: STILL_WIDTH }, peeking.signal);
    if (peeking.signal.aborted || picture === undefined) return;
    this.#copyStill(still, picture);
    this.#drawTimes();
  }

  #keepStill(position: number): void {
    if (!this.#host.canClip() || !this.#stills.isDue(position)) return;
    const still = document.createElement('canvas');
    if (drawFrame(this.#video, still, STILL_WIDTH)) this.#stills.add(position, still, this.#playable.begin);
  }

  #order(): void {
    this.#isOrderDue = this.#awaited.size > 0;
    if (this.#isOrderDue) return;
    const [wrong] = this.#typos.keys();
    if (wrong !== undefined) {
      this.#ends[wrong].time.focus();
      return;
    }
    const times = this.#times;
    if (times === undefined || this.#faultOfMarks !== undefined || this.#isCreating) return;
    // Not a counter: a page that is created again has the same host, which still knows the previous page's numbers.
    const order = Date.now();
    this.#ordered = { order, marks: this.#marks, name: this.#name.value };
    this.#progressOf.set(order, 0);
    this.#refusal = undefined;
    this.#isByKeyboard = this.element.querySelector(':focus-visible') !== null;
    this.made.hide();
    this.#host.create({ order, ...times, name: this.#name.value.trim() });
    // The element that has focus becomes disabled.
    if (this.element.contains(document.activeElement)) this.#close.focus();
    this.#draw();
  }

  get #faultOfMarks(): MarksFault | undefined {
    return faultOfMarks(this.#marks, this.#host.framesPerSecond());
  }

  /** Descriptions of what is wrong, by the end at fault. */
  get #faults(): ReadonlyMap<ClipEnd, string> {
    const ofMarks = this.isOpen ? this.#faultOfMarks : undefined;
    if (this.#typos.size > 0 || ofMarks === undefined || ofMarks === 'open') return this.#typos;
    return new Map([[this.#changed, sentenceOf(ofMarks, this.#changed)]]);
  }

  get #times(): ClipTimes | undefined {
    return clipTimesOf(this.#marks, this.#host.framesPerSecond());
  }

  #draw(): void {
    const times = this.#times;
    const faults = this.#faults;
    const isWrong = faults.size > 0;
    const rest = this.isOpen && !this.#isPlayed ? t("You can create this clip even if the video doesn't play.") : '';
    const isEndOpen = this.isOpen && this.#faultOfMarks === 'open';
    const hint = isEndOpen ? t('To end the clip, select Set End or press O.') : undefined;
    const ofWhole = isWrong ? '' : (hint ?? this.#refusal?.sentence ?? rest);
    setText(this.#said, this.#isCreating ? t('Creating clip…') : ofWhole);
    const isRefused = !isEndOpen && this.#refusal !== undefined;
    this.#words.classList.toggle('isFault', !this.#isCreating && (isWrong || isRefused));
    this.#setApiKey.hidden = this.#refusal?.needsKey !== true;
    // The clip is created even if the bar is closed.
    this.#close.dataset.sent = String(this.#isCreating);
    this.#create.disabled = times === undefined || this.#isCreating || isWrong;
    this.#name.disabled = this.#isCreating;
    for (const which of ENDS) {
      const { set, time, fault } = this.#ends[which];
      setText(fault, faults.get(which) ?? '');
      time.ariaInvalid = String(faults.has(which));
      set.disabled = !this.#isPlayed || this.#isCreating;
      time.disabled = this.#isCreating;
    }
    this.drawRange();
    this.#drawProgress();
  }

  #drawProgress(): void {
    const shown = this.#isCreating ? this.#ordered?.order : undefined;
    this.#progress.element.hidden = shown === undefined;
    if (shown !== undefined) this.#progress.show(this.#progressOf.get(shown) ?? 0);
    const others = [...this.#progressOf].filter(([order]) => order !== shown);
    this.underWay.show(
      others.map(([, progress]) => progress),
      this.isOpen,
    );
  }

  #drawTimes(): void {
    for (const which of ENDS) this.#drawTime(which);
    const hasLength = this.#times !== undefined && this.#typos.size === 0;
    // It keeps its space, so that nothing moves.
    this.#length.style.visibility = hasLength ? '' : 'hidden';
    const length = t('Length: {0}', this.#lengthShown());
    if (hasLength && this.#length.textContent !== length && this.#isPlayed) this.#length.textContent = length;
  }

  /** Leaves text that is being typed alone, unless forced. */
  #drawTime(which: ClipEnd, { isForced = false } = {}): void {
    const { jump, time, still } = this.#ends[which];
    const date = this.#cutAt(which);
    const text = date === undefined ? '' : this.#timeOf(date);
    jump.disabled = date === undefined || !this.#isPlayed || this.#isCreating;
    still.classList.toggle('isEmpty', still.width === 0);
    time.readOnly = !this.#isPlayed || this.#secondsOf(date ?? 0) === undefined;
    if (!this.#isPlayed) return;
    const isTyping = document.activeElement === time && time.value !== time.defaultValue;
    if (time.value === text || (!isForced && (isTyping || this.#typos.has(which)))) return;
    time.value = text;
    time.defaultValue = text;
  }

  #cutAt(which: ClipEnd): number | undefined {
    const date = this.#marks[which];
    return date === undefined ? undefined : date + 1000 * this.#lastFrame(which);
  }

  #lengthShown(): string {
    const [start, end] = [this.#cutAt('start') ?? 0, this.#cutAt('end') ?? 0];
    return formatClipLength(this.#secondsOf(start) ?? start / 1000, this.#secondsOf(end) ?? end / 1000);
  }

  #timeOf(date: number): string {
    const seconds = this.#secondsOf(date);
    if (seconds !== undefined) return this.#format(seconds);
    return formatTimeOfDay(date, { fractionalSecondDigits: 2 });
  }

  /** Formats a time like the player's clock. */
  #format(seconds: number): string {
    const last = this.#dateAt(this.#playable.end);
    return formatClipTime(seconds, last === undefined ? 0 : this.#secondsOf(last));
  }

  /** Counts from the start of the broadcast or recording, as in the names of clips. Undefined if it isn't known. */
  #secondsOf(date: number): number | undefined {
    const playback = this.#host.playback();
    if (playback?.behindLive() === undefined) return Math.max(0, playback?.positionOf(date) ?? 0);
    const beganAt = this.#host.beganAt();
    return beganAt === undefined ? undefined : Math.max(0, (date - beganAt) / 1000);
  }

  /** The reverse of `#secondsOf`: returns a position. */
  #positionOf(seconds: number): number | undefined {
    const playback = this.#host.playback();
    if (playback?.behindLive() === undefined) return seconds;
    const beganAt = this.#host.beganAt();
    return beganAt === undefined ? undefined : playback.positionOf(beganAt + seconds * 1000);
  }

  #dateAt(position: number): number | undefined {
    return this.#host.playback()?.dateAt(position);
  }

  get #shownAt(): number {
    const { currentTime } = this.#video;
    return this.#frameAt !== undefined && this.#isShown(this.#frameAt) ? this.#frameAt : currentTime;
  }

  #isShown(frameAt: number): boolean {
    const age = this.#video.currentTime - frameAt;
    return age >= 0 && age < OLDEST_FRAME;
  }

  /** Notes where frames begin: the position of a video may be anywhere within a frame. */
  #followFrames(): void {
    const video = this.#video;
    let soughtAt = 0;
    const note = (_: number, { mediaTime, presentationTime }: VideoFrameCallbackMetadata): void => {
      video.requestVideoFrameCallback(note);
      // Reports from before a seek may come after it and be about a nearby frame.
      if (presentationTime < soughtAt || !this.#isShown(mediaTime)) return;
      this.#frameAt = mediaTime;
      this.#keepStill(mediaTime);
      this.#settleAwaited();
    };
    video.requestVideoFrameCallback(note);
    for (const event of ['seeking', 'emptied']) {
      video.addEventListener(event, () => {
        this.#settleAwaited();
        this.#frameAt = undefined;
        soughtAt = performance.now();
      });
    }
    video.addEventListener('emptied', () => this.#stills.clear());
  }

  #settleAwaited(): void {
    for (const settle of [...this.#awaited.values()]) settle();
  }
}

function makeEnd(which: ClipEnd) {
  const isStart = which === 'start';
  const set = withKey(makeButton(isStart ? t('Set Start') : t('Set End')), isStart ? 'I' : 'O');
  const still = make('canvas', 'still');
  still.width = 0;
  const jump = make('button', 'clipJump', make('span', 'stillFrame', still, makeIcon('picture')));
  jump.type = 'button';
  jump.title = isStart ? t('Go to Start') : t('Go to End');
  jump.ariaLabel = jump.title;
  const time = make('input', 'clipTime');
  time.type = 'text';
  time.placeholder = '–:––';
  time.title = stepsHint();
  time.ariaLabel = isStart ? t('Start time') : t('End time');
  const fault = make('span', '');
  fault.id = `${which}Fault`;
  time.setAttribute('aria-describedby', fault.id);
  return { set, still, time, jump, fault, group: make('span', 'clipEnd', set, jump, time) };
}

/** @param changed the end that was changed last: the other one may well be right */
function sentenceOf(fault: Exclude<MarksFault, 'open'>, changed: ClipEnd): string {
  if (fault === 'short') return t('A clip must be at least one second long.');
  return changed === 'start'
    ? t('The start time must be earlier than the end time.')
    : t('The end time must be later than the start time.');
}

/** Leaves unchanged text alone, so that it isn't announced again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function makeName(): HTMLInputElement {
  const name = make('input', 'clipName');
  name.type = 'text';
  name.maxLength = NAME_LENGTH_AT_MOST;
  name.placeholder = t('Clip name (optional)');
  name.setAttribute('aria-label', name.placeholder);
  return name;
}
