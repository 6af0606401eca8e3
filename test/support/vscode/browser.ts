import { type Browser, chromium } from 'playwright-core';
import { installChromium } from './chromiumPackage.ts';

/** Starts the headless browser that came from npm. */
export async function startBrowser(): Promise<Browser> {
  const { executablePath, env } = await installChromium();
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    env: { ...process.env, ...env },
  });
}
