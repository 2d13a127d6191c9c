/**
 * What the matches of each search of a recall count, pure: scores of different queries are not comparable as they are. A bare name
 * matches every other memory in full and would win everywhere, so a search counts by how clearly it tells its candidates apart.
 */

/** One search: its weight in the plan, and how well each of its candidates matches. */
export type Judged = { readonly weight: number; readonly matches: readonly number[] };

/** Each 0 to 1, in order. The clearest of the caller's own searches counts in full, so one search alone does. */
export function searchWeights(searches: readonly Judged[]): readonly number[] {
  const contrasts = searches.map(({ matches }) => contrastOf(matches));
  const largest = Math.max(...searches.map(({ weight }) => weight));
  const clearest = Math.max(...contrasts.filter((_, index) => searches[index]?.weight === largest));
  return searches.map(({ weight }, index) =>
    clearest > 0 ? weight * Math.min(1, (contrasts[index] ?? 0) / clearest) : weight,
  );
}

/** By how much the best match stands above the usual one, as a share of it: 1 where nothing else matches, 0 where everything matches alike. */
export function contrastOf(matches: readonly number[]): number {
  const [best = 0, ...others] = [...matches].sort((one, other) => other - one);
  if (best <= 0) return 0;
  const usual = others[Math.floor(others.length / 2)] ?? 0;
  return (best - Math.max(0, usual)) / best;
}
