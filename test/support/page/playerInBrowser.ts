import { readFile } from 'node:fs/promises';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { SOUND_WASM, soundBundle } from '../../../esbuild.mjs';
import type { PlayerContext } from '../../../src/panels/player/playerFinder.ts';
import { readPlayerMessage } from '../../../src/panels/player/playerMessages.ts';
import { createPlayerSound, type PlayerActions, PlayerPart } from '../../../src/panels/player/playerPart.ts';
import { pagePolicy } from '../../../src/panels/webviewHtml.ts';
import type { LoadedPart, PagePart, ToPlayer } from '../../../src/webview/player/messages.ts';
import { inProject } from '../projectFolder.ts';

/** Of test/support/page/vscodeApi.js. */
declare function receive(json: string): void;

/** The files of a player's page, as they are built. */
export interface PlayerFiles {
  readonly script: string;
  readonly style: string;
  readonly parts: Readonly<Record<PagePart, LoadedPart>>;
}

export async function buildPlayerFiles(): Promise<PlayerFiles> {
  const [script, style, mp4, sound] = await Promise.all([
    bundle({ entryPoints: ['src/webview/main.ts'] }),
    bundle({ entryPoints: ['src/webview/page.css'] }),
    bundle({ entryPoints: ['src/webview/player/mp4/mp4Worker.ts'] }),
    bundle(soundBundle),
  ]);
  const wasm = new Uint8Array(await readFile(inProject(SOUND_WASM))).buffer;
  return { script, style, parts: { mp4: { part: 'mp4', script: mp4 }, sound: { part: 'sound', script: sound, wasm } } };
}

async function bundle(options: BuildOptions): Promise<string> {
  const common = { bundle: true, format: 'iife', platform: 'browser', target: 'chrome140' } as const;
  const given = { ...common, ...options, absWorkingDir: inProject('.'), write: false, outdir: 'out' } as const;
  const { outputFiles } = await build({ ...given, logLevel: 'error' });
  return outputFiles[0]?.text ?? '';
}

export interface PlayedPage {
  readonly page: Page;
  readonly part: PlayerPart;
  /** Brings its tab to the front, or another one. */
  setSeen(isSeen: boolean): void;
  dispose(): Promise<void>;
}

interface PlayerOptions extends Omit<PlayerContext, 'readPart'> {
  readonly files: PlayerFiles;
  /** Default: reads the files. */
  readonly readPart?: PlayerContext['readPart'];
  /** Whether the page's policy allows WebAssembly. Default: as in the product. */
  readonly allowsWasm?: boolean;
  /** Default: it is created at once. */
  readonly createClip?: PlayerActions['createClip'];
  /** Default: nothing happens. */
  readonly act?: PlayerActions['act'];
  /** Of the body, as VS Code sets it: the theme. */
  readonly bodyClass?: string;
  /** Custom properties of the theme, as a style sheet. */
  readonly theme?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Opens a player's page in a browser without a workbench, and its host here. What they post to each other is real. */
export async function openPlayerPage(browser: Browser, options: PlayerOptions): Promise<PlayedPage> {
  const { files, target, bodyClass = 'vscode-dark', theme = '', allowsWasm = true } = options;
  const page = await browser.newPage({ viewport: options.size ?? { width: 900, height: 600 } });
  // In order, since each message is a call of its own.
  let sending = Promise.resolve();
  const send = (message: ToPlayer): void => {
    const json = encode(message);
    sending = sending
      .then(() => page.evaluate((given) => receive(given), json))
      .catch((error: unknown) => {
        if (!page.isClosed()) throw error;
      });
  };
  const view = { isSeen: true, send };
  const part = new PlayerPart({
    readPart: async (name) => files.parts[name],
    ...options,
    ...{ title: '', pollsItself: true, view, sound: createPlayerSound(), noteStep: () => undefined },
    acts: {
      act: options.act ?? (async () => undefined),
      createClip: options.createClip ?? (async (_clip, _on, { onMade }) => void onMade({ id: 'made', name: 'Made' })),
      canDownload: async () => true,
    },
  });
  const receiveSaid = (json: string): void => {
    const { said } = decode(json) as { readonly said: { readonly kind: string } };
    if (said.kind === 'ready') part.sendShown();
    const message = readPlayerMessage(said);
    if (message !== undefined) void part.receive(message);
  };
  await page.exposeFunction('sendToHost', receiveSaid);
  await page.setContent(documentOf({ bodyClass, theme, style: files.style, target, allowsWasm }));
  await page.evaluate(await readFile(inProject('test/support/page/vscodeApi.js'), 'utf8'));
  await page.evaluate(files.script);
  await part.load({ startsItself: true });
  return {
    ...{ page, part },
    setSeen(isSeen) {
      view.isSeen = isSeen;
      part.sendVisibility();
    },
    async dispose() {
      part.dispose();
      await page.close();
    },
  };
}

function documentOf(given: {
  readonly bodyClass: string;
  readonly theme: string;
  readonly style: string;
  readonly target: PlayerContext['target'];
  readonly allowsWasm: boolean;
}): string {
  const { connection, kind, id } = given.target;
  const data = { name: 'player', page: 1, subject: { connection, kind, id }, texts: null };
  const policy = pagePolicy({ nonce: 'test', ownFiles: "'unsafe-inline'", hasPlayer: true });
  const ownPolicy = given.allowsWasm ? policy : policy.replace("'wasm-unsafe-eval'", '');
  return [
    '<!DOCTYPE html><html lang="en"><head>',
    `<meta http-equiv="Content-Security-Policy" content="${ownPolicy}">`,
    `<style>${given.theme}\n${given.style}</style></head>`,
    `<body class="${given.bodyClass}" data-page='${JSON.stringify(data)}'></body></html>`,
  ].join('\n');
}

function encode(message: unknown): string {
  return JSON.stringify(message, (_, value) =>
    value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value,
  );
}

function decode(json: string): unknown {
  return JSON.parse(json, (_, value) => {
    const isBytes = typeof value === 'object' && value !== null && 'base64' in value;
    return isBytes ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value;
  });
}
