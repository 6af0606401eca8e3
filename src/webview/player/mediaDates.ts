/** The position of a moment in the media. As in hls.js: in seconds, and Unix time in milliseconds. */
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

/** The reverse of `dateAt`. The position may be one that can no longer be played, or can't be played yet. */
export function positionOf(fragments: readonly DatedFragment[], date: number): number | undefined {
  const anchor = anchorOf(fragments, ({ programDateTime }) => programDateTime <= date);
  return anchor && anchor.start + (date - anchor.programDateTime) / 1000;
}

/** A moment of a broadcast, for a playlist that is loaded later. */
export interface Place {
  readonly date: number | undefined;
  /** The number of the segment, and how far into it, in seconds. */
  readonly segment: number;
  readonly into: number;
}

export interface NumberedFragment extends DatedFragment {
  readonly sn: number;
}

interface LiveDates {
  /** When the broadcast began, if that is known. */
  readonly beganAt: number | undefined;
  /** The end of the playlist when it was first read, dated to that moment. */
  readonly edge: DatedFragment | undefined;
}

/**
 * Returns the dates of a broadcast's playlist. One without dates began with the broadcast if it has the first segment.
 */
export function liveDates(
  fragments: readonly NumberedFragment[],
  { beganAt, edge }: LiveDates,
): readonly DatedFragment[] {
  const [first] = fragments;
  if (fragments.some(({ programDateTime }) => programDateTime !== null)) return fragments;
  if (first?.sn === 0 && beganAt !== undefined) return [{ start: first.start, programDateTime: beganAt }];
  return edge === undefined ? fragments : [edge];
}

/** Returns undefined if there are no fragments. */
export function placeAt(fragments: readonly NumberedFragment[], position: number): Place | undefined {
  const fragment = fragments.findLast(({ start }) => start <= position) ?? fragments[0];
  if (fragment === undefined) return undefined;
  return { date: dateAt(fragments, position), segment: fragment.sn, into: position - fragment.start };
}

/** Returns where a place is, or the beginning if that's no longer there; undefined if it's after the end. */
export function positionOfPlace(fragments: readonly NumberedFragment[], place: Place): number | undefined {
  const [first, last] = [fragments[0], fragments.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const dated = place.date === undefined ? undefined : positionOf(fragments, place.date);
  if (dated === undefined && place.segment > last.sn) return undefined;
  const start = fragments.find(({ sn }) => sn === place.segment)?.start;
  const position = dated ?? (start === undefined ? first.start : start + place.into);
  return Math.max(first.start, position);
}

/** Returns the last dated fragment at or before a moment; before all of them, the first one. */
function anchorOf(fragments: readonly DatedFragment[], isBefore: (anchor: Anchor) => boolean): Anchor | undefined {
  const dated = fragments.filter((each): each is Anchor => each.programDateTime !== null);
  return dated.findLast(isBefore) ?? dated[0];
}
