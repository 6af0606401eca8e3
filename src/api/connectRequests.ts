import type { Caller } from './calls.ts';
import { idOf, textOf, toRow } from './decode.ts';
import { readAnswer, readOne, wrongShape } from './reads.ts';
import { listStreamsRequest } from './requests.ts';
import type { CallOptions, StreamQuery } from './types.ts';

/**
 * GET /stream, sent without the API key. Resolves if the service refuses it for lack of a key, or lists streams anyway.
 * Throws an ApiError otherwise. In most cases, the service isn't at this URL then.
 */
export async function probeStreams(call: Caller, query: StreamQuery, { signal }: CallOptions = {}): Promise<void> {
  const answer = await call({ path: listStreamsRequest(query).full, isPublic: true, signal });
  const { status } = answer.response;
  if (status === 401 || status === 403) return;
  if (!Array.isArray(readAnswer(answer))) throw wrongShape(answer);
}

/** A project of an account. Its name may be ''. */
export interface Project {
  readonly id: string | undefined;
  readonly name: string;
}

/** GET /project: the first 50 projects of the key's account. The service doesn't say which of them is the key's. */
export async function listProjects(call: Caller, { signal }: CallOptions = {}): Promise<readonly Project[]> {
  return readOne(await call({ path: '/project', signal }), decodeProjects).value;
}

/** GET /user/me: the email address of the key's account. */
export async function readEmail(call: Caller, { signal }: CallOptions = {}): Promise<string> {
  return readOne(await call({ path: '/user/me', signal }), (json) => textOf(toRow(json)?.email)).value;
}

function decodeProjects(json: unknown): readonly Project[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.slice(0, 50).map((row) => ({ id: idOf(toRow(row)?.id), name: textOf(toRow(row)?.name) ?? '' }));
}
