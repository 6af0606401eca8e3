import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';
import { startVscodeServer } from '../support/vscode/vscodeServer.ts';
import { packageForTests, vsixFile } from '../support/vscode/vsix.ts';
import type { Activation } from './driver/driver.ts';
import { type DriverLink, openDriverLink } from './driverLink.ts';
import { emptyExtension, packageDriver, packageEmpty, packageTree, treeExtension } from './madeExtensions.ts';
import { alternate, type Bench, figureOf, formatFigure, formatNumber } from './measure.ts';

const PRODUCT = 'live-streams.live-streams';
const ROUNDS = 7;
const AIM_MS = 12;

/** Activation in a new extension host of the real VS Code, as a call: the product's startup event is taken out for that. */
export const activation: Bench = {
  name: 'activation',
  async run(report) {
    await packageForTests();
    const extensions = [vsixFile, await packageDriver(), await packageEmpty(), await packageTree()];
    const link = await openDriverLink();
    const server = await startVscodeServer({ extensions, env: link.env });
    const folder = makeTemporaryFolder('activation');
    const browser = await startBrowser();
    try {
      await takeOutStartup(server.extensionsFolder);
      const page = await browser.newPage();
      const address = server.address({ folder });
      const records = watchRecords(page);
      const once = (id: string) => async () => {
        const found = await activateOnce(page, address, link, id);
        report(`${id}: ${formatNumber(found.ms)} ms`);
        return { ...found, record: records.get(id) };
      };
      const found = await alternate(ROUNDS, {
        ours: once(PRODUCT),
        empty: once(emptyExtension),
        tree: once(treeExtension),
      });
      await activateOnce(page, address, link, PRODUCT);
      return [resultOf(found), bundleOf(await link.call('scriptsOf', PRODUCT))];
    } finally {
      await browser.close();
      await server.close();
      link.close();
    }
  },
};

/** By what VS Code itself notes of an activation. */
interface Record {
  readonly codeLoading: number;
  readonly call: number;
}

type Sample = Activation & { readonly record: Record | undefined };

function resultOf({ ours, empty, tree }: Readonly<{ [K in 'ours' | 'empty' | 'tree']: readonly Sample[] }>) {
  const figure = (samples: readonly Sample[]) => figureOf(samples.map(({ ms }) => ms));
  const over = figure(ours).median - figure(empty).median;
  return {
    figure: 'activation: code loaded and `activate()` called, in a new extension host',
    measured: describe(ours),
    reference: `empty main: ${describe(empty)}; a tree view in a dozen lines: ${describe(tree)}`,
    aim: `at most ${AIM_MS} ms over the empty one (${formatNumber(over)} ms)`,
    isMet: over <= AIM_MS,
  };
}

const BUNDLE_AIM = 100_000;

/** Of other extensions as they were on the Marketplace when the aim was set. */
function bundleOf(scripts: readonly string[]) {
  const bytes = scripts.reduce((sum, path) => sum + statSync(path).size, 0);
  if (bytes === 0) throw new Error('The extension host has loaded no script of the product');
  return {
    figure: 'main bundle: the code that activation loads',
    measured: `${formatNumber(bytes / 1000)} kB, minified, in ${scripts.length} files`,
    reference: 'published figures: Cloudinary 319 kB, hexeditor 380 kB, GitHub Actions 1.35 MB',
    aim: `${BUNDLE_AIM / 1000} kB`,
    isMet: bytes <= BUNDLE_AIM,
  };
}

function describe(samples: readonly Sample[]): string {
  const of = (part: 'ms' | 'cpu' | 'longestBlock') =>
    formatFigure(figureOf(samples.map((sample) => sample[part])), 'ms');
  const parts = samples.flatMap(({ record }) => record ?? []);
  const record = (part: keyof Record) => formatNumber(figureOf(parts.map((each) => each[part])).median);
  const own = `of which VS Code reports ${record('codeLoading')} ms loading and ${record('call')} ms the call`;
  return `${of('ms')}, ${own}; ${of('cpu')} of CPU; longest block ${of('longestBlock')}`;
}

async function activateOnce(page: Page, address: string, link: DriverLink, id: string): Promise<Activation> {
  const connected = link.connected();
  await page.goto(address);
  await connected;
  await link.call('untilIdle');
  return link.call('activate', id);
}

/** Activated when asked to and not before; the code that runs is the package's own. */
async function takeOutStartup(extensionsFolder: string): Promise<void> {
  const folder = (await readdir(extensionsFolder)).find((name) => name.startsWith(`${PRODUCT}-`));
  if (folder === undefined) throw new Error(`${PRODUCT} is not in ${extensionsFolder}`);
  const file = join(extensionsFolder, folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const events: readonly string[] = manifest.activationEvents;
  const activationEvents = events.filter((event) => event !== 'onStartupFinished');
  if (activationEvents.length === events.length) throw new Error('The product does not start with VS Code any more');
  writeFileSync(file, JSON.stringify({ ...manifest, activationEvents }));
}

/** The extension host tells the workbench how long each activation took: the last of each extension, by its id. */
function watchRecords(page: Page): ReadonlyMap<string, Record> {
  const records = new Map<string, Record>();
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const text = payload.toString('latin1');
      for (const [, id = '', loading, call] of text.matchAll(RECORD)) {
        // -1 where there was nothing to call.
        records.set(id, { codeLoading: Math.max(0, Number(loading)), call: Math.max(0, Number(call)) });
      }
    }),
  );
  return records;
}

const RECORD = /\$onDidActivateExtension[^[]*\[\{"value":"([^"]+)"[^}]*\},(-?\d+),(-?\d+),/g;
