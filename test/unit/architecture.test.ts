import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { COMMANDS } from '../../src/commands/table.ts';
import { REFUSAL_VALUES } from '../../src/tree/connections/connectionRow.ts';
import { CONTEXT_VALUES } from '../../src/tree/contextValues.ts';
import { findQueryGrammar } from '../scripts/queryGrammar.ts';
import { inProject } from '../support/projectFolder.ts';
import { findHandlerFaults, findHostFaults, findLayerFaults } from '../support/rules/layerRules.ts';
import {
  findCommandFaults,
  findContextKeyFaults,
  findMenuFaults,
  findProposalFaults,
  findSettingFaults,
  findTextFaults,
  findViewItemFaults,
  findWalkthroughFaults,
  type Manifest,
  readContextKeys,
  readSettingKeys,
} from '../support/rules/manifestRules.ts';
import { findOpenSwitches } from '../support/rules/switchRules.ts';
import { findSpreadTexts } from '../support/rules/texts.ts';

describe('The rules of who may import whom', () => {
  const faults = (files: Readonly<Record<string, string>>) =>
    findLayerFaults(new Map(Object.entries(files).map(([path, source]) => [`src/${path}`, source])));

  it('allow imports to the left, skipping layers', () => {
    const files = {
      'util/a.ts': 'export const a = 1;',
      'model/b.ts': "import { a } from '../util/a.ts';",
      'host/c.ts': "import * as vscode from 'vscode'; import '../model/b.ts';",
      'extension.ts': "import 'vscode'; import './host/c.ts';",
    };
    assert.deepEqual(faults(files), []);
  });

  const toTheRight = {
    'a value': "import { b } from '../model/b.ts';",
    'a type': "import type { B } from '../model/b.ts';",
    'a type among values': "import { type B } from '../model/b.ts';",
    'a re-export': "export * from '../model/b.ts';",
    'a dynamic import': "const b = () => import('../model/b.ts');",
    'a type that is imported where it is used': "export type B = import('../model/b.ts').B;",
    'a require': "const b = require('../model/b.ts');",
  };
  for (const [what, source] of Object.entries(toTheRight)) {
    it(`fail on an import to the right: ${what}`, () => {
      const found = faults({ 'api/a.ts': source, 'model/b.ts': 'export {};' });
      assert.deepEqual(found, ['src/api/a.ts imports src/model/b.ts']);
    });
  }

  it('fail where somebody just imports what another loads with import(), unless it is for its types', () => {
    const files = {
      'host/late.ts': 'export const late = 1; export interface Late {}',
      'host/a.ts': "const late = () => import('./late.ts'); type Late = import('./late.ts').Late;",
      'host/b.ts': "import type { Late } from './late.ts';",
    };
    assert.deepEqual(faults(files), []);
    assert.deepEqual(faults({ ...files, 'host/c.ts': "import { late } from './late.ts';" }), [
      'src/host/c.ts imports src/host/late.ts, which is to be loaded with import() alone',
    ]);
  });

  it('fail where one of the four that stand beside each other imports another', () => {
    const four = ['tree', 'commands', 'agents', 'panels'];
    const files = Object.fromEntries(four.map((layer) => [`${layer}/a.ts`, 'export type A = 1;']));
    for (const from of four) {
      const others = four.filter((layer) => layer !== from);
      const source = others.map((layer) => `import type {} from '../${layer}/a.ts';`).join('\n');
      assert.deepEqual(
        faults({ ...files, [`${from}/b.ts`]: source }),
        others.map((layer) => `src/${from}/b.ts imports src/${layer}/a.ts`),
      );
    }
  });

  it('fail on an import that only the run time knows', () => {
    assert.match(faults({ 'api/a.ts': 'export const a = (b: string) => import(b);' }).join(), /only at run time/);
  });

  it('fail on a cycle, of types too', () => {
    const found = faults({
      'util/a.ts': "import type { B } from './b.ts';",
      'util/b.ts': "import type { C } from './c.ts';",
      'util/c.ts': "import './a.ts';",
    });
    assert.deepEqual(found, ['A cycle: src/util/a.ts -> src/util/b.ts -> src/util/c.ts -> src/util/a.ts']);
  });

  it('fail on a chain of more than 24 imports', () => {
    const chainOf = (length: number) => {
      const names = Array.from({ length }, (_, index) => `util/a${index}.ts`);
      return Object.fromEntries(names.map((name, index) => [name, index === 0 ? '' : `import './a${index - 1}.ts';`]));
    };
    assert.deepEqual(faults(chainOf(24)), []);
    const [fault = '', ...others] = faults(chainOf(25));
    assert.deepEqual(others, []);
    assert.match(fault, /^A chain of 25 imports, at most 24: src\/util\/a24\.ts -> .* -> src\/util\/a0\.ts$/);
  });

  for (const path of ['util/a.ts', 'commands/a.ts', 'demo/a.ts', 'webview/a.ts', 'services.ts']) {
    it(`fail on vscode in ${path}`, () => {
      assert.deepEqual(faults({ [path]: "import type { Uri } from 'vscode';" }), [`src/${path} imports vscode`]);
    });
  }

  it('let the demo import the types of the API, and nothing else of it', () => {
    const source = "import type { Stream } from '../api/types.ts'; import { ids } from '../api/ids.ts';";
    const found = faults({ 'demo/a.ts': source, 'api/types.ts': '', 'api/ids.ts': '' });
    assert.deepEqual(found, ['src/demo/a.ts imports src/api/ids.ts']);
  });

  it('let the broadcaster import media and util alone, and neither pages nor the demo anything of it', () => {
    const found = faults({
      'broadcast/a.ts': "import '../util/b.ts'; import '../media/e.ts'; import type { S } from '../services.ts';",
      'util/b.ts': '',
      'media/e.ts': '',
      'services.ts': '',
      'demo/c.ts': "import { a } from '../broadcast/a.ts';",
      'panels/d.ts': "import type { A } from '../broadcast/a.ts';",
    });
    assert.deepEqual(found, [
      'src/broadcast/a.ts imports src/services.ts',
      'src/demo/c.ts imports src/broadcast/a.ts',
      'src/panels/d.ts imports src/broadcast/a.ts',
    ]);
  });

  it('let media import util alone, for the broadcaster, the demo, and webviews', () => {
    const source = "import '../media/a.ts';";
    const found = faults({
      'media/a.ts': "import '../util/b.ts'; import type { C } from '../broadcast/c.ts';",
      'util/b.ts': '',
      'broadcast/c.ts': '',
      'demo/d.ts': source,
      'webview/e.ts': source,
      'model/f.ts': source,
    });
    assert.deepEqual(found, ['src/media/a.ts imports src/broadcast/c.ts', 'src/model/f.ts imports src/media/a.ts']);
  });

  it('let nobody but the host import the demo', () => {
    const source = "import '../demo/a.ts';";
    const found = faults({ 'demo/a.ts': '', 'host/b.ts': source, 'commands/c.ts': source });
    assert.deepEqual(found, ['src/commands/c.ts imports src/demo/a.ts']);
  });

  it('let the host have only types of a webview, and a webview nothing of Node', () => {
    const found = faults({
      'webview/a.ts': "import 'node:fs'; import '../api/b.ts';",
      'api/b.ts': '',
      'host/c.ts': "import type { A } from '../webview/a.ts';",
      'host/d.ts': "import { a } from '../webview/a.ts';",
    });
    assert.deepEqual(found, [
      'src/webview/a.ts imports node:fs, and runs in a browser',
      'src/webview/a.ts imports src/api/b.ts',
      'src/host/d.ts imports src/webview/a.ts',
    ]);
  });

  it('let a webview have the labels of buttons, and no other text', () => {
    const files = { 'texts/labels.ts': 'export const a = 1;', 'texts/names.ts': '' };
    const source = "import { a } from '../texts/labels.ts'; import '../texts/names.ts';";
    assert.deepEqual(faults({ ...files, 'webview/a.ts': source }), ['src/webview/a.ts imports src/texts/names.ts']);
  });

  it('fail on a file of the host that does not know VS Code', () => {
    const files = { 'src/host/a.ts': "import type { Uri } from 'vscode';", 'src/host/b.ts': "import './a.ts';" };
    const found = findHostFaults(new Map(Object.entries({ ...files, 'src/model/c.ts': '' })));
    assert.deepEqual(found, ['src/host/b.ts does not import vscode, so it belongs to another layer']);
  });

  it('fail where the boundary loads a handler, also by way of another file, but not for its types', () => {
    const faultsWith = (action: string) =>
      findHandlerFaults(
        new Map([
          ['src/commands/handlers.ts', "import { copy } from './copy.ts';"],
          ['src/commands/boundary.ts', "import { action } from './actions.ts';"],
          ['src/commands/actions.ts', action],
        ]),
      );
    assert.deepEqual(faultsWith("import { copy } from './copy.ts';"), [
      'src/commands/boundary.ts loads src/commands/copy.ts, which has handlers',
    ]);
    assert.deepEqual(faultsWith("import type { Copying } from './copy.ts';"), []);
  });

  it('let texts and pages name commands by their ids, as types alone', () => {
    const files = { 'commands/table.ts': 'export type CommandId = 1;', 'commands/a.ts': 'export type A = 1;' };
    const ids = "import type { CommandId } from '../commands/table.ts';";
    assert.deepEqual(faults({ ...files, 'texts/b.ts': ids, 'panels/c.ts': ids }), []);
    const found = faults({
      ...files,
      'model/d.ts': ids,
      'texts/e.ts': "import { COMMANDS } from '../commands/table.ts';",
      'texts/f.ts': "import type { A } from '../commands/a.ts';",
    });
    assert.deepEqual(found, [
      'src/model/d.ts imports src/commands/table.ts',
      'src/texts/e.ts imports src/commands/table.ts',
      'src/texts/f.ts imports src/commands/a.ts',
    ]);
  });

  it('let all import the services, as types alone', () => {
    const services = { 'services.ts': "import type { E } from './util/e.ts';", 'util/e.ts': '' };
    assert.deepEqual(faults({ ...services, 'api/a.ts': "import type { S } from '../services.ts';" }), []);
    const found = faults({ ...services, 'api/a.ts': "import { S } from '../services.ts';" });
    assert.deepEqual(found, ['src/api/a.ts imports src/services.ts']);
  });

  it('fail on an import from outside src, and on a file that is not there', () => {
    const found = faults({ 'util/a.ts': "import '../../test/support/model/fakes.ts'; import './b.ts';" });
    assert.deepEqual(found, [
      'src/util/a.ts imports test/support/model/fakes.ts, which is no file of src',
      'src/util/a.ts imports src/util/b.ts, which is no file of src',
    ]);
  });

  it('let nobody but the account use the client of the service, not even for its types', () => {
    const source = "import type { StreamApi } from '../../api/streamApi.ts';";
    const files = { 'api/streamApi.ts': '', 'model/account/a.ts': source, 'model/loading/b.ts': source };
    assert.deepEqual(faults(files), ['src/model/loading/b.ts imports src/api/streamApi.ts, not the account']);
  });

  it('fail on a folder that the rules do not know', () => {
    assert.throws(() => faults({ 'util/a.ts': "import '../common/b.ts';", 'common/b.ts': '' }), /in no part of src/);
  });
});

