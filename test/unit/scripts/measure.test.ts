import assert from 'node:assert/strict';
import {
  countDocBlocks,
  countLines,
  findHistoric,
  findHostWithoutVscode,
  findPicks,
  findSharedNames,
  findSiblingImports,
  findSingleImporters,
  findStreamApiUsers,
  listFolders,
  listFunctions,
  listMeasured,
  percentile,
} from '../../scripts/figures.ts';
import { formatFigures, formatItems, listFigures } from '../../scripts/figureTable.ts';
import { findQueryGrammar } from '../../scripts/queryGrammar.ts';
import type { Sources } from '../../support/rules/importGraph.ts';

/** Sources by their path in src. */
function inSrc(files: Readonly<Record<string, string>>): Sources {
  return new Map(Object.entries(files).map(([path, source]) => [`src/${path}`, source]));
}

describe('The figures about files', () => {
  it('count lines without the empty ones at the end', () => {
    assert.equal(countLines(inSrc({ 'a.ts': 'let a;\n\nlet b;\n\n', 'b.ts': 'let c;' })), 4);
  });

  it('count the files directly in each folder, largest first', () => {
    assert.deepEqual(listFolders(inSrc({ 'a.ts': '', 'api/b.ts': '', 'api/c.ts': '', 'api/deep/d.ts': '' })), [
      { path: 'src/api', files: 2 },
      { path: 'src', files: 1 },
      { path: 'src/api/deep', files: 1 },
    ]);
  });

  it('count doc blocks once each, and no other comments', () => {
    const source = '/** One. */\nlet a; /* no */\n/**\n * Two.\n */\nlet b; // no\nfunction c() { /** Three. */ }';
    assert.equal(countDocBlocks(inSrc({ 'a.ts': source, 'b.ts': '/** Four, alone. */' })), 4);
  });

  it('find "historic" in paths and texts, in any case', () => {
    const files = {
      'historicLoader.ts': '',
      'a.ts': '// Historic',
      'b.ts': 'let showsHistoric;',
      'c.ts': 'let history;',
    };
    assert.deepEqual(findHistoric(inSrc(files)), ['src/historicLoader.ts', 'src/a.ts', 'src/b.ts']);
  });
});

describe('The figures about functions', () => {
  const functionsOf = (source: string) => listFunctions(inSrc({ 'a.ts': source }));
  const namesOf = (source: string) => functionsOf(source).map(({ name }) => name);

  const named = {
    'a declaration': 'function name() {}',
    'an exported declaration': 'export async function name() {}',
    'a variable': 'const name = () => 1;',
    'an assignment': 'module.name = function () {};',
    'a property': 'const table = { name: () => 1 };',
    'a method of an object': 'const table = { name() {} };',
    'a method of a class': 'class A { name() {} }',
    'a field of a class': 'class A { readonly name = () => 1; }',
  };
  for (const [what, source] of Object.entries(named)) {
    it(`know the name of ${what}`, () => assert.deepEqual(namesOf(source), ['name']));
  }

  it('know private names', () => assert.deepEqual(namesOf('class A { #a() {} #b = () => 1; }'), ['#a', '#b']));

  it('leave out what has no body', () => {
    const source =
      'interface A { a(b: 1, c: 2): void } type B = () => void; function c(): void; declare function d(): void;';
    assert.deepEqual(namesOf(source), []);
  });

  it('say where a function is and how long', () => {
    const [first] = functionsOf('let a;\nexport function name() {\n  return 1;\n}\n');
    assert.deepEqual(first, { name: 'name', place: 'src/a.ts:2', lines: 3, parameters: 0, isInner: false });
  });

  it('count parameters: patterns, defaults and rest once each, `this` not at all', () => {
    const source =
      'function name(this: A, { a, b }: B, c = 1, ...rest: C[]) {} class D { constructor(readonly e: E) {} }';
    assert.deepEqual(
      functionsOf(source).map(({ parameters }) => parameters),
      [3, 1],
    );
  });

  it('measure functions with a name and callbacks outside any function', () => {
    const source =
      'const all = list.map((a) => a);\nfunction outer() { const inner = () => 1; return list.map((b) => b); }';
    const measured = listMeasured(functionsOf(source));
    assert.deepEqual(
      measured.map(({ name }) => name),
      [undefined, 'outer', 'inner'],
    );
  });

  it('take percentiles by the nearest rank', () => {
    const values = [10, 1, 9, 2, 8, 3, 7, 4, 6, 5];
    assert.deepEqual([percentile(values, 0.5), percentile(values, 0.9), percentile(values, 1)], [5, 9, 10]);
    assert.deepEqual([percentile([7], 0.5), percentile([], 0.5)], [7, 0]);
  });
});

