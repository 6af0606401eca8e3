import type { NamedStream, Session, Stream } from '../../api/types.ts';

/** The subject of an event. If the stream isn't known, its name comes from the session. */
export interface EventSubject {
  readonly stream: Stream | NamedStream;
  readonly session?: Session | undefined;
}

export interface EnvelopeFacts {
  /** Stays the same when the delivery is retried, so that handlers can recognize it. */
  readonly id: string;
  /** '' if no webhook was chosen. */
  readonly webhookId: string;
  readonly event: string;
  /** When it happened and when it's sent: Unix times in milliseconds. */
  readonly createdAt: number;
  readonly timestamp: number;
  readonly subject?: EventSubject | undefined;
}

/** Returns the body that the service would send (src/api/README.md, Webhooks). It never includes the stream key. */
export function makeEnvelope(facts: EnvelopeFacts, indent?: number): string {
  const { id, webhookId, event, createdAt, timestamp, subject } = facts;
  const stream = subject && streamJson(event, subject.stream);
  const payload = payloadOf(event, subject, timestamp);
  return JSON.stringify({ id, webhookId, createdAt, timestamp, event, stream, payload }, undefined, indent);
}

/** Returns the event's ID in a body; undefined if it isn't an envelope. */
export function readEventId(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? body.id : undefined;
}

function payloadOf(event: string, subject: EventSubject | undefined, now: number): unknown {
  const [kind = '', phase = ''] = event.split('.');
  switch (kind) {
    case 'recording':
      return subject?.session === undefined ? {} : recordingJson(phase, subject.session);
    case 'multistream':
      return { target: { id: 'test-target', name: 'Test target', profile: 'source' } };
    case 'asset':
      return { asset: { id: 'test-asset', snapshot: progressOf('test-asset', phase, now) } };
    case 'task':
      return { task: { id: 'test-task', snapshot: { type: 'upload', ...progressOf('test-task', phase, now) } } };
    default:
      return undefined;
  }
}

/** The service already reports the recording as `ready` in `recording.waiting`. */
function recordingJson(phase: string, session: Session): unknown {
  const { parentName: _, ...wire } = session;
  if (phase === 'started') return { session: wire };
  const ended = { ...wire, recordingStatus: 'ready', assetId: session.id };
  const { recordingUrl, mp4Url } = session;
  return phase === 'ready' ? { recordingUrl, mp4Url, session: ended } : { session: ended };
}

const PHASES: Readonly<Record<string, string>> = {
  created: 'waiting',
  spawned: 'pending',
  updated: 'processing',
  ready: 'ready',
  completed: 'completed',
  failed: 'failed',
  deleted: 'deleted',
};

function progressOf(id: string, phase: string, now: number): object {
  const errorMessage = phase === 'failed' ? 'Test failure' : undefined;
  return { id, name: 'Test', createdAt: now, status: { phase: PHASES[phase] ?? phase, updatedAt: now, errorMessage } };
}

function streamJson(event: string, stream: EventSubject['stream']): unknown {
  if (!('isActive' in stream)) return { id: stream.id, name: stream.name };
  const { streamKey: _, targets, tags, creatorId, recordingProfiles, ...rest } = stream;
  const { issues, ...now } = { ...rest, ...AFTER[event] };
  return {
    ...now,
    issues: issues.length > 0 ? issues : undefined,
    multistream: targets && { targets },
    userTags: tags,
    creatorId: creatorId && { type: 'unverified', value: creatorId },
    recordingSpec: recordingProfiles && { profiles: recordingProfiles },
  };
}

/** The stream's state after each event. A test event may be sent while the stream is in another state. */
const AFTER: Readonly<Record<string, Partial<Stream>>> = {
  'stream.started': { isActive: true },
  'stream.idle': { isActive: false, isHealthy: undefined, issues: [], ingestRate: 0, outgoingRate: 0 },
};
