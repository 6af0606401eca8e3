import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { SOUND_WASM } from '../../esbuild.mjs';
import { inProject } from '../support/projectFolder.ts';
import { readLanguages, readTranslation } from '../support/rules/texts.ts';
import { listZipEntries, readZipEntry } from '../support/rules/zipEntries.ts';
import { vsixFile } from '../support/vscode/vsix.ts';

const bundleOf = (language: string) => `dist/l10n/bundle.l10n.${language}.json`;

/** These have to be there; beside them only what `optional` describes may be. */
const required = [
  'extension.vsixmanifest',
  '[Content_Types].xml',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/dist/extension.js',
  'extension/dist/ThirdPartyNotices.txt',
  'extension/dist/webview/page.js',
  'extension/dist/webview/page.css',
  'extension/dist/webview/report.js',
  'extension/dist/webview/mp4.js',
  'extension/dist/webview/sound.js',
  'extension/dist/webview/sound.wasm.br',
  'extension/media/icon.png',
  'extension/media/liveStreams.svg',
  'extension/media/demo/source.mp4',
  'extension/media/demo/clips.bin.br',
  'extension/media/skills/live-streams/SKILL.md',
  ...readLanguages().flatMap((language) =>
    [`package.nls.${language}.json`, bundleOf(language)].map((file) => `extension/${file}`),
  ),
];

const optional = [
  /^extension\/dist\/[\w-]+\.js$/,
  /^extension\/media\/(walkthrough\/)?[\w-]+\.svg$/,
  /^extension\/package\.nls\.[\w-]+\.json$/,
  /^extension\/dist\/l10n\/bundle\.l10n\.[\w-]+\.json$/,
];

describe('The package', () => {
  const names = listZipEntries(vsixFile);

  it('holds what the extension needs at run time and what its page shows', () => {
    const missing = required.filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
  });

  it('holds nothing else: no sources, tests, maps, scripts or dependencies', () => {
    const unexpected = names.filter((name) => !required.includes(name) && !optional.some((form) => form.test(name)));
    assert.deepEqual(unexpected, []);
  });

  it('has all translations of the code, where its manifest says', () => {
    for (const language of readLanguages()) {
      const shipped = JSON.parse(readZipEntry(vsixFile, `extension/${bundleOf(language)}`).toString());
      assert.deepEqual(shipped, readTranslation(language).code);
    }
    assert.equal(JSON.parse(readZipEntry(vsixFile, 'extension/package.json').toString()).l10n, './dist/l10n');
  });

  it('is at most 1.7 MB and 59 files', () => {
    const { size } = statSync(vsixFile);
    // Counted as vsce does.
    assert.ok(size < 1.7 * 1024 * 1024, `${size} bytes`);
    assert.ok(names.length <= 59, `${names.length} files`);
  });

  it('has the decoder of sound in files of its own, as the decoder’s package has it', () => {
    const read = (name: string) => readFileSync(inProject('dist/webview', name));
    const script = read('sound.js');
    assert.deepEqual(brotliDecompressSync(read('sound.wasm.br')), readFileSync(inProject(SOUND_WASM)));
    assert.ok(script.length < 90_000, `${script.length} bytes`);
    // The policy of our pages refuses both.
    assert.doesNotMatch(String(script), /new Function|\beval\(/);
  });

  it('has the HTTP parser of undici once, the one that runs on every processor', () => {
    const { inputs } = JSON.parse(readFileSync(inProject('dist/meta.json'), 'utf8'));
    const parsers = Object.keys(inputs).filter((file) => /-wasm\.js$/.test(file));
    assert.deepEqual(parsers, ['node_modules/undici/lib/llhttp/llhttp-wasm.js']);
  });

  it('holds none of the pictures of the README, which are there and light', () => {
    const pictures = readdirSync(inProject('media')).filter((name) => /\.(png|gif)$/.test(name) && name !== 'icon.png');
    assert.deepEqual(
      names.filter((name) => pictures.some((picture) => name.endsWith(`/${picture}`))),
      [],
    );
    const isHeavy = (name: string) =>
      statSync(inProject('media', name)).size > (name === 'demo.gif' ? 1_500_000 : 150_000);
    assert.deepEqual(pictures.filter(isHeavy), []);
    const page = readFileSync(inProject('README.md'), 'utf8');
    const shown = [...page.matchAll(/(?:src="|srcset="|\]\()media\/([^")]+)/g)].map(([, file]) => file);
    const scenes = ['player', 'recordings', 'streams', 'webhooks'];
    assert.deepEqual(shown.sort(), [
      'demo.gif',
      ...scenes.flatMap((scene) => [`${scene}-dark.png`, `${scene}-light.png`]),
    ]);
    assert.deepEqual(pictures.sort(), shown);
  });

  it('has a README of at most 1,000 words, whose links and pages lead somewhere', () => {
    const page = readFileSync(inProject('README.md'), 'utf8');
    const words = page.replaceAll(/<[^>]+>/g, '').match(/\S+/g) ?? [];
    assert.ok(words.length <= 1_000, `${words.length} words`);
    const pages = [
      'README.md',
      '.github/SECURITY.md',
      '.github/CONTRIBUTING.md',
      ...globSync('.github/docs/*.md', { cwd: inProject() }),
    ];
    assert.deepEqual(pages.flatMap(findBrokenLinks), []);
    const documents = pages.filter((file) => file.startsWith('.github/'));
    assert.deepEqual(
      documents.filter((file) => !page.includes(`](${file})`)),
      [],
      'nothing leads there',
    );
  });

  it('has a changelog that says each thing once', () => {
    const versions = readFileSync(inProject('CHANGELOG.md'), 'utf8').split(/^## /m);
    const beginnings: readonly (readonly string[])[] = versions.map((each) => each.match(/^- .{12,40}/gm) ?? []);
    assert.ok(beginnings.flat().length > 10);
    assert.deepEqual(
      beginnings.flatMap((lines) => lines.filter((line, at) => lines.indexOf(line) !== at)),
      [],
    );
  });
});

/** Returns a sentence for each link of a page to a file that doesn't exist. */
function findBrokenLinks(page: string): string[] {
  const links = readFileSync(inProject(page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
  return [...links].flatMap(([, target = '']) =>
    existsSync(inProject(join(dirname(page), target))) ? [] : [`${page} links to ${target}`],
  );
}
