/** The variables of both halves of a signing key, in code that signs tokens. */
export const TOKEN_VARIABLES = { publicKey: 'LIVEPEER_PUBLIC_KEY', privateKey: 'LIVEPEER_PRIVATE_KEY' } as const;
