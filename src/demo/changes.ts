import { type Answer, empty, failure, json } from './answer.ts';
import { NEW_STREAM, readBody, STREAM_PATCH } from './bodies.ts';
import { endBroadcast, endBroadcastSoon } from './broadcasts.ts';
import { hideFromReaders } from './replica.ts';
import { addStream, type DemoStream, type World } from './world.ts';

const TERMINATE_PAUSE_MS = 5000;

export function createStream(world: World, body: string): Answer {
  const read = readBody(body, NEW_STREAM);
  if ('refusal' in read) return read.refusal;
  const made = addStream(world, { ...(read.value as Partial<DemoStream>), projectId: world.projectId });
  hideFromReaders(world, made.id);
  return json(201, made);
}

export function patchStream(world: World, stream: DemoStream, body: string): Answer {
  const read = readBody(body, STREAM_PATCH);
  if ('refusal' in read) return read.refusal;
  const patch = read.value as Partial<DemoStream>;
  if (patch.record !== undefined && stream.isActive)
    return failure(400, 'record cannot be changed while the stream is active');
  Object.assign(stream, patch);
  if (patch.suspended && stream.isActive) endBroadcastSoon(world, stream);
  return empty(204);
}

export function terminateStream(world: World, stream: DemoStream): Answer {
  const now = world.clock.now();
  const wait = (world.terminatedAt.get(stream.id) ?? Number.NEGATIVE_INFINITY) + TERMINATE_PAUSE_MS - now;
  if (wait > 0) {
    const seconds = String(Math.ceil(wait / 1000));
    return json(429, { errors: ['The stream was terminated a moment ago'] }, { 'retry-after': seconds });
  }
  world.terminatedAt.set(stream.id, now);
  endBroadcast(world, stream);
  return empty(204);
}

/** Sessions and recordings of the stream stay. */
export function deleteStream(world: World, stream: DemoStream): Answer {
  endBroadcast(world, stream);
  world.streams.delete(stream.id);
  world.deletedStreams.set(stream.id, stream);
  world.terminatedAt.delete(stream.id);
  return empty(204);
}
