import type { Caller } from './calls.ts';
import { textOf, toRow } from './decode.ts';
import { readAnswer, readOne, wrongShape } from './reads.ts';
import { listStreamsRequest } from './requests.ts';
import type { CallOptions, StreamQuery } from './types.ts';

/**
 * GET /stream, sent without the API key. Resolves if the service refuses it for lack of a key, or lists streams anyway.
 * Throws an ApiError otherwise. In most cases, the service isn't at this address then.
 */
export async function probeStreams(call: Caller, query: StreamQuery, { signal }: CallOptions = {}): Promise<void> {
  const answer = await call({ path: listStreamsRequest(query).full, isPublic: true, signal });
  const { status } = answer.response;
  if (status === 401 || status === 403) return;
  if (!Array.isArray(readAnswer(answer))) throw wrongShape(answer);
}

/** GET /project: the names of the first 50 projects of the key's account; '' for one without a name. */
export async function listProjectNames(call: Caller, { signal }: CallOptions = {}): Promise<readonly string[]> {
  return readOne(await call({ path: '/project', signal }), decodeProjectNames).value;
}

/** GET /user/me: the email address of the key's account. */
export async function readEmail(call: Caller, { signal }: CallOptions = {}): Promise<string> {
  return readOne(await call({ path: '/user/me', signal }), (json) => textOf(toRow(json)?.email)).value;
}

function decodeProjectNames(json: unknown): readonly string[] | undefined {
  return Array.isArray(json) ? json.slice(0, 50).map((row) => textOf(toRow(row)?.name) ?? '') : undefined;
}
