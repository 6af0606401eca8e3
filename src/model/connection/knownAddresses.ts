import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { AddressTemplates } from '../../services.ts';
import { addressesFor, checkMediaUrl, publicAddress, type RunningDemo } from '../addresses.ts';
import type { Settings } from '../settingValues.ts';
import type { ConnectionInfo } from '../store/snapshot.ts';
import { type CurrentConnection, NoConnectionError } from './current.ts';

export interface AddressContext {
  readonly current: CurrentConnection;
  readonly settings: Settings;
  readonly demo: { readonly running: RunningDemo | undefined };
}

/** Returns the open connection. Throws NoConnectionError if there is none. */
export function openConnectionInfo({ current }: AddressContext): ConnectionInfo {
  if (current.info === undefined) throw new NoConnectionError();
  return current.info;
}

/** Those of the settings, or built in. */
export function ownTemplates(context: AddressContext): AddressTemplates {
  const { baseUrl } = openConnectionInfo(context);
  return addressesFor(baseUrl, context.settings.addresses(), context.demo.running);
}

/** The URL templates of the settings, or else those that the service has provided so far. */
export function templatesInForce(context: AddressContext): AddressTemplates {
  return { ...saidTemplates(context), ...ownTemplates(context) };
}

/** Like templatesInForce, but asks the service first, once, if there is no own one for this purpose. Throws ApiError. */
export async function readTemplates(
  context: AddressContext,
  purpose: keyof AddressTemplates,
): Promise<AddressTemplates> {
  const own = ownTemplates(context);
  if (own[purpose] !== undefined || !isSaid(purpose) || !context.current.isOpen) return templatesInForce(context);
  // Of this connection, even if another one is opened meanwhile.
  return { ...(await context.current.account.readTemplates()), ...own };
}

/** Like readTemplates, but what the service can't be asked for is as good as unknown. */
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

function isSaid(purpose: keyof AddressTemplates): boolean {
  return purpose === 'rtmp' || purpose === 'srt' || purpose === 'hls';
}

export function saidTemplates({ current }: AddressContext): AddressTemplates {
  return current.isOpen ? current.account.saidTemplates : {};
}

export function knowsDashboard(context: AddressContext): boolean {
  return context.current.info !== undefined && templatesInForce(context).dashboard !== undefined;
}

/**
 * Returns the HLS address of a stream: from the settings, from what the service says of all streams, or from what it says
 * of this one. Undefined if none is known. Throws ApiError.
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
  const { account } = context.current;
  const { hls } = await account.readTemplates();
  signal?.throwIfAborted();
  const said = hls === undefined ? await account.readHlsUrl(playbackId, signal) : publicAddress(hls, stream);
  const checked = checkMediaUrl(said, info);
  return checked.ok ? checked.url : undefined;
}
