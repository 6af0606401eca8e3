import { setTimeout as delay } from 'node:timers/promises';
import { type Disposable, onDispose } from '../util/disposable.ts';

/** VS Code posts to a page that it has focus within this time after a menu or the palette gave focus back. */
const POSTED_WITHIN_MS = 60;
/** How long a box waits for a page that doesn't respond. */
const PATIENCE_MS = 5000;

/** A page in a tab, which may have focus. */
export interface FocusablePage {
  /** Whether its tab is the active one. */
  readonly isInFront: boolean;
  /** See `PageReceiver`. */
  ping(): Promise<void>;
}

const pages = new Set<FocusablePage>();

/** Adds a page until it's disposed. */
export function notePage(page: FocusablePage): Disposable {
  pages.add(page);
  return onDispose(() => pages.delete(page));
}

/**
 * Resolves when the page in front has taken focus, if VS Code has given it focus. VS Code posts that to the
 * page, which may react late: it may be busy, or still loading.
 */
export async function untilFocused(): Promise<void> {
  if (pagesInFront().length === 0) return;
  await delay(POSTED_WITHIN_MS);
  const given = new AbortController();
  const answers = pagesInFront().map((page) => page.ping());
  const patience = delay(PATIENCE_MS, undefined, { signal: given.signal });
  await Promise.race([Promise.all(answers), patience]).finally(() => given.abort());
}

function pagesInFront(): readonly FocusablePage[] {
  return [...pages].filter(({ isInFront }) => isInFront);
}
