// node test/bench/run.ts [--only NAME]… [--minutes N] [--write]
// Measures, and prints a table in Markdown; --write puts it into test/bench/README.md too. Fails only when something cannot be measured.
import { cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { inProject } from '../support/projectFolder.ts';
import { vscodeVersion } from '../support/vscode/vscodePackage.ts';
import { activation } from './activation.ts';
import { broadcast } from './broadcast.ts';
import { change } from './change.ts';
import { code } from './code.ts';
import { firstPaint } from './firstPaint.ts';
import { list } from './list.ts';
import type { Bench, Result } from './measure.ts';
import { memory } from './memory.ts';
import { player } from './player.ts';
import { poll } from './poll.ts';
import { size } from './size.ts';
import { formatTable, writeBetweenMarks } from './table.ts';

const benches: readonly Bench[] = [activation, size, list, firstPaint, poll, change, memory, code, broadcast, player];

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, minutes: { type: 'string' }, write: { type: 'boolean' } },
});
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (minutes !== undefined && !(minutes >= 4)) throw new Error('--minutes takes a number from 4 up');
const unknown = values.only?.find((name) => benches.every((bench) => bench.name !== name));
if (unknown !== undefined) throw new Error(`There is no ${unknown}: ${benches.map(({ name }) => name).join(', ')}`);

const results: Result[] = [];
for (const { name, run } of benches) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  const start = performance.now();
  results.push(...(await run((line) => console.error(`${name}: ${line}`), { minutes })));
  console.error(`${name}: measured in ${Math.round((performance.now() - start) / 1000)} s`);
}
const table = `${formatTable(results)}\n\n${describeMachine()}`;
console.log(table);
if (values.write) writeBetweenMarks(inProject('test/bench/README.md'), table);

function describeMachine(): string {
  const all = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  const machine = `${all.length} cores (${all[0]?.model.trim()}), ${memory}, ${type()} ${release()}`;
  const date = new Date().toISOString().slice(0, 10);
  return `Measured on ${date} by \`npm run bench\`: ${machine}, Node ${process.versions.node}, VS Code ${vscodeVersion()}.`;
}
