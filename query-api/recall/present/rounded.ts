/** Six digits are more than any ranking needs, and keep replies short. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toFixed(digits));
}
