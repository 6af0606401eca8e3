import { type Chance, createChance } from './random.ts';

/** One thing that the person does, and the choices that it leaves open. */
export interface Step {
  readonly what: string;
  readonly chance: Chance;
  /** What happens at the services meanwhile: so many changes, and whether the faults change. */
  readonly changes: number;
  readonly otherFaults: boolean;
}

/** So many changes for each thing that the person does, and one thing of so many is met by other faults. */
const CHANGES_A_STEP = 0.75;
const STEPS_A_FAULT = 4;

/**
 * What the person does, in its order: by the seed alone, whatever the services have and however long things take. Each step
 * has choices of its own, so that what one of them draws is nothing to the next.
 */
export function planSteps(seed: number, kinds: readonly (readonly string[])[], count: number): readonly Step[] {
  const chance = createChance(seed);
  return Array.from({ length: count }, () => {
    const what = chance.pick(chance.pick(kinds) ?? []) ?? '';
    const changes = Math.floor(CHANGES_A_STEP * 2 * chance.fraction() + 0.5);
    const otherFaults = chance.below(STEPS_A_FAULT) === 0;
    return { what, changes, otherFaults, chance: createChance(Math.floor(chance.fraction() * 2 ** 32)) };
  });
}

/** Each of them once, in an order by the seed. */
export function shuffle<T>(seed: number, items: readonly T[]): readonly T[] {
  const chance = createChance(seed);
  const keyed = items.map((item) => ({ item, key: chance.fraction() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
