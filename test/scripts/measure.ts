// node test/scripts/measure.ts [--root FOLDER] [--verbose]
// Prints figures about the TypeScript in src as a table in Markdown. --root measures another checkout of the project by the
// same rules, to compare before and after; --verbose lists what was counted.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inProject } from '../support/projectFolder.ts';
import type { Sources } from '../support/rules/importGraph.ts';
import { formatFigures, formatItems, listFigures } from './figureTable.ts';

const { values } = parseArgs({ options: { root: { type: 'string' }, verbose: { type: 'boolean' } } });
const figures = listFigures(readSources(values.root ?? inProject()));
console.log(formatFigures(figures));
if (values.verbose) console.log(`\n${formatItems(figures)}`);

/** Throws if there is no TypeScript in the folder's src. */
function readSources(root: string): Sources {
  const files = globSync('src/**/*.ts', { cwd: root }).sort();
  if (files.length === 0) throw new Error(`${join(root, 'src')} has no TypeScript files`);
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]));
}
