import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'playwright-core';
import { inProject } from '../projectFolder.ts';
import { playerFrame } from './playerPage.ts';

/** What axe-core finds, as far as it is read here. */
interface Found {
  readonly passes: readonly { readonly id: string }[];
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe-core over the page of the webview that is in front.
 * @returns a line for each element that breaks a rule; throws where the rules of names and contrast had nothing to look at.
 */
export async function findAccessibilityFaults(page: Page): Promise<readonly string[]> {
  const frame = await frameOf(page);
  await frame.evaluate(await readFile(inProject('node_modules/axe-core/axe.min.js'), 'utf8'));
  const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES }, iframes: false });
  const { passes, violations }: Found = await frame.evaluate(`axe.run(document, ${options})`);
  const seen = new Set([...passes, ...violations].map(({ id }) => id));
  for (const rule of ['button-name', 'color-contrast']) {
    if (!seen.has(rule)) throw new Error(`axe-core found nothing to judge by ${rule}: ${[...seen].join()}`);
  }
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${help}. ${failureSummary}`),
  );
}

/** The page's own frame: what is evaluated there by the browser's tools is not held back by the page's policy. */
async function frameOf(page: Page): Promise<Frame> {
  const html = await playerFrame(page).locator('html').elementHandle();
  const frame = await html?.ownerFrame();
  if (frame == null) throw new Error('The webview has no frame');
  return frame;
}
