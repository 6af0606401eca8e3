import { isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import { checkMediaUrl, publicAddress } from '../model/addresses.ts';
import { hlsAddress } from '../model/pages/playbackInfo.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo, templatesInForce } from './knownAddresses.ts';

type Needed = Pick<CommandContext, 'current' | 'settings' | 'demo'>;

/**
 * Where a stream plays by HLS: by the template in force, else as the service itself says. Undefined where neither is known.
 * Throws ApiError.
 */
export async function hlsAddressOf(
  context: Needed,
  stream: Pick<Stream, 'id' | 'playbackId' | 'projectId'>,
): Promise<string | undefined> {
  const { playbackId } = stream;
  if (playbackId === undefined) return undefined;
  const template = templatesInForce(context).hls;
  if (template !== undefined) return publicAddress(template, stream);
  const info = openConnectionInfo(context);
  const checked = checkMediaUrl(hlsAddress(await readPlaybackInfo(context, playbackId)), info);
  return checked.ok ? checked.url : undefined;
}

/** Undefined where the service has none of it, or none of such infos at all. */
async function readPlaybackInfo({ current }: Pick<CommandContext, 'current'>, playbackId: string): Promise<unknown> {
  try {
    return await current.api.getPlaybackInfo(playbackId);
  } catch (error) {
    if (isApiError(error) && (error.reason === 'notFound' || error.reason === 'rejected')) return undefined;
    throw error;
  }
}
