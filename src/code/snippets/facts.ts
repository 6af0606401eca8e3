import { isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import { checkMediaUrl } from '../../model/addresses.ts';
import { DEMO_ID } from '../../model/connection/connection.ts';
import { hlsAddressOf, tryReadTemplates } from '../../model/connection/hlsAddress.ts';
import { type AddressContext, openConnectionInfo, ownTemplates } from '../../model/connection/knownAddresses.ts';
import { publicAddress } from '../../model/filledAddresses.ts';
import { makeLink } from '../../model/links.ts';
import { needsToken } from '../../model/store/streams.ts';
import type { SnippetFacts } from './forms.ts';

export interface FactsContext extends AddressContext {
  /** The URI scheme that opens this editor, such as `vscode`. */
  readonly linkScheme: string;
}

/** Sends one request if the service's own URLs aren't known, and another if it doesn't provide them. */
export async function readSnippetFacts(
  context: FactsContext,
  stream: Stream,
  signal?: AbortSignal,
): Promise<SnippetFacts> {
  const { id, name, playbackId } = stream;
  const { player, rtmp } = await tryReadTemplates(context, 'rtmp');
  const [before, after] = rtmp?.split('{streamKey}') ?? [];
  const { baseUrl } = openConnectionInfo(context);
  return {
    ...{ id, name, playbackId },
    needsToken: needsToken(stream),
    hlsUrl: await hlsUrlOf(context, stream, signal),
    playerUrl: player === undefined || playbackId === undefined ? undefined : publicAddress(player, stream),
    link: linkTo(context, 'stream', id),
    requests: [
      { kind: 'getStream', url: `${baseUrl}/stream/${id}` },
      { kind: 'listSessions', url: `${baseUrl}/stream/${id}/sessions` },
      { kind: 'createStream', url: `${baseUrl}/stream` },
    ],
    ingest: before === undefined || after === undefined ? undefined : { before, after },
  };
}

/** Returns undefined if it isn't known: the other forms don't need it. */
async function hlsUrlOf(context: FactsContext, stream: Stream, signal?: AbortSignal): Promise<string | undefined> {
  if (ownTemplates(context).hls !== undefined) return hlsAddressOf(context, stream);
  try {
    return publicUrl(context, await hlsAddressOf(context, stream, signal));
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

export function sessionSnippetFacts(context: FactsContext, session: Session, name: string): SnippetFacts {
  const { id, playbackId, recordingUrl, mp4Url } = session;
  return {
    ...{ id, playbackId, name, isSession: true },
    hlsUrl: publicUrl(context, recordingUrl),
    mp4Url: publicUrl(context, mp4Url),
    link: linkTo(context, 'session', id),
    requests: [{ kind: 'getSession', url: `${openConnectionInfo(context).baseUrl}/session/${id}` }],
  };
}

/** Returns undefined for a signed URL: its query is a secret. */
function publicUrl(context: FactsContext, url: string | undefined): string | undefined {
  const checked = checkMediaUrl(url, openConnectionInfo(context));
  return checked.ok && new URL(checked.url).search === '' ? checked.url : undefined;
}

function linkTo(context: FactsContext, kind: 'stream' | 'session', id: string): string {
  const info = openConnectionInfo(context);
  return makeLink(context.linkScheme, { kind, id, connection: info.isDemo ? DEMO_ID : info.name });
}
