/** The table of the points of a vector space. */

export function spaceTable(number: number): string {
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${number} is no number of a vector space`);
  return number === 1 ? 'points' : `points_${number}`;
}
