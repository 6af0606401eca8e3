import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';

/** The public point of a P-256 key, which identifies both halves and isn't secret. */
export type KeyPoint = string;

/** The claims of a viewer's token (src/api/README.md, Access). */
interface TokenClaims {
  readonly point: KeyPoint;
  readonly playbackId: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
}

// Uncompressed: 04 and two coordinates of 32 bytes. Both halves of a key end with it.
const POINT_BYTES = 65;
const UNCOMPRESSED = 4;
const BLOCK = /-----BEGIN (?:EC )?(?:PRIVATE|PUBLIC) KEY-----(.*?)-----END /s;

/** Returns the point of a key in a PEM, which may be one line with escaped line breaks. undefined if it has none. */
function pointOfPem(pem: string): KeyPoint | undefined {
  return pointOfBody(BLOCK.exec(pem)?.[1] ?? '');
}

/** Returns the point of a key in Base64-encoded PEM, as services list it. */
export function pointOfBase64(text: string): KeyPoint | undefined {
  return pointOfPem(Buffer.from(text, 'base64').toString('latin1'));
}

function pointOfBody(body: string): KeyPoint | undefined {
  const encoded = body.replaceAll(/\\[rn]|\s/g, '');
  if (encoded === '' || /[^A-Za-z0-9+/=]/.test(encoded)) return undefined;
  const point = Buffer.from(encoded, 'base64').subarray(-POINT_BYTES);
  return point.length === POINT_BYTES && point[0] === UNCOMPRESSED ? point.toString('base64') : undefined;
}

/** The beginning of any Base64-encoded PEM. */
const PEM_IN_BASE64 = 'LS0tLS1CRUdJTi';
const LONGEST_KEY = 2000;
/** Bounded, so that a line of 5 MB doesn't take longer. The claims alone have more than 300 characters. */
const TOKEN = /eyJ[\w-]{10,500}\.(eyJ[\w-]{200,4000})\.[\w-]{86}(?![\w-])/y;
/** Shorter runs of characters can't begin a key or a token. */
const SHORTEST_RUN = 13;

/** A token or a private key in a line of text. */
export interface SignedText {
  readonly point: KeyPoint;
  readonly end: number;
  /** undefined for a private key. */
  readonly claims?: TokenClaims;
}

/** Whether a run of letters and digits may begin with a Base64-encoded private key, or with a token. Cheap. */
export function mayBeSigned(text: string, start: number, end: number): boolean {
  return end - start >= SHORTEST_RUN && (text.startsWith('eyJ', start) || text.startsWith(PEM_IN_BASE64, start));
}

/** Returns the token, or the Base64-encoded private key, that begins with a run of letters and digits. */
export function readSigned(text: string, start: number, end: number): SignedText | undefined {
  return text.startsWith('eyJ', start) ? readToken(text, start) : readKey(text, start, end);
}

function readKey(text: string, start: number, runEnd: number): SignedText | undefined {
  if (runEnd - start > LONGEST_KEY) return undefined;
  const pem = Buffer.from(text.slice(start, runEnd), 'base64').toString('latin1');
  const point = pem.includes(' PRIVATE KEY-----') ? pointOfPem(pem) : undefined;
  if (point === undefined) return undefined;
  const padding = /={0,2}/y;
  padding.lastIndex = runEnd;
  return { point, end: runEnd + (padding.exec(text)?.[0].length ?? 0) };
}

function readToken(text: string, start: number): SignedText | undefined {
  TOKEN.lastIndex = start;
  const [whole, encoded = ''] = TOKEN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const json = Buffer.from(encoded, 'base64url').toString();
  const claims = json.includes('"pub"') ? parseJson(json) : undefined;
  if (!isRecord(claims)) return undefined;
  const { pub, sub, exp } = claims;
  const point = typeof pub === 'string' ? pointOfBase64(pub) : undefined;
  if (point === undefined || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  return { point, end: start + whole.length, claims: { point, playbackId: sub, expiresAt: exp * 1000 } };
}

/** A PEM of a private key in a document. `end` is exclusive. */
export interface KeyBlock {
  readonly line: number;
  readonly start: number;
  readonly endLine: number;
  readonly end: number;
  readonly point: KeyPoint;
}

/** Blocks are limited to this many lines, so that a change can't affect one that begins further up. */
export const MOST_BLOCK_LINES = 40;
const MARK = /-----(BEGIN|END) (EC )?PRIVATE KEY-----/g;

/** Returns a function that takes the lines of a document in order and reports the PEMs of private keys in them. */
export function createBlockScan(onBlock: (block: KeyBlock) => void): (text: string, line: number) => void {
  let open: { readonly line: number; readonly start: number; readonly kind: string; body: string } | undefined;
  return (text, line) => {
    if (open === undefined && !text.includes('-----BEGIN ')) return;
    let at = 0;
    const marks = text.includes(' KEY-----') ? text.matchAll(MARK) : [];
    for (const { 0: mark, 1: which, 2: kind = '', index } of marks) {
      const end = index + mark.length;
      if (which === 'BEGIN') open = { line, start: index, kind, body: '' };
      else {
        const body = open && open.body + text.slice(at, index);
        const point = open?.kind === kind && body !== undefined && body.length <= LONGEST_KEY && pointOfBody(body);
        if (open && point) onBlock({ line: open.line, start: open.start, endLine: line, end, point });
        open = undefined;
      }
      at = end;
    }
    if (open === undefined) return;
    open.body += text.slice(at, at + LONGEST_KEY + 1);
    if (line - open.line >= MOST_BLOCK_LINES - 1 || open.body.length > LONGEST_KEY) open = undefined;
  };
}
