/** Shortens texts and lists for an answer. */

/** Cuts a text to `limit` characters and appends an ellipsis. A surrogate pair is kept or removed as a whole. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const endsInsidePair = /[\ud800-\udbff]/u.test(text.charAt(limit - 1));
  return `${text.slice(0, endsInsidePair ? limit - 1 : limit)}…`;
}

const TEXT_CHARACTERS = 256;
const LIST_ITEMS = 20;

/**
 * Cuts every text to 256 characters and every list to 20 items, at any depth: what an answer repeats of its request has
 * no limit of its own.
 */
export function clipFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clipValue(value)]));
}

function clipValue(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, TEXT_CHARACTERS);
  if (Array.isArray(value)) return value.slice(0, LIST_ITEMS).map(clipValue);
  return typeof value === 'object' && value !== null ? clipFields(value as Readonly<Record<string, unknown>>) : value;
}
