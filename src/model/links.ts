import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';
import { decodePercent } from '../util/text.ts';

export const EXTENSION_ID = 'live-streams.live-streams';
const PARAMETER = 'connection';
const KINDS = ['stream', 'session', 'clip'] as const;

export interface LinkTarget {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

export interface EditorLink extends LinkTarget {
  readonly connection?: string;
}

type ParsedLink = { readonly ok: true; readonly link: EditorLink } | { readonly ok: false; readonly sentence: string };

/** Parts of a URI as VS Code provides them, each already percent-decoded once. */
export interface LinkParts {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** Parses `…/{stream|session|clip}/{id}`, with or without `?connection=NAME`. Never repeats an invalid link. */
export function parseLink({ authority, path, query }: LinkParts): ParsedLink {
  const [root, named, id, ...rest] = path.split('/');
  const isOurs = authority.toLowerCase() === EXTENSION_ID && root === '' && rest.length === 0;
  const kind = KINDS.find((each) => each === named);
  if (!isOurs || kind === undefined || id === undefined) {
    return { ok: false, sentence: t("This link doesn't point to a stream, session, or clip.") };
  }
  if (!isId(id)) return { ok: false, sentence: t("The ID in this link isn't valid.") };
  const connection = connectionIn(query);
  return { ok: true, link: { kind, id, ...(connection === undefined ? {} : { connection }) } };
}

export function makeLink(scheme: string, { kind, id, connection }: EditorLink): string {
  const query = connection === undefined ? '' : `?${PARAMETER}=${encodeName(connection)}`;
  return `${scheme}://${EXTENSION_ID}/${kind}/${id}${query}`;
}

// Encodes `&` and `%` twice, because VS Code decodes once before the parameters can be split.
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed().replace(/[&%]/g, encodeURIComponent));
}

function connectionIn(query: string): string | undefined {
  const prefix = `${PARAMETER}=`;
  const found = query.split('&').find((part) => part.startsWith(prefix));
  const name = found === undefined ? '' : decodePercent(found.slice(prefix.length)).trim();
  return name === '' ? undefined : name;
}
