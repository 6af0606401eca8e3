import { findCycle, findLongestChain, type ImportRef, readImports, type Sources } from './importGraph.ts';

/** Each may import itself and what stands left of it, but not what stands beside it. */
const LINE = [
  ['util'],
  ['api'],
  ['model'],
  ['texts'],
  ['tree', 'commands', 'agents', 'panels'],
  ['host'],
  ['extension.ts'],
];
const LAYERS = LINE.flat();

/** Who uses the parts beside the line, and what these may use. `services.ts` is for all, and knows util alone. */
const BESIDE: Readonly<Record<string, { readonly mayImport: RegExp; readonly importedBy: RegExp }>> = {
  demo: {
    mayImport: /^src\/(demo\/|media\/|util\/|services\.ts$|api\/types\.ts$)/,
    importedBy: /^src\/(demo|host)\//,
  },
  broadcast: {
    mayImport: /^src\/(broadcast|media|util)\//,
    importedBy: /^src\/(broadcast|model|texts|commands|host)\//,
  },
  media: { mayImport: /^src\/(media|util)\//, importedBy: /^src\/(broadcast|demo|media|webview)\// },
  code: {
    mayImport: /^src\/(code|util|api|model)\/|^src\/services\.ts$/,
    importedBy: /^src\/(code|commands|agents|host)\//,
  },
  webview: {
    mayImport: /^src\/(webview\/|media\/|util\/|texts\/(labels|lateLabels)\.ts$)/,
    importedBy: /^src\/(webview|panels|host)\//,
  },
  'services.ts': { mayImport: /^src\/util\//, importedBy: /^src\// },
};

/** Parts beside the line of which others may load code, not types alone. */
const LOADED_AS_CODE: ReadonlySet<string> = new Set(['broadcast', 'code', 'demo', 'media']);
const MAY_KNOW_VSCODE = /^src\/(host\/|extension\.ts$)/;
/** The ids of the commands, which buttons and pages name by their type. */
const COMMAND_IDS = 'src/commands/table.ts';
const MAY_NAME_COMMANDS = /^src\/(texts|tree|agents|panels)\//;
const STREAM_API = 'src/api/streamApi.ts';
const MAY_USE_STREAM_API = /^src\/(api|model\/account)\//;

/** What in the sources goes against src/README.md, "What may import what", one sentence each; empty when all is well. */
export function findLayerFaults(sources: Sources): string[] {
  const imports = [...sources].flatMap(([path, source]) => readImports(path, source));
  const cycle = findCycle(imports);
  return [
    ...imports.flatMap((ref) => faultsOf(ref, sources)),
    ...lateFaults(imports),
    ...(cycle === undefined ? chainFaults(imports) : [`A cycle: ${cycle.join(' -> ')}`]),
  ];
}

/** The files of host that do not know VS Code, and so belong to another layer. */
export function findHostFaults(sources: Sources): string[] {
  return [...sources]
    .filter(([path, source]) => path.startsWith('src/host/') && !/from 'vscode'/.test(source))
    .map(([path]) => `${path} does not import vscode, so it belongs to another layer`);
}

/** Files of handlers that the boundary loads: its actions name commands, and it is given what runs them. */
export function findHandlerFaults(sources: Sources): string[] {
  const imports = [...sources].flatMap(([path, source]) => readImports(path, source)).filter((ref) => !ref.isTypeOnly);
  const importsOf = (path: string) => imports.filter(({ from }) => from === path).map(({ to }) => to);
  const loaded = new Set(['src/commands/boundary.ts']);
  // A set also goes through what is added on the way.
  for (const path of loaded) for (const to of importsOf(path)) loaded.add(to);
  return importsOf('src/commands/handlers.ts')
    .filter((path) => loaded.has(path))
    .map((path) => `src/commands/boundary.ts loads ${path}, which has handlers`);
}

function faultsOf(ref: ImportRef, sources: Sources): string[] {
  const { from, to } = ref;
  if (to === '(computed)') return [`${from} imports something that is known only at run time`];
  if (to === 'vscode') return MAY_KNOW_VSCODE.test(from) ? [] : [`${from} imports vscode`];
  if (!to.startsWith('src/') && !to.startsWith('.') && !to.startsWith('test/')) return packageFaults(ref);
  if (!sources.has(to)) return [`${from} imports ${to}, which is no file of src`];
  if (to === STREAM_API && !MAY_USE_STREAM_API.test(from)) return [`${from} imports ${to}, not the account`];
  return isAllowed(ref) ? [] : [`${from} imports ${to}`];
}

function packageFaults({ from, to }: ImportRef): string[] {
  return partOf(from) === 'webview' && to.startsWith('node:') ? [`${from} imports ${to}, and runs in a browser`] : [];
}

function isAllowed({ from, to, isTypeOnly }: ImportRef): boolean {
  const [user, used] = [partOf(from), partOf(to)];
  const ofUser = BESIDE[user];
  const ofUsed = BESIDE[used];
  if (ofUser !== undefined && !ofUser.mayImport.test(to)) return false;
  if (ofUsed !== undefined)
    return ofUsed.importedBy.test(from) && (isTypeOnly || LOADED_AS_CODE.has(used) || user === used);
  if (to === COMMAND_IDS && isTypeOnly && MAY_NAME_COMMANDS.test(from)) return true;
  return ofUser !== undefined || used === user || placeOf(used) < placeOf(user);
}

function placeOf(layer: string): number {
  return LINE.findIndex((layers) => layers.includes(layer));
}

/** src/util/events.ts -> util; src/extension.ts -> extension.ts */
function partOf(path: string): string {
  const part = path.split('/')[1] ?? path;
  if (!LAYERS.includes(part) && !(part in BESIDE)) throw new Error(`${path} is in no part of src that the rules know`);
  return part;
}

/** What is loaded with import() is loaded at once all the same where anybody else just imports it. */
function lateFaults(imports: readonly ImportRef[]): string[] {
  const late = new Set(imports.filter(({ isLate }) => isLate).map(({ to }) => to));
  return imports
    .filter(({ to, isLate, isTypeOnly }) => late.has(to) && !isLate && !isTypeOnly)
    .map(({ from, to }) => `${from} imports ${to}, which is to be loaded with import() alone`);
}

/** How many files a reader may have to know to understand one. */
const CHAIN_AT_MOST = 24;

function chainFaults(imports: readonly ImportRef[]): string[] {
  const chain = findLongestChain(imports.filter(({ to }) => to.startsWith('src/')));
  if (chain.length <= CHAIN_AT_MOST) return [];
  return [`A chain of ${chain.length} imports, at most ${CHAIN_AT_MOST}: ${chain.join(' -> ')}`];
}
