import { isRecord } from '../util/isRecord.ts';
import { type BodyRule, readBody } from './bodies.ts';
import type { DemoState, DemoStream, DemoTarget, DemoTargetUse } from './demoState.ts';
import { type DemoRequest, type DemoResponse, empty, failure, json } from './http.ts';
import { makeUuid } from './random.ts';

const URL_FORM = /^(srt|rtmps?):\/\//;
const TARGET_PATCH: BodyRule = { fields: { name: 'string', url: 'string', disabled: 'boolean' }, required: [] };
const NEW_TARGET: BodyRule = { ...TARGET_PATCH, required: ['url'] };
const NEW_USE: BodyRule = {
  fields: { profile: 'string', videoOnly: 'boolean', id: 'string', spec: 'object' },
  required: ['profile'],
};
const SPEC: BodyRule = { fields: { name: 'string', url: 'string' }, required: ['url'] };
const LONGEST_PROFILE = 500;

/** Answers the requests below /multistream. No answer has the URL of a target. */
export function answerMultistream(
  state: DemoState,
  { request, query }: { readonly request: DemoRequest; readonly query: URLSearchParams },
  [kind, id]: readonly (string | undefined)[],
): DemoResponse {
  const { method, body } = request;
  if (kind !== 'target') return failure(404, 'Not found');
  if (id === undefined && method === 'GET') return listTargets(state, query);
  if (id === undefined && method === 'POST') {
    const read = readTarget(body, NEW_TARGET);
    return 'refusal' in read ? read.refusal : json(201, withoutUrl(addTarget(state, read.value)));
  }
  const target = state.targets.get(id ?? '');
  if (target === undefined) return failure(404, 'not found');
  if (method === 'GET') return json(200, withoutUrl(target));
  if (method === 'PATCH') return patchTarget(target, body);
  return method === 'DELETE' && state.targets.delete(target.id) ? empty(204) : failure(404, 'Not found');
}

/** POST /stream/{id}/create-multistream-target. */
export function createTargetOf(state: DemoState, stream: DemoStream, body: string): DemoResponse {
  const read = readBody(body, NEW_USE);
  if ('refusal' in read) return read.refusal;
  const { profile, videoOnly, id, spec } = read.value;
  const use = { profile: String(profile), ...(typeof videoOnly === 'boolean' && { videoOnly }) };
  if (use.profile === '' || use.profile.length > LONGEST_PROFILE) return refuse('.profile', 'minLength');
  const asked = spec === undefined ? undefined : readTarget(JSON.stringify(spec), SPEC, '.spec');
  if (asked !== undefined && 'refusal' in asked) return asked.refusal;
  const profiles = profileNames(stream);
  if (!profiles.includes(use.profile)) {
    const available = JSON.stringify(profiles);
    return failure(400, `multistream target profile not found: "${use.profile}". available: ${available}`);
  }
  if ((asked === undefined) === (id === undefined)) {
    return failure(400, 'multistream target must have either an "id" or a "spec"');
  }
  const target = asked === undefined ? state.targets.get(String(id)) : addTarget(state, asked.value);
  if (target === undefined) return failure(400, `multistream target not found: "${String(id)}"`);
  return setTargets(state, stream, [...targetsOf(stream), { ...use, id: target.id }]) ?? json(200, withoutUrl(target));
}

/** DELETE /stream/{id}/multistream/{targetId}. Removing one that isn't there is no error. */
export function removeTargetOf(state: DemoState, stream: DemoStream, targetId: string): DemoResponse {
  const left = targetsOf(stream).filter(({ id }) => id !== targetId);
  return setTargets(state, stream, left) ?? empty(204);
}

/** The multistream part of the health of a live stream. A simulated target fails if its name says so. */
export function targetsHealth(state: DemoState, stream: DemoStream, isReceiving: boolean): readonly unknown[] {
  return targetsOf(stream).flatMap(({ id, profile }) => {
    const target = state.targets.get(id);
    if (target === undefined || target.disabled) return [];
    const connected = isReceiving && !target.isFailing;
    return [{ target: { id, name: target.name, profile }, connected }];
  });
}

/** Undefined for a stream without targets that are on. */
export function areTargetsConnected(state: DemoState, stream: DemoStream): boolean | undefined {
  const targets = targetsHealth(state, stream, true).filter(isRecord);
  return targets.length === 0 ? undefined : targets.every(({ connected }) => connected === true);
}

export function addTarget(state: DemoState, { url, ...fields }: Partial<DemoTarget> & { url: string }): DemoTarget {
  const target: DemoTarget = {
    id: makeUuid(state.random),
    url,
    createdAt: state.clock.now(),
    userId: `user-of-${state.projectId}`,
    disabled: false,
    isFailing: false,
    ...fields,
    name: fields.name || (URL.parse(url)?.host ?? ''),
  };
  state.targets.set(target.id, target);
  return target;
}

export function targetsOf({ multistream }: DemoStream): readonly DemoTargetUse[] {
  return multistream?.targets ?? [];
}

function listTargets(state: DemoState, query: URLSearchParams): DemoResponse {
  const userId = query.get('userId');
  if (!userId) return failure(400, 'required query parameter: userId');
  if (userId !== `user-of-${state.projectId}`) {
    return failure(403, 'users can only access their own multistream targets');
  }
  const limit = Number.parseInt(query.get('limit') ?? '', 10) || 100;
  return json(200, [...state.targets.values()].slice(0, limit).map(withoutUrl));
}

function patchTarget(target: DemoTarget, body: string): DemoResponse {
  const read = readTarget(body, TARGET_PATCH);
  if ('refusal' in read) return read.refusal;
  Object.assign(target, read.value);
  return empty(204);
}

type ReadTarget = { readonly value: Partial<DemoTarget> & { url: string } } | { readonly refusal: DemoResponse };

function readTarget(body: string, rule: BodyRule, path = ''): ReadTarget {
  const read = readBody(body, rule);
  if ('refusal' in read) return read;
  const { url } = read.value;
  if (typeof url === 'string' && !URL_FORM.test(url)) {
    return { refusal: refuse(`${path}.url`, 'should match pattern "^(srt|rtmps?)://"') };
  }
  // As the public service does, the refusal repeats the URL.
  if (typeof url === 'string' && !URL.canParse(url)) {
    return { refusal: failure(422, `Bad URL ${url}: TypeError: Invalid URL`) };
  }
  return { value: read.value as Partial<DemoTarget> & { url: string } };
}

/** Returns why the targets of a stream can't be these; sets them otherwise. */
function setTargets(state: DemoState, stream: DemoStream, targets: readonly DemoTargetUse[]): DemoResponse | undefined {
  const gone = targets.find(({ id }) => !state.targets.has(id));
  if (gone !== undefined) return failure(400, `multistream target not found: "${gone.id}"`);
  const uses = new Set(targets.map(({ id, profile }) => `${profile} -> ${id}`));
  if (uses.size !== targets.length) return failure(400, 'multistream target {id,profile} must be unique');
  stream.multistream = { targets };
  return undefined;
}

function profileNames({ profiles }: DemoStream): readonly string[] {
  const names = profiles.filter(isRecord).map(({ name }) => name);
  return [...names.filter((name) => typeof name === 'string'), 'source'];
}

function withoutUrl({ url: _, isFailing: __, ...target }: DemoTarget) {
  return target;
}

function refuse(dataPath: string, message: string): DemoResponse {
  return failure(422, JSON.stringify({ keyword: 'pattern', dataPath, message }));
}
