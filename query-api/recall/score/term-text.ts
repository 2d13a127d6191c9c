/**
 * Analyses a text once, so that each test for a term is one lookup. Recall analyses the whole pool for every query, and
 * the pools overlap, so recent texts are cached.
 */
import { LRUCache } from 'lru-cache';
import type { Memory } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import { analyze } from '../../../shared/text/analyzer.js';

export type AnalysedText = {
  /** How often the text contains each of its terms. */
  readonly counts: ReadonlyMap<string, number>;
  /** Its number of terms, with repeats. */
  readonly length: number;
  /** The terms with blanks around each, for phrases: ` redis cach layer `. */
  readonly joined: string;
};

export type TermText = {
  (text: string): AnalysedText;
  /** Of the content of a memory. */
  readonly ofContent: (memory: Pick<Memory, 'content'>) => AnalysedText;
  /** Of each tag of a memory. */
  readonly ofTags: (memory: Pick<Memory, 'tags'>) => readonly AnalysedText[];
};

/** Size of the cache in characters: about 10,000 memories of 300 characters each. */
const CHARACTER_LIMIT = 8_000_000;
/** A term in `counts` takes the memory of about this many characters. */
const TERM_CHARACTERS = 40;

export function createTermText(characterLimit = CHARACTER_LIMIT): TermText {
  const cache = new LRUCache<string, AnalysedText>({
    maxSize: characterLimit,
    sizeCalculation: ({ counts, joined }, text) => 1 + text.length + joined.length + TERM_CHARACTERS * counts.size,
  });
  const ofText = (text: string): AnalysedText => {
    const cached = cache.get(text);
    if (cached) return cached;
    const analysed = analysedText(text);
    cache.set(text, analysed);
    return analysed;
  };
  return Object.assign(ofText, {
    ofContent: oncePerObject(({ content }: Pick<Memory, 'content'>) => ofText(content)),
    ofTags: oncePerObject(({ tags }: Pick<Memory, 'tags'>) => tags.map(ofText)),
  });
}

function analysedText(text: string): AnalysedText {
  const terms = analyze(text);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length, joined: joinTerms(terms) };
}

/** Whether the text contains the terms one after the other. */
export function containsPhrase({ counts, joined }: AnalysedText, phrase: readonly string[]): boolean {
  if (phrase.length < 2) return counts.has(phrase[0] ?? '');
  return phrase.every((term) => counts.has(term)) && joined.includes(joinTerms(phrase));
}

function joinTerms(terms: readonly string[]): string {
  return ` ${terms.join(' ')} `;
}
