/** The two operations on vectors that both fits use. */

/** Adds `factor` times the values to the sum, in place. */
export function add(sum: number[], values: readonly number[], factor: number): void {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + factor * (values[index] ?? 0);
}

export function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
