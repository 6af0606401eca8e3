import assert from 'node:assert/strict';
import { ToolProblem } from '../../../src/agents/answers.ts';
import { type Fields, readInput, wrongInput } from '../../../src/agents/input.ts';

const FIELDS = {
  id: { kind: 'id', isRequired: true },
  name: { kind: 'text', longest: 5 },
  on: { kind: 'boolean' },
  state: { kind: 'word', words: ['active', 'idle'] },
  limit: { kind: 'wholeNumber', least: 2, most: 4 },
} as const satisfies Fields;

function isAccepted(given: unknown): boolean {
  try {
    readInput(FIELDS, given);
    return true;
  } catch (error) {
    assert.ok(error instanceof ToolProblem, String(error));
    assert.deepEqual(error.facts, wrongInput(FIELDS).facts);
    return false;
  }
}

describe('The input of a tool', () => {
  it('is read with all of its properties, those that were not given undefined', () => {
    assert.deepEqual(readInput(FIELDS, { id: 'a', name: 'b', on: false, state: 'idle', limit: 3 }), {
      ...{ id: 'a', name: 'b', on: false, state: 'idle', limit: 3 },
    });
    assert.deepEqual(Object.entries(readInput(FIELDS, { id: 'a' })), [
      ['id', 'a'],
      ['name', undefined],
      ['on', undefined],
      ['state', undefined],
      ['limit', undefined],
    ]);
  });

  it('is an object with what is required and nothing else', () => {
    const nothing: Fields = { on: { kind: 'boolean' } };
    assert.deepEqual(readInput(nothing, {}), { on: undefined });
    for (const given of [undefined, null, [], 'on', { off: true }, { on: true, off: true }]) {
      assert.throws(() => readInput(nothing, given), ToolProblem);
    }
    assert.deepEqual([{}, { id: undefined }, { id: 'a' }].map(isAccepted), [false, false, true]);
  });

  it('has its own properties only', () => {
    assert.equal(isAccepted(Object.create({ id: 'a' })), false);
    const given = Object.assign(Object.create({ name: 5 }), { id: 'a' });
    assert.equal(readInput(FIELDS, given).name, undefined);
  });

  const accepted: readonly (readonly [keyof typeof FIELDS, readonly unknown[], readonly unknown[]])[] = [
    ['id', ['a', 'x'.repeat(64)], ['', 'a b', 'x'.repeat(65), 5, true, null]],
    ['name', ['a', ' a ', '12345'], ['', '     ', '123456', 5, true, null, ['a']]],
    ['on', [true, false], ['true', 0, null]],
    ['state', ['active', 'idle'], ['', 'all', 5, null, ['idle']]],
    ['limit', [2, 3, 4], [1, 5, 2.5, '3', Number.NaN, null]],
  ];
  for (const [name, right, wrong] of accepted) {
    it(`has a value of its kind: ${FIELDS[name].kind}`, () => {
      for (const value of right) assert.ok(isAccepted({ id: 'a', [name]: value }), String(value));
      for (const value of wrong) assert.ok(!isAccepted({ id: 'a', [name]: value }), String(value));
    });
  }

  it('is described where it is wrong, with the rule that was broken', () => {
    assert.deepEqual(wrongInput(FIELDS, 'A rule.').facts, {
      problem: 'The tool input is invalid.',
      expected: {
        id: 'an ID: letters, digits, hyphens, and underscores, required',
        name: 'text of 1 to 5 characters',
        on: 'true or false',
        state: 'one of "active", "idle"',
        limit: 'a whole number from 2 to 4',
      },
      next: 'Call the tool again with these properties and no others. A rule.',
    });
    assert.equal(wrongInput({}).facts.next, 'Call the tool again with these properties and no others.');
  });
});
