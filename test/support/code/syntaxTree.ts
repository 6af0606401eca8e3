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
  await Parser.init();
  const grammar = `@cursorless/tree-sitter-wasms/out/tree-sitter-${file.grammar ?? languageId}.wasm`;
  const parser = new Parser().setLanguage(await Language.load(require.resolve(grammar)));
  return (literal) => {
    const text = file.write(literal);
    const tree = parser.parse(text);
    const start = file.write('\0').indexOf('\0');
    const node = tree?.rootNode.descendantForIndex(start, start + literal.length - 1);
    if (tree === null || node === undefined || node === null) throw new Error('Nothing was parsed');
    return { hasFaults: tree.rootNode.hasError, text: node.text, type: node.type, parts: typesIn(node) };
  };
}

function typesIn(node: Node): readonly string[] {
  return node.namedChildren.flatMap((child) => (child === null ? [] : [child.type, ...typesIn(child)]));
}
