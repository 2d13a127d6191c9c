/** Takes the best of many slots in portions, without sorting all of them. */

/**
 * Higher weights first, among equal weights the older slot. Each call returns the next `count` slots, fewer at the end.
 * Reorders `slots`.
 */
export function bestFirst(slots: Uint32Array, weights: Float64Array): (count: number) => Uint32Array {
  let taken = 0;

  const isBefore = (one: number, other: number): boolean => {
    const [weight, against] = [weights[one] ?? 0, weights[other] ?? 0];
    return weight > against || (weight === against && one < other);
  };

  return (count) => {
    const end = Math.min(slots.length, taken + count);
    quickselect({ slots: slots.subarray(taken), count: end - taken, isBefore });
    const best = slots.subarray(taken, end).sort((one, other) => (isBefore(one, other) ? -1 : 1));
    taken = end;
    return best;
  };
}

type Selection = {
  readonly slots: Uint32Array;
  readonly count: number;
  readonly isBefore: (one: number, other: number) => boolean;
};

/** Afterwards the first `count` slots are the best ones, in any order. */
function quickselect({ slots, count, isBefore }: Selection): void {
  let low = 0;
  let high = slots.length - 1;
  while (low < high) {
    const [left, right] = partition({ slots, isBefore }, low, high);
    if (count - 1 <= left) high = left;
    else if (count - 1 >= right) low = right;
    else return;
  }
}

/** Afterwards no slot at or before `left` ranks below a slot at or after `right`. */
function partition(
  { slots, isBefore }: Pick<Selection, 'slots' | 'isBefore'>,
  low: number,
  high: number,
): readonly [left: number, right: number] {
  const pivot = slots[(low + high) >>> 1] ?? 0;
  let [from, to] = [low, high];
  while (from <= to) {
    while (isBefore(slots[from] ?? 0, pivot)) from += 1;
    while (isBefore(pivot, slots[to] ?? 0)) to -= 1;
    if (from > to) break;
    const worse = slots[from] ?? 0;
    slots[from] = slots[to] ?? 0;
    slots[to] = worse;
    from += 1;
    to -= 1;
  }
  return [to, from];
}
