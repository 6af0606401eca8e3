import type { Stream } from '../api/types.ts';
import { checkMediaUrl, publicAddress } from '../model/addresses.ts';
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
  const checked = checkMediaUrl(await context.current.account.readHlsUrl(playbackId), info);
  return checked.ok ? checked.url : undefined;
}
