/** How well each memory answers to the terms of a search: BM25 over content and tags, each for itself, as the index of Neo4j has it. */
import { countOf, slotOf } from './posting-lists.js';
import type { WordField } from './word-field.js';
import type { WordIndex } from './word-index.js';

/** Content weighs twice what tags do. */
const CONTENT_BOOST = 2;
const TAGS_BOOST = 1;
/** BM25's usual ones: how soon a further occurrence tells nothing, and how much the length of the text counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** By slot; 0 where a memory has none of the terms. */
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
  const most = boost * rarity(countLiving(postings, lengths), slots);
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

function countLiving(postings: Uint32Array, lengths: Uint32Array): number {
  let living = 0;
  for (let at = 0; at < postings.length; at += 1) if ((lengths[slotOf(postings[at] ?? 0)] ?? 0) > 0) living += 1;
  return living;
}

function rarity(holding: number, slots: number): number {
  return Math.log(1 + (slots - holding + 0.5) / (holding + 0.5));
}
