import { t } from '@vscode/l10n';
import { segmentCountText, type Words, wordsIn } from '../model/inspection/hlsFindings.ts';
import type { Timeline, TimelineBar, TimelineTrack } from '../model/inspection/timeline.ts';
import { labeledText } from '../texts/names.ts';
import { formatDuration, localeOrEnglish } from '../util/format.ts';
import type { ShownTimeline, ShownTrack } from '../webview/check/messages.ts';

type Sign = ShownTimeline['legend'][number]['sign'];

const SIGNS: Readonly<Record<Sign, () => string>> = {
  listed: () => t('listed'),
  loaded: () => t('loaded by this check'),
  failed: () => t("couldn't be loaded"),
  tooLong: () => t('longer than the target duration'),
  gap: () => t('gap'),
  discontinuity: () => t('discontinuity'),
  target: () => t('target duration'),
};

/** Segments much longer than the target duration would make all others flat. */
const MOST_TARGETS = 2;

/** Returns a drawing of what each rendition lists, and the same in words. */
export function shownTimeline(timeline: Timeline, locale: string): ShownTimeline {
  const words = wordsIn(locale);
  const { tracks, length } = timeline;
  const longest = Math.max(...tracks.map((track) => Math.max(track.longest, track.targetDuration ?? 0)));
  const target = Math.max(...tracks.map(({ targetDuration = 0 }) => targetDuration));
  const tallest = target === 0 ? longest : Math.min(longest, MOST_TARGETS * target);
  return {
    heading: t('Segments'),
    tracks: tracks.map((track) => shownTrack(track, { length, tallest, words, locale })),
    first: words.seconds(0),
    last: lengthText(length, words),
    legend: signsIn(timeline).map((sign) => ({ sign, label: capitalize(SIGNS[sign](), locale) })),
  };
}

/** "12.5 s", "1 h 2 min" */
function lengthText(seconds: number, words: Words): string {
  return (seconds < 120 ? undefined : formatDuration(seconds)) ?? words.seconds(seconds * 1000);
}

function signsIn({ tracks }: Timeline): readonly Sign[] {
  const bars = tracks.flatMap((track) => track.bars);
  const isThere: Readonly<Record<Sign, boolean>> = {
    listed: bars.some(({ state }) => state === 'listed'),
    loaded: bars.some(({ state }) => state === 'loaded'),
    failed: bars.some(({ state }) => state === 'failed'),
    tooLong: bars.some(({ state }) => state === 'tooLong'),
    gap: bars.some(({ state }) => state === 'gap'),
    discontinuity: bars.some(({ isAfterDiscontinuity }) => isAfterDiscontinuity),
    target: tracks.some(({ targetDuration }) => targetDuration !== undefined),
  };
  return (Object.keys(SIGNS) as readonly Sign[]).filter((sign) => isThere[sign]);
}

interface Scale {
  readonly length: number;
  readonly tallest: number;
  readonly words: Words;
  readonly locale: string;
}

function shownTrack(track: TimelineTrack, { length, tallest, words, locale }: Scale): ShownTrack {
  const { name, bars, targetDuration } = track;
  const height = (seconds: number) => (tallest === 0 ? 0 : Math.min(seconds / tallest, 1));
  return {
    name: capitalize(name, locale),
    words: trackWords(track, words),
    target: targetDuration === undefined ? undefined : height(targetDuration),
    bars: bars.map((bar) => ({
      start: length === 0 ? 0 : bar.start / length,
      width: length === 0 ? 0 : bar.length / length,
      height: height(bar.longest),
      state: bar.state,
      isAfterDiscontinuity: bar.isAfterDiscontinuity,
      words: barWords(bar, words),
    })),
  };
}

/** "42 segments, 1 min 24 s · 1.9 s to 2.1 s each · 1 gap" */
function trackWords({ segmentCount, length, shortest, longest, counts }: TimelineTrack, words: Words): string {
  const { number, seconds } = words;
  const [least, most] = [seconds(shortest * 1000), seconds(longest * 1000)];
  const parts = [
    t('{0}, {1}', segmentCountText(segmentCount, number), lengthText(length, words)),
    least === most ? t('{0} each', most) : t('{0} to {1} each', least, most),
    counts.failed > 0 && t('{0} not loaded', number(counts.failed)),
    counts.tooLong > 0 && t('{0} too long', number(counts.tooLong)),
    counts.gap > 0 && (counts.gap === 1 ? t('1 gap') : t('{0} gaps', number(counts.gap))),
    counts.discontinuity > 0 &&
      (counts.discontinuity === 1 ? t('1 discontinuity') : t('{0} discontinuities', number(counts.discontinuity))),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

/** Makes a label from words that is also used within sentences. */
function capitalize(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(localeOrEnglish(locale)) + text.slice(1);
}

function barWords(bar: TimelineBar, { number, seconds }: Words): string | undefined {
  const { state, isAfterDiscontinuity, firstSequence, lastSequence, longest } = bar;
  if (state === 'listed' && !isAfterDiscontinuity) return undefined;
  const which =
    firstSequence === lastSequence
      ? t('Segment {0}', number(firstSequence))
      : t('Segments {0} to {1}', number(firstSequence), number(lastSequence));
  const facts = [
    seconds(longest * 1000),
    state !== 'listed' && SIGNS[state](),
    isAfterDiscontinuity && SIGNS.discontinuity(),
  ];
  return labeledText(which, facts.filter((fact) => fact !== false).join(' · '));
}
