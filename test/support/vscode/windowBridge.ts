import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { readRows, treeOf } from '../page/treeView.ts';

/** What tests inside the extension host ask of the window around them, as JSON. */
export type WindowWish =
  /** A key as Playwright names it. */
  | { readonly act: 'press'; readonly key: string }
  /** A click on one of the rows on screen; `at` is 0 to below 1. */
  | { readonly act: 'click'; readonly view: string; readonly at: number }
  /** The answer is the rows on screen. */
  | { readonly act: 'rows'; readonly view: string };

export interface WindowBridge {
  /** Where wishes are posted to. */
  readonly address: string;
  /** Wishes are granted on this page from now on. */
  use(page: Page): void;
  close(): Promise<void>;
}

/** The window's keyboard, mouse and rows for tests that run inside its extension host, over HTTP on this machine. */
export async function startWindowBridge(): Promise<WindowBridge> {
  const used: { page?: Page } = {};
  const server = createServer(async (request, response) => {
    try {
      const wish: WindowWish = JSON.parse(Buffer.concat(await request.toArray()).toString());
      if (used.page === undefined) throw new Error('There is no window yet');
      response.end(JSON.stringify((await grant(used.page, wish)) ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(page) {
      used.page = page;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function grant(page: Page, wish: WindowWish): Promise<unknown> {
  switch (wish.act) {
    case 'press':
      return page.keyboard.press(wish.key);
    case 'click':
      return clickRow(page, wish.view, wish.at);
    case 'rows':
      return readRows(page, wish.view);
  }
}

/** A row may be gone, or covered by a box, by the time of the click: a person misses it, too. */
async function clickRow(page: Page, view: string, at: number): Promise<void> {
  const rows = treeOf(page, view).getByRole('treeitem');
  const box = await rows
    .nth(Math.floor(at * (await rows.count())))
    .boundingBox({ timeout: 1000 })
    .catch(() => null);
  if (box !== null) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
