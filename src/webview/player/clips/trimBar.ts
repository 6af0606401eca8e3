import { t } from '@vscode/l10n';
import { formatTimer } from '../../../util/format.ts';
import { make } from '../../makeElement.ts';
import type { ClipEnd } from './clipMarks.ts';
import { type Span, spanAround } from './trimSpan.ts';

interface TrimBarHost {
  moveEnd(which: ClipEnd, position: number): void;
  goTo(position: number): void;
  /** As in the fields of the clip's ends. */
  timeAt(position: number): string;
}

/** Positions in what plays, in seconds. */
export interface Trimmed {
  /** Undefined while it isn't set, or isn't known. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly shownAt: number;
  readonly playable: Span;
  readonly isDisabled: boolean;
  /** Whether there's no clip from start to end. */
  readonly isWrong: boolean;
}

/** As long as the shortest clip. In seconds. */
const APART_S = 1;

/** A clip and what is around it, large enough to move its ends with a pointer. */
export class TrimBar {
  readonly element: HTMLElement;
  /** How much of the video the bar shows, unless it's all of it. */
  readonly scale = make('span', 'trimScale');
  readonly #host: TrimBarHost;
  readonly #first = make('span', 'trimTime');
  readonly #last = make('span', 'trimTime');
  readonly #track: HTMLElement;
  readonly #range = make('div', 'trimRange');
  readonly #film = make('div', 'trimFilm', this.#range);
  readonly #playhead = makeSlider('trimPlayhead', t('Playback position near the clip'));
  readonly #ends = { start: makeSlider('trimEnd', t('Start of clip')), end: makeSlider('trimEnd', t('End of clip')) };
  #drawn: Trimmed | undefined;
  #span: Span | undefined;
  /** The part that is shown stays the same while something is dragged. */
  #isDragging = false;

  constructor(host: TrimBarHost) {
    this.#host = host;
    const { start, end } = this.#ends;
    // The ends lie over the position, which is above them where they meet.
    this.#track = make('div', 'trimTrack', this.#film, this.#playhead, start, end);
    this.element = make('div', 'trimBar', this.#first, this.#track, this.#last);
    this.#connect(this.#playhead, (position) => host.goTo(position));
    this.#connect(start, (position) => {
      const { end: limit = Number.POSITIVE_INFINITY } = this.#drawn ?? {};
      host.moveEnd('start', Math.min(position, limit - APART_S));
    });
    this.#connect(end, (position) => {
      const { start: limit = Number.NEGATIVE_INFINITY } = this.#drawn ?? {};
      host.moveEnd('end', Math.max(position, limit + APART_S));
    });
  }

  #connect(slider: HTMLInputElement, move: (position: number) => void): void {
    slider.addEventListener('input', () => {
      this.#isDragging = true;
      move(Number(slider.value));
    });
    slider.addEventListener('change', () => {
      this.#isDragging = false;
      this.draw(this.#drawn);
    });
    slider.addEventListener('keydown', (event) => {
      const step = stepOf(event, { isSlider: true });
      if (step === undefined) return;
      event.preventDefault();
      const { from, to } = this.#drawn?.playable ?? { from: 0, to: 0 };
      move(Math.min(to, Math.max(from, Number(slider.value) + step)));
    });
  }

  /** Call when any of this has changed. Undefined if nothing plays: what is shown stays but can't be moved. */
  draw(trimmed: Trimmed | undefined): void {
    this.#drawn = trimmed;
    if (trimmed !== undefined) {
      this.#drawIn(trimmed);
      return;
    }
    this.#span = undefined;
    for (const slider of [this.#playhead, this.#ends.start, this.#ends.end]) slider.disabled = true;
  }

  #drawIn({ start, end, shownAt, playable, isDisabled, isWrong }: Trimmed): void {
    const [one, other] = [start ?? end ?? shownAt, end ?? Math.max(start ?? shownAt, shownAt)];
    const clip = { from: Math.min(one, other), to: Math.max(one, other) };
    // While the user drags an end or corrects a time, the bar must not change its scale.
    const isKept = this.#isDragging || isWrong;
    if (!isKept || this.#span === undefined) this.#span = spanAround(clip, playable, this.#span);
    const span = this.#span;
    for (const [slider, position] of [
      [this.#playhead, shownAt],
      [this.#ends.start, start],
      [this.#ends.end, end],
    ] as const) {
      slider.min = String(span.from);
      slider.max = String(span.to);
      slider.disabled = isDisabled || position === undefined;
      // The end with a wrong time stays where it was.
      const isHidden = position === undefined ? !isWrong : isBeyond(position, span);
      slider.classList.toggle('isBeyond', isHidden);
      if (position === undefined) continue;
      slider.value = String(position);
      slider.setAttribute('aria-valuetext', this.#host.timeAt(position));
    }
    this.#track.classList.toggle('isWrong', isWrong);
    if (!isWrong) {
      this.#track.style.setProperty('--from', portionOf(clip.from, span));
      this.#track.style.setProperty('--to', portionOf(clip.to, span));
    }
    // The track fades out where the video continues.
    const goesOn = { before: span.from > playable.from + APART_S, after: span.to < playable.to - APART_S };
    this.#film.classList.toggle('goesOnBefore', goesOn.before);
    this.#film.classList.toggle('goesOnAfter', goesOn.after);
    const scale = goesOn.before || goesOn.after ? t('Showing {0} of {1}', lengthOf(span), lengthOf(playable)) : '';
    if (this.scale.textContent !== scale) this.scale.textContent = scale;
    const wholeAt = (position: number) => this.#host.timeAt(position).replace(/[.,]\d+$/, '');
    this.#first.textContent = wholeAt(span.from);
    this.#last.textContent = wholeAt(span.to);
  }
}

/** Allows for a clip that ends with its last frame, and for a broadcast that continues a little before it's drawn. */
function isBeyond(position: number, { from, to }: Span): boolean {
  return position < from - APART_S || position > to + APART_S;
}

function portionOf(position: number, { from, to }: Span): string {
  return to > from ? Math.min(1, Math.max(0, (position - from) / (to - from))).toFixed(4) : '0';
}

/** Written like the times below the ends. */
function lengthOf({ from, to }: Span): string {
  return formatTimer(Math.round(to - from));
}

function makeSlider(className: string, label: string): HTMLInputElement {
  const slider = make('input', `trimSlider ${className}`);
  slider.type = 'range';
  slider.step = 'any';
  slider.ariaLabel = label;
  slider.title = stepsHint();
  return slider;
}

export function stepsHint(): string {
  return t(
    'Press Up Arrow or Down Arrow to adjust the time by 1 second. To adjust it by 0.1 seconds, hold Alt (macOS: Option). To adjust it by 10 seconds, hold Shift.',
  );
}

/**
 * Returns by how many seconds a key moves an end: Up and Down by a second, with Alt by a tenth, with Shift by ten; in
 * sliders, Left and Right too. With Alt, these go back and forward in VS Code.
 */
export function stepOf({ key, altKey, shiftKey }: KeyboardEvent, { isSlider = false } = {}): number | undefined {
  const isAcross = isSlider && !altKey && (key === 'ArrowRight' || key === 'ArrowLeft');
  if (!isAcross && key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const direction = key === 'ArrowUp' || key === 'ArrowRight' ? 1 : -1;
  return direction * (altKey ? 0.1 : shiftKey ? 10 : 1);
}
