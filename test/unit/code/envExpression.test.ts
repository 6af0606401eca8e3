import assert from 'node:assert/strict';
import { envExpression, envImport } from '../../../src/code/envExpression.ts';
import { type FileLocation, severityOf } from '../../../src/code/exposure.ts';
import { applyChanges } from '../../support/code/openText.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';

describe('A key in code', () => {
  it('becomes the expression that reads a variable, in each language', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['typescript', "const key = 'KEY';", 'const key = process.env.STREAM_KEY!;'],
      ['typescript', 'go(`rtmp://h/live/KEY?a`);', 'go(`rtmp://h/live/{{process.env.STREAM_KEY}}?a`);'],
      ['typescriptreact', '<Player streamKey="KEY" />', '<Player streamKey={process.env.STREAM_KEY!} />'],
      ['javascriptreact', '<a href="rtmp://h/KEY">', '<a href={`rtmp://h/{{process.env.STREAM_KEY}}`}>'],
      ['python', 'key = "KEY"', 'key = os.environ["STREAM_KEY"]'],
      ['python', 'go("rtmp://h/KEY")', 'go("rtmp://h/" + os.environ["STREAM_KEY"])'],
      ['go', 'url := "rtmp://h/KEY?a"', 'url := "rtmp://h/" + os.Getenv("STREAM_KEY") + "?a"'],
      ['shellscript', 'KEY_IS=KEY', 'KEY_IS="{{STREAM_KEY}}"'],
      ['shellscript', 'curl "rtmp://h/KEY"', 'curl "rtmp://h/{{STREAM_KEY}}"'],
      ['shellscript', "curl 'rtmp://h/KEY'", "curl 'rtmp://h/'\"{{STREAM_KEY}}\"''"],
      ['javascript', 'const k="KEY";', 'const k=process.env.STREAM_KEY;'],
      ['shellscript', 'echo a # b\ncurl "rtmp://h/KEY"', 'curl "rtmp://h/{{STREAM_KEY}}"'],
      ['shellscript', 'curl -d \'{\n"k": "KEY"', '"k": "\'"{{STREAM_KEY}}"\'"'],
      ['yaml', '[a, KEY]', '[a, "{{STREAM_KEY}}"]'],
      ['yaml', 'key: "KEY"', 'key: "{{STREAM_KEY}}"'],
      ['yaml', '{a: "b # \\" c", d: KEY}', '{a: "b # \\" c", d: "{{STREAM_KEY}}"}'],
      ['yaml', "a: 'it''s # [' KEY", "a: 'it''s # [' {{STREAM_KEY}}"],
      ['yaml', "[it's, KEY", "[it's, {{STREAM_KEY}}"],
      ['python', `a = """b\n"""\nc = '''\nd\n'''\nkey = 'KEY'`, 'key = os.environ["STREAM_KEY"]'],
      ['shellscript', "echo a#'b\nc' KEY", 'c\' "{{STREAM_KEY}}"'],
      ['shellscript', 'echo "a # b" KEY', 'echo "a # b" "{{STREAM_KEY}}"'],
      ['typescript', 'go(`rtmp://h/KEY\\n`);', 'go(`rtmp://h/{{process.env.STREAM_KEY}}\\n`);'],
      ['python', '  key="KEY",', '  key=os.environ["STREAM_KEY"],'],
    ];
    for (const [language, line, expected] of cases) {
      // Written with two braces, because a dollar sign in a plain string looks like a mistake.
      assert.equal(replaced(language, line), expected.replace(/\{\{(.*?)\}\}/, '$${$1}'), line);
    }
  });

  it('is left to a placeholder where the expression isn’t certain', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['json', '{ "key": "KEY" }'],
      ['markdown', 'KEY'],
      ['typescript', "// don't use 'KEY'"],
      ['javascript', "go('rtmp://h/live/KEY'.length);"],
      ['typescript', 'import a from "KEY"'],
      ['typescript', 'type A = "KEY"'],
      ['typescript', '({ "KEY": 1 })'],
      ['javascript', 'const a = `\nb = "KEY"'],
      ['javascriptreact', '  streamKey="KEY"'],
      ['python', 'a = """KEY"""'],
      ['python', 'a = "b" "KEY"'],
      ['python', 'a = """\nb = "KEY"'],
      ['go', 'const key = "KEY"'],
      ...['ruby', 'php', 'java', 'csharp', 'rust', 'kotlin', 'constructor'].map(
        (language) => [language, 'key = "KEY";'] as const,
      ),
      ['shellscript', 'cat <<END\n"KEY"'],
      ['shellscript', '"$(echo \'KEY\')"'],
      ['yaml', '# KEY'],
      ['yaml', `'a' "b" it's # KEY`],
      ['typescript', 'KEY'],
      ['typescript', "go('rtmp://h/\\'KEY')"],
      ['typescript', "go('rtmp://h/`KEY')"],
      ['typescript', `go('rtmp://h/KEY?a={{b}}')`.replace('{{', '$' + '{').replace('}}', '}')],
      ['typescript', '`{{host}}/KEY`'.replace('{{', '$' + '{').replace('}}', '}')],
      ['typescript', "a / b // 'KEY'"],
      ['typescript', "a(); // b = 'KEY'"],
      ['shellscript', '"a\\" $(KEY'],
      ['typescript', "`it's"],
      ['typescript', 'tag`KEY`'],
      ['python', "key = f'rtmp://h/KEY'"],
      ['python', "key = '''KEY"],
      ['python', '# "KEY"'],
      ['python', '"rtmp://h/KEY/%s" % name'],
      ['shellscript', '# KEY'],
    ];
    for (const [language, line] of cases) assert.equal(replaced(language, line), undefined, `${language}: ${line}`);
  });

  it('is replaced in code of several lines where nothing there wants a constant or a type', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['typescript', 'go(\n  // The key:\n  "KEY",\n);'],
      ['typescript', "import a from 'a'\nconst key =\n  'KEY'\nexport { key }"],
      ['typescript', 'const a = {\n  b: {\n    c: ["d", "KEY"],\n  },\n};'],
      ['typescript', 'function f(\n  mode: string = "KEY",\n) {}'],
      ['typescript', 'go({ a: "KEY" });'],
      ['typescriptreact', 'const a = <p style={{ b: "KEY" }}></p>;'],
      ['javascript', "// it's `\nconst key = 'KEY';"],
      ['javascript', "const a = /[`'\"]/;\nconst key = 'KEY';"],
      ['javascript', 'module.exports = {\n  // Of "OBS".\n  key: "KEY" // secret\n};'],
      ['python', 'a = [\n  "b",\n  "KEY",\n]'],
      ['python', 'a = {\n  "b": "KEY"\n}'],
      ['python', 'go(\n  key="KEY"  # secret\n)\n"text"'],
      ['python', 'key = "KEY"\n"""Text."""'],
      ['python', "# don't\nkey = 'KEY'"],
      ['go', 'var (\n\tkey = "KEY"\n)'],
      ['go', 'const (\n\ta = "b"\n)\n\nvar key = "KEY"'],
      ['go', 'a := Config{\n\tKey: "KEY", // secret\n}'],
      ['go', "a := '\"'\nb := []string{\n\t`KEY`,\n}"],
    ];
    for (const [language, text] of cases) {
      assert.match(
        moved(language, text) ?? text,
        /process\.env\.STREAM_KEY|os\.(?:environ\["|Getenv\(")STREAM_KEY/,
        text,
      );
    }
  });

  it('is left to a placeholder where a line above or below makes the expression a mistake', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['go', 'package a\n\nconst (\n\thost = "h"\n\tkey = "KEY"\n)'],
      ['go', 'const key =\n\t"KEY"'],
      ['go', 'import (\n\t"KEY"\n)'],
      ['python', 'url = ("rtmp://h/live/"\n       "KEY")'],
      ['python', 'url = ("KEY"\n       "?a")'],
      ['python', 'url = (\n  "KEY"  # a\n  f"?a"\n)'],
      ['python', 'url = "rtmp://h/" \\\n  "KEY"'],
      ['python', 'url = "KEY" \\\n  "?a"'],
      ['python', 'match a:\n  case ["KEY"]:\n    pass'],
      ['python', 'def f(a: "KEY"): pass'],
      ['python', 'a = {\n  "KEY"\n  : 1}'],
      ['typescript', 'type A =\n  "KEY";'],
      ['typescript', 'type A =\n  // a\n  {\n    b: "KEY";\n  };'],
      ['typescript', 'import x from\n  "KEY";'],
      ['typescript', 'enum A {\n  B = "KEY",\n}'],
      ['typescript', 'export const enum A\n{\n  B = "KEY",\n}'],
      ['typescript', 'interface A {\n  b: "KEY";\n}'],
      ['typescript', 'class A {\n  b: "KEY";\n}'],
      ['typescript', 'function f(\n  a: "KEY",\n) {}'],
      ['typescript', 'function f(a: { b: "KEY" }) {}'],
      ['typescript', 'let a: ["KEY", string];'],
      ['typescript', 'let a: "KEY";'],
      ['typescript', 'let a: B["KEY"];'],
      ['typescript', 'let a: Map<string, "KEY", B>;'],
      ['typescript', 'declare const a = "KEY";'],
      ['typescript', 'const a = {\n  "KEY"\n  : 1 };'],
      ['typescript', 'const a = "KEY"\n  .length;'],
      ['typescript', '/*\nconst a = "KEY";\n*/'],
      ['javascriptreact', 'const a = <A\n  b="KEY"\n/>;'],
    ];
    for (const [language, text] of cases) assert.equal(moved(language, text), undefined, `${language}: ${text}`);
  });

  const filler = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const languages = ['typescript', 'javascriptreact', 'python', 'go', 'yaml', 'shellscript'];
  const parts = ["'", '"', '`', "'a ", ' ', '=', '<a ', '<a b=', '@a', '# ', '\\"', '{', 'import ', 'a, ', '.a', '"""'];

  it('costs less than 100 ms of computing in a line of 10,000 characters, and is left alone in a longer one', () => {
    for (const languageId of languages) {
      for (const part of parts) {
        const before = filler(part, 9_900);
        const line = `${before}"KEY"`;
        const place = { languageId, text: line, start: before.length + 1, end: before.length + 4 };
        assertCpuTime(100, () => void envExpression(place, 'STREAM_KEY'), `${languageId}, ${part}`);
      }
      const long = { languageId, text: `${' '.repeat(9_993)}= "KEY"`, start: 9_996, end: 9_999 };
      assert.notEqual(envExpression(long, 'STREAM_KEY'), undefined, languageId);
      assert.equal(envExpression({ ...long, text: `${long.text} ` }, 'STREAM_KEY'), undefined, languageId);
    }
  });

  it('costs less than a second for each MB of text above it, in lines of any length', () => {
    const size = 300_000;
    const lines = ["'a'", '"""a"""', '', 'import a', '# ', "a = '", '\tusing System', 'from __future__ import a'];
    const above = [
      ...parts.map((part) => `${filler(part, size)}\n`),
      ...lines.map((line) => filler(`${line}\n`, size)),
      `package a\nimport (\n${filler('\t"a"\n', size)}`,
    ];
    const all = languages.flatMap((languageId) => above.map((text) => ({ languageId, text })));
    for (const { languageId, text } of sampleOf(all, 31)) {
      const place = { languageId, text: `${text}key = "KEY"`, start: text.length + 7, end: text.length + 10 };
      const run = () => void [envExpression(place, 'STREAM_KEY'), envImport(place)];
      assertCpuTime(200, run, `${languageId}, ${JSON.stringify(text.slice(0, 20))}`);
    }
  });

  /** Returns the line of the key. */
  function replaced(languageId: string, marked: string): string | undefined {
    const text = moved(languageId, marked);
    const lines = text?.split('\n') ?? [];
    return text === undefined ? undefined : lines[marked.slice(0, marked.search(/\bKEY\b/)).split('\n').length - 1];
  }

  function moved(languageId: string, marked: string): string | undefined {
    const key = '4f7a-x2k9-0bcd-q1w2';
    const text = marked.replace(/\bKEY\b/, key);
    const start = text.indexOf(key);
    if (start === -1) return undefined;
    const edit = envExpression({ languageId, text, start, end: start + key.length }, 'STREAM_KEY');
    if (edit === undefined) return undefined;
    const after = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    assert.ok(!after.includes(key));
    return after;
  }
});

