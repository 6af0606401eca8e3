import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { KEY, moveKeysIn } from '../../support/code/movedKeys.ts';
import { inProject } from '../../support/projectFolder.ts';

/** undefined for what isn't TypeScript. Types aren't in it. */
function compile(text: string): string | undefined {
  try {
    return transformSync(text, { loader: 'ts', logLevel: 'silent' }).code;
  } catch {
    return undefined;
  }
}

describe('Keys in the files of this project', () => {
  for (const folder of ['src/code', 'src/model/webhooks']) {
    it(`are moved so that the variable is in the compiled code: ${folder}`, () => {
      let moved = 0;
      for (const name of readdirSync(inProject(folder)).filter((each) => each.endsWith('.ts'))) {
        for (const { before, after } of moveKeysIn('typescript', readFileSync(inProject(folder, name), 'utf8'))) {
          if (after === undefined || compile(before)?.includes(KEY) !== true) continue;
          assert.ok(compile(after)?.includes('process.env.STREAM_KEY'), after);
          moved += 1;
        }
      }
      assert.ok(moved > 50, `${moved}`);
    });
  }
});
