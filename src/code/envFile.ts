const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;
const ASSIGNMENT_START = /^[^=]*=\s*["'`]/;
const LINE_END = /\r\n|\r|\n/;

export interface EnvFile {
  readonly text: string;
  /** The variable that has the value. */
  readonly name: string;
}

/**
 * Adds a variable at the end of the text of an env file. A variable that has the value already is used; if
 * the name has another value, a number is added to it. The text that is there stays as it is, line ends included.
 */
export function addVariable(text: string, wanted: string, value: string): EnvFile {
  const variables = readVariables(text);
  for (const [name, known] of variables) if (known === value) return { text, name };
  let name = wanted;
  for (let number = 2; variables.has(name); number += 1) name = `${wanted}_${number}`;
  const lineEnd = LINE_END.exec(text)?.[0] ?? '\n';
  const isEnded = text === '' || /[\r\n]$/.test(text) || text === '\uFEFF';
  return { text: `${text}${isEnded ? '' : lineEnd}${name}=${value}${lineEnd}`, name };
}

/** The variables and their values, without quotes. The last assignment of a name counts, as in dotenv. */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const lines = text.replace(/^\uFEFF/, '').split(LINE_END);
  for (let at = 0; at < lines.length; at += 1) {
    const [, name, written] = ASSIGNMENT.exec(lines[at] ?? '') ?? [];
    if (name === undefined || written === undefined) continue;
    const quote = /^(["'`])/.exec(written)?.[1];
    const isClosed = quote !== undefined && lines.slice(at).join('\n').replace(ASSIGNMENT_START, '').includes(quote);
    if (quote === undefined || !isClosed) {
      variables.set(name, written.replace(/\s+#.*$/, '').trim());
      continue;
    }
    let value = written.slice(1);
    while (!value.includes(quote) && at + 1 < lines.length) {
      at += 1;
      value += `\n${lines[at] ?? ''}`;
    }
    variables.set(name, value.slice(0, value.includes(quote) ? value.indexOf(quote) : undefined));
  }
  return variables;
}

/** Adds a line to the text of a .gitignore file. */
export function addIgnored(text: string, line: string): string {
  const lineEnd = LINE_END.exec(text)?.[0] ?? '\n';
  return `${text}${text === '' || /[\r\n]$/.test(text) ? '' : lineEnd}${line}${lineEnd}`;
}