describe('The import that the expression needs', () => {
  const KEY_LINE = '\tkey = "KEY"';

  it('stands in Python where imports stand', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['', 'import os\n\n'],
      ['import json\nimport re\n\n', 'import json\nimport re\nimport os\n\n'],
      ['from a import b\n', 'from a import b\nimport os\n'],
      [
        '#!/usr/bin/env python3\n# What it is.\na = 1\n',
        '#!/usr/bin/env python3\n\nimport os\n\n# What it is.\na = 1\n',
      ],
      [
        '"""What it does.\n\nimport os\n"""\nfrom __future__ import annotations\n\ndef f():\n',
        '"""What it does.\n\nimport os\n"""\nfrom __future__ import annotations\nimport os\n\ndef f():\n',
      ],
      ["'What it does.'\n\n# A.\nimport re\n", "'What it does.'\n\n# A.\nimport re\nimport os\n"],
      ['import os as system\n', 'import os as system\nimport os\n'],
      ['import a.b, \\\n  c\n', 'import a.b, \\\n  c\nimport os\n'],
      [
        'from __future__ import (annotations)\nimport re\n',
        'from __future__ import (annotations)\nimport re\nimport os\n',
      ],
      ['# -*- coding: latin-1 -*-\na = 1\n', '# -*- coding: latin-1 -*-\n\nimport os\n\na = 1\n'],
      ['"Doc."\nfrom __future__ import (\n  a)\n', '"Doc."\nfrom __future__ import (\n  a)\nimport os\n'],
      ['def f():\n    import os\n', 'import os\n\ndef f():\n    import os\n'],
    ];
    for (const [above, expected] of cases) assert.equal(withImport('python', above), expected + KEY_LINE, above);
  });

  it('stands in Go where imports stand', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['package a\n\n', 'package a\n\nimport "os"\n\n'],
      ['// A.\npackage a // b\n\nvar x = 1\n', '// A.\npackage a // b\n\nimport "os"\n\nvar x = 1\n'],
      ['package a\n\nimport "fmt"\n', 'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n'],
      ['package a\nimport "strings"\n', 'package a\nimport (\n\t"strings"\n\t"os"\n)\n'],
      [
        'package a\n\nimport (\n\tf "fmt"\n\t"time"\n\n\t"example.com/x"\n)\n',
        'package a\n\nimport (\n\tf "fmt"\n\t"time"\n\t"os"\n\n\t"example.com/x"\n)\n',
      ],
      ['package a\n\n// B.\nimport "fmt"\n', 'package a\n\n// B.\nimport (\n\t"fmt"\n\t"os"\n)\n'],
      ['package a\nimport "fmt"\n/* B. */\n', 'package a\nimport (\n\t"fmt"\n\t"os"\n)\n/* B. */\n'],
      ['/* package b\n*/\npackage a\n\n', '/* package b\n*/\npackage a\n\nimport "os"\n\n'],
      [
        'package a\n\n/*\n"os"\n*/\nimport (\n\t"fmt"\n)\n',
        'package a\n\n/*\n"os"\n*/\nimport (\n\t"fmt"\n\t"os"\n)\n',
      ],
      ['package a\nimport (\n)\n', 'package a\nimport (\n\t"os"\n)\n'],
    ];
    for (const [above, expected] of cases) assert.equal(withImport('go', above), expected + KEY_LINE, above);
  });

  it('isn’t added where it is, where there is none, or to a part of a file', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['python', 'import os\n'],
      ['python', 'import json, os # a\n'],
      ['go', 'package a\nimport "os"\n'],
      ['go', 'package a\nimport "fmt"\nimport (\n\t"os"\n)\n'],
      ['go', 'var a = 1\n'],
      ...['typescript', 'java', 'csharp', 'ruby', 'php', 'rust', 'shellscript', 'yaml'].map(
        (language) => [language, ''] as const,
      ),
    ];
    for (const [language, above] of cases) assert.equal(withImport(language, above), above + KEY_LINE, above);
  });

  function withImport(languageId: string, above: string): string {
    const text = above + KEY_LINE;
    return applyChanges(text, envImport({ languageId, text }));
  }
});

describe('A key in a file', () => {
  it('is as bad as the place it stands in', () => {
    const severity = (kind: 'apiKey' | 'streamKey', fileName: string, location: FileLocation) =>
      severityOf({ kind }, { fileName, location });
    assert.equal(severity('streamKey', 'a.ts', 'kept'), 'error');
    assert.equal(severity('streamKey', 'a.ts', 'unknown'), 'error');
    assert.equal(severity('streamKey', 'a.ts', 'outside'), 'warning');
    assert.equal(severity('streamKey', 'Untitled-1', 'untitled'), 'warning');
    assert.equal(severity('apiKey', 'Untitled-1', 'untitled'), 'error');
    for (const name of ['.env', 'a.ts']) assert.equal(severity('apiKey', name, 'ignored'), undefined);
    for (const name of ['.env', '.env.local']) {
      for (const place of ['unknown', 'outside'] as const) assert.equal(severity('apiKey', name, place), undefined);
    }
    for (const name of ['.env.example', '.env.sample', '.env.template', 'env.ts']) {
      assert.equal(severity('streamKey', name, 'unknown'), 'error');
    }
    assert.equal(severity('streamKey', '.env', 'kept'), 'error');
  });
});
