import assert from 'node:assert/strict';
import { findPlace } from '../../../../src/code/snippets/place.ts';

const placeAt = (languageId: string, marked: string) => {
  const offset = marked.indexOf('|');
  return findPlace(languageId, marked.slice(0, offset) + marked.slice(offset + 1), offset);
};

/** Text with a quote that closes nothing, and code below it. */
const CODE: Readonly<Record<string, readonly string[]>> = {
  php: [
    "<p>Don't</p>\n<?php $url = |",
    "<?php\n$a = 1;\n?>\n<p>Don't</p>\n<?= |",
    "<?php // don't ?>\n<p>it's</p>\n<?php\n$url = |",
    "<?php\n#[Attribute('a')]\n$url = |",
    "<?php\n$a = <<<EOT\n  Don't\n  EOT;\n$url = |",
    "<?php\n$a = <<<'EOT'\nDon't\nEOT;\n$url = |",
  ],
  shellscript: [
    "cat <<EOF\nDon't\nEOF\nURL=|",
    "cat <<-'END' > file\n\tDon't\n\tEND\nURL=|",
    'cat <<EOF > |\nDon\'t\nEOF\necho "a"\n',
    "echo it\\'s\nURL=|",
    "echo $'it\\'s'\nURL=|",
    "echo $((1 << 2)) $((a<<b)) <<< 'a'\nURL=|",
    "git commit -m \"$(cat <<'EOF'\nDon't\nEOF\n)\"\nURL=|",
  ],
  ruby: [
    "a = <<~T\n  Don't\nT\nurl = |",
    "a = foo(<<-'T', 1)\n  Don't\n  T\nurl = |",
    'a = "#{h["it\'s"]}"\nurl = |',
    "=begin\nDon't\n=end\nurl = |",
    "a = %q(don't)\nurl = |",
    "a if b =~ /'/\nurl = |",
    "a << b\n# don't\nurl = |",
  ],
  rust: [
    "let q = '\"';\nlet url = |",
    "let q = '\\'';\nlet r = '\\u{22}';\nlet url = |",
    "fn a<'a>(b: &'a str) {}\nlet url = |",
    'let q = r#"a "b" \\"#;\nlet url = |',
    'let q = r"\\";\nlet url = |',
  ],
  dart: ["var a = r'\\'; var url = |", "var a = r'''\n\\'''; var url = |", "var bar'\\''; var url = |"],
  swift: ['let a = #"a"b"#; let url = |', 'let a = #"""\n"\n"""#; let url = |'],
  lua: ["a = [[ don't ]] url = |", "--[[ don't\n'\n]] url = |"],
  csharp: ['var a = @"c:\\"; var b = $@"x\\"; var c = @$"x\\"; var url = |'],
  python: ['a = r"\\""\nurl = |', 'a = r"""\\\\"""\nurl = |'],
  yaml: ["a: it's\nb: |", "a: 'it''s'\nb: |"],
  go: ["a := '\"'\nurl := |"],
  kotlin: ["val a = '\"'; val url = |"],
};

const STRINGS: Readonly<Record<string, readonly string[]>> = {
  php: ['<?php $a = "|";', "<p>Don't</p>\n<?php $a = '|", '<?php\n$a = <<<EOT\n  |\n  EOT;\n', '<a href="|">'],
  shellscript: ['cat <<EOF\n|\nEOF\n', "echo $'it\\'s |", 'cat <<EOF > "|"\nEOF\n'],
  ruby: ['a = <<~T\n  |\nT\n', "a = %q(don't |)", "a = '\n|'"],
  rust: ['let q = \'"\'; let u = "|', 'let q = r#"a "|"#;'],
  dart: ["var a = r'|"],
};

describe('What surrounds the cursor', () => {
  for (const [languageId, files] of Object.entries(CODE)) {
    it(`is code below text whose quotes open nothing: ${languageId}`, () => {
      for (const file of files) assert.equal(placeAt(languageId, file).isInString, false, file);
    });
  }

  for (const [languageId, files] of Object.entries(STRINGS)) {
    it(`is a string in each of its forms: ${languageId}`, () => {
      for (const file of files) assert.equal(placeAt(languageId, file).isInString, true, file);
    });
  }

  it('is a page where a file of PHP is none', () => {
    assert.equal(placeAt('php', '<?php a(); ?>\n<p>|</p>\n<?php b(); ?>\n').languageId, 'html');
    assert.equal(placeAt('php', '<p>|</p>\n<?php b(); ?>\n').languageId, 'html');
    assert.equal(placeAt('php', '<?php b("?>|").languageId').languageId, 'php');
    assert.equal(placeAt('php', '$a = |').languageId, 'php');
  });

  it('is a part of JSX, or code among it', () => {
    const parts: Readonly<Record<string, readonly string[]>> = {
      content: [
        'const a = <p>|</p>;',
        'return (\n  // The page.\n  <main>\n    Don\'t <b title="it\'s">\n    |</b>\n  </main>\n);',
        'const a = cond ? <A /> : <>|</>;',
        'return ( // a\n // b\n /* c */ <p>|</p>\n);',
        'const a = <ul>{b.map((c) => <li key={c}>|</li>)}</ul>;',
        "const a = <p title='>' b={() => 1}>https://a|</p>;",
        "const a = <p><br/>{/* don't */}|</p>;",
        'const f = <T extends X>(a: T): Promise<void> => { return <p>|</p>; };',
        'const f = <T,>(a: T) => a; const b = <Select<string> c>|</Select>;',
        "const a = (\n  <p\n    // @ts-ignore: it's\n    b={1}\n    /* c */>|</p>\n);",
        'const a = <p>\n  <b>\n  |\n</p>;',
      ],
      tag: ['const a = <p |>b</p>;', 'const a = <p b={1} |/>;', 'const a = <vi|deo />;', 'const a = <br /|>;'],
      expression: ['const a = <p>{|}</p>;', 'const a = <p b={|} />;', 'return (|)', 'a = <p>{b.map(() => (|))}</p>;'],
      code: [
        'const a = <p>b</p>;\n|',
        'const a = <br />;\n|',
        'const a = <><p>b</p></>;\n|',
        'const a = <p b={() => {|}} />;',
        'const a = <p>{b.map(() => { | })}</p>;',
        'function a() {\n  |\n  return <p>b</p>;\n}',
        'const a = b < c; const d = e > f;\n|',
        'type A = <T>(a: T) => void;\n|',
        'const f = <T,>(a: T) => { | };',
        'const f = <T extends Foo<Bar>>(a: T) => { | };',
        'const f = <T extends Foo>({ a,| b }: T) => b;',
        'interface A { <T>(a: { b: T }): T }\n|',
        'const a = useRef<HTMLVideoElement>(null);\n|',
        'const a = b <c; // >\n|',
      ],
    };
    for (const [part, files] of Object.entries(parts)) {
      for (const file of files) {
        const { jsx = 'code', isInString } = placeAt('typescriptreact', file);
        assert.deepEqual([jsx, isInString], [part, false], file);
      }
    }
    assert.equal(placeAt('javascript', 'const a = <p>|</p>;').jsx, 'content');
    assert.equal(placeAt('javascript', 'a(|)').jsx, undefined);
    assert.equal(placeAt('typescript', 'const a = <T>(b: T) => {|}').jsx, undefined);
    assert.equal(placeAt('typescriptreact', '<p title="|"></p>').isInString, true);
  });
});
