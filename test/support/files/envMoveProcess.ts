import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveKeyTo } from './envFolder.ts';

/** Moves one key after the other to the .env file of a folder, until it is killed. Notes each in `code` once it is moved. */
const folder = process.argv[2] ?? '';
for (let number = 1; ; number += 1) {
  const start = performance.now();
  const name = await moveKeyTo(folder, { name: 'STREAM_KEY', value: `key-${number}` });
  appendFileSync(join(folder, 'code'), `${name}\n`);
  if (number === 1) process.stdout.write(`${performance.now() - start}\n`);
}
