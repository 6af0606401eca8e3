import { addSigningKey } from '../../../src/demo/access.ts';
import { answerDelete } from '../../../src/demo/api.ts';
import { addClip, answerAsset } from '../../../src/demo/clips.ts';
import type { Interceptor } from '../../../src/demo/demoServer.ts';
import {
  addSession,
  addStream,
  type DemoClip,
  type DemoDelivery,
  type DemoSession,
  type DemoSigningKey,
  type DemoState,
  type DemoStream,
  type DemoTarget,
  type DemoWebhook,
  type ReadReplica,
} from '../../../src/demo/demoState.ts';
import { type DemoRequest, type DemoResponse, failure } from '../../../src/demo/http.ts';
import { addTarget } from '../../../src/demo/multistream.ts';
import { type Simulation, stallBroadcast, startBroadcast, stopBroadcast } from '../../../src/demo/simulation.ts';
import { addWebhook } from '../../../src/demo/webhooks.ts';

const MOST_REQUESTS = 10_000;

/** `status` is 0 until there is a response, and stays 0 if there never is one. */
export interface SeenRequest extends DemoRequest {
  readonly status: number;
}

export type FaultRule = Interceptor['fault'];

/** Controls the service from tests and screenshot scripts. Methods that change an unknown stream or session throw. */
export interface DemoControl {
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  clearRequests(): void;
  /** Returns copies of all streams, including deprecated child streams. */
  streams(): readonly DemoStream[];
  /** Returns copies, newest first. */
  sessions(streamId: string): readonly DemoSession[];
  addStream(fields?: Partial<DemoStream>): DemoStream;
  /** Makes the stream live and returns its new session. Returns the running session if it is live already. */
  startBroadcast(streamId: string): DemoSession;
  endBroadcast(streamId: string): void;
  /** `isActive: false` also ends a broadcast. `lastSeen` of a live stream stays as set, so the stream becomes stale. */
  setStream(streamId: string, fields: Partial<DemoStream>): void;
  deleteStream(streamId: string): void;
  addSession(streamId: string, fields?: Partial<DemoSession>): DemoSession;
  setSession(sessionId: string, fields: Partial<DemoSession>): void;
  /** Returns a copy, with the secret. */
  addWebhook(fields?: Partial<DemoWebhook>): DemoWebhook;
  /** Returns copies, with the secrets. */
  webhooks(): readonly DemoWebhook[];
  /** Returns the log of a webhook, the newest first. */
  deliveries(webhookId: string): readonly DemoDelivery[];
  /** Replaces the log of a webhook, the newest first. */
  setDeliveries(webhookId: string, deliveries: readonly DemoDelivery[]): void;
  signingKeys(): readonly DemoSigningKey[];
  /** Returns it with its private half, as the service does once. */
  addSigningKey(name: string): DemoSigningKey & { readonly privateKey: string };
  deleteSigningKey(id: string): void;
  /** Returns copies, with the URLs. */
  targets(): readonly DemoTarget[];
  /** Returns a copy, with the URL. */
  addTarget(fields: Partial<DemoTarget> & { url: string }): DemoTarget;
  /** Returns copies. */
  clips(): readonly DemoClip[];
  /** Makes a clip of a session, whose times are in seconds. Returns a copy. */
  addClip(sessionId: string, clip: Partial<DemoClip> & Pick<DemoClip, 'excerpt'>): DemoClip;
  deleteClip(id: string): void;
  /** All clips that are being made, or will be, fail for this reason. */
  failClips(errorMessage: string): void;
  revokeKey(): void;
  restoreKey(): void;
  /** Sets a key for browsers only, for which the API responds 403. */
  acceptBrowserKey(key: string): void;
  /** Listing the sessions of its stream (GET /stream/{id}/sessions) fails with 500 from now on. */
  breakSession(sessionId: string): void;
  /** Delays the effect of changes through the API on reads and lists, by the clock. */
  lagBehind(ms: number): void;
  /** Replaces the current rule; undefined removes it. */
  fault(rule: FaultRule | undefined): void;
}

export interface Switches {
  requests: SeenRequest[];
  fault: FaultRule | undefined;
  isKeyRevoked: boolean;
  browserKey: string | undefined;
}

/** Records a request. Call the returned function with the status of its response. */
export function noteRequest(switches: Switches, request: Omit<SeenRequest, 'status'>): (status: number) => void {
  const seen = { ...request, status: 0 };
  switches.requests.push(seen);
  if (switches.requests.length > MOST_REQUESTS) switches.requests.shift();
  return (status) => {
    seen.status = status;
  };
}

/** The service's answer to a key for browsers, except where it asks for no key. */
export function refuseBrowserKey(
  { browserKey }: Pick<Switches, 'browserKey'>,
  { path, headers }: DemoRequest,
): DemoResponse | undefined {
  const needsKey = path.startsWith('/api/') && !/^\/api\/(playback\/|ingest$)/.test(path);
  const isSent = browserKey !== undefined && headers.authorization === `Bearer ${browserKey}`;
  if (!needsKey || !isSent || headers.origin !== undefined) return undefined;
  return failure(403, 'The key is for browsers, and this request comes from none');
}

