/** Draws what changed between two values: words of texts, members of lists. */
import { isTextList, type Piece, piecesOf, setPieces, textOf } from './differences.js';

/** Lists of texts are compared as sets, other values as text. */
export function Diff({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  if (isTextList(after) && (before === undefined || isTextList(before)))
    return (
      <ul class="tags">
        {setPieces(before ?? [], after).map((piece) => (
          <li key={piece.text} dir="auto">
            <Changed {...piece} />
          </li>
        ))}
      </ul>
    );
  return (
    <p class="diff" dir="auto">
      {piecesOf(textOf(before), textOf(after)).map((piece, index) => (
        <Changed key={index} {...piece} />
      ))}
    </p>
  );
}

function Changed({ kind, text }: Piece) {
  if (kind === 'same') return <span>{text}</span>;
  return kind === 'added' ? <ins>{text}</ins> : <del>{text}</del>;
}
