import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiErrorCause, ApiErrorReason } from '../../../src/api/errors.ts';
import type { Ending, Place, Reply } from '../../support/service/faultReply.ts';
import { combine, type Fault } from '../../support/service/faultService.ts';
import type { Reading } from './endpoints.ts';

/** What a call comes to: its answer is taken, or the error says this. */
export type Outcome = 'ok' | readonly [reason: ApiErrorReason, why?: ApiErrorCause];

export interface FaultCase {
  readonly what: string;
  readonly fault: Fault;
  /** The same for all, or by what is made of the answer. */
  readonly outcome: Outcome | Readonly<Record<Reading, Outcome>>;
  /** Where the editor's fetch takes it for something else. */
  readonly editor?: FaultCase['outcome'];
  /** What it makes of a stream's name. */
  readonly name?: string;
}

const TIMEOUT: Outcome = ['timeout'];
const RESET: Outcome = ['network', 'reset'];
const NOT_JSON: Outcome = ['invalidResponse', 'notJson'];
const REDIRECTED: Outcome = ['invalidResponse', 'redirect'];

/** Of what only whoever reads the body notices. A change that was accepted stays accepted, whatever its answer says. */
const read = (outcome: Outcome) => ({ list: outcome, rawList: outcome, one: outcome, change: 'ok' as const });

const set =
  (change: Partial<Reply>): Fault =>
  (reply) => ({ ...reply, ...change });
const head =
  (headers: Readonly<Record<string, string>>): Fault =>
  (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } });
const body =
  (make: (text: string) => string | Uint8Array): Fault =>
  (reply) => ({ ...reply, body: make(String(reply.body)) });

const PLACES: readonly Place[] = ['beforeHead', 'inHead', 'afterHead', 'inBody'];
const WORDS: Readonly<Record<Place, string>> = {
  beforeHead: 'before the headers',
  inHead: 'during the headers',
  afterHead: 'after the headers',
  inBody: 'in the body',
  afterBody: 'after the body',
};

/** A connection that ends too early, or an answer that stops coming. */
function cuts(how: Ending, what: string, outcome: Outcome): readonly FaultCase[] {
  return PLACES.map((at) => ({ what: `${what} ${WORDS[at]}`, fault: set({ cut: { at, how } }), outcome }));
}

const MB = 1024 * 1024;
const GIGABYTE = 1024;
const spaces = (megabytes: number) => Buffer.alloc(megabytes * MB, ' ');
const times = (count: number, part: Uint8Array) => Array.from({ length: count }, () => part);

/** Members of gzip that follow each other are one body. */
function gzipOfGigabyte(): Buffer {
  return Buffer.concat(times(GIGABYTE / 32, gzipSync(spaces(32))));
}

