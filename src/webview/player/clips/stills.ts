/** In seconds of the media. */
const EVERY_S = 2;
/** Two minutes at this rate. A picture takes some 20 kB. */
const AT_MOST = 60;

/** Pictures of what was shown, one every few seconds: earlier pictures can't be drawn without seeking there. */
export class Stills<P> {
  /** In the order in which they were taken. */
  #all: readonly { readonly at: number; readonly picture: P }[] = [];

  isDue(at: number): boolean {
    return this.#all.every((still) => Math.abs(still.at - at) >= EVERY_S);
  }

  /** @param begin of the part that can be played and cut. Earlier pictures are dropped. */
  add(at: number, picture: P, begin: number): void {
    this.#all = [...this.#all.filter((still) => still.at > begin - EVERY_S), { at, picture }].slice(-AT_MOST);
  }

  /** Returns what was shown at about this time; undefined if nothing was. */
  nearest(at: number): P | undefined {
    const byDistance = this.#all.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
    const [nearest] = byDistance;
    return nearest !== undefined && Math.abs(nearest.at - at) <= EVERY_S ? nearest.picture : undefined;
  }

  clear(): void {
    this.#all = [];
  }
}
