import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { ON_BOTH_FACES, ON_STRICT_FACE, runsOnFace } from '../../host/faces.ts';
import { inProject } from '../../support/projectFolder.ts';

describe('The faces of host tests', () => {
  const names = globSync('test/host/**/*.test.ts', { cwd: inProject() }).map((file) => basename(file, '.test.ts'));

  it('are named for files that are there', () => {
    for (const name of [...ON_BOTH_FACES, ...ON_STRICT_FACE]) assert.ok(names.includes(name), name);
  });

  it('are one for each file, and both where the service’s offers count', () => {
    for (const name of names) {
      const faces = ['full', 'strict'].filter((face) => runsOnFace(face, name));
      assert.equal(faces.length, ON_BOTH_FACES.includes(name) ? 2 : 1, name);
    }
  });
});
