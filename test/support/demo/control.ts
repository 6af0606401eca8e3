import { endBroadcast, stallBroadcast, startBroadcast } from '../../../src/demo/broadcasts.ts';
import { deleteStream } from '../../../src/demo/changes.ts';
import type { DemoControl, FaultRule, SeenRequest } from '../../../src/demo/demoContract.ts';
import type { Life } from '../../../src/demo/life.ts';
import { addSession, addStream, type DemoSession, type DemoStream, type World } from '../../../src/demo/world.ts';

const MOST_REQUESTS = 10_000;

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

export function createControl(world: World, life: Life, switches: Switches): DemoControl {
  const upToDate = <T>(act: () => T): T => {
    life.advance();
    return act();
  };
  return {
    get requests() {
      return switches.requests;
    },
    clearRequests: () => {
      switches.requests = [];
    },
    streams: () => upToDate(() => structuredClone([...world.streams.values()])),
    sessions: (streamId) => upToDate(() => structuredClone(world.sessionsOf.get(streamId) ?? [])),
    addStream: (fields) => upToDate(() => addAsAsked(world, fields)),
    startBroadcast: (id) => upToDate(() => ({ ...startBroadcast(world, streamOf(world, id)) })),
    endBroadcast: (id) => upToDate(() => endBroadcast(world, streamOf(world, id))),
    setStream: (id, fields) => upToDate(() => setStream(world, streamOf(world, id), fields)),
    deleteStream: (id) => upToDate(() => void deleteStream(world, streamOf(world, id))),
    addSession: (streamId, fields) => upToDate(() => ({ ...addSession(world, streamId, fields) })),
    setSession: (id, fields) => upToDate(() => setSession(world, id, fields)),
    revokeKey: () => {
      switches.isKeyRevoked = true;
    },
    restoreKey: () => {
      switches.isKeyRevoked = false;
    },
    acceptBrowserKey: (key) => {
      switches.browserKey = key;
    },
    breakSession: (id) => void world.brokenSessions.add(id),
    lagBehind: (ms) => {
      world.replicaLagMs = ms;
    },
    fault: (rule) => {
      switches.fault = rule;
    },
  };
}

function addAsAsked(world: World, fields: Partial<DemoStream> = {}): DemoStream {
  const { isActive = false, ...rest } = fields;
  const stream = addStream(world, rest);
  if (isActive) setStream(world, stream, { ...fields, isActive });
  return structuredClone(stream);
}

function setStream(world: World, stream: DemoStream, fields: Partial<DemoStream>): void {
  if (fields.isActive === false) endBroadcast(world, stream);
  if (fields.isActive && !stream.isActive) startBroadcast(world, stream);
  if (fields.lastSeen !== undefined) stallBroadcast(world, stream, fields.lastSeen);
  Object.assign(stream, fields);
}

/** Set fields stay: a pending recording does not overwrite them. */
function setSession(world: World, id: string, fields: Partial<DemoSession>): void {
  const session = world.sessions.get(id);
  if (!session) throw new Error(`There is no session ${id}`);
  if (fields.recordingStatus !== undefined) world.recordingsDue.delete(id);
  Object.assign(session, fields);
}

function streamOf(world: World, id: string): DemoStream {
  const stream = world.streams.get(id);
  if (!stream) throw new Error(`There is no stream ${id}`);
  return stream;
}
