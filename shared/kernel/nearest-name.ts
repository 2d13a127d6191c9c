/** Finds the known name that a caller probably meant: the one with the fewest typing mistakes. */

/** A longer name is no misspelling of ours, and comparing costs the product of both lengths. */
const LENGTH_LIMIT = 64;

/** Null when no known name is near: more than one mistake for each three characters. Ignores case, `-` and `_`. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > LENGTH_LIMIT) return null;
  const wanted = normalized(given);
  const [nearest] = known
    .map((name) => ({ name, mistakes: editDistance(wanted, normalized(name)) }))
    .filter(({ name, mistakes }) => mistakes <= Math.floor(Math.min(name.length, given.length) / 3))
    .sort((left, right) => left.mistakes - right.mistakes);
  return nearest?.name ?? null;
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/gu, '');
}

/** Insertions, deletions, replacements, and exchanges of two neighbours. The cost is the product of both lengths. */
export function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isEqual = left[row - 1] === right[column - 1];
      const isExchange =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
          isExchange ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = last;
    last = next;
  }
  return last[right.length] ?? 0;
}