describe('The figures about imports and exports', () => {
  it('find files with exactly one importer, however often it imports them', () => {
    const files = {
      'extension.ts': "import './api/a.ts'; import type { A } from './api/a.ts'; import './api/b.ts'; import 'vscode';",
      'api/a.ts': "import { b } from './b.ts';",
      'api/b.ts': "export type { C } from './c.ts';",
      'api/c.ts': '',
    };
    const expected = { 'src/api/a.ts': 'src/extension.ts', 'src/api/c.ts': 'src/api/b.ts' };
    assert.deepEqual(Object.fromEntries(findSingleImporters(inSrc(files))), expected);
  });

  it('find files of src/host without the word vscode', () => {
    const files = {
      'host/a.ts': "import { window } from 'vscode';",
      'host/b.ts': '// As vscode does.',
      'host/c.ts': "import { t } from '@vscode/l10n';",
      'host/d.ts': 'let a;',
      'model/e.ts': 'let a;',
    };
    assert.deepEqual(findHostWithoutVscode(inSrc(files)), ['src/host/c.ts', 'src/host/d.ts']);
  });

  it('find the importers of StreamApi outside the API, the account and extension.ts', () => {
    const source = (up: string) => `import type { StreamApi } from '${up}api/streamApi.ts';`;
    const files = {
      'api/a.ts': "import { StreamApi } from './streamApi.ts';",
      'model/account/b.ts': source('../../'),
      'extension.ts': source('./'),
      'model/c.ts': source('../'),
      'host/d.ts': "type Api = import('../api/streamApi.ts').StreamApi;",
      'host/e.ts': "import type { Other } from '../api/streamApi.ts';",
      'host/f.ts': '// Not the StreamApi.',
    };
    assert.deepEqual(findStreamApiUsers(inSrc(files)), ['src/model/c.ts', 'src/host/d.ts']);
  });

  it('find imports among siblings, of types too, and each type that is picked', () => {
    const sources = inSrc({
      'tree/a.ts': "import type { B } from '../commands/b.ts';\nimport './c.ts';\nlet a: Pick<B, 'x'>;",
      'tree/c.ts': 'export {};',
      'commands/b.ts': "export interface B extends Pick<C, 'x'> {}\ntype C = { x: Pick<D, 'y'> };\ntype D = { y: 1 };",
    });
    assert.deepEqual(findSiblingImports(sources), ['src/tree/a.ts imports src/commands/b.ts']);
    assert.deepEqual(findPicks(sources), ['src/tree/a.ts:3', 'src/commands/b.ts:1', 'src/commands/b.ts:2']);
  });

  it('find exported names that several files declare', () => {
    const files = {
      'a.ts': 'export const one = 1, { two, x: [three] } = all; export interface Four {} let five; export { five };',
      'b.ts':
        'export function one() {} export type two = 1; export class three {} export type Four = 2; export let five;',
    };
    const paths = ['src/a.ts', 'src/b.ts'];
    const expected = { one: paths, two: paths, three: paths, Four: paths, five: paths };
    assert.deepEqual(Object.fromEntries(findSharedNames(inSrc(files))), expected);
  });

  it('take no re-export, inner name or overload for a second declaration', () => {
    const files = {
      'a.ts': 'export function name(a: 1): 1; export function name(a: 2): 2; export function name(a) { return a; }',
      'b.ts': "export { name } from './a.ts';",
      'c.ts': "import { name } from './a.ts'; export { name };",
      'd.ts': "declare module 'd' { export const name: 1; }",
      'e.ts': 'const name = 1;',
    };
    assert.equal(findSharedNames(inSrc(files)).size, 0);
  });
});

