import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import { addressesFor, checkMediaUrl, publicAddress } from '../model/addresses.ts';
import { isHostOfService } from '../model/addressTemplates.ts';
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

export function templatesInForce(context: Needed): AddressTemplates {
  const { baseUrl } = openConnectionInfo(context);
  return addressesFor(baseUrl, context.settings.addresses(), context.demo.running);
}

export function knowsDashboard(context: Needed): boolean {
  return context.current.info !== undefined && templatesInForce(context).dashboard !== undefined;
}

/** Throws a Refusal that offers to set an unknown template: no other service's address is used instead. */
export function requireTemplate(context: Needed, purpose: keyof AddressTemplates): string {
  const template = templatesInForce(context)[purpose];
  if (template === undefined) throw unknownAddress(context, purpose);
  return template;
}

/** Whether stream keys that are sent to this host go to another one than the service's. */
export function isForeignIngest(context: Needed, host: string): boolean {
  const { baseUrl } = openConnectionInfo(context);
  const { rtmp } = addressesFor(baseUrl, {}, context.demo.running);
  return ![baseUrl, rtmp].some((own) => own !== undefined && isHostOfService(host, own));
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
 * Returns the HLS address of a stream: from the template if there is one, else from the service. Undefined if neither
 * is known. Throws ApiError.
 */
export async function hlsAddressOf(
  context: Needed,
  stream: Pick<Stream, 'id' | 'playbackId' | 'projectId'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { playbackId } = stream;
  if (playbackId === undefined) return undefined;
  const template = templatesInForce(context).hls;
  if (template !== undefined) return publicAddress(template, stream);
  const info = openConnectionInfo(context);
  const checked = checkMediaUrl(await context.current.account.readHlsUrl(playbackId, signal), info);
  return checked.ok ? checked.url : undefined;
}
