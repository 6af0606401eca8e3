/** A key of the account that signs viewers' tokens (src/api/README.md, Access). */
export interface SigningKey {
  readonly id: string;
  readonly name: string;
  /** As the service lists it: base64 of a PEM. Tokens contain it unchanged. */
  readonly publicKey: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number | undefined;
}

/** A new key. The service sends the private key only once, as base64 of a PEM. Never log it. */
export interface CreatedSigningKey {
  readonly key: SigningKey;
  readonly privateKey: string;
}
