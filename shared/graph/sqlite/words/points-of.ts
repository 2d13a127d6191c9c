/** For each term of a search: 2 where the content of the memory in a slot holds it, 1 where only a tag does, else 0. */
import { slotOf } from './posting-lists.js';
import type { WordIndex } from './word-index.js';

export function pointsOf(index: WordIndex, terms: readonly string[]): (slot: number) => readonly number[] {
  const held = terms.map((term) => ({ content: index.content().postings(term), tags: index.tags().postings(term) }));
  return (slot) => held.map(({ content, tags }) => (holds(content, slot) ? 2 : holds(tags, slot) ? 1 : 0));
}

function holds(postings: Uint32Array, slot: number): boolean {
  let low = 0;
  let high = postings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slotOf(postings[middle] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low < postings.length && slotOf(postings[low] ?? 0) === slot;
}
