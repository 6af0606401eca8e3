import assert from 'node:assert/strict';
import { parseTags, parseTagValue, readTags, writeTagValue } from '../../../src/model/streamTags.ts';

describe('Tags of a stream', () => {
  it('are texts, numbers, and lists of texts and numbers', () => {
    const tags = { event: 'Summit', year: 2026, languages: ['en', 'fr'], rooms: [1, 2], none: [], empty: '' };
    assert.deepEqual(parseTags(JSON.stringify(tags), undefined), { ok: true, tags });
    assert.deepEqual(parseTags(' ', { event: 'Summit' }), { ok: true, tags: {} });
    assert.deepEqual(parseTags('{}', undefined), { ok: true, tags: {} });
  });

  it('are no other JSON', () => {
    for (const text of ['{', '{]', "{event: 'Summit'}"]) {
      assert.deepEqual(parseTags(text, undefined), { ok: false, problem: { kind: 'notObject' } }, text);
    }
    for (const value of [true, null, { a: 1 }, ['a', true], [['a']]]) {
      const problem = { kind: 'value', name: 'b' };
      assert.deepEqual(parseTags(JSON.stringify({ a: 'c', b: value }), undefined), { ok: false, problem });
    }
    assert.deepEqual(readTags({ a: Number.NaN }), { ok: false, problem: { kind: 'value', name: 'a' } });
    assert.deepEqual(readTags('{}'), { ok: false, problem: { kind: 'notObject' } });
  });

  const written: readonly [text: string, tags: Record<string, unknown>][] = [
    ['event:Summit, season:4', { event: 'Summit', season: 4 }],
    ['event:Summit Days, rate:-0.5, live:true', { event: 'Summit Days', rate: -0.5, live: 'true' }],
    ['version:1.10, room:007, big:12345678901234567890', { version: '1.10', room: '007', big: '12345678901234567890' }],
    [
      'season:"4", empty:"", "a:b":"x, y=z: w", list:"[1]", " a":" b "',
      { season: '4', empty: '', 'a:b': 'x, y=z: w', list: '[1]', ' a': ' b ' },
    ],
    [
      "名前:日本, __proto__:it's",
      Object.fromEntries([
        ['名前', '日本'],
        ['__proto__', "it's"],
      ]),
    ],
  ];

  for (const [text, tags] of written) {
    it(`can be typed without JSON: ${text}`, () => {
      assert.deepEqual(parseTags(text, undefined), { ok: true, tags });
    });
  }

  it('can be typed with "=", with spaces anywhere, and with a comma at the end', () => {
    const tags = { event: 'Summit', season: 4 };
    for (const text of ['event=Summit,season=4', ' event : Summit , season = 4 ', 'event:"Summit", "season" : 4,']) {
      assert.deepEqual(parseTags(text, undefined), { ok: true, tags }, text);
    }
  });

  it('are no text that leaves open which tag has which value', () => {
    for (const [text, part] of [
      ['Summit', 'Summit'],
      ['event:Summit, fr', 'fr'],
      ['event:', 'event:'],
      ['event: , season:4', 'event:'],
      [':Summit', ':Summit'],
      [' = 4', '= 4'],
      ['"":4', '"":4'],
      ['" ":4', '" ":4'],
      ['event:Summit,, season:4', ', season:4'],
      ['event:Summit season:4', 'event:Summit season:4'],
      ['start:10:30', 'start:10:30'],
      ['event:"Summit', 'event:"Summit'],
      ['event:"Summit" 2, season:4', 'event:"Summit" 2'],
      ['languages:["en", "fr"]', 'languages:["en"'],
      ['languages:[en, fr]', 'languages:[en'],
      ['owner:{"name":"Ada"}', 'owner:{"name":"Ada"}'],
      ['[]', '[]'],
      ['7', '7'],
    ] as const) {
      assert.deepEqual(parseTags(text, undefined), { ok: false, problem: { kind: 'notTag', part } }, text);
    }
    for (const text of ['event:Summit, event:Talks', 'event:Summit, "event"=Summit', '__proto__:1, __proto__:2']) {
      const name = text.split(':')[0];
      assert.deepEqual(parseTags(text, undefined), { ok: false, problem: { kind: 'twice', name } }, text);
    }
  });

  it('have values that are typed as they are, and as JSON where there is no other way', () => {
    for (const [value, text] of [
      ['Summit: day 1, "late"', 'Summit: day 1, "late"'],
      [4, '4'],
      ['4', '"4"'],
      ['', '""'],
      [' b ', '" b "'],
      ['[1]', '"[1]"'],
      ['"a"', String.raw`"\"a\""`],
      ['two\nlines', String.raw`"two\nlines"`],
      [['en', 2], '["en",2]'],
      [{ name: 'Ada' }, '{"name":"Ada"}'],
    ] as const) {
      assert.equal(writeTagValue(value), text);
      assert.deepEqual(parseTagValue(text), value, text);
    }
    assert.deepEqual(
      [parseTagValue(' Summit '), parseTagValue(' '), parseTagValue('["en"')],
      ['Summit', undefined, undefined],
    );
    // Nothing that can be typed stands for these, so they are shown as JSON and kept as long as nobody changes them.
    assert.deepEqual([true, null].map(writeTagValue), ['true', 'null']);
  });

  it('are read at once however long the text is', () => {
    const before = performance.now();
    for (const text of [' '.repeat(100_000), 'a'.repeat(100_000), 'a:'.repeat(50_000), '"'.repeat(100_001)])
      parseTags(text, {});
    // 10 ms on an idle machine. What reads the text again for each character of it takes hours.
    assert.ok(performance.now() - before < 60_000);
  });

  it('may be of another kind where the service has sent such tags', () => {
    const before = { owner: { name: 'Ada' } };
    assert.equal(parseTags('{"owner": {"name": "Ada"}, "event": "Summit"}', before).ok, true);
    assert.equal(parseTags('{"owner": {"name": "Bob"}}', before).ok, false);
  });

  it('have at most 2,048 characters without the spaces around them', () => {
    const longest = { a: 'x'.repeat(2048 - 8) };
    assert.equal(JSON.stringify(longest).length, 2048);
    assert.equal(parseTags(JSON.stringify(longest, undefined, 8), undefined).ok, true);
    const problem = { kind: 'tooLong', length: 2049 };
    assert.deepEqual(readTags({ a: `${longest.a}x` }), { ok: false, problem });
  });
});
