/** Seeded randomness: the same seed gives the same run. */
export type Random = {
  /** In [0, 1). */
  readonly next: () => number;
  /** In [0, below). */
  readonly below: (below: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
};

/** Mulberry32 (Tommy Ettinger's public-domain generator): small, fast and good enough for tests. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('Nothing to pick from');
      return item;
    },
  };
}
