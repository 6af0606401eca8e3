import { t } from '@vscode/l10n';
import { formatBitrate } from '../../util/format.ts';
import { formatLocaleNumber, make } from '../makeElement.ts';
import { makeClose } from './elements.ts';
import { type Measured, type Playback, secondsAhead } from './playback.ts';

interface Frames {
  readonly dropped: number;
  readonly total: number;
}

const NO_FRAMES: Frames = { dropped: 0, total: 0 };

/** Shows what plays, and how well, over the video while open. */
export class Statistics {
  readonly element: HTMLElement;
  readonly #rows = make('dl', 'statisticRows');
  readonly #video: HTMLVideoElement;
  readonly #playback: () => Playback | undefined;
  /** The frames of the time when the page was hidden. The browser draws none of them and counts them as dropped. */
  #unseen = NO_FRAMES;
  /** What was shown when the page was hidden; undefined while it's visible. */
  #shownLast: Frames | undefined;

  constructor(video: HTMLVideoElement, playback: () => Playback | undefined) {
    this.#video = video;
    this.#playback = playback;
    this.element = make(
      'section',
      'statistics',
      this.#rows,
      makeClose(() => this.toggle()),
    );
    this.element.hidden = true;
    this.element.ariaLabel = t('Playback Statistics');
    // Another source is counted from zero.
    video.addEventListener('emptied', () => {
      this.#unseen = NO_FRAMES;
      this.#shownLast &&= NO_FRAMES;
    });
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    this.draw();
  }

  /** Call when the page was shown or hidden. */
  seenOrHidden(isSeen: boolean): void {
    const frames = framesOf(this.#video);
    if (!isSeen) this.#shownLast ??= minus(frames, this.#unseen);
    else if (this.#shownLast !== undefined) {
      this.#unseen = minus(frames, this.#shownLast);
      this.#shownLast = undefined;
    }
  }

  /** Call each second. */
  draw(): void {
    if (this.element.hidden) return;
    const frames = minus(framesOf(this.#video), this.#unseen);
    const rows = statisticsOf(this.#video, frames, this.#playback()?.measured());
    this.#rows.replaceChildren(...rows.flatMap(([label, value]) => [make('dt', '', label), make('dd', '', value)]));
  }
}

/** Returns labels and values, without those that aren't known. */
function statisticsOf(
  video: HTMLVideoElement,
  { dropped, total }: Frames,
  { quality, codecs, bandwidth, latency }: Measured = {},
): readonly (readonly [label: string, value: string])[] {
  const { videoWidth, videoHeight } = video;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [t('Resolution'), videoWidth === 0 ? undefined : `${videoWidth} × ${videoHeight}`],
    [t('Quality'), quality],
    [t('Codecs'), codecs],
    [t('Bandwidth'), formatBitrate(bandwidth, document.documentElement.lang)],
    [t('Buffer'), formatSeconds(secondsAhead(video))],
    [t('Latency'), latency === undefined ? undefined : formatSeconds(latency)],
    [t('Dropped Frames'), `${formatLocaleNumber(dropped)} / ${formatLocaleNumber(total)}`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, value] as const]));
}

function framesOf(video: HTMLVideoElement): Frames {
  const { droppedVideoFrames: dropped, totalVideoFrames: total } = video.getVideoPlaybackQuality();
  return { dropped, total };
}

function minus(one: Frames, other: Frames): Frames {
  return { dropped: one.dropped - other.dropped, total: one.total - other.total };
}

function formatSeconds(seconds: number): string {
  return `${formatLocaleNumber(Math.round(seconds * 10) / 10)} s`;
}
