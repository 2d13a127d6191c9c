/** The words of a text that match a query, pure: found with the analyzer of the keyword search. */
import { analyze } from '../../../../shared/text/analyzer.js';
import { hasUnspacedScript } from '../../../../shared/text/unspaced.js';
import { chunks } from '../../../../shared/text/words.js';

export type Passage = { readonly text: string; readonly isMatch: boolean };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Splits a text into passages that match one of the terms and passages that match none; joined they are the text. Of a
 * compound such as a path, only the matching parts count, unless the whole is a term.
 */
export function passagesOf(text: string, terms: readonly string[]): readonly Passage[] {
  const wanted = new Set(terms);
  const isWanted = (word: string): boolean => analyze(word).some((term) => wanted.has(term));
  const passages: { text: string; isMatch: boolean }[] = [];
  const add = (piece: string, isMatch: boolean): void => {
    const last = passages.at(-1);
    if (last?.isMatch === isMatch) last.text += piece;
    else if (piece !== '') passages.push({ text: piece, isMatch });
  };
  let end = 0;
  const addWord = (word: string, start: number, isMatch: boolean): void => {
    add(text.slice(end, start), false);
    add(word, isMatch);
    end = start + word.length;
  };
  let from = 0;
  for (const chunk of wanted.size === 0 ? [] : chunks(text)) {
    const start = text.indexOf(chunk, from);
    from = start + chunk.length;
    if (hasUnspacedScript(chunk)) {
      for (const { index, 0: found } of chunk.matchAll(oneOf(terms))) addWord(found, start + index, true);
    } else if (wanted.has(analyze(chunk)[0] ?? '')) addWord(chunk, start, true);
    else for (const { index, 0: word } of chunk.matchAll(WORD)) addWord(word, start + index, isWanted(word));
  }
  add(text.slice(end), false);
  return passages;
}

/** In scripts without blanks between words a term is a part of the text as it is. */
function oneOf(terms: readonly string[]): RegExp {
  const unspaced = terms.filter(hasUnspacedScript).sort((one, other) => other.length - one.length);
  return new RegExp(unspaced.length === 0 ? '(?!)' : unspaced.join('|'), 'giu');
}

/** The words of a query, as written, that have one of the terms. */
export function wordsOfTerms(query: string, terms: readonly string[]): readonly string[] {
  const words = passagesOf(query, terms).filter(({ isMatch }) => isMatch);
  return [...new Set(words.map(({ text }) => text))];
}
