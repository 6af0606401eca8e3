import { t } from '@vscode/l10n';
import { formatBitrate } from '../../util/format.ts';
import { formatLocaleNumber, make } from '../makeElement.ts';
import { makeClose } from './elements.ts';
import { type Measured, type Playback, secondsAhead } from './playback.ts';

/** Shows over the picture what plays, and how well, while open. */
export class Statistics {
  readonly element: HTMLElement;
  readonly #rows = make('dl', 'statisticRows');
  readonly #video: HTMLVideoElement;
  readonly #playback: () => Playback | undefined;

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
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    this.draw();
  }

  /** Call each second. */
  draw(): void {
    if (this.element.hidden) return;
    const rows = statisticsOf(this.#video, this.#playback()?.measured());
    this.#rows.replaceChildren(...rows.flatMap(([label, value]) => [make('dt', '', label), make('dd', '', value)]));
  }
}

/** Returns labels and values, without those that aren't known. */
function statisticsOf(
  video: HTMLVideoElement,
  { quality, codecs, bandwidth, latency }: Measured = {},
): readonly (readonly [label: string, value: string])[] {
  const { videoWidth, videoHeight } = video;
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality();
  const rows: readonly (readonly [string, string | undefined])[] = [
    [t('Resolution'), videoWidth === 0 ? undefined : `${videoWidth} × ${videoHeight}`],
    [t('Quality'), quality],
    [t('Codecs'), codecs],
    [t('Bandwidth'), formatBitrate(bandwidth, document.documentElement.lang)],
    [t('Buffer'), formatSeconds(secondsAhead(video))],
    [t('Latency'), latency === undefined ? undefined : formatSeconds(latency)],
    [t('Dropped frames'), `${formatLocaleNumber(droppedVideoFrames)} / ${formatLocaleNumber(totalVideoFrames)}`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, value] as const]));
}

function formatSeconds(seconds: number): string {
  return `${formatLocaleNumber(Math.round(seconds * 10) / 10)} s`;
}
