import type { AddressTemplates } from '../../services.ts';
import { addressesFor, type RunningDemo } from '../addresses.ts';
import type { Settings } from '../settingValues.ts';
import type { ConnectionInfo } from '../store/snapshot.ts';
import { type Connection, NoConnectionError } from './connection.ts';

export interface AddressContext {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly demo: { readonly name: string; readonly running: RunningDemo | undefined };
}

/** Returns the open connection. Throws NoConnectionError if there is none. */
export function openConnectionInfo({ connection }: AddressContext): ConnectionInfo {
  if (connection.info === undefined) throw new NoConnectionError();
  return connection.info;
}

/** Returns the built-in templates, overridden by the settings. */
export function ownTemplates(context: AddressContext): AddressTemplates {
  const { baseUrl } = openConnectionInfo(context);
  return addressesFor(baseUrl, context.settings.addresses(), context.demo.running);
}

/** Returns the URL templates from the settings or, where there are none, from the service's responses so far. */
export function templatesInForce(context: AddressContext): AddressTemplates {
  return { ...saidTemplates(context), ...ownTemplates(context) };
}

/** Like templatesInForce, but first reads the service's own, once, if none is set for this purpose. Throws ApiError. */
export async function readTemplates(
  context: AddressContext,
  purpose: keyof AddressTemplates,
): Promise<AddressTemplates> {
  const own = ownTemplates(context);
  if (own[purpose] !== undefined || !isSaid(purpose) || !context.connection.isOpen) return templatesInForce(context);
  // The account of this connection, even if another one is opened in the meantime.
  return { ...(await context.connection.account.readTemplates()), ...own };
}

function isSaid(purpose: keyof AddressTemplates): boolean {
  return purpose === 'rtmp' || purpose === 'srt' || purpose === 'hls';
}

export function saidTemplates({ connection }: AddressContext): AddressTemplates {
  return (connection.isOpen && connection.account.saidTemplates) || {};
}

/** Whether the service has provided both its ingest and its playback URL. */
export function saysUrls(context: AddressContext): boolean {
  const { rtmp, hls } = saidTemplates(context);
  return rtmp !== undefined && hls !== undefined;
}

export function knowsDashboard(context: AddressContext): boolean {
  return context.connection.info !== undefined && templatesInForce(context).dashboard !== undefined;
}
