import { addressesFor } from '../addresses.ts';
import { isHostOfService } from '../addressTemplates.ts';
import { type AddressContext, openConnectionInfo, saidTemplates } from '../connection/knownAddresses.ts';

/** Whether stream keys that are sent to this host leave the service's own hosts. */
export function isForeignIngest(context: AddressContext, host: string): boolean {
  const { baseUrl } = openConnectionInfo(context);
  const { rtmp } = addressesFor(baseUrl, {}, context.demo.running);
  return ![baseUrl, rtmp, saidTemplates(context).rtmp].some((own) => own !== undefined && isHostOfService(host, own));
}
