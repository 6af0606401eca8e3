import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedLines } from '../../../../src/code/snippets/changes.ts';
import { type SnippetFacts, snippetForms, whyOnlyValues } from '../../../../src/code/snippets/forms.ts';
import { findMainPlace, planInsertion } from '../../../../src/code/snippets/insertion.ts';
import { insertInto, openText } from '../../../support/code/openText.ts';
import { inProject, inTestFolder } from '../../../support/projectFolder.ts';

const FACTS: SnippetFacts = {
  id: 's1',
  name: 'Keynote',
  playbackId: 'p1',
  hlsUrl: 'https://h.example/a.m3u8?x=1&copy;',
  requests: [{ kind: 'getStream', url: 'https://h.example/api/stream/s1' }],
};

function insert(marked: string, form = 'component', languageId = 'typescriptreact', facts = FACTS): string {
  const file = openText(languageId, marked);
  const place = findMainPlace(file);
  const found = snippetForms(place, [facts]).find(({ id }) => id === form) ?? assert.fail(`${form}: ${marked}`);
  return insertInto(file, place, found.snippet);
}

const idsAt = (marked: string, languageId = 'typescriptreact') => {
  return snippetForms(findMainPlace(openText(languageId, marked)), [FACTS]).map(({ id }) => id);
};

const home = (content: string) => `export default function Home() {\n  return (\n${content}\n  );\n}\n`;

/** Files with a cursor, and what the lines of their markup become. */
const FILES: Readonly<Record<string, readonly [marked: string, inserted: string]>> = {
  emptyElement: [home('    <main>|</main>'), home('    <main>\n      <LivePlayer />\n    </main>')],
  ownLine: [home('    <main>\n      |\n    </main>'), home('    <main>\n      <LivePlayer />\n    </main>')],
  emptyLine: [home('    <main>\n|\n    </main>'), home('    <main>\n      <LivePlayer />\n    </main>')],
  behindOpeningTag: [
    home("    <main>|\n      <p>Don't</p>\n    </main>"),
    home("    <main>\n      <LivePlayer />\n      <p>Don't</p>\n    </main>"),
  ],
  behindSibling: [
    home("    <main>\n      <p>Don't</p>|\n    </main>"),
    home("    <main>\n      <p>Don't</p>\n      <LivePlayer />\n    </main>"),
  ],
  belowSibling: [
    home('    <main>\n      <br />\n|\n    </main>'),
    home('    <main>\n      <br />\n      <LivePlayer />\n    </main>'),
  ],
  beforeSibling: [
    home('    <main>\n      |<p>a</p>\n    </main>'),
    home('    <main>\n      <LivePlayer />\n      <p>a</p>\n    </main>'),
  ],
  beforeClosingTag: [
    home('    <main>\n      <p>a</p>\n    |</main>'),
    home('    <main>\n      <p>a</p>\n      <LivePlayer />\n    </main>'),
  ],
  amongText: [
    home("    <main>\n      it's | here // a\n    </main>"),
    home("    <main>\n      it's\n      <LivePlayer />\n      here // a\n    </main>"),
  ],
  selection: [
    home('    <main>\n      «<p>a</p>\n      <p>b</p>»\n    </main>'),
    home('    <main>\n      <LivePlayer />\n    </main>'),
  ],
  twoCursors: [
    home('    <main>\n      <p>|</p>\n      |\n    </main>'),
    home('    <main>\n      <p>\n        <LivePlayer />\n      </p>\n      <LivePlayer />\n    </main>'),
  ],
  fragment: [home('    <>|</>'), home('    <>\n      <LivePlayer />\n    </>')],
  statement: ['export default () => <main>|</main>;\n', 'export default () => <main>\n  <LivePlayer />\n</main>;\n'],
  expression: [home('    <main>{true && |}</main>'), home('    <main>{true && <LivePlayer />}</main>')],
  list: [
    home('    <ul>\n      {[1].map((a) => (\n        <li key={a}>|</li>\n      ))}\n    </ul>'),
    home(
      '    <ul>\n      {[1].map((a) => (\n        <li key={a}>\n          <LivePlayer />\n        </li>\n      ))}\n    </ul>',
    ),
  ],
  returned: [home('    |'), home('    <LivePlayer />')],
  attribute: [home('    <Slot a={|} />'), home('    <Slot a={<LivePlayer />} />')],
  // Nothing stands beside the root, among parameters, or among the statements of another component.
  beforeRoot: [home('    |<main />'), home('    <main />')],
  parameters: ['export const Home = (|) => <main />;\n', 'export const Home = () => <main />;\n'],
  behindRoot: [home('    <main />|'), home('    <main />')],
  body: [
    'export default function Home() {\n  const a = 1;\n  |\n  return <p>{a}</p>;\n}\n',
    'export default function Home() {\n  const a = 1;\n  \n  return <p>{a}</p>;\n}\n',
  ],
  callback: [
    'export default () => <button onClick={() => {|}}>a</button>;',
    'export default () => <button onClick={() => {}}>a</button>;',
  ],
  withoutLineBreak: ['export const Home = () => <p>|</p>;', 'export const Home = () => <p>\n  <LivePlayer />\n</p>;'],
  exportedBelow: [
    'const Home = () => <p>|</p>;\n\nexport default Home;\n',
    'const Home = () => <p>\n  <LivePlayer />\n</p>;\n\nexport default Home;\n',
  ],
};

