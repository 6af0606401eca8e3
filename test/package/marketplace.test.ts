import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { build } from 'esbuild';
import { soundBundle } from '../../esbuild.mjs';
import { inProject } from '../support/projectFolder.ts';
import {
  findMenuFaults,
  findTextFaults,
  findWalkthroughFaults,
  type Manifest,
} from '../support/rules/manifestRules.ts';
import { listZipEntries, readZipEntry } from '../support/rules/zipEntries.ts';
import { vsixFile } from '../support/vscode/vsix.ts';

interface Shown extends Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly icon: string;
  readonly qna: unknown;
  readonly pricing: unknown;
  readonly galleryBanner: { readonly color: string; readonly theme: string };
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: unknown;
}

/** Those of VS Code's extension manifest reference that this may be filed under. */
const CATEGORIES = ['Visualization', 'Testing', 'Other'];

describe('What the Marketplace and Open VSX get', () => {
  const read = (name: string) => readZipEntry(vsixFile, name).toString('utf8');
  const files = listZipEntries(vsixFile);
  const manifest: Shown = JSON.parse(read('extension/package.json'));
  const texts: Readonly<Record<string, string>> = JSON.parse(read('extension/package.nls.json'));

  it('has a name, a version and a licence of the form that both take', () => {
    // Open VSX: ExtensionValidator.java, namePattern and checkVersion; the Marketplace takes three numbers alone.
    for (const name of [manifest.publisher, manifest.name]) assert.match(name, /^[\w\-+$~]{1,255}$/);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    assert.equal(manifest.license, 'MIT');
    assert.match(read('extension/LICENSE.txt'), /^MIT License/);
  });

  it('has a description, categories and keywords within what both galleries take', () => {
    const { description = '', displayName = '' } = texts;
    assert.ok(displayName.length > 0 && displayName.length <= 255);
    assert.ok(description.length > 50 && description.length <= 200, 'it is cut in lists');
    assert.deepEqual(
      manifest.categories.filter((category) => !CATEGORIES.includes(category)),
      [],
    );
    assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 30);
    for (const text of [displayName, description, ...manifest.keywords]) {
      assert.match(text, /^[^\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]+$/u);
    }
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.ok(['dark', 'light'].includes(manifest.galleryBanner.theme));
    assert.deepEqual([manifest.qna, manifest.pricing], ['marketplace', 'Free']);
  });

  it('says where it runs', () => {
    assert.deepEqual(manifest.extensionKind, ['ui', 'workspace']);
    const restrictedConfigurations = ['liveStreams.leakGuard', 'liveStreams.leakGuardExclude'];
    // VS Code takes no notice of the settings if the support isn't limited.
    const description = '%untrustedWorkspaces%';
    const untrustedWorkspaces = { supported: 'limited', description, restrictedConfigurations };
    assert.deepEqual(manifest.capabilities, { untrustedWorkspaces, virtualWorkspaces: true });
  });

  it('leads to no repository, as there is no public one', () => {
    const about = read('extension.vsixmanifest');
    assert.deepEqual(
      ['repository', 'homepage', 'bugs'].filter((field) => field in manifest),
      [],
    );
    assert.doesNotMatch(about, /Services\.Links\./);
    assert.match(about, /<Icon>extension\/media\/icon\.png<\/Icon>/);
    assert.match(about, /<License>extension\/LICENSE\.txt<\/License>/);
  });

  it('has an icon that is sharp at 128 pixels on screens of twice the density', () => {
    const icon = readZipEntry(vsixFile, `extension/${manifest.icon}`);
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
    assert.ok(icon.length < 50_000, `${icon.length} bytes`);
  });

  it('has a page that begins with what it is, without pictures and links that lead nowhere', () => {
    const page = read('extension/readme.md');
    assert.match(page, /^# Live Streams\n\n\*\*/);
    assert.ok(page.indexOf('**Try the Demo**') > 0);
    assert.doesNotMatch(page, /^## Contributing/m);
    assert.doesNotMatch(page, /<picture|<img|!\[/);
    const targets = [...page.matchAll(/\]\(([^)]+)\)|<img[^>]+src="([^"]+)"/g)].map(([, link, image]) => link ?? image);
    assert.ok(targets.length > 0);
    assert.deepEqual(
      targets.filter((target) => !/^(https:\/\/|#)/.test(target ?? '')),
      [],
    );
  });

  it('has a page of at most 1,000 words, without what contributors read', () => {
    const page = read('extension/readme.md');
    const words = page.match(/\S+/g) ?? [];
    assert.ok(words.length <= 1_000, `${words.length} words`);
    assert.match(page, /^## Problems and questions\n/m);
    assert.doesNotMatch(page, /npm ci|^## (?:Contributing|Documentation)/m);
  });

  it('has one button at most in each welcome, and else links in sentences', () => {
    const buttons = Object.entries(texts)
      .filter(([key]) => key.startsWith('welcome.'))
      .map(
        ([key, text]) => [key, text.split('\n').filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length] as const,
      );
    assert.deepEqual(
      buttons.filter(([, count]) => count > 1),
      [],
    );
  });

  it('has a changelog whose first version is this one, with its day', () => {
    const [, version, day = ''] =
      /^# Changelog\n\n(?:## Unreleased\n\n(?:(?!## ).*\n)+)?## (\S+) - (\S+)\n/.exec(read('extension/changelog.md')) ??
      [];
    assert.equal(version, manifest.version);
    assert.match(day, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(!Number.isNaN(Date.parse(day)));
  });

  it('has the commands, texts and pictures that its manifest names', () => {
    const shipped = files.map((file) => file.replace(/^extension\//, ''));
    assert.deepEqual(
      [
        ...findMenuFaults(manifest, texts),
        ...findTextFaults(manifest, texts),
        ...findWalkthroughFaults(manifest, shipped),
      ],
      [],
    );
  });

  it('names every package in its bundles, with its licence, and no other', async function () {
    this.timeout(30_000);
    const [, ...notices] = read('extension/dist/ThirdPartyNotices.txt').split(/^-{80}$/m);
    const named = notices.map(
      (notice) =>
        /^\s*(\S+) \d+\.\d+\.\d+ \((?:MIT|Apache-2\.0|MPL-2\.0|LGPL-2\.1-or-later)\)\n/.exec(notice)?.[1] ?? notice,
    );
    const inputs = await Promise.all([
      inputsOf('node', 'src/extension.ts'),
      inputsOf('browser', 'src/webview/main.ts'),
      inputsOf('browser', 'src/webview/player/mp4/mp4Worker.ts'),
      inputsOf('browser', 'src/webview/player/sound/worker.ts'),
    ]);
    const packages = inputs.flat().flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    assert.ok(
      packages.includes('undici') && packages.includes('hls.js') && packages.includes('mediabunny'),
      'the bundles were not read',
    );
    assert.deepEqual(named, [...new Set(packages)].sort());
    for (const notice of notices) assert.match(notice, /Copyright .*\w{3}/);
  });
});

/** The files that bundles are made of. */
async function inputsOf(platform: 'node' | 'browser', entries: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: globSync(entries, { cwd: inProject() }),
    absWorkingDir: inProject(),
    outdir: 'unwritten',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    platform,
    external: ['vscode', ...soundBundle.external],
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}
