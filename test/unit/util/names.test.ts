import assert from 'node:assert/strict';
import { compareNames, uniqueName } from '../../../src/util/names.ts';

describe('Names in their order', () => {
  const sorted = (locale: string, ...names: readonly string[]) => names.toSorted((a, b) => compareNames(a, b, locale));

  it('follow the language of the reader', () => {
    assert.deepEqual(sorted('de', 'Zoo', 'Öl', 'Oase'), ['Oase', 'Öl', 'Zoo']);
    assert.deepEqual(sorted('sv', 'Zoo', 'Öl', 'Oase'), ['Oase', 'Zoo', 'Öl']);
    assert.deepEqual(sorted('zh-cn', '张', '李'), ['李', '张']);
  });

  it('count, and take no notice of case', () => {
    assert.deepEqual(sorted('en', 'Stage 10', 'stage 9', 'Stage 1'), ['Stage 1', 'stage 9', 'Stage 10']);
  });
});

describe('A unique name', () => {
  it('is the wanted one, without the spaces around it, if it is free', () => {
    assert.equal(uniqueName(' A ', ['B']), 'A');
  });

  it('has the first free number otherwise, in any case of letters', () => {
    assert.equal(uniqueName('A', ['a', 'A 2']), 'A 3');
    assert.equal(uniqueName('Stage', ['STAGE', 'stage 3']), 'Stage 2');
  });
});