describe('A component of React', () => {
  const inserted = Object.entries(FILES).flatMap(([name, [marked, markup]]) =>
    (['typescriptreact', 'javascriptreact'] as const).map((languageId) => {
      return { name, languageId, markup, text: insert(marked, 'component', languageId) };
    }),
  );

  it('is an element where the cursor is in JSX, and is declared at the end of the module', () => {
    for (const { name, markup, text } of inserted) {
      const imports = "import Hls from 'hls.js';\nimport { useEffect, useRef } from 'react';\n\n";
      const start = text.indexOf('\n\nfunction LivePlayer() {\n  const video = useRef');
      assert.equal(text.slice(0, start).trimEnd(), (imports + markup).trimEnd(), name);
      assert.match(text.slice(start), /\n {2}return <video [^\n]*\n\}\n$/, name);
    }
  });

  it('is code that compiles, however often it is inserted', () => {
    const twice = insert(home('    <main>|</main>')).replace('<LivePlayer />', '<LivePlayer />|');
    const other = { ...FACTS, hlsUrl: 'https://h.example/b.m3u8' };
    const again: Readonly<Record<string, string>> = {
      same: insert(twice),
      other: insert(twice, 'component', 'typescriptreact', other),
      below: insert(`${insert('|')}\n|`),
      imported: insert(`import { LivePlayer } from './player';\n${home('    <p><LivePlayer />|</p>')}`),
    };
    assert.equal(again.same?.match(/<LivePlayer \/>/g)?.length, 2);
    assert.equal(again.same?.match(/function LivePlayer/g)?.length, 1, 'the same component is used again');
    assert.match(again.other ?? '', /<LivePlayer \/>\n {6}<LivePlayer2 \/>\n[\s\S]*\n\nfunction LivePlayer2\(\) \{/);
    assert.match(again.below ?? '', /function LivePlayer\(\)[\s\S]*function LivePlayer2\(\)/);
    assert.match(again.imported ?? '', /\n\nfunction LivePlayer2\(\)/);
    const folder = inTestFolder('jsx');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'types.d.ts'), TYPES);
    writeFileSync(join(folder, 'player.tsx'), 'export const LivePlayer = () => null;\n');
    for (const [name, text] of Object.entries(again)) writeFileSync(join(folder, `${name}.again.tsx`), text);
    for (const { name, languageId, text } of inserted) {
      writeFileSync(join(folder, `${name}.${languageId.startsWith('type') ? 'tsx' : 'jsx'}`), text);
    }
    const compilerOptions = {
      ...{ strict: true, noImplicitAny: false, noEmit: true, allowJs: true, jsx: 'preserve', module: 'preserve' },
      ...{ target: 'esnext', lib: ['esnext', 'dom'], types: [], skipLibCheck: true },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { status, stdout } = spawnSync(process.execPath, [inProject('node_modules/.bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

  it('is previewed as what the file gets', () => {
    const file = openText('typescriptreact', home('    <main>|</main>'));
    const place = findMainPlace(file);
    const { snippet } = snippetForms(place, [FACTS])[0] ?? assert.fail();
    const preview = changedLines(file.text, planInsertion(file, place, snippet));
    assert.match(preview, /^import Hls[\s\S]*;\n\n {6}<LivePlayer \/>\n\nfunction LivePlayer/);
  });

  it('is the only program in JSX, where statements are text', () => {
    for (const languageId of ['typescriptreact', 'javascriptreact', 'javascript']) {
      for (const marked of ['a = <p>|</p>', 'a = <p>{|}</p>', "a = <p>Don't|</p>"]) {
        assert.deepEqual(idsAt(marked, languageId), ['component', 'hlsUrl', 'playbackId', 'id'], marked);
      }
      assert.deepEqual(idsAt('a = <video src=| />', languageId), ['hlsUrl', 'playbackId', 'id']);
    }
    const body = home('    <p onClick={() => { | }} />');
    assert.deepEqual(idsAt(body), ['component', 'hlsJs', 'getStream', 'hlsUrl', 'playbackId', 'id']);
    assert.deepEqual(idsAt('a(() => { | })', 'javascript'), ['hlsJs', 'getStream', 'hlsUrl', 'playbackId', 'id']);
    assert.equal(whyOnlyValues(findMainPlace(openText('typescriptreact', 'a = <video src=| />'))), undefined);
  });
});

describe('A program of another kind', () => {
  it('stands at the end of the module if the cursor is in JSX', () => {
    const file = openText('typescriptreact', home('    <main>|</main>'));
    const program = { kind: 'program', imports: ["import { a } from 'a';"], code: 'a();' } as const;
    const text = insertInto(file, findMainPlace(file), program);
    assert.equal(text, `import { a } from 'a';\n\n${home('    <main></main>')}\na();\n`);
  });
});

describe('A value in JSX', () => {
  it('is an expression where it would be text', () => {
    assert.equal(insert('a = <p>|</p>', 'hlsUrl'), "a = <p>{'https://h.example/a.m3u8?x=1&copy;'}</p>");
    assert.equal(insert('a = <p>{|}</p>', 'playbackId'), "a = <p>{'p1'}</p>");
    assert.equal(insert('a = <p title="|" />', 'playbackId'), 'a = <p title="p1" />');
    assert.equal(insert('a = <p title=| />', 'playbackId'), "a = <p title='p1' />");
  });
});

const TYPES = `
declare module 'react' {
  export function useRef<T>(initial: null): { current: T | null };
  export function useEffect(effect: () => undefined | (() => void), needs: readonly unknown[]): void;
}
declare module 'hls.js' {
  export default class Hls {
    loadSource(url: string): void;
    attachMedia(video: HTMLVideoElement): void;
    destroy(): void;
  }
}
declare function Slot(properties: { a: unknown }): null;
declare namespace JSX {
  type Element = unknown;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: unknown;
  }
  interface IntrinsicElements {
    [name: string]: Record<string, unknown>;
  }
}
`;
