import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedLines } from '../../../../src/code/snippets/changes.ts';
import { type SnippetFacts, snippetForms, whyOnlyValues } from '../../../../src/code/snippets/forms.ts';
import { findMainPlace, planInsertion } from '../../../../src/code/snippets/insertion.ts';
import { insertInto, openText } from '../../../support/code/openText.ts';
import { forAll } from '../../../support/runner/fuzzRuns.ts';

const HLS = 'https://h.example/a.m3u8?x=1&y';
const FACTS: SnippetFacts = {
  id: 's1',
  name: 'Keynote',
  playbackId: 'p1',
  hlsUrl: HLS,
  requests: [{ kind: 'getStream', url: 'https://h.example/api/stream/s1' }],
};

/** Returns what a file with a cursor at `|` becomes. */
function insert(languageId: string, marked: string, form: string, unit = '  '): string {
  const file = openText(languageId, marked, unit);
  const place = findMainPlace(file);
  const forms = snippetForms(place, [FACTS]);
  const found = forms.find(({ id }) => id === form) ?? assert.fail(`${form} of ${forms.map(({ id }) => id).join()}`);
  return insertInto(file, place, found.snippet);
}

const idsAt = (languageId: string, marked: string) => {
  return snippetForms(findMainPlace(openText(languageId, marked)), [FACTS]).map(({ id }) => id);
};
const whyAt = (languageId: string, marked: string) => whyOnlyValues(findMainPlace(openText(languageId, marked)));
const linesOf = (text: string, first: number, last?: number) => text.split('\n').slice(first, last);

