import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { inProject } from '../projectFolder.ts';
import type { Sources } from './importGraph.ts';
import { keyName, lineSpan, type SyntaxNode, walkSource } from './syntax.ts';

/** Translations by the key VS Code and `t` look them up with: the English text, or its text and comment with a `/` between. */
export type Texts = Readonly<Record<string, string>>;

/** What a language has a file for: the texts of the code, and those of package.json. */
export interface Translation {
  readonly code: Texts;
  readonly manifest: Texts;
}

/** The English texts by their keys, and the calls of `t` that no translation can follow. */
interface ReadTexts {
  readonly texts: Texts;
  readonly faults: readonly string[];
}

const BUNDLES = 'media/l10n';

/** The languages that have a file, as VS Code names them: ['de', 'zh-cn']. */
export function readLanguages(): string[] {
  const files = ['package.nls.*.json', `${BUNDLES}/bundle.l10n.*.json`].flatMap((form) =>
    globSync(form, { cwd: inProject() }),
  );
  return [...new Set(files.flatMap((file) => /\.([\w-]+)\.json$/.exec(file)?.[1] ?? []))].sort();
}

/** What a language has so far; a file that is not there is one without texts. */
export function readTranslation(language: string): Translation {
  const { code, manifest } = filesOf(language);
  return { code: readTexts(code), manifest: readTexts(manifest) };
}

/** Writes both files of a language: the code's texts by the alphabet, those of package.json as the English ones stand. */
export function writeTranslation(language: string, { code, manifest }: Translation, english: Translation): void {
  const files = filesOf(language);
  writeTexts(files.code, code, Object.keys(english.code).sort());
  writeTexts(files.manifest, manifest, Object.keys(english.manifest));
}

/** The English texts of src and of package.nls.json, and the calls that cannot be translated. */
export function readEnglish(): Translation & Pick<ReadTexts, 'faults'> {
  const paths = globSync('src/**/*.ts', { cwd: inProject() }).map((path) => path.replaceAll('\\', '/'));
  const read = paths.sort().map((path) => readCalls(path, readFileSync(inProject(path), 'utf8')));
  const code = Object.assign({}, ...read.map(({ texts }) => texts));
  return { code, manifest: readTexts('package.nls.json'), faults: read.flatMap(({ faults }) => faults) };
}

const FILES_OF_A_TEXT_AT_MOST = 3;

/** The texts that too many files write, each with the files. */
export function findSpreadTexts(sources: Sources): string[] {
  const uses = [...sources].flatMap(([path, source]) =>
    Object.keys(readCalls(path, source).texts).map((text) => ({ path, text })),
  );
  return [...Map.groupBy(uses, ({ text }) => text)]
    .filter(([, files]) => files.length > FILES_OF_A_TEXT_AT_MOST)
    .map(([text, files]) => `"${text}" is in ${files.map(({ path }) => path).join(', ')}`);
}

/** All texts that a source gives to `t`; a fault for each call whose text is not written there, or that comes too early. */
export function readCalls(path: string, source: string): ReadTexts {
  const texts: Record<string, string> = {};
  const faults: string[] = [];
  const fault = (node: SyntaxNode, what: string) => faults.push(`${path}:${lineSpan(node)[0]} ${what}`);
  if (!/from '@vscode\/l10n'/.test(source)) return { texts, faults };
  walkSource(path, source, (node, parents) => {
    if (importsTranslator(node) && keyName(node.local) !== 't') fault(node, 'gives t another name');
    if (node.type !== 'Identifier' || node.name !== 't' || !isUse(node, parents.at(-1))) return;
    const call = parents.at(-1);
    const text = call?.type === 'CallExpression' && call.callee === node ? textOf(call) : undefined;
    if (text === undefined) return void fault(node, 'gives t something else than a text that is written there');
    if (!parents.some(isLater)) fault(node, 'calls t while it is imported, before the language is known');
    if (valueCount(call) !== placeholders(text.message).length)
      fault(node, 'gives t more or fewer values than placeholders');
    texts[text.key] = text.message;
  });
  return { texts, faults };
}

/** Returns the texts that have no translation; VS Code shows them in English. */
export function findMissingTexts(english: Translation, translated: Translation): Translation {
  return without(english, translated);
}

