import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSameJson } from '../../../src/util/sameJson.ts';

const json = fc.jsonValue({ maxDepth: 4 });

describe('Values out of JSON', () => {
  it('are the same when they hold the same, in whatever order their keys stand', () => {
    fc.assert(fc.property(json, (value) => isSameJson(value, structuredClone(value))));
    assert.ok(isSameJson({ a: 1, b: [null, 'x'] }, { b: [null, 'x'], a: 1 }));
  });

  it('are different when anything in them is', () => {
    const equal = (a: unknown, b: unknown) => {
      try {
        assert.deepStrictEqual(a, b);
        return true;
      } catch {
        return false;
      }
    };
    // A zero can be negative in JSON too; nobody sees that.
    const positive = (text: string) => JSON.parse(text.replaceAll('-0', '0'));
    const parsed = json.map((value) => positive(JSON.stringify(value)));
    fc.assert(fc.property(parsed, parsed, (a, b) => isSameJson(a, b) === equal(a, b)));
    assert.ok(!isSameJson([1], { 0: 1 }));
    assert.ok(!isSameJson({ a: undefined }, { b: undefined }));
    assert.ok(!isSameJson([], null));
  });

  it('count as different when they are nested deeper than anyone would look', () => {
    const nest = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    assert.ok(isSameJson(nest(10), nest(10)));
    assert.ok(!isSameJson(nest(100_000), nest(100_000)));
  });
});