describe('A snippet in a file', () => {
  it('stands on lines of its own, whatever the line holds', () => {
    const at = (marked: string) => insert('shellscript', marked, 'ffplay').replace(/^(\s*)ffplay .*$/gm, '$1X');
    assert.equal(at('|'), 'X');
    assert.equal(at('a\n|\nb\n'), 'a\nX\nb\n');
    assert.equal(at('a\n|'), 'a\nX\n', 'the last line break stays');
    assert.equal(at('|a\nb'), 'X\na\nb');
    assert.equal(at('a|\nb'), 'a\nX\nb');
    assert.equal(at('do it| now\nb'), 'do it now\nX\nb');
    assert.equal(at('«a»\nb'), 'X\nb');
    assert.equal(at('a «b» c'), 'a \nX\n c');
    assert.equal(at('  a\n  «b\n  c»\nd'), '  a\n  X\nd');
    assert.equal(at('a\r\n|\r\nb'), 'a\r\nX\r\nb');
  });

  it('is indented as the line is, by tabs or spaces', () => {
    const indentation = (marked: string, unit?: string) =>
      linesOf(insert('python', marked, 'getStream', unit), 0)
        .map((line) => /^(\s*)(?:def|response =)/.exec(line)?.[1])
        .filter((each) => each !== undefined);
    const top = 'import os\nimport requests\n\n';
    assert.deepEqual(indentation(`${top}|`, '    '), ['', '    ']);
    assert.deepEqual(indentation(`${top}class A:\n\t|`, '\t'), ['\t', '\t\t']);
    assert.deepEqual(indentation(`${top}class A:|\n`, '  '), ['  ', '    '], 'below a line that begins a block');
    assert.deepEqual(indentation(`${top}class A:\n|\n`), ['  ', '    '], 'in an empty line of a block');
    assert.deepEqual(indentation(`${top}class A:\n  x = 1\n|\n  y = 2\n`), ['  ', '    '], 'as the lines around it');
    assert.deepEqual(indentation(`${top}class A:\n  x = 1\n|\ny = 2\n`), ['', '  ']);
  });

  it('is indented as the block that the line below closes', () => {
    const indentation = (marked: string) =>
      /^(\s*)ffplay/m.exec(insert('shellscript', marked, 'ffplay', '  '))?.[1]?.replace('\n', '');
    assert.equal(indentation('f() {\n  a\n|\n}\n'), '  ');
    assert.equal(indentation('f() {\n  if (a) {\n    b\n  }\n\n|\n\n}\n'), '  ');
    assert.equal(indentation('g(() => {\n  a\n|\n})\n'), '  ');
    assert.equal(indentation('f() {\n  a\n}\n|\n}\n'), '');
  });

  it('stands apart from what is above it where it declares a function', () => {
    const above = 'import os\nimport requests\n\nx = 1';
    assert.match(insert('python', `${above}|\n`, 'getStream'), /x = 1\n\n\ndef /);
    assert.match(insert('python', 'import os\nimport requests|\n', 'getStream'), /requests\n\n\ndef /);
    assert.match(insert('python', `${above}\n\nclass A:\n  y = 2|\n`, 'getStream'), / y = 2\n\n {2}def /);
    assert.match(insert('python', `${above}\n\nclass A:|\n`, 'getStream'), /A:\n {2}def /);
    assert.match(insert('javascript', 'a();|\n', 'getStream'), /a\(\);\n\n(?:export )?async function /);
    assert.match(insert('python', `${above}\n|`, 'getStream'), /x = 1\n\n\ndef /);
    assert.match(insert('python', `${above}\n\n|`, 'getStream'), /x = 1\n\n\ndef /);
    assert.match(insert('javascript', 'a();\n\n\n|\n', 'getStream'), /a\(\);\n\n\n(?:export )?async function /);
    assert.match(insert('shellscript', 'a|\n', 'ffplay'), /a\nffplay/);
  });

  it('stands at each cursor', () => {
    const { hlsUrl: _, ...rest } = FACTS;
    const file = openText('json', '[\n  |,\n  |\n]');
    const place = findMainPlace(file);
    const form = snippetForms(place, [rest]).find(({ id }) => id === 'json') ?? assert.fail();
    const json = insertInto(file, place, form.snippet);
    assert.deepEqual(
      JSON.parse(json),
      [1, 2].map(() => ({ id: 's1', name: 'Keynote', playbackId: 'p1' })),
    );
    assert.match(json, /^ {4}"id"/m);
    assert.equal(insert('shellscript', 'a|\nb|', 'ffplay').match(/ffplay/g)?.length, 2);
    assert.equal(insert('shellscript', '|a| b|', 'ffplay').match(/ffplay/g)?.length, 2, 'once above and once below');
    assert.equal(insert('shellscript', ' | | ', 'ffplay').match(/ffplay/g)?.length, 1);
    assert.equal(insert('javascript', "a('|', '|')", 'playbackId'), "a('p1', 'p1')");
  });

  it('is only a value within a string, and escaped as strings are', () => {
    const strings = {
      javascript: ["a('|')", 'a("b|c")', 'a(`b|`)', "a = /'/; b = '|'"],
      typescriptreact: ['<p title="|"></p>'],
      python: ["a = f'|'", '"""\nb\n|\n"""'],
      go: ['a := "|"', 'a := `\n|`'],
      swift: ['let a = "|"'],
      kotlin: ['val a = """\n|"""'],
      dart: ["final a = '|';"],
      shellscript: ['a="|"', "a='\n|"],
      json: ['{ "a": "|" }'],
      yaml: ["a: '|'"],
    };
    for (const [languageId, texts] of Object.entries(strings)) {
      for (const marked of texts) {
        assert.equal(whyAt(languageId, marked), 'string', marked);
        assert.deepEqual(idsAt(languageId, marked), ['hlsUrl', 'playbackId', 'id'], marked);
        assert.equal(insert(languageId, marked, 'hlsUrl'), marked.replace('|', HLS), marked);
      }
    }
    assert.equal(insert('html', '<a href="|">', 'hlsUrl'), '<a href="https://h.example/a.m3u8?x=1&#38;y">');
    assert.equal(insert('c', 'char *a = "|";', 'hlsUrl'), 'char *a = "https://h.example/a.m3u8\\?x=1&y";');
    assert.equal(whyAt('javascript', "a(|, '|')"), 'string', 'if one of the cursors is');
  });

  it('is code where only a part of the line, or a comment, looks like a string', () => {
    const code = {
      javascript: ["a('b');|", '`$' + '{|}`', "// it's\n|", "/* ' */|", "a = '\\'';|", "it's\n|", '/["\']/;\n|'],
      python: ["# it's\n|", "a = '''\n'''\n|"],
      swift: ['"\\(|)"'],
      shellscript: ["a=b#'\n'\n|", "# it's\n|"],
      html: ["<p>it's</p>|", '<!-- <a href=" -->|', '<a href="b">|</a>'],
      vue: ['<template>\n  |\n</template>'],
    };
    for (const [languageId, texts] of Object.entries(code)) {
      for (const marked of texts) assert.equal(whyAt(languageId, marked), undefined, `${languageId}: ${marked}`);
    }
  });

  it('is a value in languages that have no code for the form', () => {
    for (const languageId of ['json', 'yaml', 'markdown']) assert.equal(whyAt(languageId, '|'), undefined, languageId);
    for (const languageId of ['plaintext', 'ruby', 'whatever', 'constructor']) {
      assert.equal(whyAt(languageId, '|'), 'language', languageId);
    }
    assert.equal(insert('ruby', 'a = |', 'playbackId'), "a = 'p1'");
    for (const above of ["<p>Don't</p>\n<?php ", "<?php $a = <<<T\nDon't\nT;\n"])
      assert.equal(insert('php', `${above}$b = |;`, 'playbackId'), `${above}$b = 'p1';`);
    assert.equal(insert('rust', `let a = '"';\nlet b = |;`, 'playbackId'), `let a = '"';\nlet b = "p1";`);
    assert.equal(whyAt('html', '<style>\n|\n</style>'), 'language');
    assert.deepEqual(idsAt('html', '<script type="application/ld+json">|</script>')[0], 'hlsUrl');
  });
});

