/**
 * Turns analysed text into one string of terms with blanks around each, so that a substring test finds a term or a
 * phrase. Recall analyses the whole pool for every query, and the pools overlap, so recent texts are cached.
 */
import { analyze } from '../../../shared/text/analyzer.js';

export type TermText = (text: string) => string;

/** Size of the cache in characters: about 10,000 memories of 300 characters each. */
const CHARACTER_LIMIT = 8_000_000;

export function createTermText(characterLimit = CHARACTER_LIMIT): TermText {
  const cache = new Map<string, string>();
  let characters = 0;

  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) cache.delete(text);
    const terms = cached ?? joinTerms(analyze(text));
    cache.set(text, terms);
    if (cached === undefined) {
      characters += text.length + terms.length;
      evictOldest();
    }
    return terms;
  };

  /** A map keeps its keys in insertion order, so the first ones were used least recently. */
  function evictOldest(): void {
    for (const [text, terms] of cache) {
      if (characters <= characterLimit) return;
      cache.delete(text);
      characters -= text.length + terms.length;
    }
  }
}

/** For example ` redis cach layer `. */
export function joinTerms(terms: readonly string[]): string {
  return ` ${terms.join(' ')} `;
}
