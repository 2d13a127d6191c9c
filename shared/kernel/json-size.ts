/** Estimates the size of JSON text without writing it: a text of many kilobytes costs one step, not a copy. */

/** An escape such as `\u0000`; no character takes more bytes. */
const CHARACTER_BYTES = 6;
/** `-1.2345678901234567e-300` with a comma. */
const NUMBER_BYTES = 25;

/** At least the bytes of `JSON.stringify(value)`, at most about six times as many. For values that came from JSON. */
export function jsonBytesAtMost(value: unknown): number {
  if (typeof value === 'string') return value.length * CHARACTER_BYTES + 3;
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + jsonBytesAtMost(item), 3);
  const object = value as Readonly<Record<string, unknown>>;
  return Object.keys(object).reduce(
    (sum, key) => sum + key.length * CHARACTER_BYTES + 3 + jsonBytesAtMost(object[key]),
    3,
  );
}