describe('The preview of a snippet', () => {
  const preview = (languageId: string, marked: string, form: string) => {
    const file = openText(languageId, marked);
    const place = findMainPlace(file);
    const { snippet } = snippetForms(place, [FACTS]).find(({ id }) => id === form) ?? assert.fail();
    return changedLines(file.text, planInsertion(file, place, snippet));
  };

  it('is the file where it is empty', () => {
    for (const [languageId, form] of [
      ['typescript', 'hlsJs'],
      ['python', 'getStream'],
      ['go', 'getStream'],
      ['html', 'video'],
      ['vue', 'component'],
    ] as const) {
      assert.equal(preview(languageId, '|', form), insert(languageId, '|', form).trimEnd(), languageId);
    }
  });

  it('has no import that the file has', () => {
    const ownImports = 'import os\nimport requests\n\nprint(1)\n|';
    assert.match(
      preview('python', ownImports, 'getStream'),
      /^def get_stream\(\):\n(.+\n)+ {2}return response\.json\(\)$/,
    );
    assert.match(preview('typescript', "import Hls from 'hls.js';\n\n|", 'hlsJs'), /^const video/);
  });

  it('has the line of an import that becomes longer, apart from distant lines', () => {
    const component = preview('typescriptreact', "import { useRef } from 'react';\n\nconst a = 1;\n|", 'component');
    assert.match(
      component,
      /^import \{ useRef, useEffect \} from 'react';\nimport Hls from 'hls\.js';\n\nexport function/,
    );
    const indented = preview('typescript', "import a from 'a';\nfunction b() {\n|\n}\n", 'hlsJs').split('\n');
    assert.deepEqual(indented.slice(0, 3), [
      "import Hls from 'hls.js';",
      '',
      "  const video = document.querySelector('video');",
    ]);
  });

  it('is the line around a value, and each line of several cursors', () => {
    assert.equal(preview('typescript', 'a\r\nconst b = |;\r\nc', 'playbackId'), "const b = 'p1';");
    assert.equal(preview('json', '[\n  |,\n  2,\n  |\n]', 'playbackId'), '  "p1",\n\n  "p1"');
    assert.equal(preview('json', '[\n  |,\n  |\n]', 'playbackId'), '  "p1",\n  "p1"');
  });

  it('loses nothing of what is inserted, whatever the text', () => {
    forAll(
      fc.string(),
      fc.array(fc.tuple(fc.nat(40), fc.string({ minLength: 1 })), { maxLength: 4 }),
      (text, places) => {
        const changes = places
          .map(([at, inserted]) => ({
            start: Math.min(at, text.length),
            end: Math.min(at, text.length),
            text: inserted,
          }))
          .toSorted((one, other) => one.start - other.start);
        const shown = changedLines(text, changes).replace(/\s/g, '');
        for (const { text: inserted } of changes) assert.ok(shown.includes(inserted.replace(/\s/g, '')));
      },
    );
  });
});

