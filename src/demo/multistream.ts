import { connect } from 'node:net';
import { isRecord } from '../util/isRecord.ts';
import { type BodyRule, readJsonBody } from './bodies.ts';
import type { DemoState, DemoStream, DemoTarget, DemoTargetUse, ReportedTarget } from './demoState.ts';
import { type DemoRequest, type DemoResponse, empty, failure, json } from './http.ts';
import { makeUuid } from './random.ts';
import { HERE } from './webhooks.ts';

const URL_FORM = /^(srt|rtmps?):\/\//;
const TARGET_PATCH: BodyRule = { fields: { name: 'string', url: 'string', disabled: 'boolean' }, required: [] };
const NEW_TARGET: BodyRule = { ...TARGET_PATCH, required: ['url'] };
const NEW_USE: BodyRule = {
  fields: { profile: 'string', videoOnly: 'boolean', id: 'string', spec: 'object' },
  required: ['profile'],
};
const SPEC: BodyRule = { fields: { name: 'string', url: 'string' }, required: ['url'] };
const LONGEST_PROFILE = 500;
const RTMP_PORT = 1935;

/** Responds to the requests below /multistream. No response contains the URL of a target. */
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
    return 'refusal' in read ? read.refusal : json(201, withoutUrl(addGiven(state, read.value)));
  }
  const target = state.targets.get(id ?? '');
  if (target === undefined) return failure(404, 'not found');
  if (method === 'GET') return json(200, withoutUrl(target));
  if (method === 'PATCH') return patchTarget(state, target, body);
  if (method !== 'DELETE') return failure(404, 'Not found');
  const sending = usesOf(state, target);
  for (const { stream, uses } of sending) reportStop(state, stream, uses);
  state.targets.delete(target.id);
  return empty(204);
}

/** POST /stream/{id}/create-multistream-target. */
export function createTargetOf(state: DemoState, stream: DemoStream, body: string): DemoResponse {
  const read = readUse(state, stream, body);
  if ('refusal' in read) return read.refusal;
  const target = read.value.target();
  const refusal = setTargets(state, stream, [...targetUsesOf(stream), { ...read.value.use, id: target.id }]);
  return refusal ?? json(200, withoutUrl(target));
}

/** PATCH /stream/{id} {multistream}. Replaces the targets of the stream, or returns why they can't be set. */
export function replaceTargets(state: DemoState, stream: DemoStream, multistream: unknown): DemoResponse | undefined {
  const read = readJsonBody(JSON.stringify(multistream), { fields: { targets: 'array' }, required: [] });
  if ('refusal' in read) return read.refusal;
  const { targets = [] } = read.value as { readonly targets?: readonly unknown[] };
  const uses: (() => DemoTargetUse)[] = [];
  for (const each of targets) {
    const one = readUse(state, stream, JSON.stringify(each));
    if ('refusal' in one) return one.refusal;
    uses.push(() => ({ ...one.value.use, id: one.value.target().id }));
  }
  return setTargets(
    state,
    stream,
    uses.map((make) => make()),
  );
}

interface ReadUse {
  readonly use: Omit<DemoTargetUse, 'id'>;
  /** Returns the target, adding it if it's new. */
  readonly target: () => DemoTarget;
}

function readUse(
  state: DemoState,
  stream: DemoStream,
  body: string,
): { readonly value: ReadUse } | { readonly refusal: DemoResponse } {
  const read = readJsonBody(body, NEW_USE);
  if ('refusal' in read) return read;
  const { profile, videoOnly, id, spec } = read.value;
  const use = { profile: String(profile), ...(typeof videoOnly === 'boolean' && { videoOnly }) };
  if (use.profile === '' || use.profile.length > LONGEST_PROFILE) return { refusal: refuse('.profile', 'minLength') };
  const asked = spec === undefined ? undefined : readTarget(JSON.stringify(spec), SPEC, '.spec');
  if (asked !== undefined && 'refusal' in asked) return asked;
  const profiles = profileNames(stream);
  if (!profiles.includes(use.profile)) {
    const available = JSON.stringify(profiles);
    return {
      refusal: failure(400, `multistream target profile not found: "${use.profile}". available: ${available}`),
    };
  }
  if ((asked === undefined) === (id === undefined)) {
    return { refusal: failure(400, 'multistream target must have either an "id" or a "spec"') };
  }
  if (asked !== undefined) return { value: { use, target: () => addGiven(state, asked.value) } };
  const target = state.targets.get(String(id));
  if (target === undefined) return { refusal: failure(400, `multistream target not found: "${String(id)}"`) };
  return { value: { use, target: () => target } };
}

/** DELETE /stream/{id}/multistream/{targetId}. Removing one that doesn't exist isn't an error. */
export function removeTargetOf(state: DemoState, stream: DemoStream, targetId: string): DemoResponse {
  const left = targetUsesOf(stream).filter(({ id }) => id !== targetId);
  return setTargets(state, stream, left) ?? empty(204);
}

