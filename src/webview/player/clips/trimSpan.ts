/** Positions in what plays, in seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The length of the span, in lengths of the clip. */
const TIMES = 4;
const SHORTEST_S = 20;
const NEARLY = 1.5;
/** Portions of the shown part. */
const [EDGE, SMALL, LARGE] = [0.05, 0.1, 0.8];

/**
 * Returns the part of what can be played that shows a clip with what is around it. Keeps the same part as long as both
 * ends of the clip can be moved there.
 */
export function spanAround(clip: Span, playable: Span, shown: Span | undefined): Span {
  if (shown !== undefined && isGood(clip, playable, shown)) return shown;
  const whole = playable.to - playable.from;
  const wanted = Math.max(SHORTEST_S, TIMES * (clip.to - clip.from));
  // Cutting off a little would only hide what else there is.
  const length = whole < NEARLY * wanted ? whole : wanted;
  const middle = (clip.from + clip.to) / 2;
  const from = Math.min(Math.max(playable.from, middle - length / 2), playable.to - length);
  return { from, to: from + length };
}

function isGood(clip: Span, playable: Span, shown: Span): boolean {
  const length = shown.to - shown.from;
  const edge = EDGE * length;
  const isAll = playable.to - playable.from <= length + edge;
  const portion = (clip.to - clip.from) / length;
  const hasRoom = (inside: number, beyond: number): boolean => inside >= edge || (inside >= 0 && beyond <= edge);
  return (
    shown.from >= playable.from - edge &&
    shown.to <= playable.to + edge &&
    hasRoom(clip.from - shown.from, shown.from - playable.from) &&
    hasRoom(shown.to - clip.to, playable.to - shown.to) &&
    (isAll || portion <= LARGE) &&
    (portion >= SMALL || length <= SHORTEST_S)
  );
}
