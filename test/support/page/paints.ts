import type { Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';

/** The browser's, for the functions that run in the page. */
declare const document: Pick<PageElement, 'querySelectorAll'>;
declare function requestAnimationFrame(run: () => void): void;

/** What the view named Streams shows in one paint. */
export interface Paint {
  readonly description: string;
  readonly rows: readonly string[];
}

/** Notes what is on screen in each frame until the returned function is called, which returns the paints that differ. */
export async function watchPaints(page: Page): Promise<() => Promise<readonly Paint[]>> {
  const kept = await page.evaluateHandle(() => {
    const paints: Paint[] = [];
    const watching = { paints, isOn: true };
    const note = (): void => {
      const tree = [...document.querySelectorAll('[role="tree"][aria-label="Streams"]')][0];
      const pane = [...document.querySelectorAll('.pane')].find((each) =>
        [...each.querySelectorAll('[role="tree"]')].some((one) => one.getAttribute('aria-label') === 'Streams'),
      );
      const description = pane?.querySelector('.pane-header .description')?.textContent ?? '';
      const rows = [...(tree?.querySelectorAll('[role="treeitem"] .label-name') ?? [])].map(
        (label) => label.textContent ?? '',
      );
      const last = paints.at(-1);
      if (last?.description !== description || last.rows.join('\n') !== rows.join('\n')) {
        paints.push({ description, rows });
      }
      if (watching.isOn) requestAnimationFrame(note);
    };
    note();
    return watching;
  });
  return () =>
    kept.evaluate((watching) => {
      watching.isOn = false;
      return watching.paints;
    });
}
