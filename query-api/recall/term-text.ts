/**
 * Analysed text as one string of terms between blanks, in which a term or a phrase is found by looking for a part of the string.
 * Recall analyses the whole pool for every query, and pools overlap: what was analysed lately is remembered.
 */
import { analyze } from '../../shared/text/analyzer.js';

export type TermText = (text: string) => string;

/** Bounds the memory that is spent; of 300 characters each, some 10,000 memories. */
const CHARACTER_LIMIT = 8_000_000;

export function createTermText(characterLimit = CHARACTER_LIMIT): TermText {
  const remembered = new Map<string, string>();
  let characters = 0;

  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) remembered.delete(text);
    const terms = known ?? joinTerms(analyze(text));
    remembered.set(text, terms);
    if (known === undefined) {
      characters += text.length + terms.length;
      forgetOldest();
    }
    return terms;
  };

  /** A map keeps the order in which its keys were set. */
  function forgetOldest(): void {
    for (const [text, terms] of remembered) {
      if (characters <= characterLimit) return;
      remembered.delete(text);
      characters -= text.length + terms.length;
    }
  }
}

/** ` redis cach layer ` */
export function joinTerms(terms: readonly string[]): string {
  return ` ${terms.join(' ')} `;
}
