import type { KeyOwner } from './keyIndex.ts';

/**
 * The location of a document: `ignored` by Git, `kept` (tracked, or would be by `git add`), `outside` every repository,
 * `untitled`, or `unknown` if Git can't be queried.
 */
export type FileLocation = 'ignored' | 'kept' | 'outside' | 'untitled' | 'unknown';

const ENV_FILE = /^\.env(?:\..+)?$/;
/** Env files that are meant to be shared. */
const ENV_EXAMPLE = /\.(?:example|sample|template)$/;

/** Returns how severe it is to have a key there; undefined if it belongs there, as in an env file that isn't shared. */
export function severityOf(
  { kind }: { readonly kind: KeyOwner['kind'] },
  { fileName, location }: { readonly fileName: string; readonly location: FileLocation },
): 'error' | 'warning' | undefined {
  if (location === 'ignored') return undefined;
  if (location !== 'kept' && ENV_FILE.test(fileName) && !ENV_EXAMPLE.test(fileName)) return undefined;
  const isShared = location === 'kept' || location === 'unknown';
  // A token allows little, and expires soon.
  if (kind === 'token') return 'warning';
  return kind !== 'streamKey' || isShared ? 'error' : 'warning';
}
