import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { load } from 'js-yaml';
import { literal, scriptString } from '../../../src/code/literals.ts';
import { FILES } from '../../support/code/languages.ts';
import { ODD_TEXTS } from '../../support/code/oddTexts.ts';
import { literalParser } from '../../support/code/syntaxTree.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';

const CODE = /interpol|substitution|expansion|template|embedded|identifier|tag|element|comment/;

describe('A text in a language', () => {
  for (const languageId of sampleOf(Object.keys(FILES), 8)) {
    it(`is nothing but text: ${languageId}`, async () => {
      const parse = await literalParser(languageId);
      const isMarkup = languageId === 'html' || languageId === 'xml';
      for (const text of [...ODD_TEXTS, ODD_TEXTS.join('')]) {
        const written = literal(text, languageId);
        const found = parse(written);
        const what = JSON.stringify({ text, written, found });
        assert.equal(found.hasFaults, false, what);
        if (isMarkup || languageId === 'shellscript') assert.ok(found.text.includes(written), what);
        else assert.equal(found.text, written, what);
        assert.doesNotMatch(isMarkup ? '' : found.type, CODE, what);
        assert.deepEqual(
          found.parts.filter((part) => CODE.test(part)),
          [],
          what,
        );
      }
    });
  }

  it('would be code in Kotlin and Dart without their escapes, which the parser sees', async () => {
    const isCode = async (languageId: string, written: string) =>
      (await literalParser(languageId))(written).parts.some((part) => CODE.test(part));
    assert.deepEqual(
      [await isCode('kotlin', `"${'$'}{x}"`), await isCode('dart', "'$x'"), await isCode('kotlin', '"x"')],
      [true, true, false],
    );
  });

  it('has the same value in JavaScript, JSON, YAML, and the shell', () => {
    const evaluate = (code: string): unknown => new Function(`return ${code}`)();
    for (const text of [...ODD_TEXTS, ODD_TEXTS.join('')]) {
      const expected = text.toWellFormed();
      assert.equal(evaluate(literal(text, 'typescript')), expected);
      assert.equal(evaluate(scriptString(text)), expected);
      assert.ok(!scriptString(text).includes('<'));
      assert.equal(JSON.parse(literal(text, 'json')), expected);
      assert.equal(load(literal(text, 'yaml')), expected);
    }
    const words = ODD_TEXTS.map((text) => text.toWellFormed());
    const command = `printf '%s\\0' ${words.map((text) => literal(text, 'shellscript')).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    assert.deepEqual(stdout.split('\0').slice(0, -1), words);
  });

  it('hides nothing in a program that changes how the program is shown', () => {
    const programs = [
      'python',
      'go',
      'java',
      'csharp',
      'kotlin',
      'dart',
      'rust',
      'swift',
      'lua',
      'c',
      'css',
      'typescript',
    ];
    for (const languageId of programs) assert.match(literal(ODD_TEXTS.join(''), languageId), /^[\P{C}]*$/u, languageId);
  });

  it('stays as it is in languages that have no literals, or that aren’t known', () => {
    for (const languageId of ['plaintext', 'markdown', 'whatever', 'constructor', '__proto__']) {
      assert.equal(literal('a "b"', languageId), 'a "b"');
    }
  });
});
