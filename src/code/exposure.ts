import type { KeyOwner } from './keyIndex.ts';

/**
 * Where a text is: `ignored` by git, `kept` (tracked, or git would take it), `outside` of every repository, `untitled`, or
 * `unknown` where git can't be asked.
 */
export type Whereabouts = 'ignored' | 'kept' | 'outside' | 'untitled' | 'unknown';

const ENV_FILE = /^\.env(?:\..+)?$/;
/** These are made to be shared. */
const ENV_EXAMPLE = /\.(?:example|sample|template)$/;

/** How bad it is that a key stands there; undefined if it is where it belongs. */
export function severityOf(
  { kind }: Pick<KeyOwner, 'kind'>,
  { fileName, whereabouts }: { readonly fileName: string; readonly whereabouts: Whereabouts },
): 'error' | 'warning' | undefined {
  if (whereabouts === 'ignored') return undefined;
  if (whereabouts === 'unknown' && ENV_FILE.test(fileName) && !ENV_EXAMPLE.test(fileName)) return undefined;
  const isShared = whereabouts === 'kept' || whereabouts === 'unknown';
  return kind === 'apiKey' || isShared ? 'error' : 'warning';
}