/** So are parts of brotli that were flushed, of which the second and all others are alike; an empty last one ends them. */
function brotliOfGigabyte(): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const flushed = (megabytes: number) =>
    brotliCompressSync(spaces(megabytes), { params, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const first = flushed(16);
  const next = flushed(32).subarray(first.length);
  return Buffer.concat([first, ...times(GIGABYTE / 16 - 1, next), Buffer.of(3)]);
}

const encoded = (coding: string, bytes: Uint8Array) =>
  combine(head({ 'content-encoding': coding }), set({ body: bytes }));

/** What becomes a gigabyte: made when it is needed, once. `isQuick`: there is little to decode before it is left off. */
export function makeBombs(): readonly (FaultCase & { readonly isQuick: boolean })[] {
  const gzip = gzipOfGigabyte();
  const outcome: Outcome = ['invalidResponse', 'tooLarge'];
  const isQuick = false;
  return [
    { what: 'a bomb of gzip', fault: encoded('gzip', gzip), outcome, isQuick },
    { what: 'a bomb of gzip in gzip', fault: encoded('gzip, gzip', gzipSync(gzip)), outcome, isQuick },
    { what: 'a bomb of brotli', fault: encoded('br', brotliOfGigabyte()), outcome, isQuick },
    { what: 'a gigabyte as it is', fault: set({ body: spaces(1), repeat: GIGABYTE }), outcome, isQuick },
    {
      what: 'a bomb of gzip with an error',
      fault: combine(encoded('gzip', gzip), set({ status: 418 })),
      outcome: ['rejected'],
      isQuick: true,
    },
  ];
}

function spoilName(bytes: Buffer): Buffer {
  const at = bytes.indexOf('Keynote');
  if (at >= 0) bytes.writeUInt16BE(0xfffe, at + 1);
  return bytes;
}

/** Answers that are slow or odd on the way, and right in the end. */
export const ODD_BUT_RIGHT: readonly FaultCase[] = [
  { what: 'HTTP/1.0', fault: set({ version: '1.0' }), outcome: 'ok' },
  { what: 'HTTP/1.0 without a length', fault: set({ version: '1.0', framing: 'close' }), outcome: 'ok' },
  { what: 'chunks', fault: set({ framing: 'chunked' }), outcome: 'ok' },
  {
    what: 'chunks with trailers',
    fault: set({ framing: 'chunked', trailers: { 'x-checksum': 'abc', link: '<x?cursor=y>; rel="next"' } }),
    outcome: 'ok',
  },
  { what: '102 and 103 before it', fault: set({ informational: [102, 103, 103] }), outcome: 'ok' },
  { what: 'one byte after the other', fault: set({ drip: { ms: 0, from: 'body' } }), outcome: 'ok' },
  { what: 'a byte order mark', fault: body((text) => `\ufeff${text}`), outcome: 'ok' },
  { what: 'white space around it', fault: body((text) => `\n\t ${text} \r\n`), outcome: 'ok' },
  {
    what: 'bytes that are no UTF-8 in a name',
    fault: body((text) => spoilName(Buffer.from(text))),
    outcome: 'ok',
    name: 'K\ufffd\ufffdnote',
  },
  {
    what: 'a row with __proto__, constructor and toString as keys',
    fault: body((text) =>
      text.replace('{', '{"__proto__":{"isActive":true,"id":7},"constructor":{"prototype":1},"toString":0,'),
    ),
    outcome: 'ok',
  },
  { what: 'another content type', fault: head({ 'content-type': 'image/png' }), outcome: 'ok' },
  { what: 'gzip', fault: combine(head({ 'content-encoding': 'gzip' }), body(gzipSync)), outcome: 'ok' },
  {
    what: 'a Date of another century',
    fault: head({ date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'x-total-count': '-1' }),
    outcome: 'ok',
  },
  {
    what: 'numbers beyond all measure',
    fault: body((text) => text.replace('{', '{"lastSeen":1e999,"createdAt":-1e999,"sourceSegments":1e308,')),
    outcome: 'ok',
  },
  {
    what: 'a value that is nested 10,000 levels deep',
    fault: body((text) => text.replace('{', `{"profiles":${'['.repeat(10_000)}${']'.repeat(10_000)},`)),
    outcome: 'ok',
  },
];

const REDIRECTS: readonly FaultCase[] = [301, 302, 303, 307, 308].flatMap((status) => [
  {
    what: `${status} to another host`,
    fault: set({ status, headers: { location: 'http://other.invalid/stream' }, body: '' }),
    outcome: REDIRECTED,
  },
  {
    what: `${status} to itself`,
    fault: (reply, { path }) => ({ ...reply, status, headers: { location: path }, body: '' }),
    outcome: REDIRECTED,
  },
]);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const dateIn = (ms: number) => (now: number) => new Date(now + ms).toUTCString();

/** What a service says, given the answer's own date, and the milliseconds that it asks to wait; undefined: it says none. */
export const RETRY_AFTER: readonly (readonly [what: string, say: (now: number) => string, wait: number | undefined])[] =
  [
    ...(
      [
        ['0', 0],
        ['-5', 0],
        ['30', 30_000],
        ['0.001', 1],
        ['99999999999999999999', HOUR],
        ['soon', undefined],
        ['', undefined],
      ] as const
    ).map(([text, wait]) => [`"${text}"`, () => text, wait] as const),
    ['a date in a minute', dateIn(MINUTE), MINUTE],
    ['a date of long ago', () => new Date(0).toUTCString(), 0],
    ['a date of another century', () => 'Sun, 01 Mar 2199 12:00:00 GMT', HOUR],
  ];

/** Everything else that a service or what stands before it can do. */
export const FAULTS: readonly FaultCase[] = [
  ...cuts('reset', 'is reset', RESET),
  { what: 'is closed after the body', fault: set({ cut: { at: 'afterBody', how: 'close' } }), outcome: 'ok' },
  ...cuts('close', 'is closed', RESET),
  ...cuts('stall', 'stalls', TIMEOUT),
  { what: 'sends one byte now and then', fault: set({ drip: { ms: 40, from: 'head' } }), outcome: TIMEOUT },
  { what: 'sends the body byte by byte', fault: set({ drip: { ms: 40, from: 'body' } }), outcome: TIMEOUT },
  {
    what: 'says a Content-Length that is too large',
    fault: (reply) => ({ ...reply, claimed: Buffer.byteLength(reply.body) + 100 }),
    outcome: RESET,
  },
  {
    what: 'says a Content-Length that is too small',
    fault: set({ claimed: 5 }),
    outcome: read(NOT_JSON),
  },
  { what: 'says that it sends gzip, and does not', fault: head({ 'content-encoding': 'gzip' }), outcome: NOT_JSON },
  {
    what: 'uses an encoding nobody knows',
    fault: head({ 'content-encoding': 'zip' }),
    outcome: NOT_JSON,
    editor: 'ok',
  },
  {
    what: 'sends half of its gzip',
    fault: combine(
      head({ 'content-encoding': 'gzip' }),
      body((text) => gzipSync(text).subarray(0, -12)),
    ),
    outcome: NOT_JSON,
    editor: read(NOT_JSON),
  },
  { what: 'is no HTTP', fault: head({ 'bad header\u0000': 'x' }), outcome: NOT_JSON },
  {
    what: 'sends headers without an end',
    fault: head({ 'x-long': 'x'.repeat(100_000) }),
    outcome: ['invalidResponse', 'tooLarge'],
  },
  { what: 'sends NaN', fault: body((text) => text.replace('{', '{"lastSeen":NaN,')), outcome: read(NOT_JSON) },
  {
    what: 'sends Infinity',
    fault: body((text) => text.replace('{', '{"lastSeen":-Infinity,')),
    outcome: read(NOT_JSON),
  },
  {
    what: 'sends nothing but 10,000 levels of nesting',
    fault: body(() => `${'['.repeat(10_000)}${']'.repeat(10_000)}`),
    // A list is not made of it; as it is it can be shown.
    outcome: { ...read(['invalidResponse', 'wrongShape']), rawList: 'ok' },
  },
  {
    what: 'sends 10,000 levels that are not closed',
    fault: body(() => '{"a":'.repeat(10_000)),
    outcome: read(NOT_JSON),
  },
  { what: 'sends UTF-16', fault: body((text) => Buffer.from(text, 'utf16le')), outcome: read(NOT_JSON) },
  { what: 'sends a null', fault: body(() => 'null'), outcome: read(['invalidResponse', 'wrongShape']) },
  { what: 'sends HTML', fault: body(() => '<html>Sign in'), outcome: read(['invalidResponse', 'html']) },
  // undici takes neither; a change that is answered so is read back, as after any answer that was lost.
  {
    what: 'answers 204 with a body',
    fault: set({ status: 204 }),
    outcome: RESET,
    editor: read(['invalidResponse', 'empty']),
  },
  { what: 'sends a 100 that nobody asked for', fault: set({ informational: [100] }), outcome: RESET },
  { what: 'answers 204', fault: set({ status: 204, body: '' }), outcome: read(['invalidResponse', 'empty']) },
  {
    what: 'answers 304 to what was not conditional',
    fault: set({ status: 304, body: '' }),
    outcome: REDIRECTED,
  },
  ...REDIRECTS,
  ...RETRY_AFTER.map(
    ([what, say]): FaultCase => ({
      what: `answers 429 with Retry-After ${what}`,
      fault: (reply) => {
        const after = say(Date.parse(reply.headers.date ?? ''));
        return { ...reply, status: 429, headers: { ...reply.headers, 'retry-after': after } };
      },
      outcome: ['rateLimited'],
    }),
  ),
  { what: 'answers 503', fault: set({ status: 503 }), outcome: ['unavailable'] },
  { what: 'answers 500', fault: set({ status: 500 }), outcome: ['unavailable'] },
  { what: 'answers 600', fault: set({ status: 600 }), outcome: ['unavailable'] },
  ...ODD_BUT_RIGHT,
];
