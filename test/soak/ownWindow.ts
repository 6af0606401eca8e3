import type { Row } from '../support/page/treeView.ts';
import type { WindowWish } from '../support/vscode/windowBridge.ts';

/** Has the window around this extension host do something: its keyboard, its mouse, its rows. */
async function ask(wish: WindowWish): Promise<unknown> {
  const response = await fetch(process.env.LIVE_STREAMS_WINDOW ?? '', { method: 'POST', body: JSON.stringify(wish) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export async function press(key: string): Promise<void> {
  await ask({ act: 'press', key });
}

/** @param at which of the rows on screen, 0 to below 1 */
export async function clickRow(view: string, at: number): Promise<void> {
  await ask({ act: 'click', view, at });
}

/** The rows on screen, from top to bottom. */
export async function rowsOnScreen(view: string): Promise<readonly Row[]> {
  return (await ask({ act: 'rows', view })) as readonly Row[];
}
