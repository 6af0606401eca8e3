import assert from 'node:assert/strict';
import { cut, oneLine } from '../../../src/util/text.ts';

describe('one line of a text from outside', () => {
  it('has no line breaks, tabs or control characters', () => {
    assert.equal(oneLine(' a\r\nb\tc\u0000d\u2028e '), 'a b c d e');
  });

  it('is cut to 200 characters, and never through a character', () => {
    assert.equal(oneLine('x'.repeat(10_000)).length, 200);
    const faces = oneLine('😀'.repeat(5000));
    assert.ok(faces.length <= 200 && faces.isWellFormed() && faces.endsWith('…'));
    assert.equal(cut('abc', 3), 'abc');
    assert.equal(cut('abcd', 3), 'ab…');
  });

  it('is isolated where it runs right to left, and cannot break out', () => {
    assert.equal(oneLine('שידור'), '\u2068שידור\u2069');
    assert.equal(oneLine('\u2069بث\u202e'), '\u2068بث\u2069');
    assert.equal(oneLine('abc\u202egnp.exe'), 'abcgnp.exe');
  });

  it('mends half characters', () => {
    assert.ok(oneLine('a\ud83d').isWellFormed());
  });
});
