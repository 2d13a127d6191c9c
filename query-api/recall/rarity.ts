/** How rare what `holding` memories of a pool hold is, pure: inverse document frequency as in BM25, above 0. What nobody has counts as if one had it. */
export function rarity(holding: number, poolSize: number): number {
  const frequency = Math.max(1, holding);
  return Math.log(1 + (poolSize - frequency + 0.5) / (frequency + 0.5));
}
