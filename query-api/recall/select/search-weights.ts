/**
 * Computes the weight of the matches of each search, pure, because scores of different queries are not comparable. A
 * query that is only a name matches every other memory in full and would always win, so the weight of a search depends
 * on how clearly its best match stands out.
 */

/** One search: its weight in the plan, and how well each of its candidates matches. */
export type SearchMatches = { readonly weight: number; readonly matches: readonly number[] };

/**
 * Each 0 to 1, in order. The caller's search with the highest contrast keeps its weight, so a single search keeps it as
 * well.
 */
export function searchWeights(searches: readonly SearchMatches[]): readonly number[] {
  const contrasts = searches.map(({ matches }) => contrastOf(matches));
  const largest = Math.max(...searches.map(({ weight }) => weight));
  const highest = Math.max(...contrasts.filter((_, index) => searches[index]?.weight === largest));
  return searches.map(({ weight }, index) =>
    highest > 0 ? weight * Math.min(1, (contrasts[index] ?? 0) / highest) : weight,
  );
}

/**
 * The distance between the best and the median match, as a share of the best: 1 when nothing else matches, 0 when all
 * match equally.
 */
export function contrastOf(matches: readonly number[]): number {
  const [best = 0, ...others] = [...matches].sort((one, other) => other - one);
  if (best <= 0) return 0;
  const median = others[Math.floor(others.length / 2)] ?? 0;
  return (best - Math.max(0, median)) / best;
}
