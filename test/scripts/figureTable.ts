import { findLongestChain, readImports, type Sources } from '../support/rules/importGraph.ts';
import { findSpreadTexts } from '../support/rules/texts.ts';
import {
  countDocBlocks,
  countLines,
  findHostWithoutVscode,
  findPicks,
  findSharedNames,
  findSiblingImports,
  findSingleImporters,
  findStreamApiUsers,
  listFolders,
  listFunctions,
  listMeasured,
  percentile,
} from './figures.ts';
import { findQueryGrammar } from './queryGrammar.ts';

const MOST_FILES = 25;
const MOST_PARAMETERS = 3;

/** A row of the table. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What was counted, a line each, for figures that can be listed. */
  readonly items?: readonly string[];
}

/** All figures, in the order of the table. */
export function listFigures(sources: Sources): Figure[] {
  return [
    ...sizeFigures(sources),
    ...functionFigures(sources, countLines(sources)),
    ...importFigures(sources),
    ...wordFigures(sources),
  ];
}

/** A table in Markdown. */
export function formatFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value }) => `| ${name} | ${value} |`);
  return ['| figure | value |', '| --- | --- |', ...rows].join('\n');
}

/** A list in Markdown for each figure that has items. */
export function formatItems(figures: readonly Figure[]): string {
  const lists = figures.flatMap(({ name, items = [] }) =>
    items.length === 0 ? [] : [`### ${name}\n\n${items.map((item) => `- ${item}`).join('\n')}`],
  );
  return lists.join('\n\n');
}

function sizeFigures(sources: Sources): Figure[] {
  const folders = listFolders(sources);
  const large = folders.filter(({ files }) => files > MOST_FILES).map(({ path, files }) => `${path} (${files})`);
  const largest = folders[0];
  const lines = countLines(sources);
  return [
    { name: 'files', value: `${sources.size}` },
    { name: 'lines', value: `${lines}` },
    {
      name: `folders with more than ${MOST_FILES} files`,
      value: large.length === 0 ? '0' : `${large.length}: ${large.join(', ')}`,
    },
    { name: 'largest folder', value: largest === undefined ? '–' : `${largest.path} (${largest.files})` },
    { name: 'doc blocks per 1,000 lines', value: ((countDocBlocks(sources) / lines) * 1000).toFixed(1) },
  ];
}

function functionFigures(sources: Sources, lines: number): Figure[] {
  const all = listFunctions(sources);
  const measured = listMeasured(all).sort((a, b) => b.lines - a.lines);
  const lengths = measured.map(({ lines }) => lines);
  const longest = measured[0];
  const many = all.filter(({ parameters }) => parameters > MOST_PARAMETERS);
  return [
    { name: 'functions', value: `${measured.length}` },
    { name: 'functions per 1,000 lines', value: ((measured.length / lines) * 1000).toFixed(1) },
    { name: 'median length, lines', value: `${percentile(lengths, 0.5)}` },
    { name: '90th percentile of length, lines', value: `${percentile(lengths, 0.9)}` },
    {
      name: 'longest function, lines',
      value: longest === undefined ? '–' : `${longest.lines} (${longest.name ?? 'callback'}, ${longest.place})`,
    },
    countOf(
      `functions with more than ${MOST_PARAMETERS} parameters`,
      many.map(({ name = 'callback', place, parameters }) => `${place}: ${name} (${parameters})`),
    ),
  ];
}

function importFigures(sources: Sources): Figure[] {
  const single = [...findSingleImporters(sources)].map(([path, importer]) => `${path} (by ${importer})`);
  const share = Math.round((single.length / sources.size) * 100);
  const chain = findLongestChain([...sources].flatMap(([path, source]) => readImports(path, source)));
  const names = [...findSharedNames(sources)].map(([name, paths]) => `${name}: ${paths.join(', ')}`);
  return [
    { name: 'files with exactly one importer', value: `${single.length} (${share}%)`, items: single },
    countOf('files of src/host that never mention vscode', findHostWithoutVscode(sources)),
    countOf('files outside the API and the account that import StreamApi', findStreamApiUsers(sources)),
    { name: 'longest chain of imports, files', value: `${chain.length}`, items: chain },
    countOf('imports among tree, commands, agents, and panels', findSiblingImports(sources)),
    countOf('uses of Pick', findPicks(sources)),
    countOf('exported names declared in more than one file', names),
  ];
}

function wordFigures(sources: Sources): Figure[] {
  return [
    countOf('places with query grammar outside the API and the account', findQueryGrammar(sources)),
    countOf('texts in more than three files', findSpreadTexts(sources)),
  ];
}

function countOf(name: string, items: readonly string[]): Figure {
  return { name, value: `${items.length}`, items };
}
