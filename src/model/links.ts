import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';

const EXTENSION_ID = 'live-streams.live-streams';
const PARAMETER = 'connection';

export interface LinkTarget {
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/** What an editor link leads to. */
export interface EditorLink extends LinkTarget {
  /** The name of the connection that it was made with. */
  readonly connection?: string;
}

export type ParsedLink =
  | { readonly ok: true; readonly link: EditorLink }
  /** A sentence for people. */
  | { readonly ok: false; readonly sentence: string };

/** An address in parts, as the editor hands them over: percent-encoding is already undone once, in each part. */
export interface LinkParts {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Reads `…://live-streams.live-streams/stream/{id}` and `/session/{id}`, with or without `?connection=NAME`. Anybody can
 * have made it: what is something else is refused with a sentence, which repeats nothing of it.
 */
export function parseLink({ authority, path, query }: LinkParts): ParsedLink {
  const [root, kind, id, ...rest] = path.split('/');
  const isOurs = authority.toLowerCase() === EXTENSION_ID && root === '' && rest.length === 0 && id !== undefined;
  if (!isOurs || (kind !== 'stream' && kind !== 'session')) {
    return { ok: false, sentence: t('This link leads to no stream and no session.') };
  }
  if (!isId(id)) return { ok: false, sentence: t('The ID in this link is not one of a stream or session.') };
  const connection = connectionIn(query);
  return { ok: true, link: { kind, id, ...(connection === undefined ? {} : { connection }) } };
}

/** The address that opens it in an editor with this scheme (`vscode`). */
export function makeLink(scheme: string, { kind, id, connection }: EditorLink): string {
  const query = connection === undefined ? '' : `?${PARAMETER}=${encodeName(connection)}`;
  return `${scheme}://${EXTENSION_ID}/${kind}/${id}${query}`;
}

/** `&` and `%` are encoded twice: the editor undoes it once before the parameters can be told apart. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed().replace(/[&%]/g, encodeURIComponent));
}

function connectionIn(query: string): string | undefined {
  const prefix = `${PARAMETER}=`;
  const found = query.split('&').find((part) => part.startsWith(prefix));
  const name = found === undefined ? '' : decodeName(found.slice(prefix.length)).trim();
  return name === '' ? undefined : name;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
