/**
 * Scores each memory for the terms of a search: BM25 over content and tags separately, as the index of Neo4j computes
 * it.
 */
import { rarity } from '../../../../../text/rarity.js';
import { countOf, slotOf } from './posting-lists.js';
import type { WordField } from './word-field.js';
import type { WordIndex } from './word-index.js';

/** A term in the content weighs twice as much as in the tags. */
const CONTENT_BOOST = 2;
const TAGS_BOOST = 1;
/**
 * The usual constants k1 and b of BM25: how soon repeated occurrences stop counting, and how much the length of the
 * text counts.
 */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** Weights by slot; 0 for a memory without any of the terms. */
export function weigh(index: WordIndex, terms: readonly string[]): Float64Array {
  const weights = new Float64Array(index.rows().length);
  for (const term of terms) {
    addWeights({ field: index.content(), term, boost: CONTENT_BOOST }, weights);
    addWeights({ field: index.tags(), term, boost: TAGS_BOOST }, weights);
  }
  return weights;
}

function addWeights(
  { field, term, boost }: { readonly field: WordField; readonly term: string; readonly boost: number },
  to: Float64Array,
): void {
  const postings = field.postings(term);
  const lengths = field.lengths();
  const { slots, averageLength } = field.size();
  const most = boost * rarity(countLive(postings, lengths), slots);
  const [fixed, perWord] = [SATURATION * (1 - LENGTH_SHARE), (SATURATION * LENGTH_SHARE) / averageLength];
  for (let at = 0; at < postings.length; at += 1) {
    const posting = postings[at] ?? 0;
    const slot = slotOf(posting);
    const length = lengths[slot] ?? 0;
    if (length === 0) continue;
    const count = countOf(posting);
    to[slot] = (to[slot] ?? 0) + (most * count) / (count + fixed + perWord * length);
  }
}

function countLive(postings: Uint32Array, lengths: Uint32Array): number {
  let living = 0;
  for (let at = 0; at < postings.length; at += 1) if ((lengths[slotOf(postings[at] ?? 0)] ?? 0) > 0) living += 1;
  return living;
}

/**
 * Points of the memory in a slot for each term of a search: 2 when its content holds the term, 1 when only a tag does,
 * else 0.
 */
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
