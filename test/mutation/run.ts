// npm run mutate -- [--paths src/api,src/tree/row.ts] [--every 33] [--seed 1] [--tests 'test/unit/{api,tree}/**/*.test.ts']
// Plants small faults with StrykerJS, each by itself, runs the unit tests that meet it, and prints how many of them fail
// for one and what survives. With an --every of 33 it takes some minutes on an idle machine, half of them for running all
// tests twice without a fault; 1 plants all there are. Not planted: other texts, and faults in what is made on import.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { isInSample, type MutationOptions, type Sample } from './mutationOptions.ts';

const { values } = parseArgs({
  options: {
    paths: { type: 'string', default: 'src/api,src/model,src/tree,src/commands' },
    every: { type: 'string', default: '33' },
    seed: { type: 'string', default: '1' },
    // Fewer tests take less time, and find fewer faults.
    tests: { type: 'string', default: 'test/unit/**/*.test.ts' },
  },
});

/** They read sources as text, start processes, take long, or test what nothing is planted in. */
const WITHOUT = [
  ...['test/unit/*.test.ts', 'test/unit/{attack,bench,demo,support,webview}/**'],
  ...['systemCertificates', 'undiciLoading', 'proxies'].map((name) => `test/unit/api/${name}.test.ts`),
  ...['test/unit/code/killedMove.property.test.ts', 'test/unit/**/*.fuzz.test.ts'],
];

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>;
}

interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  /** Counted from 1. */
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

const sample: Sample = { seed: Number(values.seed), every: Number(values.every) };
const folder = makeTemporaryFolder('mutation');
const reportFile = join(folder, 'report.json');
const options: MutationOptions = {
  mutation: { tests: [values.tests], withoutTests: WITHOUT, sample },
  mutate: values.paths.split(',').flatMap(filesOf),
  mutator: { excludedMutations: ['StringLiteral'], plugins: null },
  ...{ testRunner: 'mocha-here', checkers: ['sample'], coverageAnalysis: 'perTest', ignoreStatic: true },
  plugins: ['mochaTestRunner.ts', 'sampleChecker.ts'].map((name) => inProject('test/mutation', name)),
  ...{ concurrency: 1, timeoutMS: 10_000, dryRunTimeoutMinutes: 30 },
  // TypeScript 7 has no interface for programs, which would be asked to rewrite the project's options.
  ...{ tsconfigFile: 'none.json', disableTypeChecks: false },
  ...{ reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: reportFile } },
  ...{ tempDirName: join(folder, 'sandbox'), ignorePatterns: ['.vscode-test', 'dist', 'dist-test'] },
  warnings: false,
};

try {
  await new Stryker(options).runMutationTest();
  const { files }: Report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const tried = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter((mutant) => isTried(file, mutant)).map((mutant) => ({ file, source, mutant })),
  );
  const survivors = tried.filter(({ mutant }) => mutant.status === 'Survived' || mutant.status === 'NoCoverage');
  for (const { file, source, mutant } of survivors) console.log(describe(file, source, mutant));
  const layers = Map.groupBy(tried, ({ file }) => file.split('/').slice(0, 2).join('/'));
  for (const [layer, all] of [...layers, ['all', tried] as const]) {
    const killed = all.filter((each) => !survivors.includes(each)).length;
    console.log(`${layer}: ${killed} of ${all.length} found (${((100 * killed) / all.length).toFixed(1)} %)`);
  }
  console.log(
    `Seed ${sample.seed}, one in ${sample.every}: npm run mutate -- --seed ${sample.seed} --every ${sample.every}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param path of a file or a folder */
function filesOf(path: string): readonly string[] {
  return path.endsWith('.ts') ? [path] : [`${path}/**/*.ts`, `!${path}/**/*.d.ts`];
}

/** What no test meets never comes before the checker. */
function isTried(file: string, { mutatorName, replacement, status, location }: ReportedMutant): boolean {
  if (['Killed', 'Timeout', 'Survived'].includes(status)) return true;
  const { line, column } = location.start;
  const place = { file, mutator: mutatorName, replacement, line: line - 1, column: column - 1 };
  return status === 'NoCoverage' && isInSample(place, sample);
}

function describe(
  file: string,
  source: string,
  { mutatorName, replacement, status, location }: ReportedMutant,
): string {
  const { line } = location.start;
  const text = source.split('\n')[line - 1]?.trim();
  const how = status === 'NoCoverage' ? 'met by no test' : 'survived';
  return `${file}:${line}: ${how}: ${mutatorName}, ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}\n    ${text}`;
}
