// node esbuild.mjs [--production] [--watch] [--tests]
// Builds the extension into dist/ and, with --tests, the tests that run in an extension host into dist-test/.
// --production also writes dist/README.md.
import { glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, context } from 'esbuild';

const isProduction = process.argv.includes('--production');
const licencesByBundle = new Map();
let noticesWritten = Promise.resolve();

// undici and other CommonJS packages call require() for Node's own modules. ES modules have no require().
const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

const common = {
  bundle: true,
  minify: isProduction,
  sourcemap: !isProduction,
  metafile: true,
  logLevel: 'info',
};

const node = {
  ...common,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  banner: { js: banner },
};

/** By part that is loaded with import(): what is always loaded before it. */
const thereBefore = {
  'src/demo/demoServer.ts': 'src/extension.ts',
  'src/host/start/viewsRuntime.ts': 'src/extension.ts',
  'src/host/code/leakGuard.ts': 'src/extension.ts',
  'src/host/start/connectionsRuntime.ts': 'src/host/start/viewsRuntime.ts',
  'src/host/start/webhooksRuntime.ts': 'src/tree/view/hovers.ts',
  'src/host/start/commandsRuntime.ts': 'src/host/start/webhooksRuntime.ts',
  'src/host/agents/agentsRuntime.ts': 'src/host/start/commandsRuntime.ts',
  'src/host/panels/editorPanels.ts': 'src/tree/view/hovers.ts',
  'src/model/news/announcements.ts': 'src/host/start/webhooksRuntime.ts',
  'src/model/access/playbackAccess.ts': 'src/host/start/webhooksRuntime.ts',
  'src/tree/view/hovers.ts': 'src/host/start/viewsRuntime.ts',
  'src/broadcast/sender.ts': 'src/host/start/commandsRuntime.ts',
  'src/api/transport/undici.ts': 'src/extension.ts',
};

/**
 * Reduces the number of files. esbuild puts code shared by several parts into one file per set of parts, and does not
 * know that some parts are only loaded after others. So each part imports what is loaded before it: code shared with
 * that ends up in one file, whichever parts share it.
 */
const fewFiles = {
  name: 'few-files',
  setup(target) {
    target.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const before = thereBefore[relative('.', path).replaceAll('\\', '/')];
      if (before === undefined) return undefined;
      const source = await readFile(path, 'utf8');
      return { contents: `${source}\nimport ${JSON.stringify(resolve(before))};\n`, loader: 'ts' };
    });
  },
};

/**
 * undici has its HTTP parser twice, as base64: with SIMD instructions, and without, for processors that lack them. The
 * one without runs everywhere, and headers are too short for the other one to be faster.
 */
const oneHttpParser = {
  name: 'one-http-parser',
  setup(target) {
    target.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ resolveDir }) => ({
      path: resolve(resolveDir, '../llhttp/llhttp-wasm.js'),
    }));
  },
};

/**
 * Imports @vscode/l10n once for all. It's CommonJS, and each module that imports it would have its own copy of the
 * module object and call `(0, l10n.t)(…)` instead of `t(…)`: 2 kB of the first view.
 */
const oneL10n = {
  name: 'one-l10n',
  setup(target) {
    const namespace = 'one-l10n';
    target.onResolve({ filter: /^@vscode\/l10n$/ }, ({ namespace: from }) =>
      from === namespace ? undefined : { path: 'l10n/index.js', namespace },
    );
    target.onLoad({ filter: /./, namespace }, () => ({
      contents: "import * as l10n from '@vscode/l10n';\nexport const { config, t } = l10n;",
      resolveDir: resolve('.'),
    }));
  },
};

const webview = {
  ...common,
  entryPoints: [
    { in: 'src/webview/main.ts', out: 'page' },
    { in: 'src/webview/page.css', out: 'page' },
    { in: 'src/webview/reportMain.ts', out: 'report' },
    { in: 'src/webview/player/mp4/mp4Worker.ts', out: 'mp4' },
  ],
  outdir: 'dist/webview',
  format: 'iife',
  platform: 'browser',
  target: 'chrome140',
  plugins: [oneL10n, finishDist('dist/webview', { isOwn: (name) => !isSound(name) })],
};

/** How the worker that decodes sound is bundled, also for tests that run it. */
export const soundBundle = {
  bundle: true,
  entryPoints: [{ in: 'src/webview/player/sound/worker.ts', out: 'sound' }],
  format: /** @type {const} */ ('iife'),
  platform: /** @type {const} */ ('browser'),
  target: 'chrome140',
  inject: ['src/webview/player/sound/glueGlobals.ts'],
  // audio-file-decoder's own, for Node and for pages that may fetch: never reached here.
  external: ['fs', 'path'],
  logOverride: { 'empty-import-meta': /** @type {const} */ ('silent') },
  plugins: [leaveOutWorker()],
};

