/**
 * Rates a cosine by those of the other candidates, pure. Models differ in the cosines that they give to unrelated
 * texts, and questions too; without this signal recall@10 on short notes is 4 points lower.
 */

/** Keeps small differences in a pool of nearly equal cosines small. */
const LEAST_DEVIATION = 0.1;
/** As many cosines of an unrelated text are added to those of the pool, so that a match stands out of a small pool. */
const ADDED_COSINES = 5;
const UNRELATED_COSINE = 0.2;

/**
 * Returns a function that says how far a cosine is above the mean of the pool, in standard deviations. `pool`: the
 * cosines of the candidates, 0 for one that has none; without successors, which are candidates also when the search did
 * not find them.
 */
export function standingIn(pool: readonly number[]): (similarity: number) => number {
  const known = pool.filter((similarity) => similarity > 0);
  const meanOf = (total: number, added: number): number =>
    (total + ADDED_COSINES * added) / (known.length + ADDED_COSINES);
  const mean = meanOf(sum(known), UNRELATED_COSINE);
  const variance = meanOf(sum(known.map((value) => (value - mean) ** 2)), (UNRELATED_COSINE - mean) ** 2);
  const deviation = Math.hypot(Math.sqrt(variance), LEAST_DEVIATION);
  return (similarity) => (similarity > 0 ? (similarity - mean) / deviation : 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