describe('The rule of texts', () => {
  it('fails on a text that is written in more than three files', () => {
    const source = "import { t } from '@vscode/l10n'; export const a = () => [t('Retry'), t('Retry')];";
    const sources = (count: number) =>
      new Map(Array.from({ length: count }, (_, index) => [`src/a${index}.ts`, source]));
    assert.deepEqual(findSpreadTexts(sources(3)), []);
    assert.deepEqual(findSpreadTexts(sources(4)), ['"Retry" is in src/a0.ts, src/a1.ts, src/a2.ts, src/a3.ts']);
  });
});

describe('The rules of package.json', () => {
  const manifest = (contributes: Partial<Manifest['contributes']>): Manifest => ({
    contributes: { commands: [{ command: 'liveStreams.refresh' }], ...contributes },
  });
  const menu = (item: Readonly<Record<string, string>>) => manifest({ menus: { 'view/item/context': [item] } });

  it('fail on a command without a handler, and on a handler without a command', () => {
    assert.deepEqual(findCommandFaults(manifest({}), ['refresh']), []);
    assert.deepEqual(findCommandFaults(manifest({}), []), ['The command liveStreams.refresh has no handler']);
    assert.deepEqual(findCommandFaults(manifest({}), ['refresh', 'retry']), [
      'The handler of liveStreams.retry has no command',
    ]);
  });

  it('fail on a command that is declared twice', () => {
    const twice = manifest({ commands: [{ command: 'liveStreams.a' }, { command: 'liveStreams.a' }] });
    assert.deepEqual(findCommandFaults(twice, ['a']), ['The command liveStreams.a is declared twice']);
  });

  it('fail on a menu, a keybinding, a link or a submenu that names what is not there', () => {
    assert.deepEqual(findMenuFaults(menu({ command: 'liveStreams.refresh' }), {}), []);
    assert.equal(findMenuFaults(menu({ command: 'liveStreams.gone' }), {}).length, 1);
    assert.equal(findMenuFaults(menu({ submenu: 'liveStreams.copy' }), {}).length, 1);
    assert.equal(findMenuFaults(manifest({ keybindings: [{ command: 'liveStreams.gone' }] }), {}).length, 1);
    assert.equal(findMenuFaults(manifest({}), { welcome: '[Go](command:liveStreams.gone)' }).length, 1);
  });

  it('fail on a viewItem that no row has', () => {
    const rows = ['stream.active.recordOn', 'session'];
    const faults = (when: string) => findViewItemFaults(menu({ when }), rows).length;
    assert.equal(faults('view == liveStreams.streams && viewItem == session'), 0);
    assert.equal(faults('viewItem =~ /^stream\\b.*\\brecordOn\\b/ && (viewItem != session)'), 0);
    assert.equal(faults('viewItem == recording'), 1);
    assert.equal(faults("viewItem != 'stream'"), 1);
    assert.equal(faults('viewItem =~ /^stream\\b.*\\brecordOff\\b/'), 1);
    assert.equal(faults('viewItem == session && viewItem =~ /nobody/i'), 1);
    assert.equal(faults('viewItem in liveStreams.rows'), 1, 'what cannot be read is not waved through');
  });

  it('fail on a link that shows no view', () => {
    const views = { liveStreams: [{ id: 'liveStreams.streams' }] };
    const link = (id: string) => findMenuFaults(manifest({ views }), { step: `[Show](command:${id})` });
    assert.deepEqual(link('liveStreams.streams.focus'), []);
    assert.equal(link('liveStreams.gone.focus').length, 1);
  });

  it('fail on a context key that nobody sets', () => {
    const keys = readContextKeys(
      'interface ContextKeys {\n  readonly state: A;\n  /** b */\n  readonly isDemo: B;\n}\n',
    );
    assert.deepEqual(keys, ['state', 'isDemo']);
    const faults = (when: string) => findContextKeyFaults(menu({ when }), keys);
    assert.deepEqual(
      faults('view == liveStreams.streams && view =~ /^liveStreams\\.(a|b)$/ && !liveStreams.isDemo'),
      [],
    );
    assert.deepEqual(faults('liveStreams.state == none || liveStreams.gone'), [
      'Nobody sets the context key liveStreams.gone',
    ]);
    const configuration = { properties: { 'liveStreams.a': {} } };
    const { contributes } = menu({ when: 'config.liveStreams.a && config.liveStreams.b' });
    assert.deepEqual(findContextKeyFaults(manifest({ ...contributes, configuration }), keys), [
      'Nobody sets the context key config.liveStreams.b',
    ]);
  });

  it('fail on a step of a walkthrough without its picture, or that ends by what never happens', () => {
    const step = (completionEvents: readonly string[], svg = 'media/a.svg') =>
      manifest({ walkthroughs: [{ id: 'start', steps: [{ id: 'a', media: { svg }, completionEvents }] }] });
    const faults = (...given: Parameters<typeof step>) => findWalkthroughFaults(step(...given), ['media/a.svg']);
    assert.deepEqual(faults(['onCommand:liveStreams.refresh']), []);
    assert.equal(faults(['onCommand:liveStreams.refresh'], 'media/gone.svg').length, 1);
    assert.equal(faults([]).length, 1);
    assert.equal(faults(['onCommand:liveStreams.gone', 'onView:liveStreams.gone', 'onLink:gone']).length, 3);
    assert.equal(findContextKeyFaults(step(['onContext:liveStreams.gone']), []).length, 1);
  });

  it('fail on a setting that is read and not declared, and the reverse', () => {
    const declared = manifest({ configuration: { properties: { 'liveStreams.network.timeout': {} } } });
    const read = readSettingKeys("read('network.timeout', x); configuration.get<number>('pageSize')");
    assert.deepEqual(read, ['network.timeout', 'pageSize']);
    assert.deepEqual(findSettingFaults(declared, read), ['The setting liveStreams.pageSize is read and not declared']);
    assert.deepEqual(findSettingFaults(declared, []), [
      'The setting liveStreams.network.timeout is declared and not read',
    ]);
  });

  it('fail on a %key% without a text, and on a text that nobody uses', () => {
    assert.deepEqual(findTextFaults({ title: '%a%' }, { a: 'A' }), []);
    assert.deepEqual(findTextFaults({ title: '%a%' }, { b: 'B' }), ['%a% has no text', 'The text b is not used']);
  });

  it('fail on proposed API', () => {
    assert.equal(findProposalFaults({ ...manifest({}), enabledApiProposals: ['fileSearchProvider'] }).length, 1);
  });
});

