/** What changed between two values, pure: words of texts, members of lists, and objects as lines of text. */

export type Piece = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** Longer texts are shown one after the other: the comparison takes time and memory of the product of both lengths. */
const WORDS_LIMIT = 1_500;

/** The words that changed between two texts, by their longest common subsequence. Blanks alone are no change. */
export function piecesOf(before: string, after: string): readonly Piece[] {
  if (before === after) return after === '' ? [] : [{ kind: 'same', text: after }];
  const old = wordsOf(before);
  const now = wordsOf(after);
  if (old.length > WORDS_LIMIT || now.length > WORDS_LIMIT)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  const lengths = commonLengths(bare(old), bare(now));
  const width = now.length + 1;
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  const pieces: Piece[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row]?.trimEnd() === now[column]?.trimEnd()) {
      pieces.push({ kind: 'same', text: now[column] ?? '' });
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: 'removed', text: old[row] ?? '' });
      row += 1;
    } else {
      pieces.push({ kind: 'added', text: now[column] ?? '' });
      column += 1;
    }
  }
  return pieces;
}

/** Each with the blanks after it. */
function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\s)/u);
}

const bare = (words: readonly string[]): readonly string[] => words.map((word) => word.trimEnd());

/** The length of the longest common subsequence of the rest of both lists from each pair of positions on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  return lengths;
}

/** Two lists as sets: the order of the later list, then what is gone. A member that only moved is the same. */
export function setPieces(before: readonly string[], after: readonly string[]): readonly Piece[] {
  const old = new Set(before);
  const now = new Set(after);
  return [
    ...[...now].map((text): Piece => ({ kind: old.has(text) ? 'same' : 'added', text })),
    ...[...old].filter((text) => !now.has(text)).map((text): Piece => ({ kind: 'removed', text })),
  ];
}

/** A property of a memory as text. An object has a line for each name, in alphabetical order and without commas. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${name}: ${JSON.stringify(each)}`)
    .join('\n');
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
