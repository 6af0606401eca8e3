import type { KeyOwner } from './keyIndex.ts';

/**
 * Where a text is: `ignored` by git, `kept` (tracked, or git would take it), `outside` of every repository, `untitled`, or
 * `unknown` where git can't be asked.
 */
export type FileLocation = 'ignored' | 'kept' | 'outside' | 'untitled' | 'unknown';

const ENV_FILE = /^\.env(?:\..+)?$/;
/** These are made to be shared. */
const ENV_EXAMPLE = /\.(?:example|sample|template)$/;

/** How bad it is that a key stands there; undefined if it is where it belongs, as in an env file that isn't shared. */
export function severityOf(
  { kind }: { readonly kind: KeyOwner['kind'] },
  { fileName, location }: { readonly fileName: string; readonly location: FileLocation },
): 'error' | 'warning' | undefined {
  if (location === 'ignored') return undefined;
  if (location !== 'kept' && ENV_FILE.test(fileName) && !ENV_EXAMPLE.test(fileName)) return undefined;
  const isShared = location === 'kept' || location === 'unknown';
  // It can't do much, and not for long.
  if (kind === 'token') return 'warning';
  return kind !== 'streamKey' || isShared ? 'error' : 'warning';
}
