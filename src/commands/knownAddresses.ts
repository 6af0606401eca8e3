import { t } from '@vscode/l10n';
import { isAbortError, isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import { addressesFor, checkMediaUrl, publicAddress } from '../model/addresses.ts';
import { NoConnectionError } from '../model/connection/current.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { AddressTemplates } from '../services.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { Refusal } from './refusal.ts';

type Needed = Pick<CommandContext, 'current' | 'settings' | 'demo'>;

/** Returns the open connection. Throws NoConnectionError if there is none. */
export function openConnectionInfo({ current }: Pick<CommandContext, 'current'>): ConnectionInfo {
  if (current.info === undefined) throw new NoConnectionError();
  return current.info;
}

/** Those of the settings, or built in. */
export function ownTemplates(context: Needed): AddressTemplates {
  const { baseUrl } = openConnectionInfo(context);
  return addressesFor(baseUrl, context.settings.addresses(), context.demo.running);
}

/** The URL templates of the settings, or else those that the service has provided so far. */
export function templatesInForce(context: Needed): AddressTemplates {
  return { ...saidTemplates(context), ...ownTemplates(context) };
}

/** Like templatesInForce, but asks the service first, once, if there is no own one for this purpose. Throws ApiError. */
export async function readTemplates(context: Needed, purpose: keyof AddressTemplates): Promise<AddressTemplates> {
  const own = ownTemplates(context);
  if (own[purpose] !== undefined || !isSaid(purpose) || !context.current.isOpen) return templatesInForce(context);
  // Of this connection, even if another one is opened meanwhile.
  return { ...(await context.current.account.readTemplates()), ...own };
}

/** Like readTemplates, but what the service can't be asked for is as good as unknown. */
export async function tryReadTemplates(context: Needed, purpose: keyof AddressTemplates): Promise<AddressTemplates> {
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

export function saidTemplates({ current }: Pick<Needed, 'current'>): AddressTemplates {
  return current.isOpen ? current.account.saidTemplates : {};
}

export function knowsDashboard(context: Needed): boolean {
  return context.current.info !== undefined && templatesInForce(context).dashboard !== undefined;
}

/**
 * Returns a template, and asks the service for it if there is no own one. Throws a Refusal that offers to set it: no other
 * service's address is used instead. Throws ApiError.
 */
export async function requireTemplate(context: Needed, purpose: keyof AddressTemplates): Promise<string> {
  const template = (await readTemplates(context, purpose))[purpose];
  if (template === undefined) throw unknownAddress(context, purpose);
  return template;
}

export function unknownAddress(context: Needed, purpose: keyof AddressTemplates): Refusal {
  const host = new URL(openConnectionInfo(context).baseUrl).host;
  return new Refusal(sentenceOf(purpose, host), { actions: [setAddress(context, purpose)] });
}

/** Asks for the addresses that have a box; the setting has the others. */
function setAddress(context: Needed, purpose: keyof AddressTemplates): MessageAction {
  const label = t('Configure…');
  const hasBox = purpose === 'rtmp' || purpose === 'hls';
  if (!hasBox) return { label, setting: 'liveStreams.addresses' };
  const { baseUrl } = openConnectionInfo(context);
  return { label, command: 'setAddresses', args: [{ baseUrl }] };
}

function sentenceOf(purpose: keyof AddressTemplates, host: string): string {
  switch (purpose) {
    case 'rtmp':
    case 'srt':
    case 'whip':
      return t('No RTMP URL is configured for {0}.', host);
    case 'hls':
      return t('No HLS URL is configured for {0}.', host);
    case 'player':
    case 'recordingPlayer':
      return t('No player URL is configured for {0}.', host);
    case 'dashboard':
      return t('No dashboard URL is configured for {0}.', host);
    case 'keys':
      return t('No API key page is configured for {0}.', host);
  }
}

/**
 * Returns the HLS address of a stream: from the settings, from what the service says of all streams, or from what it says
 * of this one. Undefined if none is known. Throws ApiError.
 */
export async function hlsAddressOf(
  context: Needed,
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