describe('A snippet in any text', () => {
  const LANGUAGES = [
    'html',
    'vue',
    'svelte',
    'typescriptreact',
    'python',
    'go',
    'swift',
    'kotlin',
    'dart',
    'shellscript',
    'yaml',
  ];
  const PIECES = [
    ...[
      '"',
      "'",
      '`',
      '"""',
      '\\',
      '$' + '{',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '//',
      '/*',
      '*/',
      '#',
      '<!--',
      '-->',
      '<script>',
    ],
    ...[
      '</script>',
      '<template>',
      '</template>',
      '<p a="',
      'a = <p>',
      '</p>',
      '=> (',
      '>',
      'import a',
      "import { b } from 'react';",
      'import (',
      'from "x"',
    ],
    ...['package a', '\n', '\n', '\r\n', '\t', '  ', 'x', '😀', '\ud800'],
  ];
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 });

  it('removes nothing but what was selected, and plans changes in their order', () => {
    const property = (languageId: string, parts: readonly string[], at: number, count: number) => {
      const text = parts.join('');
      const start = Math.min(at, text.length);
      const cursors = Array.from({ length: count }, (_, index) => Math.min(start + index * 3, text.length));
      const file = { languageId, text, unit: '  ', cursors: cursors.map((each) => ({ start: each, end: each })) };
      const place = findMainPlace(file);
      for (const { snippet } of snippetForms(place, [FACTS])) {
        const changes = planInsertion(file, place, snippet);
        for (const [index, change] of changes.entries()) {
          assert.ok(change.start <= change.end && change.end <= text.length);
          assert.ok(change.start > (changes[index - 1]?.end ?? -1));
          assert.equal(
            text
              .slice(change.start, change.end)
              .trim()
              .replace(/^import .*$/, ''),
            '',
          );
        }
      }
    };
    const offset = fc.integer({ min: 0, max: 60 });
    const count = fc.integer({ min: 1, max: 3 });
    fc.assert(fc.property(fc.constantFrom(...LANGUAGES), pieces, offset, count, property), { seed: 25, numRuns: 1500 });
  });
});

