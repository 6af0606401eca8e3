import assert from 'node:assert/strict';
import { once } from '../../../src/util/once.ts';

describe('What is made once', () => {
  it('is made when it is first asked for, and the same for all who ask meanwhile and later', async () => {
    let made = 0;
    const ask = once(async () => ({ number: ++made }));
    assert.equal(made, 0);
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.equal(first, second);
    assert.equal(await ask(), first);
    assert.equal(made, 1);
  });

  it('is tried again after a failure, which all who waited are told of', async () => {
    const answers = ['fails', 'fails', 'works'];
    const ask = once(async () => {
      const answer = answers.shift();
      if (answer === 'fails') throw new Error(answer);
      return answer;
    });
    const both = await Promise.allSettled([ask(), ask()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(answers.length, 2, 'tried once for both');
    await assert.rejects(ask(), /fails/);
    assert.equal(await ask(), 'works');
    assert.equal(await ask(), 'works');
  });
});
