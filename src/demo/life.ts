import { advanceBroadcasts, endBroadcast, startBroadcast } from './broadcasts.ts';
import { pick } from './random.ts';
import type { DemoStream, World } from './world.ts';

const STEP_MS = 20_000;
/** After a long sleep only the last of it is lived through. */
const CATCH_UP_MS = 1_800_000;
/** A broadcast is left alone for so long after its start. */
const SHORTEST_MS = 45_000;
const FEWEST_LIVE = 3;
const MOST_LIVE = 6;

/** What moves the world. It is asked before each look at the world, so it needs no timer and stands still with its clock. */
export interface Life {
  advance(): void;
}

/** Broadcasts and recordings under way go on with the clock; nothing else happens. */
export function createQuietLife(world: World): Life {
  return { advance: () => advanceBroadcasts(world, world.clock.now()) };
}

/** Besides, about every 20 s a broadcast starts or ends. */
export function createLife(world: World): Life {
  let nextAt = world.clock.now() + STEP_MS;
  return {
    advance() {
      const now = world.clock.now();
      nextAt = Math.max(nextAt, now - CATCH_UP_MS);
      for (; nextAt <= now; nextAt += world.random.between(STEP_MS * 0.8, STEP_MS * 1.2)) {
        advanceBroadcasts(world, nextAt);
        takeStep(world, nextAt);
      }
      advanceBroadcasts(world, now);
    },
  };
}

function takeStep(world: World, at: number): void {
  const live = world.broadcasts.size;
  const isStart = live <= FEWEST_LIVE || (live < MOST_LIVE && world.random.fraction() < 0.5);
  if (isStart) startOne(world, at);
  else endOne(world, at);
}

function startOne(world: World, at: number): void {
  const stream = pick(world.random, [...world.streams.values()].filter(canStart));
  if (stream) startBroadcast(world, stream, at);
}

/** A stream that was never seen stays so: it is one of the things to be looked at. */
function canStart(stream: DemoStream): boolean {
  return !stream.isActive && !stream.suspended && stream.parentId === undefined && stream.lastSeen > 0;
}

function endOne(world: World, at: number): void {
  const candidates = [...world.broadcasts].filter(([, it]) => !it.isStalled && at - it.startedAt >= SHORTEST_MS);
  const [streamId] = pick(world.random, candidates) ?? [];
  const stream = world.streams.get(streamId ?? '');
  if (stream) endBroadcast(world, stream, at);
}
