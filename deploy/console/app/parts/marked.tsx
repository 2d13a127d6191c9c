/** A text with the words that match a query marked. Everything is a text node. */
import { passagesOf } from './matches.js';

export function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  return (
    <>
      {passagesOf(text, terms).map(({ text: passage, isMatch }, index) =>
        isMatch ? <mark key={index}>{passage}</mark> : passage,
      )}
    </>
  );
}
