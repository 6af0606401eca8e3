import { advanceBroadcasts, endBroadcast, startBroadcast } from './broadcasts.ts';
import { pick } from './random.ts';
import type { DemoStream, World } from './world.ts';

const STEP_MS = 20_000;
/** After a long sleep, only this much of it is simulated. */
const CATCH_UP_MS = 1_800_000;
/** Broadcasts don't end before this age. */
const SHORTEST_MS = 45_000;
const FEWEST_LIVE = 3;
const MOST_LIVE = 6;

/** Advances the world. Called before each access, so it needs no timer and stops with its clock. */
export interface Life {
  advance(): void;
}

export function createQuietLife(world: World): Life {
  return { advance: () => advanceBroadcasts(world, world.clock.now()) };
}

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
  if (stream) startBroadcast(world, stream, { createdAt: at });
}

/** Streams that were never seen stay so, because the demo is meant to show one. */
function canStart(stream: DemoStream): boolean {
  return !stream.isActive && !stream.suspended && stream.parentId === undefined && stream.lastSeen > 0;
}

function endOne(world: World, at: number): void {
  const candidates = [...world.broadcasts].filter(([, it]) => !it.isStalled && at - it.startedAt >= SHORTEST_MS);
  const [streamId] = pick(world.random, candidates) ?? [];
  const stream = world.streams.get(streamId ?? '');
  if (stream) endBroadcast(world, stream, at);
}