export function createControl(state: DemoState, simulation: Simulation, switches: Switches): DemoControl {
  const upToDate = <T>(act: () => T): T => {
    simulation.advance();
    return act();
  };
  return {
    get requests() {
      return switches.requests;
    },
    clearRequests: () => {
      switches.requests = [];
    },
    streams: () => upToDate(() => structuredClone([...state.streams.values()])),
    sessions: (streamId) => upToDate(() => structuredClone(state.sessionsOf.get(streamId) ?? [])),
    addStream: (fields) => upToDate(() => addAsAsked(state, fields)),
    startBroadcast: (id) => upToDate(() => ({ ...startBroadcast(state, streamOf(state, id)) })),
    endBroadcast: (id) => upToDate(() => stopBroadcast(state, streamOf(state, id))),
    setStream: (id, fields) => upToDate(() => setStream(state, streamOf(state, id), fields)),
    deleteStream: (id) => upToDate(() => void answerDelete(state, streamOf(state, id))),
    addSession: (streamId, fields) => upToDate(() => ({ ...addSession(state, streamId, fields) })),
    setSession: (id, fields) => upToDate(() => setSession(state, id, fields)),
    addWebhook: (fields = {}) => ({ ...addWebhook(state, fields) }),
    webhooks: () => [...state.webhooks.values()].map((webhook) => ({ ...webhook })),
    deliveries: (id) => state.deliveries.get(id) ?? [],
    setDeliveries: (id, deliveries) => void state.deliveries.set(id, deliveries),
    signingKeys: () => [...state.signingKeys.values()],
    addSigningKey: (name) => addSigningKey(state, name),
    deleteSigningKey: (id) => void state.signingKeys.delete(id),
    targets: () => [...state.targets.values()].map((target) => ({ ...target })),
    addTarget: (fields) => ({ ...addTarget(state, fields) }),
    clips: () => [...state.clips.values()].map((clip) => ({ ...clip })),
    addClip: (sessionId, clip) => ({ ...addClip(state, sessionOf(state, sessionId), clip) }),
    deleteClip: (id) => void answerAsset(state, 'DELETE', id),
    failClips: (errorMessage) => {
      state.cutClip = () => {
        throw new Error(errorMessage);
      };
    },
    revokeKey: () => {
      switches.isKeyRevoked = true;
    },
    restoreKey: () => {
      switches.isKeyRevoked = false;
    },
    acceptBrowserKey: (key) => {
      switches.browserKey = key;
    },
    breakSession: (id) => void state.brokenSessions.add(id),
    lagBehind: (ms) => {
      state.replica = createLaggingReplica(state, ms);
    },
    fault: (rule) => {
      switches.fault = rule;
    },
  };
}

/** Answers reads with what a stream was `lagMs` ago. */
function createLaggingReplica({ streams, clock }: DemoState, lagMs: number): ReadReplica {
  const seen = new Map<string, { readonly until: number; readonly stream: DemoStream | undefined }>();
  const isInForce = (id: string) => (seen.get(id)?.until ?? 0) > clock.now();
  return {
    keep(id, stream) {
      if (!isInForce(id)) seen.set(id, { until: clock.now() + lagMs, stream: structuredClone(stream) });
    },
    read: (id) => (isInForce(id) ? seen.get(id)?.stream : streams.get(id)),
    list() {
      const late = [...seen].filter(([id]) => isInForce(id)).map(([, { stream }]) => stream);
      const known = [...streams.values()].filter(({ id }) => !isInForce(id));
      return [...known, ...late.filter((stream) => stream !== undefined)];
    },
  };
}

function addAsAsked(state: DemoState, fields: Partial<DemoStream> = {}): DemoStream {
  const { isActive = false, ...rest } = fields;
  const stream = addStream(state, rest);
  if (isActive) setStream(state, stream, { ...fields, isActive });
  return structuredClone(stream);
}

function setStream(state: DemoState, stream: DemoStream, fields: Partial<DemoStream>): void {
  if (fields.isActive === false) stopBroadcast(state, stream);
  if (fields.isActive && !stream.isActive) startBroadcast(state, stream);
  if (fields.lastSeen !== undefined) stallBroadcast(state, stream, fields.lastSeen);
  Object.assign(stream, fields);
}

/** Set fields stay: a pending recording does not overwrite them. */
function setSession(state: DemoState, id: string, fields: Partial<DemoSession>): void {
  const session = sessionOf(state, id);
  if (fields.recordingStatus !== undefined) state.recordingsDue.delete(id);
  Object.assign(session, fields);
}

function sessionOf(state: DemoState, id: string): DemoSession {
  const session = state.sessions.get(id);
  if (!session) throw new Error(`There is no session ${id}`);
  return session;
}

function streamOf(state: DemoState, id: string): DemoStream {
  const stream = state.streams.get(id);
  if (!stream) throw new Error(`There is no stream ${id}`);
  return stream;
}
