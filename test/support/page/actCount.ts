import type { Locator, Page } from 'playwright-core';

/** What a person did with the mouse and with Enter. */
export interface ActCount {
  readonly clicks: number;
  readonly enters: number;
  readonly seconds: number;
}

interface CountingWindow {
  acts?: { clicks: number; enters: number };
  addEventListener(
    type: string,
    listener: (event: { readonly type: string; readonly key?: string }) => void,
    isCapturing: boolean,
  ): void;
}

/** Counts from now on what reaches the window of the page, or that of a webview if its root element is given. */
export async function countActs(page: Page, root: Locator = page.locator('html')): Promise<() => Promise<ActCount>> {
  const startedAt = performance.now();
  await root.evaluate(() => {
    const view = globalThis as unknown as CountingWindow;
    const isCounting = view.acts !== undefined;
    const acts = { clicks: 0, enters: 0 };
    view.acts = acts;
    if (isCounting) return;
    const now = () => view.acts ?? acts;
    const note = ({ type, key }: { readonly type: string; readonly key?: string }) => {
      if (type === 'mousedown') now().clicks += 1;
      else if (key === 'Enter') now().enters += 1;
    };
    for (const type of ['mousedown', 'keydown']) view.addEventListener(type, note, true);
  });
  return async () => {
    const { clicks, enters } = await root.evaluate(
      () => (globalThis as unknown as CountingWindow).acts ?? { clicks: 0, enters: 0 },
    );
    return { clicks, enters, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
  };
}