/** FFmpeg, which the worker gets as bytes: a file of its own, so that it can be replaced, as the LGPL demands. */
export const SOUND_WASM = 'node_modules/audio-file-decoder/decode-audio.wasm';

/**
 * audio-file-decoder has all of its script a second time, as base64, for a worker of its own that isn't used here: a
 * third of sound.js.
 */
function leaveOutWorker() {
  return {
    name: 'leave-out-worker',
    setup(target) {
      target.onLoad({ filter: /audio-file-decoder\.js$/ }, async ({ path }) => {
        const script = await readFile(path, 'utf8');
        const contents = script.replace(/"[\w+/=]{50000,}"/, '""');
        if (contents === script) throw new Error(`${path} is not the version that this build knows`);
        return { contents };
      });
    },
  };
}

const sound = {
  ...common,
  ...soundBundle,
  outdir: 'dist/webview',
  plugins: [
    ...soundBundle.plugins,
    compressWasm(),
    finishDist('dist/webview', { isOwn: isSound, meta: 'sound.meta.json' }),
  ],
};

function isSound(name) {
  return name.startsWith('sound.');
}

/** A fifth smaller than in a zip: it is the largest part of the package. */
function compressWasm() {
  const quality = isProduction ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MIN_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return {
    name: 'compress-wasm',
    setup(target) {
      target.onEnd(async () => {
        const wasm = await promisify(brotliCompress)(await readFile(SOUND_WASM), { params });
        await writeFile('dist/webview/sound.wasm.br', wasm);
      });
    },
  };
}

async function targets() {
  const all = [
    {
      ...node,
      entryPoints: ['src/extension.ts'],
      outdir: 'dist',
      plugins: [fewFiles, oneHttpParser, oneL10n, finishDist('dist')],
    },
    webview,
    sound,
  ];
  if (process.argv.includes('--tests')) all.push(await hostTests('host'), await hostTests('soak'));
  return all;
}

async function hostTests(folder) {
  const tests = await Array.fromAsync(glob(`test/${folder}/**/*.test.ts`));
  const entryPoints = tests.map((file) => ({ in: file, out: relative(`test/${folder}`, file).replace(/\.ts$/, '') }));
  return {
    ...node,
    entryPoints: [{ in: 'test/host/index.ts', out: 'index' }, ...entryPoints],
    outdir: `dist-test/${folder}`,
    external: ['vscode', 'mocha'],
    minify: false,
    sourcemap: 'inline',
    plugins: [removeStale(`dist-test/${folder}`)],
  };
}

/**
 * Removes the files of earlier builds after the new ones are written, so that an old build in use keeps working. Files
 * that are not a build's own stay.
 */
function removeStale(folder, isOwn = () => true) {
  return {
    name: 'remove-stale',
    setup(target) {
      target.onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0) return;
        const entries = await readdir(folder, { recursive: folder !== 'dist' }); // dist/webview has a build of its own
        const files = entries
          .filter((name) => /\.(js|css)(\.map)?$/.test(name) && isOwn(name))
          .map((name) => join(folder, name));
        const stale = files.filter((file) => !(file in metafile.outputs));
        await Promise.all(stale.map((file) => rm(file, { force: true })));
      });
    },
  };
}

/** Packages whose code is included in other packages' own files, where no bundler sees it. */
const EMBEDDED = {
  'hls.js': [
    { name: 'eventemitter3', license: 'MIT', author: '2014 Arnout Kazemier' },
    { name: 'url-toolkit', license: 'Apache-2.0', author: '2016 Tom Jenkinson' },
  ],
  undici: [{ name: 'llhttp', license: 'MIT', author: '2018 Fedor Indutny' }],
};

/** What else a notice has to say. */
const REMARKS = {
  'audio-file-decoder': `dist/webview/sound.wasm.br is its decode-audio.wasm, unchanged and compressed with Brotli: FFmpeg (LGPL-2.1-or-later, Copyright (c) 2000-2020 the FFmpeg
developers), compiled by Emscripten. dist/webview/sound.js includes its script, minified and without its copy for a worker. Both
are loaded at run time and can be replaced by other builds. Sources: https://github.com/aeroheim/audio-file-decoder and
https://ffmpeg.org. No warranty comes with it.`,
};

/**
 * Like removeStale, but also writes dist/ThirdPartyNotices.txt, which lists every bundled package with its licence, and
 * meta.json, which lists the content of each file for the tests.
 */
