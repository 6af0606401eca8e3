import type { DemoStream, SeenBefore, World } from './world.ts';

/** Call before a change: readers get the stream's current state until the replica has caught up. */
export function keepForReaders(world: World, stream: DemoStream): void {
  keep(world, stream.id, structuredClone(stream));
}

export function hideFromReaders(world: World, id: string): void {
  keep(world, id, undefined);
}

function keep(world: World, id: string, stream: DemoStream | undefined): void {
  const now = world.clock.now();
  if (world.replicaLagMs === 0 || isInForce(world, world.seenBefore.get(id))) return;
  world.seenBefore.set(id, { until: now + world.replicaLagMs, stream });
}

export function readStream(world: World, id: string): DemoStream | undefined {
  const before = world.seenBefore.get(id);
  return isInForce(world, before) ? before.stream : world.streams.get(id);
}

export function readStreams(world: World): readonly DemoStream[] {
  const late = [...world.seenBefore].filter(([, before]) => isInForce(world, before));
  if (late.length === 0) return [...world.streams.values()];
  const ids = new Set(late.map(([id]) => id));
  const known = [...world.streams.values()].filter(({ id }) => !ids.has(id));
  return [...known, ...late.map(([, { stream }]) => stream).filter((stream) => stream !== undefined)];
}

function isInForce(world: World, before: SeenBefore | undefined): before is SeenBefore {
  return before !== undefined && before.until > world.clock.now();
}
