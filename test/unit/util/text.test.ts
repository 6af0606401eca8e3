import assert from 'node:assert/strict';
import { withoutIcons, withoutLinks } from '../../../src/util/markup.ts';
import { cut, isBlank, oneLine } from '../../../src/util/text.ts';

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

  it('begins with something to see', () => {
    assert.equal(oneLine(`${'\u200b'.repeat(1000)}Keynote`), 'Keynote');
    assert.equal(oneLine('\u200b\u3164\u2800 '), '');
    assert.equal(oneLine('👩\u200d🚀'), '👩\u200d🚀');
  });

  it('mends half characters', () => {
    assert.ok(oneLine('a\ud83d').isWellFormed());
  });
});

describe('a blank text', () => {
  for (const [what, text] of [
    ['nothing', ''],
    ['spaces of all kinds', ' \t\u00a0\u2003\u3000'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['soft hyphens', '\u00ad\u00ad'],
    ['the empty braille cell', '\u2800'],
    ['Hangul fillers', '\u3164\uffa0\u115f'],
    ['variation selectors and tags', '\ufe0f\u{e0020}'],
    ['controls and marks of direction', '\u0007\u202e\u061c'],
  ] as const) {
    it(`is ${what}`, () => assert.equal(isBlank(text), true));
  }

  it('has nothing to see in it', () => {
    for (const text of ['a', '\u200b.', '👩\u200d🚀', 'שידור', '\ufffd']) assert.equal(isBlank(text), false, text);
  });
});

describe('Names in the texts of the editor', () => {
  it('make no link in a notification', () => {
    assert.doesNotMatch(withoutLinks('[Fix](command:evil) and [a](https://b)'), /\]\(/);
    assert.equal(withoutLinks('Stage [1] (main)'), 'Stage [1] (main)');
  });

  it('keep what VS Code takes for no icon, and a backslash of their own', () => {
    for (const name of ['Price $(USD 5)', '$(', '$()', '$(a_b)', '$(a~)', 'a\\b'])
      assert.equal(withoutIcons(name), name);
    // VS Code takes one backslash away (renderLabelWithIcons).
    assert.equal(withoutIcons('\\$(flame)'), '\\\\$(flame)');
  });

  it('make no icon in the status bar or a picker', () => {
    assert.equal(withoutIcons('$(flame) sale, $5'), '\\$(flame) sale, $5');
    assert.equal(withoutIcons('$(sync~spin)$(a-1)'), '\\$(sync~spin)\\$(a-1)');
  });
});
