/** The values of context keys; a key that is missing is false. */
export type Context = Readonly<Record<string, string | number | boolean>>;

const TOKEN = /\s*(\(|\)|&&|\|\||==|!=|=~|!|[<>]=?|\/(?:\\.|[^/\\])+\/[a-z]*|'[^']*'|[^\s()!=<>&|]+)/y;

/** Evaluates a when clause as VS Code does. Throws an Error for what it can't read. */
export function isWhen(clause: string | undefined, context: Context): boolean {
  if (clause === undefined) return true;
  const tokens = readTokens(clause);
  const value = readOr(tokens, context);
  if (tokens.length > 0) throw new Error(`Cannot read "${clause}" from "${tokens.join(' ')}"`);
  return value;
}

function readTokens(clause: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < clause.trimEnd().length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(clause)?.[1];
    if (found === undefined) throw new Error(`Cannot read "${clause}" at ${at}`);
    tokens.push(found);
  }
  return tokens;
}

function readOr(tokens: string[], context: Context): boolean {
  let value = readAnd(tokens, context);
  while (tokens[0] === '||') {
    tokens.shift();
    value = readAnd(tokens, context) || value;
  }
  return value;
}

function readAnd(tokens: string[], context: Context): boolean {
  let value = readTerm(tokens, context);
  while (tokens[0] === '&&') {
    tokens.shift();
    value = readTerm(tokens, context) && value;
  }
  return value;
}

function readTerm(tokens: string[], context: Context): boolean {
  const token = tokens.shift();
  if (token === '!') return !readTerm(tokens, context);
  if (token === '(') {
    const value = readOr(tokens, context);
    if (tokens.shift() !== ')') throw new Error('A bracket is not closed');
    return value;
  }
  if (token === undefined || /^(\)|&&|\|\||[=!<>].*)$/.test(token)) throw new Error(`Unexpected "${token}"`);
  if (token === 'true' || token === 'false') return token === 'true';
  return compare(context[token] ?? false, tokens);
}

function compare(left: string | number | boolean, tokens: string[]): boolean {
  if (!/^(==|!=|=~|[<>]=?)$/.test(tokens[0] ?? '')) return left !== false && left !== '' && left !== 0;
  const [operator, operand = ''] = tokens.splice(0, 2);
  const right = operand.replace(/^'(.*)'$/, '$1');
  switch (operator) {
    case '==':
      return String(left) === right;
    case '!=':
      return String(left) !== right;
    case '=~': {
      const [, pattern = '', flags] = /^\/(.*)\/([a-z]*)$/.exec(operand) ?? [];
      return new RegExp(pattern, flags).test(String(left));
    }
    case '>':
      return Number(left) > Number(right);
    case '>=':
      return Number(left) >= Number(right);
    case '<':
      return Number(left) < Number(right);
    default:
      return Number(left) <= Number(right);
  }
}
