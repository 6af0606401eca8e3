import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { AddressTemplates } from '../../services.ts';
import { checkMediaUrl } from '../addresses.ts';
import { publicAddress } from '../filledAddresses.ts';
import { type AddressContext, openConnectionInfo, ownTemplates, readTemplates } from './knownAddresses.ts';

/**
 * Returns the HLS URL of a stream from the settings, or otherwise from the service's template or its info about this
 * stream. Undefined if none is known. Throws ApiError.
 */
export async function hlsAddressOf(
  context: AddressContext,
  stream: Pick<Stream, 'id' | 'playbackId' | 'projectId'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { playbackId } = stream;
  if (playbackId === undefined) return undefined;
  const own = ownTemplates(context).hls;
  if (own !== undefined) return publicAddress(own, stream);
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const { hls } = await account.readTemplates();
  signal?.throwIfAborted();
  const said = hls === undefined ? await account.readHlsUrl(playbackId, signal) : publicAddress(hls, stream);
  const checked = checkMediaUrl(said, info);
  return checked.ok ? checked.url : undefined;
}

/** Like readTemplates, but templates that can't be read from the service count as unknown. */
export async function tryReadTemplates(
  context: AddressContext,
  purpose: keyof AddressTemplates,
): Promise<AddressTemplates> {
  const own = ownTemplates(context);
  try {
    return await readTemplates(context, purpose);
  } catch (error) {
    if (isApiError(error) || isAbortError(error)) return own;
    throw error;
  }
}

/** Whether the service may still provide its URLs. */
export function awaitsTemplates({ connection }: AddressContext): boolean {
  return connection.isOpen && connection.account.saidTemplates === undefined;
}
