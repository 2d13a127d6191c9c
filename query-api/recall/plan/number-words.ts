/** Reads small numbers as people write them, pure: `3`, `three`, `a`, `ninety`. */
const WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];
const COUNTS: ReadonlyMap<string, number> = new Map([
  ...WORDS.map((word, index) => [word, index + 1] as const),
  ['a', 1],
  ['an', 1],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);

/** Null for a text that is not a positive whole number. */
export function parseCount(text: string): number | null {
  return COUNTS.get(text) ?? (/^[1-9]\d{0,5}$/u.test(text) ? Number(text) : null);
}
