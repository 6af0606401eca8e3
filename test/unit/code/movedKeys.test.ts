import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { KEY, moveKeysIn } from '../../support/code/movedKeys.ts';
import { compileStrictly } from '../../support/code/serverCode.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';

/** undefined for what isn't TypeScript. Types aren't in it. */
function compile(text: string): string | undefined {
  try {
    return transformSync(text, { loader: 'ts', logLevel: 'silent' }).code;
  } catch {
    return undefined;
  }
}

/** Each text in quotes is moved on its own. */
const STRICT = `import { createHash } from "node:crypto";

type Mode = "live" | "test";
enum Kind {
  Live = "live",
}
interface Target {
  readonly url: string;
  readonly key: string;
  readonly mode?: Mode;
}
const targets: readonly Target[] = [
  {
    // The "first" one:
    url: "rtmp://h.example/live",
    key: "a",
  },
  { url: \`rtmp://h.example/live/b\`, key: 'b' },
];
export const hash =
  "c";
export function connect(
  url: string,
  key: string = "d",
): string {
  const all = ["e", url].map((each) => each + "f");
  return createHash("sha256").update(
    "g",
  ).update(key === "" ? all.join("h") : Kind.Live).digest().toString();
}
export class Player {
  key = "i";
  readonly #targets = new Map<string, Target>(targets.map((each) => [each.key, each]));
  url(key: string): string {
    return this.#targets.get(key)?.url ?? "j";
  }
}
connect("k", "l");
`;

describe('Keys in TypeScript', () => {
  it('are moved so that a file still compiles where types are strict', async () => {
    const folder = makeTemporaryFolder('strict');
    try {
      const moved = [...moveKeysIn('typescript', STRICT)].flatMap(({ after }) => after ?? []);
      assert.ok(moved.length > 10, `${moved.length}`);
      const files = moved.map((text, index) => {
        const file = join(folder, `${index}.mts`);
        writeFileSync(file, text);
        return file;
      });
      assert.equal(await compileStrictly(files), '');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  for (const folder of ['src/code', 'src/model/webhooks']) {
    it(`are moved in this project so that the variable is in the compiled code: ${folder}`, () => {
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
