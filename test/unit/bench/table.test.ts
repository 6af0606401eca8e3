import assert from 'node:assert/strict';
import { alternate, figureOf, formatFigure } from '../../bench/measure.ts';
import { formatTable, putBetweenMarks } from '../../bench/table.ts';

describe('Benchmarks', () => {
  it('give the median of seven or more, with minimum and maximum', () => {
    assert.equal(formatFigure(figureOf([9, 1, 8, 2, 7, 3, 6]), 'ms'), '6 ms (1 to 9)');
    assert.equal(figureOf([9, 1, 8, 2, 7, 3, 6, 5]).median, 5.5);
    assert.throws(() => figureOf([1, 2, 3, 4, 5, 6]), /too few/);
  });

  it('take turns, each round beginning with another, and do not count the first round', async () => {
    const order: string[] = [];
    const run = (name: string) => async () => order.push(name);
    const found = await alternate(2, { a: run('a'), b: run('b') });
    assert.equal(order.join(''), 'abbaab');
    assert.deepEqual(found, { a: [4, 5], b: [3, 6] });
  });

  it('stand between two marks of a page, in place of those of the last time', () => {
    const result = { figure: 'a|b', measured: '1 ms', reference: '', aim: '2 ms', isMet: true };
    const table = formatTable([result, { ...result, isMet: false }, { ...result, isMet: undefined }]);
    assert.match(table, /\| a\\\|b \| 1 ms \| {2}\| 2 ms: met \|\n.*\| 2 ms: \*\*missed\*\* \|\n.*\| 2 ms \|$/);
    const page =
      'before\n<!-- npm run bench -- --write: begin -->\nold\n<!-- npm run bench -- --write: end -->\nafter\n';
    const written = putBetweenMarks(page, table);
    assert.ok(written.includes(table) && !written.includes('old'));
    assert.equal(putBetweenMarks(written, 'old'), page);
    assert.throws(() => putBetweenMarks('no marks', table), /needs one line/);
    assert.throws(() => putBetweenMarks(page + page, table), /needs one line/);
  });
});
