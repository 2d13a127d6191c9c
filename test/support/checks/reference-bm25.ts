/** BM25 computed from its definition over all memories. Tests compare the postings of the graph with it. */
export type IndexedWords = { readonly content: string; readonly tags: string };

/** Returns the weight by the number of the memory, without memories that have none of the terms. */
export function referenceWeights(
  memories: ReadonlyMap<number, IndexedWords>,
  terms: readonly string[],
): Map<number, number> {
  const weights = new Map<number, number>();
  for (const [field, boost] of [
    ['content', 2],
    ['tags', 1],
  ] as const) {
    const texts = [...memories]
      .map(([n, words]) => [n, words[field].split(' ').filter((word) => word !== '')] as const)
      .filter(([, words]) => words.length > 0);
    const average = texts.reduce((sum, [, words]) => sum + words.length, 0) / texts.length;
    for (const term of terms) {
      const holding = texts.filter(([, words]) => words.includes(term));
      const rarity = Math.log(1 + (texts.length - holding.length + 0.5) / (holding.length + 0.5));
      for (const [n, words] of holding) {
        const count = words.filter((word) => word === term).length;
        const weight = (boost * rarity * count) / (count + 1.2 * (0.25 + (0.75 * words.length) / average));
        weights.set(n, (weights.get(n) ?? 0) + weight);
      }
    }
  }
  return weights;
}
