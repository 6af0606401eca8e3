/** Where in the media a moment is. As in hls.js: in seconds, and Unix time in milliseconds. */
export interface DatedFragment {
  readonly start: number;
  readonly programDateTime: number | null;
}

interface Anchor {
  readonly start: number;
  readonly programDateTime: number;
}

/** Returns when what is shown at a position happened, as Unix time in milliseconds; undefined if no date is known. */
export function dateAt(fragments: readonly DatedFragment[], position: number): number | undefined {
  const anchor = anchorOf(fragments, ({ start }) => start <= position);
  return anchor && anchor.programDateTime + (position - anchor.start) * 1000;
}

/** The reverse of `dateAt`. The position may be one that can't be played any more, or not yet. */
export function positionOf(fragments: readonly DatedFragment[], date: number): number | undefined {
  const anchor = anchorOf(fragments, ({ programDateTime }) => programDateTime <= date);
  return anchor && anchor.start + (date - anchor.programDateTime) / 1000;
}

/** The last one that it is in or after. Before all of them, time goes on as in the first. */
function anchorOf(fragments: readonly DatedFragment[], isBefore: (anchor: Anchor) => boolean): Anchor | undefined {
  const dated = fragments.filter((each): each is Anchor => each.programDateTime !== null);
  return dated.findLast(isBefore) ?? dated[0];
}
