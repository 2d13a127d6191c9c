/** The memories that have all of several words. */
import { slotOf } from './posting-lists.js';
import type { WordIndex } from './word-index.js';

/**
 * The row numbers of the memories that have each of the distinct terms, in the content or in a tag; null when there are
 * more than `most`. Costs one step for each posting of the terms, 1 ms for 100,000.
 */
export function rowsWithAll(index: WordIndex, terms: readonly string[], most: number): readonly number[] | null {
  const living = index.rows();
  /** By slot: how many of the terms before this one it has. */
  const passed = new Uint8Array(living.length);
  terms.forEach((term, round) => {
    for (const field of [index.content(), index.tags()])
      for (const posting of field.postings(term)) {
        const slot = slotOf(posting);
        if (passed[slot] === round) passed[slot] = round + 1;
      }
  });
  const found: number[] = [];
  for (let slot = 0; slot < living.length && found.length <= most; slot += 1) {
    const n = living[slot] ?? 0;
    if (passed[slot] === terms.length && n !== 0) found.push(n);
  }
  return found.length > most ? null : found;
}
