import assert from 'node:assert/strict';
import { parseTags, readTags } from '../../../src/model/streamTags.ts';

describe('Tags of a stream', () => {
  it('are texts, numbers, and lists of texts and numbers', () => {
    const tags = { event: 'Summit', year: 2026, languages: ['en', 'fr'], rooms: [1, 2], none: [], empty: '' };
    assert.deepEqual(parseTags(JSON.stringify(tags), undefined), { ok: true, tags });
    assert.deepEqual(parseTags(' ', { event: 'Summit' }), { ok: true, tags: {} });
    assert.deepEqual(parseTags('{}', undefined), { ok: true, tags: {} });
  });

  it('are no other JSON', () => {
    for (const text of ['{', '[]', '"event"', '7', 'null', "{event: 'Summit'}"]) {
      assert.deepEqual(parseTags(text, undefined), { ok: false, problem: { kind: 'notObject' } }, text);
    }
    for (const value of [true, null, { a: 1 }, ['a', true], [['a']]]) {
      const problem = { kind: 'value', name: 'b' };
      assert.deepEqual(parseTags(JSON.stringify({ a: 'c', b: value }), undefined), { ok: false, problem });
    }
    assert.deepEqual(readTags({ a: Number.NaN }), { ok: false, problem: { kind: 'value', name: 'a' } });
    assert.deepEqual(readTags('{}'), { ok: false, problem: { kind: 'notObject' } });
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
