/** The accepted spellings of true and false. */
const TRUE = new Set(['1', 'true', 'yes', 'y', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'n', 'off']);

/** Undefined for any other text. */
export function parseFlag(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (TRUE.has(lower)) return true;
  return FALSE.has(lower) ? false : undefined;
}
