import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { inProject } from '../../support/projectFolder.ts';
import { findTitleFaults } from '../../support/rules/titleRules.ts';

describe('Titles of tests', () => {
  const faultsIn = (source: string) => findTitleFaults('a.test.ts', source);

  for (const title of ['that is cut goes on', 'of 20 GB is read in pieces']) {
    it(`say what they are about, unlike "${title}"`, () => {
      assert.deepEqual(faultsIn(`\nit(\`${title}\`, () => {});`), [`a.test.ts:2: ${title}`]);
    });
  }

  for (const title of ['A service that', 'where a service fails', 'What is found, from real senders,']) {
    it(`don't begin in their describe, unlike those of "${title}"`, () => {
      assert.deepEqual(faultsIn(`describe('${title}', () => {});`), [`a.test.ts:1: ${title}`]);
    });
  }

  it('may begin with a verb, and hold any word', () => {
    const source =
      "describe('The poller', () => { it('stops after a 401, and waits by then', () => find('of', 'by')); });";
    assert.deepEqual(faultsIn(source), []);
  });

  it('can be read alone in this project', () => {
    const files = globSync('test/**/*.test.ts', { cwd: inProject() });
    assert.ok(files.length > 100);
    assert.deepEqual(
      files.flatMap((file) => findTitleFaults(file, readFileSync(inProject(file), 'utf8'))),
      [],
    );
  });
});
