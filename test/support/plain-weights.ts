/** BM25 by its definition, over every memory anew: what the postings are held against. */
export type PlainWords = { readonly content: string; readonly tags: string };

/** By the number of the memory; those with none of the terms are left out. */
export function plainWeights(memories: ReadonlyMap<number, PlainWords>, terms: readonly string[]): Map<number, number> {
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
