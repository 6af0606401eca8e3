import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { type BodyRule, readJsonBody, refuseFormat } from './bodies.ts';
import type { DemoPolicy, DemoSigningKey, DemoState, DemoStream } from './demoState.ts';
import { type DemoRequest, type DemoResponse, empty, failure, json } from './http.ts';
import { makeUuid } from './random.ts';
import type { WebhookSender } from './webhooks.ts';

const NEW_KEY: BodyRule = { fields: { name: 'string' }, required: [] };

/** Responds to the requests below /access-control. Sends the private half of a new key once and doesn't keep it. */
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

/** The public service allows one more than its error message says. */
const MOST_KEYS = 10;

function createSigningKey(state: DemoState, body: string): DemoResponse {
  const read = readJsonBody(body, NEW_KEY);
  if ('refusal' in read) return read.refusal;
  if (state.signingKeys.size > MOST_KEYS) {
    return failure(403, `user can only have up to ${MOST_KEYS} signing keys, delete some first`);
  }
  const { name } = read.value;
  return json(201, addSigningKey(state, typeof name === 'string' ? name : `Signing Key ${state.signingKeys.size + 1}`));
}

/** Returns the key with its private half, which isn't kept. */
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
  const read = readJsonBody(JSON.stringify(policy), POLICY_FIELDS);
  if ('refusal' in read) return read.refusal;
  const { type, webhookId, allowedOrigins = [] } = policy;
  if (!TYPES.has(type)) return refuseFormat('.playbackPolicy.type', 'should be equal to one of the allowed values');
  if (type === 'webhook' && !state.webhooks.has(webhookId ?? '')) return failure(400, `webhook ${webhookId} not found`);
  return allowedOrigins.every(isOrigin)
    ? undefined
    : refuseFormat('.playbackPolicy.allowedOrigins', 'must be a list of valid origins <scheme>://<hostname>:<port>');
}

function isOrigin(text: unknown): boolean {
  return text === '*' || (typeof text === 'string' && /^https?:/.test(text) && URL.parse(text)?.origin === text);
}

/** Whether viewers need a credential: a token, or an access key that a webhook knows. */
export function needsToken({ playbackPolicy }: DemoStream): boolean {
  return playbackPolicy !== undefined && playbackPolicy.type !== 'public';
}

/** Whether the stream may be played on the website that a request comes from. Allows requests without an origin. */
export function isAllowedOrigin({ playbackPolicy }: DemoStream, { headers }: DemoRequest): boolean {
  const { allowedOrigins = [] } = playbackPolicy ?? {};
  if (headers.origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes('*')) return true;
  const isHidden = headers.origin === '' || headers.origin === 'null';
  const origin = (isHidden ? (headers.referer ?? '') : headers.origin).replace(/\/$/, '');
  return allowedOrigins.includes(origin);
}

interface Gate {
  readonly state: DemoState;
  readonly webhooks: { admits: WebhookSender['admits'] };
}

/** Whether a request has a token that lets its viewer watch the stream, or an access key that its webhook accepts. */
export async function mayWatch({ state, webhooks }: Gate, stream: DemoStream, request: DemoRequest): Promise<boolean> {
  const { type, webhookId = '' } = stream.playbackPolicy ?? {};
  if (!needsToken(stream)) return true;
  if (type === 'jwt') return isTokenFor(state, stream, sentWith(request, 'jwt'));
  const accessKey = sentWith(request, 'accessKey');
  const webhook = state.webhooks.get(webhookId);
  if (type !== 'webhook' || webhook === undefined || accessKey === '') return false;
  return webhooks.admits(webhook, stream, { accessKey, headers: request.headers });
}

const HEADERS = { jwt: 'livepeer-jwt', accessKey: 'livepeer-access-key' } as const;

type Credential = keyof typeof HEADERS;

/** Returns '' if the request has none. */
function sentWith({ query, headers }: DemoRequest, credential: Credential): string {
  const sent = headers[HEADERS[credential]];
  return new URLSearchParams(query).get(credential) ?? (typeof sent === 'string' ? sent : '');
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

/** Adds the token or key of a request to each URL in a playlist, because those files need it too. */
export function passTokenOn(text: string, { playbackPolicy }: DemoStream, request: DemoRequest): string {
  const credential = playbackPolicy?.type === 'jwt' ? 'jwt' : 'accessKey';
  const suffix = `?${new URLSearchParams({ [credential]: sentWith(request, credential) })}`;
  return text.replace(/^[^#\s].*$/gm, (uri) => uri + suffix).replace(/(URI="[^"]*)"/g, `$1${suffix}"`);
}
