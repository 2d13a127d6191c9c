/**
 * Inverse document frequency as in BM25, above 0: how rare a term is that `holding` of `total` memories contain. Zero
 * holders count as one.
 */
export function rarity(holding: number, total: number): number {
  const frequency = Math.max(1, holding);
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
