import { t } from '@vscode/l10n';
import type { AddressFault } from './addresses.ts';

export type AddressSource = 'service' | 'settings' | 'redirect' | 'playlist';

/**
 * Returns a sentence for a URL that isn't requested or opened. Repeats only its scheme or, if the URL comes from a
 * playlist, its host.
 */
export function describeAddressFault(fault: AddressFault, source: AddressSource, host = ''): string {
  return WORDS[source][fault.kind](fault.kind === 'scheme' ? fault.scheme : host);
}

type Words = Readonly<Record<AddressFault['kind'], (schemeOrHost: string) => string>>;

const hasNoHttps = () => t("The URL in liveStreams.addresses is incomplete or doesn't start with https://.");
const namesUnreadable = () => t("The playlist points to a URL that isn't valid.");
const leadsToUnreadable = () => t("The URL wasn't opened because it redirects to an invalid URL.");

const WORDS: Readonly<Record<AddressSource, Words>> = {
  service: {
    none: () => t("The service didn't return a URL."),
    incomplete: () => t("The URL wasn't opened because it's incomplete."),
    scheme: (scheme) => t('The URL wasn\'t opened because it starts with "{0}:".', scheme),
    unreadable: () => t("The URL wasn't opened because it isn't valid."),
    credentials: () => t("The URL wasn't opened because it contains a user name or password."),
    unencrypted: () => t("The URL wasn't opened because it uses HTTP instead of HTTPS."),
    ofThisMachine: () => t("The URL wasn't opened because it points to this computer."),
  },
  settings: {
    none: () => t("The URL in liveStreams.addresses contains a placeholder that can't be filled in."),
    incomplete: hasNoHttps,
    scheme: hasNoHttps,
    unreadable: () => t("The URL in liveStreams.addresses isn't valid."),
    credentials: () => t("The URL in liveStreams.addresses wasn't opened because it contains a user name or password."),
    unencrypted: () => t("The URL in liveStreams.addresses wasn't opened because it uses HTTP instead of HTTPS."),
    ofThisMachine: () => t("The URL in liveStreams.addresses wasn't opened because it points to this computer."),
  },
  redirect: {
    none: leadsToUnreadable,
    incomplete: leadsToUnreadable,
    scheme: (scheme) => t('The URL wasn\'t opened because it redirects to a URL that starts with "{0}:".', scheme),
    unreadable: leadsToUnreadable,
    credentials: () => t("The URL wasn't opened because it redirects to a URL that contains a user name or password."),
    unencrypted: () => t("The URL wasn't opened because it redirects to an HTTP URL."),
    ofThisMachine: () => t("The URL wasn't opened because it redirects to this computer."),
  },
  playlist: {
    none: namesUnreadable,
    incomplete: namesUnreadable,
    scheme: (scheme) => t('The playlist points to a URL that starts with "{0}:", which isn\'t supported.', scheme),
    unreadable: namesUnreadable,
    credentials: (host) => t('The playlist points to a URL on {0} that contains a user name or password.', host),
    unencrypted: (host) => t('The playlist points to {0}, which uses HTTP instead of HTTPS.', host),
    ofThisMachine: (host) => t('The playlist points to {0}, which is this computer.', host),
  },
};
