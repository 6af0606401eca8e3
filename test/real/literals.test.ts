import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { literal } from '../../src/code/literals.ts';
import { ODD_TEXTS } from '../support/code/oddTexts.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { itWith } from '../support/runner/itWith.ts';

let folder = '';
before(() => {
  folder = makeTemporaryFolder('literals');
});
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...args: readonly string[]): Buffer =>
  execFileSync(program, args, { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } });

function assertPrinted(output: Buffer): void {
  assert.deepEqual(
    output.toString().split('\u0003').slice(0, -1),
    ODD_TEXTS.map((text) => text.toWellFormed()),
  );
}

const all = (languageId: string) => ODD_TEXTS.map((text) => literal(text, languageId)).join(',\n  ');

/** Each program prints all texts, each with an end of text (U+0003), in UTF-8. */
describe('Texts in programs that are run', () => {
  itWith('python3')('are the same in Python', async () => {
    const code = `import sys\nfor x in [\n  ${all('python')}\n]:\n  sys.stdout.buffer.write((x + '\\x03').encode())\n`;
    writeFileSync(join(folder, 'a.py'), code);
    assertPrinted(run('python3', 'a.py'));
  });

  itWith('javac and java')('are the same in Java', async () => {
    const code = `import java.nio.charset.StandardCharsets;
class A {
  public static void main(String[] args) throws Exception {
    for (String x : new String[] {\n  ${all('java')}\n}) System.out.write((x + "\\u0003").getBytes(StandardCharsets.UTF_8));
  }
}`;
    writeFileSync(join(folder, 'A.java'), code);
    run('javac', '-encoding', 'UTF-8', 'A.java');
    assertPrinted(run('java', '-cp', '.', 'A'));
  });

  itWith('rustc')('are the same in Rust', async () => {
    writeFileSync(join(folder, 'a.rs'), `fn main() { for x in [\n  ${all('rust')}\n] { print!("{}\\u{3}", x); } }`);
    run('rustc', 'a.rs', '-o', 'rust');
    assertPrinted(run(join(folder, 'rust')));
  });

  for (const [languageId, ending, options] of [
    ['c', 'c', ['-std=c11', '-trigraphs']],
    ['cpp', 'cc', ['-std=c++14', '-xc++', '-trigraphs', '-fno-exceptions']],
  ] as const) {
    itWith('gcc')(`are the same in ${languageId}`, async () => {
      const code = `#include <stdio.h>
int main(void) {
  const char *all[] = {\n  ${all(languageId)}\n};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) { fputs(all[i], stdout); putchar(3); }
}`;
      writeFileSync(join(folder, `a.${ending}`), code);
      run('gcc', ...options, '-Werror', `a.${ending}`, '-o', languageId);
      assertPrinted(run(join(folder, languageId)));
    });
  }
});
