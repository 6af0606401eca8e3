import { isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import { checkMediaUrl, publicAddress } from '../model/addresses.ts';
import { hlsAddress } from '../model/pages/playbackInfo.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo, templatesInForce } from './knownAddresses.ts';

type Needed = Pick<CommandContext, 'current' | 'settings' | 'demo'>;

/**
 * Returns the HLS address of a stream: from the template if there is one, else from the service. Undefined if neither
 * is known. Throws ApiError.
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

/** Returns undefined if the service has no info for this id, or doesn't offer playback infos at all. */
async function readPlaybackInfo({ current }: Pick<CommandContext, 'current'>, playbackId: string): Promise<unknown> {
  try {
    return await current.api.getPlaybackInfo(playbackId);
  } catch (error) {
    if (isApiError(error) && (error.reason === 'notFound' || error.reason === 'rejected')) return undefined;
    throw error;
  }
}
