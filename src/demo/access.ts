import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { type BodyRule, readBody } from './bodies.ts';
import type { DemoPolicy, DemoSigningKey, DemoState, DemoStream } from './demoState.ts';
import { type DemoRequest, type DemoResponse, empty, failure, json } from './http.ts';
import { makeUuid } from './random.ts';

const NEW_KEY: BodyRule = { fields: { name: 'string' }, required: [] };

/** Answers the requests below /access-control. The private key of a new key is sent once and not kept. */
export function answerAccessControl(
  state: DemoState,
  { method, body }: DemoRequest,
  [kind, id]: readonly (string | undefined)[],
): DemoResponse {
  if (kind !== 'signing-key') return failure(404, 'Not found');
  if (id === undefined && method === 'GET') return json(200, [...state.signingKeys.values()]);
  if (id === undefined && method === 'POST') return createSigningKey(state, body);
  return id !== undefined && method === 'DELETE' && state.signingKeys.delete(id)
    ? empty(204)
    : failure(404, 'Not found');
}

/** The public service allows one more than it says. */
const MOST_KEYS = 10;

function createSigningKey(state: DemoState, body: string): DemoResponse {
  const read = readBody(body, NEW_KEY);
  if ('refusal' in read) return read.refusal;
  if (state.signingKeys.size > MOST_KEYS) {
    return failure(403, `user can only have up to ${MOST_KEYS} signing keys, delete some first`);
  }
  const { name } = read.value;
  return json(201, addSigningKey(state, typeof name === 'string' ? name : `Signing Key ${state.signingKeys.size + 1}`));
}

/** Returns the key with its private half, which is not kept. */
export function addSigningKey(state: DemoState, name: string): DemoSigningKey & { readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const id = makeUuid(state.random);
  const key: DemoSigningKey = { id, name, createdAt: state.clock.now(), publicKey: btoa(publicKey) };
  state.signingKeys.set(id, key);
  return { ...key, privateKey: btoa(privateKey) };
}

const POLICY_FIELDS: BodyRule = {
  fields: {
    type: 'string',
    webhookId: 'string',
    webhookContext: 'object',
    refreshInterval: 'number',
    allowedOrigins: 'array',
  },
  required: ['type'],
};
const TYPES: ReadonlySet<unknown> = new Set(['public', 'jwt', 'webhook']);

/** Returns why a playback policy can't be set; undefined if it can. */
export function refusePolicy(state: DemoState, policy: DemoPolicy): DemoResponse | undefined {
  const read = readBody(JSON.stringify(policy), POLICY_FIELDS);
  if ('refusal' in read) return read.refusal;
  const { type, webhookId, allowedOrigins = [] } = policy;
  if (!TYPES.has(type)) return refuse('.playbackPolicy.type', 'should be equal to one of the allowed values');
  if (type === 'webhook' && !state.webhooks.has(webhookId ?? '')) return failure(400, `webhook ${webhookId} not found`);
  return allowedOrigins.every(isOrigin)
    ? undefined
    : refuse('.playbackPolicy.allowedOrigins', 'must be a list of valid origins <scheme>://<hostname>:<port>');
}

function refuse(dataPath: string, message: string): DemoResponse {
  return failure(422, JSON.stringify({ keyword: 'format', dataPath, message }));
}

function isOrigin(text: unknown): boolean {
  return text === '*' || (typeof text === 'string' && /^https?:/.test(text) && URL.parse(text)?.origin === text);
}

export function needsToken({ playbackPolicy }: DemoStream): boolean {
  return playbackPolicy !== undefined && playbackPolicy.type !== 'public';
}

/** Whether a request has a token that lets its viewer watch the stream. No webhook is asked: it lets nobody watch. */
export function mayWatch(state: DemoState, stream: DemoStream, request: DemoRequest): boolean {
  if (!needsToken(stream)) return true;
  return stream.playbackPolicy?.type === 'jwt' && isTokenFor(state, stream, tokenOf(request));
}

export function tokenOf({ query, headers }: DemoRequest): string {
  const sent = headers['livepeer-jwt'];
  return new URLSearchParams(query).get('jwt') ?? (typeof sent === 'string' ? sent : '');
}

const CLOCKS_DIFFER_BY_S = 60;

function isTokenFor({ clock, signingKeys }: DemoState, { playbackId }: DemoStream, token: string): boolean {
  const [head = '', body = '', signature = ''] = token.split('.');
  const [header, claims] = [head, body].map((part) => parseJson(Buffer.from(part, 'base64url').toString()));
  if (!isRecord(header) || !isRecord(claims) || header.alg !== 'ES256') return false;
  const key = [...signingKeys.values()].find(({ publicKey }) => publicKey === claims.pub);
  if (key === undefined) return false;
  const seconds = clock.now() / 1000;
  const isNow = Number(claims.exp) > seconds && !(Number(claims.iat) > seconds + CLOCKS_DIFFER_BY_S);
  const publicKey = { key: createPublicKey(atob(key.publicKey)), dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
  return isSigned && isNow && claims.action === 'pull' && claims.sub === playbackId;
}

/** Repeats the token of a request at each address of a playlist, as what they lead to needs it as well. */
export function passTokenOn(text: string, request: DemoRequest): string {
  const suffix = `?${new URLSearchParams({ jwt: tokenOf(request) })}`;
  return text.replace(/^[^#\s].*$/gm, (uri) => uri + suffix).replace(/(URI="[^"]*)"/g, `$1${suffix}"`);
}
