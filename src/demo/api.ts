import { type Answer, failure, json, withETag } from './answer.ts';
import type { DemoRequest } from './demoContract.ts';
import { MalformedFilters } from './filters.ts';
import { type ApiCall, answerFull } from './fullApi.ts';
import { describePlayback } from './playback.ts';
import type { World } from './world.ts';

/** How the demo implements the service's interface. */
export interface Face {
  /** Whether it has GET /playback/{playbackId}, which needs no key. */
  readonly tellsPlayback: boolean;
  /** Whether unknown paths outside the API return an HTML page, like a web site. */
  readonly hasPages: boolean;
  /** Answers a request with a valid key. Throws MalformedFilters. */
  answer(world: World, call: ApiCall): Answer;
}

export interface Api {
  readonly world: World;
  readonly face: Face;
  /** Returns undefined once the key is revoked. */
  readonly apiKey: () => string | undefined;
  readonly browserKey: () => string | undefined;
}

/** The public service as observed. If `isIndifferent`, parameters that are not stated have no effect. */
export function fullFace(isIndifferent: boolean): Face {
  const answer: Face['answer'] = (world, call) => withETag(call.request, answerFull(world, { ...call, isIndifferent }));
  return { tellsPlayback: true, hasPages: true, answer };
}

export function answerApi(api: Api, request: DemoRequest): Answer {
  if (request.headers.origin !== undefined) return failure(403, 'The key does not allow this origin');
  const call = takeApart(request);
  if (!call) return failure(400, 'The path is not encoded rightly');
  const [kind, id] = call.parts;
  if (kind === 'playback' && id !== undefined && request.method === 'GET' && api.face.tellsPlayback) {
    return answerPlayback(api.world, id);
  }
  const refusal = checkKey(request, api);
  if (refusal) return refusal;
  return answerFace(api, call);
}

function answerFace({ world, face }: Api, call: ApiCall): Answer {
  try {
    return face.answer(world, call);
  } catch (error) {
    if (error instanceof MalformedFilters) return failure(400, `error parsing filters: ${error.message}`);
    throw error;
  }
}

function answerPlayback(world: World, playbackId: string): Answer {
  const playback = describePlayback(world, playbackId);
  return playback ? json(200, playback) : failure(404, 'Not found');
}

/** Like the public service's, the error echoes the key. */
function checkKey(request: DemoRequest, { apiKey, browserKey }: Api): Answer | undefined {
  const sent = request.headers.authorization;
  if (sent === undefined) return failure(401, 'There is no authorization header');
  const token = /^Bearer +(\S+)$/i.exec(sent)?.[1];
  if (token === undefined) return failure(401, `The authorization header ${sent} is malformed`);
  if (token === apiKey()) return undefined;
  return token === browserKey()
    ? failure(403, 'The key is for browsers, and this request comes from none')
    : failure(401, `There is no token ${token}`);
}

function takeApart(request: DemoRequest): ApiCall | undefined {
  const parts = request.path.split('/').slice(2);
  if (parts.at(-1) === '') parts.pop();
  try {
    return { request, parts: parts.map(decodeURIComponent), query: new URLSearchParams(request.query) };
  } catch {
    return undefined;
  }
}
