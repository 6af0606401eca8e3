import type { KeyOwner } from './keyIndex.ts';

/** The variables of both halves of a signing key, in code that signs tokens. */
export const TOKEN_VARIABLES = { publicKey: 'LIVEPEER_PUBLIC_KEY', privateKey: 'LIVEPEER_PRIVATE_KEY' } as const;

/** What is worth a variable. A token expires before long. */
export type MovableKind = Exclude<KeyOwner['kind'], 'token'>;

export const VARIABLES: Readonly<Record<MovableKind, string>> = {
  apiKey: 'LIVEPEER_API_KEY',
  streamKey: 'STREAM_KEY',
  privateKey: TOKEN_VARIABLES.privateKey,
};

export const PLACEHOLDERS: Readonly<Record<KeyOwner['kind'], string>> = {
  apiKey: 'YOUR_API_KEY',
  streamKey: 'YOUR_STREAM_KEY',
  privateKey: 'YOUR_PRIVATE_KEY',
  token: 'YOUR_TOKEN',
};
