/** Yes and no as callers spell them. */
const TRUE = new Set(['1', 'true', 'yes', 'y', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'n', 'off']);

/** Undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (TRUE.has(lower)) return true;
  return FALSE.has(lower) ? false : undefined;
}
