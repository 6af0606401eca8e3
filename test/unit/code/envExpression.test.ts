import assert from 'node:assert/strict';
import { envExpression } from '../../../src/code/envExpression.ts';
import { type FileLocation, severityOf } from '../../../src/code/exposure.ts';

describe('A key in code', () => {
  it('becomes the expression that reads a variable, in each language', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['typescript', "const key = 'KEY';", 'const key = process.env.STREAM_KEY;'],
      ['typescript', 'go(`rtmp://h/live/KEY?a`);', 'go(`rtmp://h/live/{{process.env.STREAM_KEY}}?a`);'],
      ['typescriptreact', '<Player streamKey="KEY" />', '<Player streamKey={process.env.STREAM_KEY} />'],
      ['javascriptreact', '<a href="rtmp://h/KEY">', '<a href={`rtmp://h/{{process.env.STREAM_KEY}}`}>'],
      ['python', 'key = "KEY"', 'key = os.environ["STREAM_KEY"]'],
      ['python', 'go("rtmp://h/KEY")', 'go("rtmp://h/" + os.environ["STREAM_KEY"])'],
      ['go', 'url := "rtmp://h/KEY?a"', 'url := "rtmp://h/" + os.Getenv("STREAM_KEY") + "?a"'],
      ['ruby', "key = 'KEY'", 'key = ENV.fetch("STREAM_KEY")'],
      ['php', "$url = 'rtmp://h/KEY';", "$url = 'rtmp://h/' . getenv('STREAM_KEY');"],
      ['java', 'var key = "KEY";', 'var key = System.getenv("STREAM_KEY");'],
      ['csharp', 'var key = "KEY";', 'var key = Environment.GetEnvironmentVariable("STREAM_KEY");'],
      ['rust', 'let key = "KEY";', 'let key = std::env::var("STREAM_KEY").unwrap();'],
      ['shellscript', 'KEY_IS=KEY', 'KEY_IS="{{STREAM_KEY}}"'],
      ['shellscript', 'curl "rtmp://h/KEY"', 'curl "rtmp://h/{{STREAM_KEY}}"'],
      ['shellscript', "curl 'rtmp://h/KEY'", "curl 'rtmp://h/'\"{{STREAM_KEY}}\"''"],
      ['javascript', 'const k="KEY";', 'const k=process.env.STREAM_KEY;'],
      ['shellscript', 'echo a # b\ncurl "rtmp://h/KEY"', 'curl "rtmp://h/{{STREAM_KEY}}"'],
      ['shellscript', 'curl -d \'{\n"k": "KEY"', '"k": "\'"{{STREAM_KEY}}"\'"'],
      ['yaml', '[a, KEY]', '[a, "{{STREAM_KEY}}"]'],
      ['yaml', 'key: "KEY"', 'key: "{{STREAM_KEY}}"'],
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
      ['rust', 'const K: &str = "KEY";'],
      ['php', "public $key = 'KEY';"],
      ['php', '<input value="KEY">'],
      ['java', '@Value("KEY")'],
      ['shellscript', 'cat <<END\n"KEY"'],
      ['shellscript', '"$(echo \'KEY\')"'],
      ['yaml', '# KEY'],
      ['typescript', 'KEY'],
      ['typescript', "`it's"],
      ['typescript', 'tag`KEY`'],
      ['python', "key = f'rtmp://h/KEY'"],
      ['python', "key = '''KEY"],
      ['python', '# "KEY"'],
      ['python', '"rtmp://h/KEY/%s" % name'],
      ['java', '"rtmp://h/KEY".length()'],
      ['csharp', '$"rtmp://h/KEY"'],
      ['rust', '"rtmp://h/KEY"'],
      ['shellscript', '# KEY'],
    ];
    for (const [language, line] of cases) assert.equal(replaced(language, line), undefined, `${language}: ${line}`);
  });

  /** The key is on the last line. */
  function replaced(languageId: string, text: string): string | undefined {
    const key = '4f7a-x2k9-0bcd-q1w2';
    const [, above = '', line = ''] = /^([\s\S]*\n)?(.*)$/.exec(text.replace(/\bKEY\b/, key)) ?? [];
    const start = line.indexOf(key);
    if (start === -1) return undefined;
    const edit = envExpression({ languageId, line, above, start, end: start + key.length }, 'STREAM_KEY');
    if (edit === undefined) return undefined;
    const after = line.slice(0, edit.start) + edit.text + line.slice(edit.end);
    assert.ok(!after.includes(key));
    return after;
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
    assert.equal(severity('apiKey', '.env', 'ignored'), undefined);
    for (const name of ['.env', '.env.local']) {
      for (const place of ['unknown', 'outside'] as const) assert.equal(severity('apiKey', name, place), undefined);
    }
    for (const name of ['.env.example', '.env.sample', '.env.template', 'env.ts']) {
      assert.equal(severity('streamKey', name, 'unknown'), 'error');
    }
    assert.equal(severity('streamKey', '.env', 'kept'), 'error');
  });
});