function finishDist(folder, { isOwn, meta = 'meta.json' } = {}) {
  return {
    name: 'finish-dist',
    setup(target) {
      removeStale(folder, isOwn).setup(target);
      target.onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0) return;
        // The paths are real paths, which lead out of the project if node_modules is a link.
        // Files that a package leaves out in browsers are listed as well, with a prefix.
        const files = Object.keys(metafile.inputs).filter((file) => !file.startsWith('(disabled):'));
        const folders = files.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
        licencesByBundle.set(join(folder, meta), new Set(folders.filter(Boolean)));
        // One after the other: bundles end at the same time, and both writes would mix in the one file.
        noticesWritten = noticesWritten.then(writeNotices, writeNotices);
        await noticesWritten;
        await writeFile(join(folder, meta), JSON.stringify(metafile));
      });
    },
  };
}

async function writeNotices() {
  const folders = [...new Set([...licencesByBundle.values()].flatMap((set) => [...set]))].sort();
  const notices = await Promise.all(folders.map(notice));
  await mkdir('dist', { recursive: true });
  const head = 'Live Streams contains the following third-party software.\n';
  await writeFile('dist/ThirdPartyNotices.txt', [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
}

async function notice(folder) {
  const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? await mitText(about) : await readFile(join(folder, file), 'utf8');
  const source = about.license === 'MPL-2.0' ? [sourceNotice(about)] : [];
  const parts = await Promise.all((EMBEDDED[about.name] ?? []).map(partNotice));
  const remark = REMARKS[about.name] === undefined ? [] : [`${REMARKS[about.name]}\n`];
  const head = `${about.name} ${about.version} (${about.license})\n`;
  return [head, ...remark, `${text.trim()}\n`, ...source, ...parts].join('\n');
}

/** MPL 2.0, 3.2: recipients are told where the source code is. */
function sourceNotice({ author, version, repository }) {
  const address = repository.url.replace(/^git\+|\.git$/g, '');
  return `Copyright (c) ${author} and contributors. The source code is at ${address}/tree/v${version}.\n`;
}

async function partNotice(part) {
  const text = part.license === 'MIT' ? await mitText(part) : `Copyright (c) ${part.author}\n\n${APACHE}`;
  return `It contains ${part.name} (${part.license})\n\n${text.trim()}\n`;
}

const APACHE = `Licensed under the Apache License, Version 2.0; you may not use this file except in compliance with the License.
You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0`;

/** @vscode/l10n is published under MIT without the text, so this uses our own licence's text with its author's name. */
async function mitText({ name, license, author }) {
  if (license !== 'MIT' || typeof author !== 'string') throw new Error(`${name} is bundled and has no licence file`);
  return (await readFile('LICENSE', 'utf8')).replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
}

/**
 * Writes the README for the Marketplace and Open VSX, without what contributors read. Both show pictures and follow links
 * at public addresses only, and vsce refuses data URLs: README_PICTURES is the address under which the pictures of media
 * are published, README_DOCS that of the repository's pages. Without them, pictures and "Documentation" are omitted.
 */
async function writeReadme() {
  const pictures = process.env.README_PICTURES?.replace(/\/+$/, '');
  const pages = process.env.README_DOCS?.replace(/\/+$/, '');
  const sections = (await readFile('README.md', 'utf8')).split(/^(?=## )/m);
  const omitted = pages ? ['## Contributing\n'] : ['## Contributing\n', '## Documentation\n'];
  const page = sections
    .filter((section) => !omitted.some((heading) => section.startsWith(heading)))
    .join('')
    .replaceAll('](.github/', `](${pages}/.github/`)
    .replace(/<picture>.*?<img alt="([^"]*)" src="([^"]*)">\s*<\/picture>/gs, '![$1]($2)');
  const shown = page.replace(/^!\[([^\]]*)\]\((media\/[^)]*)\)\n\n/gm, (_, words, file) =>
    pictures ? `![${words}](${pictures}/${file})\n\n` : '',
  );
  await mkdir('dist', { recursive: true });
  await writeFile('dist/README.md', `${shown.trimEnd()}\n`);
}

/**
 * Without the white space that makes the translations readable in media/l10n, and with similar endings next to each
 * other, which compresses better: 4 kB of the package.
 */
async function writeTranslations() {
  await mkdir('dist/l10n', { recursive: true });
  for (const file of await readdir('media/l10n')) {
    const texts = JSON.parse(await readFile(join('media/l10n', file), 'utf8'));
    const place = ([key, text]) => `${[...text.slice(-7)].reverse().join('')}${key}`;
    const byEnding = Object.entries(texts).sort((a, b) => (place(a) < place(b) ? -1 : 1));
    await writeFile(join('dist/l10n', file), JSON.stringify(Object.fromEntries(byEnding)));
  }
}

async function run() {
  await writeTranslations();
  if (process.argv.includes('--watch')) {
    for (const options of await targets()) await (await context(options)).watch();
  } else {
    await Promise.all((await targets()).map((options) => build(options)));
    if (isProduction) await writeReadme();
  }
}

if (process.argv[1] === import.meta.filename) await run();
