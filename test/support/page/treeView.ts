import type { Locator, Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { WAIT_MS, waitUntil } from './waitUntil.ts';

/** The browser's, for the functions that run in the page. */
declare function getComputedStyle(element: PageElement): { readonly color: string };

/** A row as it is on screen. */
export interface Row {
  readonly label: string;
  readonly description: string;
  /** What a screen reader says. */
  readonly ariaLabel: string;
  /** 1 for the outermost. */
  readonly level: number;
  /** undefined where there is nothing to expand. */
  readonly isExpanded: boolean | undefined;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  /** The codicon's name, '' without one. */
  readonly icon: string;
  /** CSS colour of the icon. */
  readonly iconColor: string;
  /** Labels of the inline actions. */
  readonly actions: readonly string[];
}

/** Waits until the view container can be chosen: it comes with the extensions, which a busy machine is slow to read. */
export async function untilOffered(page: Page, title = 'Live Streams'): Promise<void> {
  await entryOf(page, title).waitFor();
}

function entryOf(page: Page, title: string): Locator {
  return page.locator('.activitybar').getByRole('tab', { name: new RegExp(`^${title}\\b`) });
}

/** Shows the view container by its entry in the activity bar, unless it is shown. */
export async function showContainer(page: Page, title = 'Live Streams'): Promise<void> {
  const entry = entryOf(page, title);
  const heading = page.locator('.part.sidebar .composite.title h2').getByText(title).first();
  await untilOffered(page, title);
  await waitUntil(async () => {
    if (await heading.isVisible()) return true;
    // A click on the entry of what is shown hides it, and a workbench that has just been loaded may be about to show it.
    if ((await entry.getAttribute('aria-selected')) !== 'true') await entry.click();
    return false;
  });
}

/** The number on the container's entry, 0 where there is none. */
export async function readBadge(page: Page, title = 'Live Streams'): Promise<number> {
  const badge = entryOf(page, title).locator('.badge:visible .badge-content');
  return (await badge.count()) === 0 ? 0 : Number(await badge.textContent());
}

export function treeOf(page: Page, view = 'Streams'): Locator {
  return page.getByRole('tree', { name: view, exact: true });
}

/** The rows on screen, from top to bottom. The list is virtual: what is scrolled out of sight is not among them. */
export async function readRows(page: Page, view = 'Streams'): Promise<Row[]> {
  return treeOf(page, view)
    .getByRole('treeitem')
    .evaluateAll((rows: readonly PageElement[]) => {
      const text = (row: PageElement, selector: string) => row.querySelector(selector)?.textContent?.trim() ?? '';
      const read = rows.map((row) => {
        const icon = row.querySelector('.custom-view-tree-node-item-icon');
        const expanded = row.getAttribute('aria-expanded');
        return {
          index: Number(row.getAttribute('data-index')),
          label: text(row, '.label-name'),
          description: text(row, '.label-description'),
          ariaLabel: row.getAttribute('aria-label') ?? '',
          level: Number(row.getAttribute('aria-level')),
          isExpanded: expanded === null ? undefined : expanded === 'true',
          isSelected: row.getAttribute('aria-selected') === 'true',
          isFocused: row.classList.contains('focused'),
          icon: /codicon-([\w-]+)/.exec(icon?.className ?? '')?.[1] ?? '',
          iconColor: icon === null ? '' : getComputedStyle(icon).color,
          actions: [...row.querySelectorAll('.actions .action-label')].map((a) => a.getAttribute('aria-label') ?? ''),
        };
      });
      return read.sort((a, b) => a.index - b.index).map(({ index: _, ...row }) => row);
    });
}

/** Waits until the rows on screen are as wanted, and returns them; fails with the rows that were there instead. */
export async function untilRows(
  page: Page,
  isWanted: (rows: readonly Row[]) => boolean,
  { view = 'Streams' } = {},
): Promise<Row[]> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const rows = await readRows(page, view);
    if (isWanted(rows)) return rows;
    if (Date.now() > deadline) {
      const shown = rows.map((row) => `${'  '.repeat(row.level)}${row.label} | ${row.description}`).join('\n');
      throw new Error(`The rows of ${view} did not become as wanted (${isWanted}):\n${shown}`);
    }
    await page.waitForTimeout(50);
  }
}

