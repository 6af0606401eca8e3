/** A key of the account that signs viewers' tokens (src/api/README.md, Access). */
export interface SigningKey {
  readonly id: string;
  readonly name: string;
  /** As the service lists it: Base64-encoded PEM. Tokens contain it unchanged. */
  readonly publicKey: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number | undefined;
}

/** A new key. The service sends the private key only once, as Base64-encoded PEM. Never log it. */
export interface CreatedSigningKey {
  readonly key: SigningKey;
  readonly privateKey: string;
}