describe('What a snippet imports', () => {
  const importsOf = (languageId: string, marked: string, form: string) => {
    const text = insert(languageId, marked, form);
    return text.slice(0, text.search(/^(?:const video|export function|async function|def |func |fun |struct )/m));
  };

  it('is added above the code, with a blank line between', () => {
    assert.match(insert('javascript', '|', 'hlsJs'), /^import Hls from 'hls\.js';\n\nconst video/);
    assert.match(
      insert('javascript', '|a();\n', 'hlsJs'),
      /^import Hls from 'hls\.js';\n\nconst video[\s\S]*\}\na\(\);\n$/,
    );
    const below = insert('javascript', 'a();\n|', 'hlsJs');
    assert.match(below, /^import Hls from 'hls\.js';\n\na\(\);\nconst video/);
    const first = insert('javascript', '|\nimport a from "a";\n', 'hlsJs');
    assert.match(first, /^\nimport a from "a";\nimport Hls from 'hls\.js';\n\nconst video/, 'and not above imports');
  });

  it('is added below imports, and below what has to be the first', () => {
    const cases = [
      ['javascript', '#!/usr/bin/env node\n\n|', '#!/usr/bin/env node\n\nimport Hls', 'hlsJs'],
      ['javascript', "'use client';\n\n|", "'use client';\n\nimport Hls", 'hlsJs'],
      ['javascript', '// Licence\n\na();\n|', "// Licence\n\nimport Hls from 'hls.js';\n\na();\n", 'hlsJs'],
      ['javascript', '/** Does a. */\na();\n|', "import Hls from 'hls.js';\n\n/** Does a. */\na();\n", 'hlsJs'],
      [
        'typescript',
        "import {\n  a,\n} from 'a';\nimport 'b';\na();\n|",
        "import {\n  a,\n} from 'a';\nimport 'b';\nimport Hls",
        'hlsJs',
      ],
      ['python', '"""\nDoc.\n"""\n|', '"""\nDoc.\n"""\n\nimport os\nimport requests\n\n', 'getStream'],
      [
        'python',
        'from a import (\n  b,\n)\n\n|',
        'from a import (\n  b,\n)\nimport os\nimport requests\n\n',
        'getStream',
      ],
      ['python', '%%time\n|', '%%time\n\nimport os\n', 'getStream'],
      ['go', 'package a\n|', 'package a\n\nimport (\n\t"encoding/json"\n', 'getStream'],
      ['go', 'package a\n\nimport "fmt"\n|', 'package a\n\nimport (\n\t"fmt"\n\t"encoding/json"\n', 'getStream'],
      ['go', '|', 'package main\n\nimport (\n\t"encoding/json"\n', 'getStream'],
      ['kotlin', 'package a\n\nimport b.C\n|', 'package a\n\nimport b.C\nimport androidx', 'player'],
      ['swift', '@testable import A\n|', '@testable import A\nimport AVKit\nimport SwiftUI\n\n', 'player'],
      ['dart', 'library a;\n|', "library a;\n\nimport 'package:flutter", 'player'],
    ] as const;
    for (const [languageId, marked, beginning, form] of cases) {
      const text = insert(languageId, marked, form);
      assert.equal(text.slice(0, beginning.length), beginning, `${languageId}: ${text}`);
    }
  });

  it('isn’t added twice', () => {
    const cases = [
      ['javascript', "import Hls from 'hls.js';\n", 'hlsJs'],
      ['javascript', 'import Hls, { Events } from "hls.js"\n', 'hlsJs'],
      [
        'typescriptreact',
        "import Hls from 'hls.js';\nimport React, { useRef, useEffect } from 'react';\n",
        'component',
      ],
      ['python', 'import sys, os\nimport requests  # http\n', 'getStream'],
      ['go', 'package a\n\nimport (\n\t"encoding/json"\n\t"fmt"\n\t"net/http"\n\t"os"\n)\n', 'getStream'],
      ['swift', 'import SwiftUI\nimport AVKit\n', 'player'],
      ['kotlin', 'import java.net.*\n', 'getStream'],
      ['python', 'import os\r\nimport requests\r\n', 'getStream'],
    ] as const;
    for (const [languageId, top, form] of cases) {
      assert.equal(importsOf(languageId, `${top}\n|`, form).trimEnd(), top.trimEnd(), languageId);
    }
    const other = importsOf('python', 'import os as o\nimport requests.auth\n|', 'getStream');
    assert.equal(other, 'import os as o\nimport requests.auth\nimport os\nimport requests\n\n\n');
  });

  it('joins the names of an import of the same module', () => {
    const react = (statement: string) =>
      linesOf(importsOf('javascriptreact', `${statement}\n|`, 'component'), 0, -2).join('\n');
    const hls = "import Hls from 'hls.js';";
    assert.equal(react("import { useRef } from 'react';"), `import { useRef, useEffect } from 'react';\n${hls}`);
    assert.equal(
      react('import {\n  useRef,\n} from "react"'),
      `import {\n  useRef, useEffect,\n} from "react"\n${hls}`,
    );
    const typed = "import type { Ref } from 'react';";
    assert.equal(react(typed), `${typed}\n${hls}\nimport { useEffect, useRef } from 'react';`);
  });
});