/** A session whose recording can be watched, and downloaded: a narrow row has room for its length alone. */
export function isReadySession({ icon, ariaLabel }: Row): boolean {
  return icon === 'play-circle' && !ariaLabel.includes('no MP4 yet');
}

/** A session that was not recorded: its description is the duration, like that of a recording. */
export function isUnrecordedSession(row: Row): boolean {
  return /, Not recorded\b/.test(row.ariaLabel);
}

/** A row with exactly this label; `at` says which of several, from the top, 0 by default. */
export function rowOf(page: Page, label: string, { view = 'Streams', at = 0 } = {}): Locator {
  const named = page.locator('.label-name').getByText(label, { exact: true });
  return treeOf(page, view).getByRole('treeitem').filter({ has: named }).nth(at);
}

/** Expands a row, and waits until it says so. */
export async function expandRow(page: Page, label: string, where: { view?: string; at?: number } = {}): Promise<void> {
  await toggleRow(rowOf(page, label, where), 'true');
}

export async function collapseRow(
  page: Page,
  label: string,
  where: { view?: string; at?: number } = {},
): Promise<void> {
  await toggleRow(rowOf(page, label, where), 'false');
}

/** Selects a closed row by a click. That opens it, a little later: so it is waited for before it is closed again. */
export async function selectRow(page: Page, label: string): Promise<void> {
  const row = rowOf(page, label);
  await clickUntilExpanded(row, 'true', () => row.click());
  await collapseRow(page, label);
  await row.and(page.locator('[aria-selected="true"]')).waitFor();
}

async function toggleRow(row: Locator, wanted: 'true' | 'false'): Promise<void> {
  await row.waitFor();
  await clickUntilExpanded(row, wanted, () => row.locator('.monaco-tl-twistie').click());
}

/** Clicks again if the row had moved away from the mouse before it was pressed. */
async function clickUntilExpanded(row: Locator, wanted: 'true' | 'false', click: () => Promise<void>): Promise<void> {
  const asWanted = row.and(row.page().locator(`[aria-expanded="${wanted}"]`));
  await waitUntil(async () => {
    if (await asWanted.isVisible()) return true;
    await click();
    return asWanted.waitFor({ timeout: 10_000 }).then(yes, no);
  });
}

/** Presses an inline action of a row, which is shown while the mouse is over it. Its key follows its name. */
export async function pressRowAction(
  page: Page,
  label: string,
  action: string,
  where: { at?: number } = {},
): Promise<void> {
  const row = rowOf(page, label, where);
  const name = new RegExp(`^${action.replaceAll(/[.()]/g, '\\$&')}( \\([^)]+\\))?$`);
  // The row may move away from the mouse before it's pressed.
  await waitUntil(async () => {
    await row.hover();
    return row.getByRole('button', { name }).click({ timeout: 5_000 }).then(yes, no);
  });
}

const yes = () => true;
const no = () => false;

/** Rests the mouse on a row until its tooltip is there, and reads its text. */
export async function readTooltip(
  page: Page,
  label: string,
  where: { view?: string; at?: number } = {},
): Promise<string> {
  const hover = page.locator('.monaco-hover.workbench-hover:visible');
  // First it says that it is being loaded.
  const loaded = hover.last().filter({ hasNotText: /^Loading\.\.\.$/ });
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 };
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    // Another row's tooltip would be read in place of this one's. One that came after the mouse had left its row stays
    // until the mouse has been over it, and left.
    await waitUntil(async () => {
      await page.mouse.move(width - 10, height / 3);
      await page.mouse.move(width - 10, height / 2);
      const left = hover.first().waitFor({ state: 'hidden', timeout: 5_000 });
      if (await left.then(yes, no)) return true;
      // It may have gone by then.
      await hover.first().hover({ timeout: 5_000 }).catch(no);
      return false;
    });
    // At its beginning: a long one would be scrolled to its middle.
    await rowOf(page, label, where)
      .locator('.label-name')
      .hover({ position: { x: 5, y: 5 } });
    const isLast = Date.now() > deadline;
    // A row that is drawn anew under the mouse has none until the mouse moves again.
    const text = await loaded.innerText({ timeout: 5_000 }).catch(() => '');
    if (text !== '') return text;
    if (isLast) throw new Error(`The row "${label}" showed no tooltip`);
  }
}

