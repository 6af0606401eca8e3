import { t } from '@vscode/l10n';
import { nameService } from '../api/describeError.ts';
import type { Named } from '../api/types.ts';
import type { PrivateKeyFault } from '../model/access/privateKey.ts';
import type { OfferedAction } from './actions.ts';
import { createSigningKeyLabel, useSigningKeyLabel } from './lateLabels.ts';
import { nameOf } from './names.ts';
import { Refusal } from './refusal.ts';

/** Returns the actions that provide this computer with a signing key. */
export function signingKeyActions(): readonly OfferedAction[] {
  return [
    { label: createSigningKeyLabel(), command: 'createSigningKey' },
    { label: useSigningKeyLabel(), command: 'useSigningKey' },
  ];
}

export function noSigningKey(): Refusal {
  return new Refusal(t("There's no signing key on this computer."), {
    isOfConnection: true,
    actions: signingKeyActions(),
  });
}

export function webhookDecides(stream: Named): string {
  return t('A webhook decides who can watch "{0}", so a signed token has no effect.', nameOf(stream));
}

export function signingKeysNotOffered(service: string | undefined): Refusal {
  return new Refusal(nameService(service, (name) => t("{0} doesn't support signing keys.", name)));
}

export function privateKeyFaultText(fault: PrivateKeyFault): string {
  switch (fault) {
    case 'empty':
      return t('Enter a private key.');
    case 'encrypted':
      return t('This private key has a passphrase. Use one without a passphrase.');
    case 'publicKey':
      return t('This is a public key. Use the private key that belongs to it.');
    case 'certificate':
      return t('This is a certificate. Use a private key.');
    case 'rsa':
      return t('This is an RSA key. Signing keys are P-256 keys.');
    case 'otherKind':
      return t("This isn't a P-256 key. Signing keys are P-256 keys.");
    case 'unreadable':
      return t('The private key is incomplete or unreadable. Include the BEGIN and END lines.');
    case 'notOfAccount':
      return t(
        "Your account doesn't have this signing key. It may belong to another account, or it may have been deleted.",
      );
    case 'otherHalf':
      return t("The private key doesn't match the public key.");
  }
}
