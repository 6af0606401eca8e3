import assert from 'node:assert/strict';
import { splitJson, splitLines } from '../../../src/webview/delivery/jsonTokens.ts';

const colored = (text: string) =>
  splitJson(text).flatMap(({ text: token, kind }) => (kind === undefined ? [] : [`${kind} ${token}`]));

describe('JSON on the page of a delivery', () => {
  it('has names, strings, numbers, and words in colors of their own', () => {
    assert.deepEqual(colored('{ "id": "a\\"b", "isActive" : true, "rate": -1.5e+3, "tags": [null, 7, ""] }'), [
      ...['name "id"', 'string "a\\"b"', 'name "isActive"', 'word true', 'name "rate"', 'number -1.5e+3'],
      ...['name "tags"', 'word null', 'number 7', 'string ""'],
    ]);
  });

  it('has no colors in other texts, nor in one that is too long', () => {
    for (const text of ['<p class="a">404: true</p>', 'Error: 500', '', `[${'1,'.repeat(60_000)}1]`])
      assert.deepEqual(splitJson(text), [{ text }]);
  });

  it('is divided into its lines, of which none is lost', () => {
    for (const text of ['{\n  "a": [\n    1,\n    2\n  ],\n\n  "b": "c"\n}\n', 'no JSON\n\n\nat all', '', '\n']) {
      const lines = splitLines(splitJson(text)).map((line) => line.map((token) => token.text).join(''));
      assert.equal(lines.join('\n'), text);
    }
  });

  it('loses nothing, whatever the text is', () => {
    const whole = JSON.stringify({ a: [1, 'two\n', { b: null }], 'c:d': '\u2028"\\' }, null, 2);
    const odd = [
      '{',
      '[]',
      '{"a',
      '{"a\\',
      `{"${'\\'.repeat(5001)}"`,
      '{"a\nb": 1',
      `${whole} // "x": y`,
      `{${'"'.repeat(9999)}`,
    ];
    for (let length = 0; length <= whole.length; length++) odd.push(whole.slice(0, length));
    for (const text of odd)
      assert.equal(
        splitJson(text)
          .map((token) => token.text)
          .join(''),
        text,
      );
  });
});