describe('The places with query grammar', () => {
  const placesOf = (source: string) => findQueryGrammar(inSrc({ 'host/a.ts': source }));

  const queries = {
    'passed to a list method': 'api.listStreams({ parentsOnly: true })',
    'passed with a condition': 'api.listSessions(id, cursor === undefined ? query : { ...query, cursor })',
    'spread into what is passed': 'api?.listUserSessions({ limit: 1, ...(all ? {} : { cursor }) })',
    'passed through a variable': "const query = { order: 'createdAt-true' } as const; api.eachStreamPage(query)",
    'passed through a variable and a function': 'const query = { filters }; api.listStreams(withCursor(query, cursor))',
    annotated: 'const FIRST: StreamQuery = { parentsOnly: true, filters: [{ id: "isActive", value: true }] }',
  };
  for (const [what, source] of Object.entries(queries)) {
    it(`count one query: ${what}`, () => assert.deepEqual(placesOf(source), ['src/host/a.ts:1: query']));
  }

  it('count a filter that stands alone', () => {
    assert.deepEqual(placesOf("const filters = [\n  { id: 'name', value: text },\n];"), ['src/host/a.ts:2: filter']);
  });

  it('count an order as a text, a template and a type', () => {
    const source = `let a = 'createdAt-true,id-true';\nlet b = \`\${field}-true,id-false\`;\ntype C = 'lastSeen-true';`;
    assert.deepEqual(placesOf(source), ['src/host/a.ts:1: order', 'src/host/a.ts:2: order', 'src/host/a.ts:3: order']);
  });

  const others = {
    'the filters of a dialog': "ui.saveFile({ fileName, filters: { Picture: ['png'] } })",
    'the cursor of a plot': 'const plot = { cursor: { show: false } };',
    'a bookmark': 'const BEGINNING: Bookmark = { paging: startPaging(), cursor: undefined };',
    'a query with a limit alone': 'api.listStreams({ limit: 1 })',
    'an object in a function that is passed by name': 'const read = () => show({ order: 1 }); api.listStreams(read)',
    'a row with more than id and value': "const row = { id: 'a', value: 1, label: 'A' };",
    'a text with more than an order': "let a = 'not createdAt-true';",
    'a comment': '// createdAt-true, { filters: [] }',
  };
  for (const [what, source] of Object.entries(others)) {
    it(`leave out ${what}`, () => assert.deepEqual(placesOf(source), []));
  }

  it('leave out the API, the account and the demo', () => {
    const source = 'api.listStreams({ parentsOnly: true })';
    const files = { 'api/a.ts': source, 'demo/a.ts': source, 'model/account/b.ts': source, 'model/c.ts': source };
    assert.deepEqual(findQueryGrammar(inSrc(files)), ['src/model/c.ts:1: query']);
  });
});

describe('The table of figures', () => {
  const wide = 'function wide(a, b, c, d) {\n  return a;\n}\n';
  const small = Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`util/${index}.ts`, 'let a;']));
  const figures = listFigures(inSrc({ ...small, 'a.ts': `import './util/0.ts';\n${wide}` }));

  it('has a row for each figure', () => {
    assert.deepEqual(formatFigures(figures).split('\n'), [
      '| figure | value |',
      '| --- | --- |',
      '| files | 27 |',
      '| lines | 30 |',
      '| folders with more than 25 files | 1: src/util (26) |',
      '| largest folder | src/util (26) |',
      '| doc blocks per 1,000 lines | 0.0 |',
      '| functions | 1 |',
      '| functions per 1,000 lines | 33.3 |',
      '| median length, lines | 3 |',
      '| 90th percentile of length, lines | 3 |',
      '| longest function, lines | 3 (wide, src/a.ts:2) |',
      '| functions with more than 3 parameters | 1 |',
      '| files with exactly one importer | 1 (4%) |',
      '| files of src/host that never mention vscode | 0 |',
      '| files outside the API and the account that import StreamApi | 0 |',
      '| longest chain of imports, files | 2 |',
      '| imports among tree, commands, agents, and panels | 0 |',
      '| uses of Pick | 0 |',
      '| exported names declared in more than one file | 0 |',
      '| places with query grammar outside the API and the account | 0 |',
      '| texts in more than three files | 0 |',
      '| files that mention "historic" | 0 |',
    ]);
  });

  it('lists what was counted', () => {
    assert.deepEqual(formatItems(figures).split('\n'), [
      '### functions with more than 3 parameters',
      '',
      '- src/a.ts:2: wide (4)',
      '',
      '### files with exactly one importer',
      '',
      '- src/util/0.ts (by src/a.ts)',
      '',
      '### longest chain of imports, files',
      '',
      '- src/a.ts',
      '- src/util/0.ts',
    ]);
  });
});
