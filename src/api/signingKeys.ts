/** A key of the account that signs the tokens of viewers (src/api/README.md, Access). */
export interface SigningKey {
  readonly id: string;
  readonly name: string;
  /** As the service lists it, base64 of a PEM: tokens repeat it as it is. */
  readonly publicKey: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number | undefined;
}

/** A key that was just created. The service sends the private key this once, as base64 of a PEM. Never log it. */
export interface CreatedSigningKey {
  readonly key: SigningKey;
  readonly privateKey: string;
}