describe('A component', () => {
  it('is a whole one in an empty file', () => {
    assert.match(
      insert('vue', '|', 'component'),
      /^<script setup>\nimport [\s\S]*<\/script>\n\n<template>\n {2}<video [^\n]*\n<\/template>\n$/,
    );
    assert.match(
      insert('svelte', '\n|', 'component', '\t'),
      /^<script>\n\timport [\s\S]*<\/script>\n\n[\s\S]*<video use:play [^\n]*\n$/,
    );
  });

  it('puts its parts into those of a file', () => {
    const vue = insert(
      'vue',
      '<script setup lang="ts">\nimport { ref } from \'vue\';\nconst a = ref(1);\n</script>\n\n<template>\n  <p>\n    |\n  </p>\n</template>\n',
      'component',
    );
    assert.match(
      vue,
      /^<script setup lang="ts">\nimport \{ ref, onBeforeUnmount, onMounted, useTemplateRef \} from 'vue';\nimport Hls from 'hls\.js';\nconst a/,
    );
    assert.match(vue, /useTemplateRef<HTMLVideoElement>\('video'\)/);
    assert.match(
      vue,
      /\nonBeforeUnmount\(\(\) => hls\.destroy\(\)\);\n<\/script>\n\n<template>\n {2}<p>\n {4}<video ref="video" [^\n]*\n {2}<\/p>\n/,
    );
    const svelte = insert('svelte', '<script>\n\tlet a;\n</script>\n\n<p>\n\t|\n</p>', 'component', '\t');
    assert.match(
      svelte,
      /^<script>\n\timport Hls from 'hls\.js';\n\n\tlet a;\n\n\tfunction play\(video\) \{\n\t\tconst hls/,
    );
    assert.match(svelte, /\n<p>\n\t<!-- [^\n]*\n\t<video use:play [^\n]*\n<\/p>$/);
  });

  it('has its element in the template, wherever the cursor is', () => {
    const vue = insert('vue', '<template>\n  <p></p>\n</template>\n|', 'component');
    assert.match(vue, /<template>\n {2}<p><\/p>\n {2}<video [^\n]*\n<\/template>\n$/);
    const script = insert('vue', '<script>\nexport default {};\n</script>\n|', 'component');
    assert.equal(script.match(/<script setup>/g)?.length, 1, 'beside a script that isn’t of its kind');
    assert.match(script, /<template>\n {2}<video/);
  });

  it('stands in the body of a page, wherever the cursor is', () => {
    const page = (...parts: readonly string[]) => {
      const [above = '', head = '', body = '', below = ''] = parts;
      return `${above}<!DOCTYPE html>\n<html>\n<head>${head}</head>\n  <body class="a">\n    <p>${body}</p>\n  </body>${below}\n</html>\n`;
    };
    const before = '    <p></p>\n    <video ';
    for (const marked of [page('|'), page('', '|'), page('', '', '', '|')]) {
      const text = insert('html', marked, 'video');
      assert.ok(text.startsWith(page().slice(0, page().indexOf('    <p>')) + before), text);
      assert.match(text, /\n {4}<\/script>\n {2}<\/body>\n<\/html>\n$/);
    }
    assert.match(insert('html', page('', '', '|'), 'video'), /<p><\/p>\n {4}<video [\s\S]*\n {2}<\/body>\n<\/html>\n$/);
    assert.match(insert('html', '|<p></p>\n', 'video'), /^<video [\s\S]*\n<p><\/p>\n$/, 'part of a page');
    const ofHead = insert('html', page('', '<script>|</script>'), 'hlsJs');
    assert.match(ofHead, /<script>[\s\S]+<\/script><\/head>\n {2}<body class="a">\n {4}<p><\/p>\n {2}<\/body>\n/);
  });

  it('has code of its language in its script', () => {
    const marked = '<script lang="ts">\n  let a = 1;\n  |\n</script>\n';
    assert.deepEqual(idsAt('svelte', marked), ['hlsJs', 'hlsUrl', 'playbackId', 'id']);
    const text = insert('svelte', marked, 'hlsJs');
    assert.match(
      text,
      /^<script lang="ts">\n {2}import Hls from 'hls\.js';\n\n {2}let a = 1;\n\n {2}function playStream\(video: HTMLVideoElement\) \{\n {4}const hls/,
    );
    assert.equal(insert('html', '<script>|</script>', 'hlsJs').split('\n')[0], '<script>');
    assert.match(insert('html', '<script>|</script>', 'hlsJs'), /\}\);\n<\/script>$/);
  });
});
