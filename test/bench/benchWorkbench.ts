import type { Page } from 'playwright-core';
import type { PageElement } from '../support/page/pageElement.ts';
import { vsixFile } from '../support/vscode/vsix.ts';
import { openWorkbench, type WorkbenchOptions } from '../support/vscode/workbench.ts';
import { API_KEY } from './account.ts';
import { type BenchService, withBenchService } from './benchService.ts';
import { type DriverLink, openDriverLink } from './driverLink.ts';
import { packageDriver } from './madeExtensions.ts';

export interface BenchWorkbench {
  readonly page: Page;
  /** To the extension host of this workbench. */
  readonly driver: DriverLink;
  readonly service: BenchService;
  /** The folder that is open. */
  readonly folder: string;
}

/** Runs with a real workbench that has the driver and, unless that is left out, the packaged product, and with a service. */
export function withBenchWorkbench<T>(
  settings: WorkbenchOptions['settings'],
  run: (bench: BenchWorkbench) => Promise<T>,
  { isWithProduct = true } = {},
): Promise<T> {
  return withBenchService(async (service) => {
    const extensions = [...(isWithProduct ? [vsixFile] : []), await packageDriver()];
    const driver = await openDriverLink();
    const connected = driver.connected();
    const size = { width: 1000, height: 1400 };
    const workbench = await openWorkbench({ settings: settings ?? {}, extensions, env: driver.env, size });
    try {
      await connected;
      return await run({ page: workbench.page, driver, service, folder: workbench.folder });
    } finally {
      await workbench.close();
      driver.close();
    }
  });
}

/** Connects to an account by the command that a person uses, which is given all that it would ask for. */
export async function connectTo({ driver }: BenchWorkbench, name: string, baseUrl: string): Promise<void> {
  await driver.call('run', 'liveStreams.addConnection', { name, baseUrl, apiKey: API_KEY });
}

/** The browser's, for the functions that run in the page. */
declare const document: PageElement;
declare function requestAnimationFrame(run: () => void): number;
declare class MutationObserver {
  constructor(run: () => void);
  observe(target: PageElement, options: Readonly<Record<string, boolean>>): void;
  disconnect(): void;
}
declare class MessageChannel {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(message: unknown): void };
}

/**
 * Watches from now on, and resolves with the moment (epoch ms) when a frame was painted in which at least so many rows of a
 * tree begin with a label. What is awaited first is that the page watches.
 */
export async function watchPaint(
  page: Page,
  wanted: { readonly view?: string; readonly label: string; readonly atLeast?: number },
): Promise<{ readonly painted: Promise<number> }> {
  const given = { view: wanted.view ?? 'Streams', label: wanted.label, atLeast: wanted.atLeast ?? 1 };
  const watch = await page.evaluateHandle(untilPainted, given);
  const painted = watch.evaluate(({ at }) => at);
  painted.catch(() => undefined);
  return { painted };
}

/** Runs in the page. A frame has been painted when a message that was sent from its callback arrives. */
function untilPainted({ view, label, atLeast }: { view: string; label: string; atLeast: number }) {
  const hasRows = (): boolean => {
    const tree = [...document.querySelectorAll('[role="tree"]')].find(
      (each) => each.getAttribute('aria-label') === view,
    );
    const names = [...(tree?.querySelectorAll('[role="treeitem"] .label-name') ?? [])];
    return names.filter(({ textContent }) => textContent?.startsWith(label)).length >= atLeast;
  };
  const at = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!hasRows()) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(Date.now());
        port2.postMessage(undefined);
      });
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  return { at };
}
