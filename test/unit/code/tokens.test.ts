import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canBeFound, eachToken, hasStreamKeyShape, isPartOfLongRun, mayHoldKey } from '../../../src/code/tokens.ts';

const KEY = '4f7a-x2k9-0bcd-q1w2';

describe('Tokens of source text', () => {
  const tokens = (text: string) => {
    const all: string[] = [];
    eachToken(text, (start, end) => all.push(text.slice(start, end)));
    return all;
  };

  it('are runs of letters, digits, hyphens and underscores, without joints at their ends', () => {
    assert.deepEqual(tokens(`const key = '${KEY}';`), [KEY]);
    assert.deepEqual(tokens(`rtmp://host.example/live/${KEY}?x=1`), [KEY]);
    assert.deepEqual(tokens(`--${KEY}-- é${KEY}é`), [KEY, KEY]);
    assert.deepEqual(tokens('a-b short words_only'), []);
    assert.deepEqual(tokens('--------------------'), []);
    assert.deepEqual(tokens(''), []);
  });

  it('are whole: a key that is part of a longer one is not found', () => {
    assert.deepEqual(tokens(`${KEY}-zzzz`), [`${KEY}-zzzz`]);
    assert.deepEqual(tokens(`x${KEY}`), [`x${KEY}`]);
  });

  it('are formed like stream keys in groups of four that aren’t all words', () => {
    const keys = [KEY, 'aaaa-bbbb-cccc-ddd1', `${KEY}-12ab`, 'kxwq-aeio-maze-lift', 'maze-kxwq-aeio-lift'];
    for (const token of [...keys, 'maze-lift-aeio-kxwq']) assert.ok(hasStreamKeyShape(token), token);
    const others = [
      'this-that-have-some',
      'type-only-rhyt-yyyy',
      '4f7a-x2k9-0bcd',
      '4F7A-X2K9-0BCD-Q1W2',
      '4f7a-x2k9-0bcd-q1w',
      '2026-11-22',
    ];
    for (const token of others) assert.ok(!hasStreamKeyShape(token), token);
  });

  it('make a line worth a look where one is formed like a stream key, or is long and has a digit', () => {
    assert.ok(mayHoldKey(`x = "${KEY}"`));
    assert.ok(mayHoldKey('id: 0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11'));
    assert.ok(mayHoldKey('k = "sk_live_51H8abcdefghijk"'));
    for (const line of [
      '',
      'const a = 1;',
      'const aVeryLongNameOfAFunctionOfMine = 12;',
      'x'.repeat(300),
      'this-that-have-some',
      'short1234words',
    ])
      assert.ok(!mayHoldKey(line), line);
  });

  it('are none that is new where what was typed is part of no long run', () => {
    const part = fc.constantFrom(KEY, 'short', 'eleven-char', 'x', '-', '_', ' ', '"', 'é');
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, fc.string({ maxLength: 11 }), (before, removed, after, typed) => {
        const known = new Set(tokens(before + removed + after));
        const isNew = tokens(before + typed + after).some((token) => !known.has(token));
        if (isNew) assert.ok(isPartOfLongRun(before + typed + after, before.length, before.length + typed.length));
      }),
    );
  });

  it('can be told from what surrounds them only if they are long enough, and of such characters alone', () => {
    assert.ok(canBeFound(KEY));
    for (const key of ['abc', 'a key with spaces', '', '-4f7a-x2k9-0bcd', 'a'.repeat(129), '4f7a.x2k9.0bcd.q1w2']) {
      assert.ok(!canBeFound(key), key);
    }
  });
});
