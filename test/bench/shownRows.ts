import { expandRow, rowOf, showContainer, treeOf } from '../support/page/treeView.ts';
import { API_KEY, NOW } from './account.ts';
import type { BenchWorkbench } from './benchWorkbench.ts';

/** The largest there is. */
const PAGE = 1000;
export const settings = { 'liveStreams.pageSize': PAGE };
/** Live at the beginning. */
export const LIVE = 50;
/** As many of the newest streams are idle, and may go live: they stand above the others then. */
export const FROM = 1000;
const ACCOUNT = 'shown';
const TITLE = 'Channel';
/** Looks that would come every 15 s come as often as this instead, ms: longer than what VS Code gathers, and than what we hold back. */
export const LOOK_EVERY = 550;

export function nameOf(index: number): string {
  return `${TITLE} ${String(index).padStart(6, '0')}`;
}

/** Opens an account in the tree, with so many idle rows painted below the live ones, and looks from then on in quick succession. */
export async function showIdleRows({ service, driver, page }: BenchWorkbench, idle: number): Promise<void> {
  const account = { title: TITLE, streams: idle + LIVE, live: LIVE, liveFrom: FROM };
  const baseUrl = await service.call('addAccount', ACCOUNT, account);
  await driver.call('compressTimers', 14_000, 15_000, LOOK_EVERY);
  await driver.call('run', 'liveStreams.addConnection', { name: ACCOUNT, baseUrl, apiKey: API_KEY });
  await showContainer(page);
  await rowOf(page, nameOf(FROM)).waitFor({ timeout: 60_000 });
  await expandGroup(page, 'Idle');
  for (let rows = PAGE; rows < idle; rows += PAGE) {
    await driver.call('run', 'liveStreams.loadMore', { kind: 'group', id: 'idle', list: 'idle' });
  }
  const shown = idle.toLocaleString('en');
  await treeOf(page)
    .getByRole('treeitem')
    .filter({ hasText: `Idle${shown}` })
    .waitFor({ timeout: 60_000 });
  await page.keyboard.press('Home');
  await driver.call('countTreeItems');
}

/** From its last row, which is the way down; the list comes back to its top by itself. */
async function expandGroup(page: BenchWorkbench['page'], label: string): Promise<void> {
  await treeOf(page).focus();
  await page.keyboard.press('End');
  await expandRow(page, label);
}

export async function change(
  { service }: BenchWorkbench,
  changes: readonly (readonly [index: number, isActive: boolean])[],
): Promise<void> {
  const fields = changes.map(([index, isActive]) => [index, { isActive, lastSeen: NOW - 4_000 }] as const);
  await service.call('change', ACCOUNT, fields);
}

/** The requests since the last call. */
export function takeSeen({ service }: BenchWorkbench) {
  return service.call('takeSeen', ACCOUNT);
}
