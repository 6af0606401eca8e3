import { type Browser, chromium } from 'playwright-core';
import { installChromium } from './chromiumPackage.ts';
import { installChromiumWithoutAac } from './chromiumWithoutAac.ts';

/** Without an AAC decoder, as desktop VS Code; with one, as VS Code in a browser. */
export type BrowserKind = 'withoutAac' | 'withAac';

/** Starts the headless browser that came from npm, with further arguments. */
export async function startBrowser(kind: BrowserKind = 'withAac', args: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await (kind === 'withAac' ? installChromium() : installChromiumWithoutAac());
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
    env: { ...process.env, ...env },
  });
}