/** Returns the multistream part of a live stream's health. Targets are simulated. */
export function targetsHealth(state: DemoState, stream: DemoStream, isReceiving: boolean): readonly unknown[] {
  return usesThatAreOn(state, targetUsesOf(stream)).map(({ target, isFailing }) => ({
    target,
    connected: isReceiving && !isFailing,
  }));
}

/** Returns undefined for a stream without enabled targets. */
export function areTargetsConnected(state: DemoState, stream: DemoStream): boolean | undefined {
  const uses = usesThatAreOn(state, targetUsesOf(stream));
  return uses.length === 0 ? undefined : uses.every(({ isFailing }) => !isFailing);
}

/** Tells webhooks that a broadcast is sent to the enabled targets or, for failing ones, isn't. */
export function reportSending(state: DemoState, stream: DemoStream, uses = targetUsesOf(stream)): void {
  for (const { target, isFailing } of usesThatAreOn(state, uses)) {
    const event = isFailing ? 'multistream.error' : 'multistream.connected';
    state.report({ event, stream, target });
  }
}

/** Tells webhooks that a broadcast is no longer sent to these targets. */
export function reportStop(state: DemoState, stream: DemoStream, uses = targetUsesOf(stream)): void {
  for (const { target, isFailing } of usesThatAreOn(state, uses)) {
    if (!isFailing) state.report({ event: 'multistream.disconnected', stream, target });
  }
}

function usesThatAreOn(state: DemoState, uses: readonly DemoTargetUse[]) {
  return uses.flatMap(({ id, profile }): { readonly target: ReportedTarget; readonly isFailing: boolean }[] => {
    const target = state.targets.get(id);
    if (target === undefined || target.disabled) return [];
    return [{ target: { id, name: target.name, profile }, isFailing: target.isFailing }];
  });
}

/** The demo sends nothing to targets. A target on this computer fails if nothing listens there. */
function tryLoopback(target: DemoTarget): void {
  const { hostname = '', port = '' } = URL.parse(target.url) ?? {};
  if (!HERE.has(hostname)) return;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || RTMP_PORT });
  socket.once('connect', () => socket.destroy());
  socket.once('error', () => {
    target.isFailing = true;
  });
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

function addGiven(state: DemoState, given: Partial<DemoTarget> & { url: string }): DemoTarget {
  const target = addTarget(state, given);
  tryLoopback(target);
  return target;
}

export function targetUsesOf({ multistream }: DemoStream): readonly DemoTargetUse[] {
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

function patchTarget(state: DemoState, target: DemoTarget, body: string): DemoResponse {
  const read = readTarget(body, TARGET_PATCH);
  if ('refusal' in read) return read.refusal;
  const { disabled = target.disabled, url } = read.value as Partial<DemoTarget>;
  const sending = disabled === target.disabled ? [] : usesOf(state, target);
  if (disabled) for (const { stream, uses } of sending) reportStop(state, stream, uses);
  Object.assign(target, read.value);
  // Failures at the old URL say nothing about the new one.
  if (url !== undefined) {
    target.isFailing = false;
    tryLoopback(target);
  }
  if (!disabled) for (const { stream, uses } of sending) reportSending(state, stream, uses);
  return empty(204);
}

/** Returns the live streams that have a target, with their renditions for it. */
function usesOf(state: DemoState, { id }: DemoTarget) {
  return [...state.streams.values()]
    .map((stream) => ({ stream, uses: targetUsesOf(stream).filter((use) => use.id === id) }))
    .filter(({ stream, uses }) => stream.isActive && uses.length > 0);
}

type ReadTarget = { readonly value: Partial<DemoTarget> & { url: string } } | { readonly refusal: DemoResponse };

function readTarget(body: string, rule: BodyRule, path = ''): ReadTarget {
  const read = readJsonBody(body, rule);
  if ('refusal' in read) return read;
  const { url } = read.value;
  if (typeof url === 'string' && !URL_FORM.test(url)) {
    return { refusal: refuse(`${path}.url`, 'should match pattern "^(srt|rtmps?)://"') };
  }
  // Like the public service's, the refusal repeats the URL.
  if (typeof url === 'string' && !URL.canParse(url)) {
    return { refusal: failure(422, `Bad URL ${url}: TypeError: Invalid URL`) };
  }
  return { value: read.value as Partial<DemoTarget> & { url: string } };
}

/** Sets the targets of a stream, or returns why they can't be set. */
function setTargets(state: DemoState, stream: DemoStream, targets: readonly DemoTargetUse[]): DemoResponse | undefined {
  const gone = targets.find(({ id }) => !state.targets.has(id));
  if (gone !== undefined) return failure(400, `multistream target not found: "${gone.id}"`);
  const uses = new Set(targets.map(({ id, profile }) => `${profile} -> ${id}`));
  if (uses.size !== targets.length) return failure(400, 'multistream target {id,profile} must be unique');
  const before = targetUsesOf(stream);
  const without = (some: readonly DemoTargetUse[], others: readonly DemoTargetUse[]) =>
    some.filter(({ id, profile }) => !others.some((other) => other.id === id && other.profile === profile));
  if (stream.isActive) reportStop(state, stream, without(before, targets));
  stream.multistream = { targets };
  if (stream.isActive) reportSending(state, stream, without(targets, before));
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
