import { t } from '@vscode/l10n';
import type { AddressFault } from './addresses.ts';

/** Who named an address. */
export type AddressSource = 'service' | 'settings' | 'redirect';

/** Returns a sentence for an address that isn't requested or opened. Repeats nothing of it but the scheme. */
export function describeAddressFault(fault: AddressFault, source: AddressSource): string {
  return WORDS[source][fault.kind](fault.kind === 'scheme' ? fault.scheme : '');
}

type Words = Readonly<Record<AddressFault['kind'], (scheme: string) => string>>;

const hasNoHttps = () => t('The address in the settings does not begin with https://, or is not complete.');
const leadsToUnreadable = () => t('The address redirects to one that cannot be read, so it was not opened.');

const WORDS: Readonly<Record<AddressSource, Words>> = {
  service: {
    none: () => t('The service gave no address.'),
    incomplete: () => t('The service gave an address that is not complete, so it was not opened.'),
    scheme: (scheme) =>
      t('The service gave an address that begins with "{0}:". Such addresses are not opened.', scheme),
    unreadable: () => t('The service gave an address that cannot be read, so it was not opened.'),
    credentials: () => t('The service gave an address with a user name or a password, so it was not opened.'),
    unencrypted: () => t('The service gave an address without encryption (http), so it was not opened.'),
    ofThisMachine: () => t('The service gave an address of this computer, so it was not opened.'),
  },
  settings: {
    none: () => t('The address in the settings has a placeholder without a value here.'),
    incomplete: hasNoHttps,
    scheme: hasNoHttps,
    unreadable: () => t('The address in the settings cannot be read.'),
    credentials: () => t('The address in the settings has a user name or a password, so it was not opened.'),
    unencrypted: () => t('The address in the settings has no encryption (http), so it was not opened.'),
    ofThisMachine: () => t('The address in the settings is of this computer, so it was not opened.'),
  },
  redirect: {
    none: leadsToUnreadable,
    incomplete: leadsToUnreadable,
    scheme: (scheme) =>
      t('The address redirects to one that begins with "{0}:". Such addresses are not opened.', scheme),
    unreadable: leadsToUnreadable,
    credentials: () => t('The address redirects to one with a user name or a password, so it was not opened.'),
    unencrypted: () => t('The address redirects to one without encryption (http), so it was not opened.'),
    ofThisMachine: () => t('The address redirects to one of this computer, so it was not opened.'),
  },
};
