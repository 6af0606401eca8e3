import type { Clock } from '../../services.ts';
import type { Node } from '../nodes.ts';

/** Shorter than what a reveal waits for postponed redraws (`Redraws.drain`). */
const POINTS_FOR_MS = 2500;

/** Tells whether the user points at a row. VS Code says so only when it asks for the row's tooltip. */
export interface Pointing {
  note(): void;
  /** Whether redrawing the row could move another one from under the pointer: rows come and go in groups only. */
  mayMoveRows(node: Node): boolean;
}

export function createPointing(clock: Pick<Clock, 'elapsed'>): Pointing {
  let until = Number.NEGATIVE_INFINITY;
  return {
    note() {
      until = clock.elapsed() + POINTS_FOR_MS;
    },
    mayMoveRows: ({ kind }) => kind === 'group' && clock.elapsed() < until,
  };
}
