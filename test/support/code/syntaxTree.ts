import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { FILES } from './languages.ts';

const require = createRequire(import.meta.url);

/** What a parser of the language finds where a literal stands. */
export interface FoundLiteral {
  readonly hasFaults: boolean;
  /** The whole text of the innermost node that holds all of the literal. */
  readonly text: string;
  readonly type: string;
  /** The types of the nodes in it, of all depths. */
  readonly parts: readonly string[];
}

/** Returns a parser for literals of a language, as `FILES` puts them into a file. */
export async function literalParser(languageId: string): Promise<(literal: string) => FoundLiteral> {
  const file = FILES[languageId];
  if (file === undefined) throw new Error(`There is no file of ${languageId}`);
  const parser = await createParser(file.grammar ?? languageId);
  return (literal) => {
    const text = file.write(literal);
    const tree = parser.parse(text);
    const start = file.write('\0').indexOf('\0');
    const node = tree?.rootNode.descendantForIndex(start, start + literal.length - 1);
    if (tree === null || node === undefined || node === null) throw new Error('Nothing was parsed');
    return { hasFaults: tree.rootNode.hasError, text: node.text, type: node.type, parts: typesIn(node) };
  };
}

/** Returns a parser for whole files, which returns the lines that have faults. */
export async function fileParser(grammar: string): Promise<(text: string) => readonly string[]> {
  const parser = await createParser(grammar);
  return (text) => {
    const root = parser.parse(text)?.rootNode ?? null;
    if (root === null) throw new Error('Nothing was parsed');
    return root.hasError ? faultsIn(root).map(({ startPosition: { row } }) => text.split('\n')[row] ?? '') : [];
  };
}

async function createParser(grammar: string): Promise<Parser> {
  await Parser.init();
  const path = `@cursorless/tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`;
  return new Parser().setLanguage(await Language.load(require.resolve(path)));
}

function faultsIn(node: Node): readonly Node[] {
  if (node.isError || node.isMissing) return [node];
  return node.hasError ? node.children.flatMap((child) => (child === null ? [] : faultsIn(child))) : [];
}

function typesIn(node: Node): readonly string[] {
  return node.namedChildren.flatMap((child) => (child === null ? [] : [child.type, ...typesIn(child)]));
}