/** The items of a row's context menu, or of a submenu of it; the menu is closed again. */
export async function readContextMenu(
  page: Page,
  label: string,
  { submenu, ...where }: { view?: string; at?: number; submenu?: string } = {},
): Promise<string[]> {
  return (await readMenuItems(page, label, { submenu, ...where })).map((item) => item.label);
}

/** The keys that a row's context menu shows, by the labels of their items. */
export async function readMenuKeys(
  page: Page,
  label: string,
  submenu?: string,
): Promise<Readonly<Record<string, string>>> {
  const items = await readMenuItems(page, label, { submenu });
  return Object.fromEntries(items.filter(({ key }) => key !== '').map((item) => [item.label, item.key]));
}

async function readMenuItems(
  page: Page,
  label: string,
  { submenu, ...where }: { view?: string; at?: number; submenu: string | undefined },
): Promise<readonly { label: string; key: string }[]> {
  await openContextMenu(page, label, where);
  if (submenu !== undefined) await openSubmenu(page, submenu);
  const menu = page.locator('.monaco-menu').last();
  await menu.getByRole('menuitem').first().waitFor();
  const items = await menu.getByRole('menuitem').evaluateAll((all: readonly PageElement[]) =>
    all.flatMap((item) => {
      const name = item.querySelector('.action-label');
      if (name === null) return [];
      const key = item.querySelector('.keybinding')?.textContent?.trim() ?? '';
      return { label: name.getAttribute('aria-label') ?? '', key };
    }),
  );
  await closeMenus(page);
  return items;
}

async function openContextMenu(page: Page, label: string, where: { view?: string; at?: number }): Promise<void> {
  const row = rowOf(page, label, where);
  // If the row moved away from the mouse before it was pressed, the menu is that of another row, which has the focus then.
  await waitUntil(async () => {
    // The tooltip of another row may be over this one, for as long as the mouse is there.
    await page.mouse.move(5, 5);
    await row.click({ button: 'right' });
    // A row that is drawn anew between the press and the menu has none.
    const menu = page.locator('.monaco-menu').waitFor({ timeout: 5000 });
    const isOpen = await menu.then(
      () => true,
      () => false,
    );
    if (isOpen && (await row.and(page.locator('.focused')).isVisible())) return true;
    await closeMenus(page);
    return false;
  });
}

/** Escape closes the submenu first. */
async function closeMenus(page: Page): Promise<void> {
  const menus = page.locator('.monaco-menu');
  for (let left = await menus.count(); left > 0; left = await menus.count()) {
    await page.keyboard.press('Escape');
    await menus.nth(left - 1).waitFor({ state: 'detached' });
  }
}

/** Opens a row's context menu, and chooses an item: by its label, or by those of the submenu and of the item in it. */
export async function chooseFromContextMenu(
  page: Page,
  label: string,
  item: string | readonly [submenu: string, item: string],
  where: { view?: string; at?: number } = {},
): Promise<void> {
  await openContextMenu(page, label, where);
  if (typeof item === 'string') return chooseFromMenu(page, item);
  const [submenu, inside] = item;
  await openSubmenu(page, submenu);
  await chooseFromMenu(page, inside);
}

