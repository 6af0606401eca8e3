import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chance, createChance } from '../../soak/random.ts';
import { moveKeyTo, textOf, waitingFolders } from '../../support/files/envFolder.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';

/** Each the seed of its moment. */
const KILLS = sampleOf(
  Array.from({ length: 100 }, (_, number) => number),
  10,
);
const AT_ONCE = 4;
const [SMALLEST, LARGEST] = [100, 5_000_000];

describe('A key that is moved to .env while the process is killed', () => {
  let folder = '';
  before(() => {
    folder = makeTemporaryFolder('killedMove');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves the old file or the new one, and reads no variable that isn’t there', async function () {
    this.timeout(240_000);
    const seen = { left: 0, withoutCode: 0 };
    const numbers = [...KILLS];
    const worker = async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
        const chance = createChance(number);
        const own = join(folder, String(number));
        mkdirSync(own);
        const before = textOfLength(SMALLEST * (LARGEST / SMALLEST) ** chance.fraction());
        writeFileSync(join(own, '.env'), before);
        await killWhileMoving(own, chance);
        const moved = requireWhole(own, before);
        if (moved > textOf(own, 'code').split('\n').length - 1) seen.withoutCode += 1;
        if (waitingFolders(own).length > 0) seen.left += 1;
        await requireCleared(own, moved);
        rmSync(own, { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // By chance, a few alone may all miss.
    assert.ok(KILLS.length < 100 || seen.left >= 10, `Only ${seen.left} kills hit a write`);
  });
});

/** At a moment of one of the moves after the first. */
async function killWhileMoving(folder: string, chance: Chance): Promise<void> {
  const child = spawn(process.execPath, [inProject('test/support/files/envMoveProcess.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [duration] = await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, chance.fraction() * 2 * Number(duration)));
  child.kill('SIGKILL');
  await ended;
}

/** Returns how many keys were moved. */
function requireWhole(folder: string, before: string): number {
  const after = textOf(folder, '.env');
  assert.ok(after.startsWith(before));
  const lines = after.slice(before.length).split('\n').slice(0, -1);
  assert.deepEqual(
    lines,
    lines.map((_, at) => `STREAM_KEY${at === 0 ? '' : `_${at + 1}`}=key-${at + 1}`),
  );
  assert.ok(after.endsWith('\n'));
  assert.equal(textOf(folder, '.gitignore'), '.env\n');
  const names = textOf(folder, 'code').split('\n').slice(0, -1);
  assert.ok(names.length === lines.length || names.length === lines.length - 1, `${names.length} of ${lines.length}`);
  return lines.length;
}

/** What the killed process left is kept from Git, and gone after the next move. */
async function requireCleared(folder: string, moved: number): Promise<void> {
  for (const name of waitingFolders(folder)) {
    if (!existsSync(join(folder, name, 'new'))) continue;
    assert.equal(readFileSync(join(folder, name, '.gitignore'), 'utf8'), '*\n');
  }
  await moveKeyTo(folder, { name: 'STREAM_KEY', value: `key-${moved + 1}` });
  assert.deepEqual(waitingFolders(folder), []);
}

function textOfLength(length: number): string {
  const line = 'OTHER="a value of some length"\n';
  return `${line.repeat(Math.ceil(length / line.length))}`;
}