/** Returns the translations of texts that are not there any more. */
export function findUnusedTexts(english: Translation, translated: Translation): Translation {
  return without(translated, english);
}

function without(all: Translation, known: Translation): Translation {
  const others = (texts: Texts, left: Texts) =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => left[key] === undefined));
  return { code: others(all.code, known.code), manifest: others(all.manifest, known.manifest) };
}

/** Returns a sentence for each translation that would show or do something else than its text, with the name of the file. */
export function findTranslationFaults(file: string, english: Texts, translated: Texts): string[] {
  return Object.entries(translated).flatMap(([key, translation]) => {
    const text = english[key];
    if (text === undefined) return [];
    return differences(text, translation).map((what) => `${file} has ${what} in: ${key}`);
  });
}

/** The names of a language's two files, from the project's folder. */
export function filesOf(language: string): { readonly code: string; readonly manifest: string } {
  return { code: `${BUNDLES}/bundle.l10n.${language}.json`, manifest: `package.nls.${language}.json` };
}

/** What a translation keeps of its text, whatever its language: named as it appears in a fault. */
const KEPT: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'other placeholders': placeholders,
  'other links': (text) => (text.match(/\]\([^)]*\)/g) ?? []).sort(),
  'other code': (text) => (text.match(/`[^`]+`/g) ?? []).sort(),
  'another number of lines': (text) => text.split('\n').map(() => ''),
  'another end': (text) => [/…$|\s$/.exec(text)?.[0] ?? ''],
  'another start': (text) => [/^\s/.exec(text)?.[0] ?? ''],
};

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort();
}

function differences(english: string, translated: string): string[] {
  if (translated.trim() === '') return ['no text'];
  return Object.entries(KEPT).flatMap(([what, read]) =>
    read(english).join('\n') === read(translated).join('\n') ? [] : what,
  );
}

function readTexts(file: string): Texts {
  return existsSync(inProject(file)) ? JSON.parse(readFileSync(inProject(file), 'utf8')) : {};
}

function writeTexts(file: string, texts: Texts, order: readonly string[]): void {
  const sorted = order.flatMap((key) => (texts[key] === undefined ? [] : [[key, texts[key]]]));
  writeFileSync(inProject(file), `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** The text of a call `t('…')` or `t({ message: '…', comment: '…' })`, as @vscode/l10n looks it up. */
function textOf({ arguments: args }: SyntaxNode): { readonly key: string; readonly message: string } | undefined {
  const first = Array.isArray(args) ? args[0] : undefined;
  const plain = literal(first);
  if (plain !== undefined) return { key: plain, message: plain };
  const message = literal(propertyOf(first, 'message'));
  const comment = literal(propertyOf(first, 'comment'));
  return message === undefined || comment === undefined ? undefined : { key: `${message}/${comment}`, message };
}

/** Of `t('…', a, b)`, or of `t({ message: '…', args: [a, b], comment: '…' })`. */
function valueCount(call: SyntaxNode | undefined): number {
  const [first, ...values] = (call?.arguments ?? []) as readonly unknown[];
  if (literal(first) !== undefined) return values.length;
  const { elements } = (propertyOf(first, 'args') ?? {}) as Partial<SyntaxNode>;
  return Array.isArray(elements) ? elements.length : 0;
}

function propertyOf(node: unknown, name: string): unknown {
  const { properties } = (node ?? {}) as Partial<SyntaxNode>;
  if (!Array.isArray(properties)) return undefined;
  return properties.find(({ key }) => keyName(key) === name)?.value;
}

function literal(node: unknown): string | undefined {
  const { type, value } = (node ?? {}) as Partial<SyntaxNode>;
  return type === 'StringLiteral' && typeof value === 'string' ? value : undefined;
}

function importsTranslator(node: SyntaxNode): boolean {
  return node.type === 'ImportSpecifier' && keyName(node.imported) === 't';
}

/** Whether a `t` stands for the function, not for the name of something else. */
function isUse(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined || parent.type === 'ImportSpecifier') return false;
  return parent.computed === true || (parent.property !== node && parent.key !== node);
}

/** Whether what stands in it runs when it is called, and not when its file is imported. */
function isLater({ type, static: isStatic }: SyntaxNode): boolean {
  return /Function|Method/.test(type) || (/^Class.*Property$/.test(type) && isStatic !== true);
}
