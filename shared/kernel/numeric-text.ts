/** Decimal numbers written as text, read alike in bodies and in query strings. */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

/** Null for anything but a finite decimal number: `0x10`, `NaN`, `1_000` and blank text are none. */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Comma-separated numbers; blank parts are skipped. Null when a part is no number. */
export function parseDecimals(text: string): readonly number[] | null {
  const numbers = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseDecimal);
  return numbers.every((number) => number !== null) ? numbers : null;
}
