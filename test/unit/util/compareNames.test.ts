import assert from 'node:assert/strict';
import { compareNames } from '../../../src/util/compareNames.ts';

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
