/** A part of hls.js's `DecryptData`. */
export interface Encryption {
  readonly method: string;
  readonly key: Uint8Array<ArrayBuffer> | null;
  readonly iv: Uint8Array<ArrayBuffer> | null;
}

/** The methods that encrypt a whole segment. */
const METHODS: ReadonlySet<string> = new Set(['AES-128', 'AES-256']);

/**
 * Changes a segment's content in place. hls.js decrypts segments after they are loaded, so one that was encrypted is
 * encrypted again. One that can't be decrypted is left as it is, for hls.js to report.
 */
export async function changeDecrypted<T>(
  bytes: Uint8Array<ArrayBuffer>,
  encryption: Encryption | null,
  change: (clear: Uint8Array<ArrayBuffer>) => T,
): Promise<T | undefined> {
  if (encryption === null || !METHODS.has(encryption.method)) return change(bytes);
  const { key: keyBytes, iv } = encryption;
  if (keyBytes === null || iv === null) return undefined;
  const aes = { name: 'AES-CBC', iv };
  try {
    const key = await crypto.subtle.importKey('raw', keyBytes, aes, false, ['encrypt', 'decrypt']);
    const clear = await crypto.subtle.decrypt(aes, key, bytes);
    const result = change(new Uint8Array(clear));
    bytes.set(new Uint8Array(await crypto.subtle.encrypt(aes, key, clear)));
    return result;
  } catch {
    return undefined;
  }
}
