/** Six digits are more than any ranking needs, and keep replies short. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toFixed(digits));
}

/** Rounds every number within a value of JSON. */
export function roundedWithin<T>(value: T): T {
  return mapNumbers(value) as T; // the same shape: only numbers change
}

function mapNumbers(value: unknown): unknown {
  if (typeof value === 'number') return rounded(value);
  if (Array.isArray(value)) return value.map(mapNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapNumbers(inner)]));
}
