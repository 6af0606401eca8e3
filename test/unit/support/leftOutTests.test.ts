import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { findLeftOutTests } from '../../support/runner/leftOutTests.ts';

describe('What leaves tests out', () => {
  const folder = makeTemporaryFolder('sources');
  mkdirSync(join(folder, 'test/unit'), { recursive: true });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const found = (source: string) => {
    writeFileSync(join(folder, 'test/unit/a.test.ts'), source);
    return findLeftOutTests(folder);
  };

  for (const [source, shown] of [
    ["it.only('works', () => {});", 'it.only'],
    ["describe.only('a suite', () => {});", 'describe.only'],
    ["describe.skip('a suite', () => {});", 'describe.skip'],
    ["it\n  .skip('works', () => {});", 'it\n  .skip'],
    ["it['only']('works', () => {});", "it['only']"],
    ["it?.only('works', () => {});", 'it?.only'],
    ["xit('works', () => {});", 'xit'],
    ["xdescribe('a suite', () => {});", 'xdescribe'],
    ["it('works', function () { this.skip(); });", 'this.skip'],
    ['const { only: run } = it;', '{ only: run }'],
  ] as const) {
    it(`is found: ${shown.replace(/\s+/, ' ')}`, () => {
      assert.deepEqual(found(`// The first line.\n${source}`), [`test/unit/a.test.ts:2: ${shown}`]);
    });
  }

  it('is not a word of a comment, of a text, or of something else', () => {
    assert.deepEqual(found("// it.only\nit('does xit.only and it.skip', () => { const only = 1; only; });"), []);
  });

  it('is nowhere in these tests', () => {
    assert.deepEqual(findLeftOutTests(), []);
  });
});