async function openSubmenu(page: Page, submenu: string): Promise<void> {
  await focusMenuItem(page, submenu);
  const first = page.locator('.monaco-menu').nth(1).getByRole('menuitem').first();
  // The menu closes a submenu that was opened by key while the mouse is on its item, unless the mouse goes on into it.
  await waitUntil(async () => {
    if (await first.isVisible()) {
      return first.hover({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    }
    await page.keyboard.press('ArrowRight');
    return false;
  });
}

/** Chooses an item of the menu that is open, or about to be. */
async function chooseFromMenu(page: Page, item: string): Promise<void> {
  const choice = await focusMenuItem(page, item);
  // By the keyboard: a menu ignores the mouse's buttons at first, and nothing tells when it does no more.
  await page.keyboard.press('Enter');
  await choice.waitFor({ state: 'detached' });
}

/** Points at an item of the menu that is open, and waits until it has the focus. */
async function focusMenuItem(page: Page, item: string): Promise<Locator> {
  // The name of a menu item ends in its key.
  const named = page.locator(`.action-label[aria-label=${JSON.stringify(item)}]`);
  // A submenu is inside the item that opens it.
  const choice = page.locator('.monaco-menu .action-item').filter({ has: named }).last();
  await choice.hover().catch(async (error: unknown) => {
    const items = await page.locator('.monaco-menu .action-label').allInnerTexts();
    throw new Error(`No "${item}" in the menu, which has: ${items.join(', ') || 'no items'}`, { cause: error });
  });
  await choice.and(page.locator('.focused')).waitFor();
  return choice;
}

/** A view with its header, collapsed or not. */
export function paneOf(page: Page, view = 'Streams'): Locator {
  // Of a view that is collapsed, a note follows the title.
  const title = page.locator('.pane-header h3.title').getByText(new RegExp(`^${view}( \\(.*\\))?$`));
  return page.locator('.part.sidebar .pane').filter({ has: title });
}

/** Opens a view of the container that is collapsed; waits until it is open. */
export async function expandView(page: Page, view: string): Promise<void> {
  await togglePane(paneOf(page, view).locator('.pane-header'), 'true');
}

export async function collapseView(page: Page, view: string): Promise<void> {
  await togglePane(paneOf(page, view).locator('.pane-header'), 'false');
}

async function togglePane(header: Locator, wanted: 'true' | 'false'): Promise<void> {
  await header.waitFor();
  if ((await header.getAttribute('aria-expanded')) !== wanted) await header.locator('h3.title').click();
  await header.and(header.page().locator(`[aria-expanded="${wanted}"]`)).waitFor();
}

/** Presses an icon in the view's title, where they are while the mouse is over the view. */
export async function pressViewAction(page: Page, action: string, view = 'Streams'): Promise<void> {
  const header = paneOf(page, view).locator('.pane-header');
  await header.hover();
  await header.getByRole('button', { name: action, exact: true }).click();
}

/** Chooses from the menu behind the three dots of the view's title. */
export async function chooseFromViewMenu(page: Page, item: string, view = 'Streams'): Promise<void> {
  const header = paneOf(page, view).locator('.pane-header');
  await header.hover();
  // It has no role in the oldest editor.
  await header.locator('.codicon-toolbar-more').click();
  await chooseFromMenu(page, item);
}

/** What the view says beside its rows: its title, the words beside it, the line above the rows, welcome texts and buttons. */
export async function readViewTexts(
  page: Page,
  view = 'Streams',
): Promise<{ title: string; description: string; message: string; welcome: string[] }> {
  const pane = paneOf(page, view);
  const text = async (selector: string) => (await pane.locator(`${selector}:visible`).allInnerTexts()).join(' ').trim();
  return {
    // The oldest editor shows it in capitals.
    title: ((await pane.locator('.pane-header h3.title').textContent()) ?? '').trim(),
    description: await text('.pane-header .description'),
    message: await text('.tree-explorer-viewlet-tree-view > .message'),
    welcome: (await pane.locator('.welcome-view-content:visible > *').allInnerTexts()).map((line) => line.trim()),
  };
}

/** Presses a button of the welcome content, or a link in its sentences. */
export async function pressWelcomeButton(page: Page, label: string, view = 'Streams'): Promise<void> {
  await welcomeAction(page, label, view).click();
}

/** VS Code gives its links the role of buttons, too. */
export function welcomeAction(page: Page, label: string, view = 'Streams'): Locator {
  return paneOf(page, view).locator('.welcome-view-content').getByRole('button', { name: label });
}
