import { type SnippetFacts, snippetForms } from '../../../src/code/snippets/forms.ts';
import { findMainPlace } from '../../../src/code/snippets/insertion.ts';
import { insertInto, openText } from './openText.ts';

/** Files of each language with a cursor, at the top and within other code. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  html: ['|', '<body>\n  |\n</body>\n', '<script>\n  let a = 1;\n  |\n</script>\n'],
  javascript: ['|', 'a();\n|\n', 'function a() {\n  |\n}\n'],
  javascriptreact: ['|', 'function a() {\n  |\n}\n'],
  typescript: ['|', "import { a } from './a';\n|\n", 'function b() {\n  |\n}\n'],
  typescriptreact: ['|', 'function a() {\n  |\n}\n'],
  vue: [
    '|',
    '<template>\n  <p>\n    |\n  </p>\n</template>\n',
    '<script setup lang="ts">\nimport { ref } from "vue";\nconst a = ref(1);\n|\n</script>\n',
  ],
  svelte: [
    '|',
    '<script lang="ts">\n  let a = 1;\n</script>\n\n<p>\n  |\n</p>\n',
    '<script>\n  let a = 1;\n  |\n</script>\n',
  ],
  python: ['|', '"""Doc."""\nimport os\n\n|\n', 'def a():\n    |\n    pass\n'],
  go: ['|', 'package main\n\nimport "fmt"\n\nfunc a() {\n\tfmt.Println()\n\t|\n}\n'],
  swift: ['|', 'import SwiftUI\n\nclass A {\n    |\n}\n'],
  kotlin: ['|', 'package a\n\nclass A {\n    |\n}\n'],
  dart: ['|', "import 'a.dart';\n\nvoid main() {\n  |\n}\n"],
  shellscript: ['|', '#!/bin/sh\nif true; then\n  |\nfi\n'],
};
const TABS: ReadonlySet<string> = new Set(['go', 'svelte']);
const FOUR: ReadonlySet<string> = new Set(['python', 'swift', 'kotlin']);

interface Given {
  readonly baseUrl?: string;
  readonly name?: string;
  readonly hlsUrl?: string;
}

/** Returns what files of a language become with each form of code that they can have. */
export function insertedPrograms(languageId: string, given: Given = {}) {
  const { baseUrl = 'https://h.example/api', name = 'Keynote', hlsUrl = 'https://h.example/a/index.m3u8' } = given;
  const facts: SnippetFacts = {
    ...{ id: 's1', name, hlsUrl },
    requests: [
      { kind: 'getStream', url: `${baseUrl}/stream/s1` },
      { kind: 'listSessions', url: `${baseUrl}/stream/s1/sessions` },
      { kind: 'createStream', url: `${baseUrl}/stream` },
    ],
  };
  const unit = TABS.has(languageId) ? '\t' : FOUR.has(languageId) ? '    ' : '  ';
  return (FILES[languageId] ?? []).flatMap((marked) => {
    const file = openText(languageId, marked, unit);
    const place = findMainPlace(file);
    const programs = snippetForms(place, [facts]).filter(({ snippet }) => snippet.kind === 'program');
    return programs.map(({ id, snippet }) => ({ form: id, marked, text: insertInto(file, place, snippet) }));
  });
}
