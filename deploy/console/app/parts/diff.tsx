/** The words that changed between two texts, by their longest common subsequence. */

type Piece = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** Longer texts are shown one after the other: the comparison takes time and memory of the product of both lengths. */
const WORDS_LIMIT = 1_500;

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p class="diff">
      {piecesOf(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? (
          <span key={index}>{text}</span>
        ) : kind === 'added' ? (
          <ins key={index}>{text}</ins>
        ) : (
          <del key={index}>{text}</del>
        ),
      )}
    </p>
  );
}

export function piecesOf(before: string, after: string): readonly Piece[] {
  const old = before.split(/(?<=\s)/u);
  const now = after.split(/(?<=\s)/u);
  if (old.length > WORDS_LIMIT || now.length > WORDS_LIMIT)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  const lengths = commonLengths(old, now);
  const width = now.length + 1;
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  const pieces: Piece[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      pieces.push({ kind: 'same', text: old[row] ?? '' });
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
