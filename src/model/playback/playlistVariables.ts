/** The values of `EXT-X-DEFINE`, by name. */
export type PlaylistVariables = ReadonlyMap<string, string>;

export interface VariableSource {
  /** The playlist's own URL, whose query may contain values. */
  readonly url: string;
  /** The variables of the multivariant playlist, which a media playlist can import. */
  readonly imported: PlaylistVariables;
}

/** A short reference can represent a long value, so a playlist could grow endlessly. References beyond this remain. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Yields the lines with variable references replaced by values. Collects the definitions instead of yielding them. */
export function* substitutedLines(
  lines: Iterable<string>,
  variables: Map<string, string>,
  source: VariableSource,
): Generator<string> {
  let left = MOST_CHARACTERS;
  const resolve = (reference: string, name: string): string => {
    const value = variables.get(name) ?? reference;
    left -= value.length;
    return left < 0 ? reference : value;
  };
  for (const line of lines) {
    if (line.startsWith('#EXT-X-DEFINE:')) define(variables, line, source);
    else yield variables.size === 0 ? line : line.replace(/\{\$([\w-]+)\}/g, resolve);
  }
}

function define(variables: Map<string, string>, line: string, { url, imported }: VariableSource): void {
  const attribute = (name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1];
  const [name, value] = [attribute('NAME'), attribute('VALUE')];
  if (name !== undefined && value !== undefined) return void variables.set(name, value);
  const [own, query] = [attribute('IMPORT'), attribute('QUERYPARAM')];
  const given = own === undefined ? URL.parse(url)?.searchParams.get(query ?? '') : imported.get(own);
  if (given !== undefined && given !== null) variables.set(own ?? query ?? '', given);
}