describe('A switch over a union', () => {
  const body = "switch (kind) { case 'a': return; case 'b': break; }";

  it('has to end with a default where nothing is returned', () => {
    for (const head of ['function f(): void', 'async function f(): Promise<void>', 'const f = () =>']) {
      assert.deepEqual(findOpenSwitches('a.ts', `\n${head} { ${body} }`), ['a.ts:2'], head);
    }
    assert.deepEqual(findOpenSwitches('a.ts', `class A { async #f(): Promise<void> { ${body} } }`), ['a.ts:1']);
  });

  it('needs none where a value is, and may have one anywhere', () => {
    for (const type of ['string | undefined', 'Promise<void>']) {
      assert.deepEqual(findOpenSwitches('a.ts', `function f(): ${type} { ${body} }`), []);
    }
    const closed = body.replace(/}$/, 'default: kind satisfies never; }');
    assert.deepEqual(findOpenSwitches('a.ts', `function f(): void { ${closed} }`), []);
  });
});

describe('This project', () => {
  const read = (path: string) => readFileSync(inProject(path), 'utf8');
  const json = <T>(path: string): T => JSON.parse(read(path)) as T;

  it('keeps the rules of who may import whom', () => {
    const paths = globSync('src/**/*.ts', { cwd: inProject() }).map((path) => path.replaceAll('\\', '/'));
    assert.ok(paths.length > 20, 'the sources were not found');
    const sources = new Map(paths.map((path) => [path, read(path)]));
    assert.deepEqual([...findLayerFaults(sources), ...findHostFaults(sources), ...findHandlerFaults(sources)], []);
  });

  it('spells out queries of the service in the API and the account alone', () => {
    const paths = globSync('src/**/*.ts', { cwd: inProject() }).map((path) => path.replaceAll('\\', '/'));
    assert.deepEqual(findQueryGrammar(new Map(paths.map((path) => [path, read(path)]))), []);
  });

  it('writes no text in more than three files', () => {
    const paths = globSync('src/**/*.ts', { cwd: inProject() }).map((path) => path.replaceAll('\\', '/'));
    assert.deepEqual(findSpreadTexts(new Map(paths.map((path) => [path, read(path)]))), []);
  });

  it('has no switch that could forget a case unnoticed', () => {
    const paths = globSync('src/**/*.ts', { cwd: inProject() });
    assert.deepEqual(
      paths.flatMap((path) => findOpenSwitches(path, read(path))),
      [],
    );
  });

  it('has a package.json that says what the code does', () => {
    const manifest = json<Manifest>('package.json');
    const texts = json<Record<string, string>>('package.nls.json');
    assert.deepEqual(
      [
        ...findCommandFaults(manifest, Object.keys(COMMANDS)),
        ...findMenuFaults(manifest, texts),
        ...findViewItemFaults(manifest, [...CONTEXT_VALUES, ...REFUSAL_VALUES]),
        ...findContextKeyFaults(manifest, readContextKeys(read('src/host/tree/contextKeys.ts'))),
        ...findWalkthroughFaults(manifest, globSync('media/**', { cwd: inProject() })),
        ...findSettingFaults(manifest, readSettingKeys(read('src/model/settingValues.ts'))),
        ...findTextFaults(manifest, texts),
        ...findProposalFaults(manifest),
      ],
      [],
    );
  });
});
