/** Reads decimal numbers written as text, in the same way for bodies and query strings. */

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** Null for any text that is not a finite decimal number, for example `0x10`, `NaN`, `1_000` and blank text. */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Comma-separated numbers; blank parts are skipped. Null when a part is not a number. */
export function parseDecimals(text: string): readonly number[] | null {
  const numbers = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseDecimal);
  return numbers.every((number) => number !== null) ? numbers : null;
}
