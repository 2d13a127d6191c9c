/**
 * Keyword search, a procedure of the thread that holds the word index. The index itself filters by state, time and
 * type, and by tags that few memories have. Only for other tags the database filters the memories with the highest
 * weights, chunk after chunk, until there are enough hits to rank by words.
 *
 * Processor time in ms of a search at 100,000 memories, for words that 6 to 16 % of them hold, and in brackets the time
 * with the full-text index of SQLite: no filter 5 (45), a tag of 8 % 7 (30), of 29 % 10 (52), of 0.3 % 3 (15), two tags
 * 5 (22), a window of 1 % 4 (90), of half 11 (48), an excluded tag 16 (50), five words of nearly all 20 (200). The
 * full-text index counted and ranked all matches; here weighing all matches takes 1 ms. Those times are for 400 hits;
 * under a filter by tag or time up to 1,000 hits take 2 ms more.
 */
import { type MemoryFilter, tagFiltersOf } from '../../../../contract/filter.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { KeywordSearch } from '../../../../ports/graph.js';
import { hitsFor, rankByWords } from '../../../../text/rank-by-words.js';
import type { Database } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { type Conditions, conditions } from './filter-sql.js';
import { NARROW_TAGS, readRows } from './narrow-rows.js';
import { narrowTags } from './narrow-tags.js';
import { bestFirst } from './words/best-first.js';
import { currentWordIndex } from './words/load-words.js';
import { pointsOf, weigh } from './words/weigh.js';
import type { WordIndex } from './words/word-index.js';

export const searchKeywords = procedure(
  import.meta.url,
  'searchKeywords',
  (database, searches: readonly KeywordSearch[]): MemoryId[][] => {
    const index = currentWordIndex(database);
    const weighed = new Map<string, Float64Array>();
    /** Both passes of a recall search for the same terms. */
    function weightsOf(terms: readonly string[]): Float64Array {
      const key = terms.join(' ');
      const weights = weighed.get(key) ?? weigh(index, terms);
      weighed.set(key, weights);
      return weights;
    }
    return searches.map((search) => [...searchKeyword({ database, index, weightsOf }, search)]);
  },
);

type SearchInput = {
  readonly database: Database;
  readonly index: WordIndex;
  readonly weightsOf: (terms: readonly string[]) => Float64Array;
};

function searchKeyword(
  { database, index, weightsOf }: SearchInput,
  { terms, filter, limit }: KeywordSearch,
): readonly MemoryId[] {
  if (filter.state === 'lapsed' && !index.features().mayHaveLapsed(filter.now)) return [];
  const tagFilters = tagFiltersOf(filter);
  const tagged = tagFilters.flatMap((tags) => narrowTags(database, tags, NARROW_TAGS) ?? []);
  const rows = tagged.map((some) => readRows(database, some));
  if (rows.some((some) => some.length === 0)) return [];
  const weights = weightsOf(terms);
  const next = bestFirst(matchingSlots(index, weights, { rows, filter }), weights);
  const most = hitsFor({ filter, limit });
  const isFiltered =
    filter.excludeTags.length === 0 && tagged.filter(({ isExact }) => isExact).length === tagFilters.length;
  const slots = isFiltered ? next(most) : findAdmitted({ database, index, conditions: conditions(filter) }, next, most);
  const points = pointsOf(index, terms);
  const { hitAt } = index.features();
  return rankByWords(
    Array.from(slots, (slot) => ({ ...hitAt(slot), points: points(slot) })),
    limit,
  );
}

type Narrowed = { readonly rows: readonly (readonly number[])[]; readonly filter: MemoryFilter };

/** Slots with a weight whose rows are in each of the lists, and which the filter admits as far as it needs no tags. */
function matchingSlots(index: WordIndex, weights: Float64Array, { rows, filter }: Narrowed): Uint32Array {
  const passed = new Uint8Array(weights.length);
  rows.forEach((some, round) => {
    for (const n of some) {
      const slot = index.slotOfRow(n);
      if (slot !== undefined && passed[slot] === round) passed[slot] = round + 1;
    }
  });
  const living = index.rows();
  const isAdmitted = index.features().matcher(filter);
  const matching = new Uint32Array(weights.length);
  let count = 0;
  for (let slot = 0; slot < weights.length; slot += 1) {
    if ((weights[slot] ?? 0) > 0 && passed[slot] === rows.length && living[slot] !== 0 && isAdmitted(slot))
      matching[count++] = slot;
  }
  return matching.subarray(0, count);
}

type FilterInput = { readonly database: Database; readonly index: WordIndex; readonly conditions: Conditions };

/** Filtering a chunk of this size takes 30 ms. */
const MAX_CHUNK = 8_000;
const MIN_CHUNK = 100;
/**
 * SPARE: how many more slots a chunk takes than are probably enough. GROWTH: largest size of a chunk relative to all
 * slots filtered before.
 */
const SPARE = 1.25;
const GROWTH = 4;

/**
 * The first `most` slots whose memories the filter admits. Mostly it admits nearly all, and the first chunk is enough.
 */
function findAdmitted(on: FilterInput, next: (count: number) => Uint32Array, most: number): readonly number[] {
  const found: number[] = [];
  let filtered = 0;
  for (let slots = next(most); slots.length > 0; slots = next(chunkSize({ filtered, found: found.length, most }))) {
    found.push(...admittedOf(on, slots));
    filtered += slots.length;
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

function chunkSize({
  filtered,
  found,
  most,
}: {
  readonly filtered: number;
  readonly found: number;
  readonly most: number;
}): number {
  const likely = Math.ceil((SPARE * (most - found) * filtered) / Math.max(1, found));
  return Math.min(MAX_CHUNK, filtered * GROWTH, Math.max(MIN_CHUNK, likely));
}

/** Returns all rows as one text: 400 separate rows of the driver take 2 ms longer. */
function admittedOf({ database, index, conditions: { sql, params } }: FilterInput, slots: Uint32Array): Uint32Array {
  const living = index.rows();
  const wanted = JSON.stringify(Array.from(slots, (slot) => living[slot]));
  const row = database.get(
    `SELECT json_group_array(m.n) AS hits FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.n = wanted.value WHERE ${sql}`,
    [wanted, ...params],
  );
  const admitted = new Set(JSON.parse(String(row?.['hits'])) as number[]);
  return slots.filter((slot) => admitted.has(living[slot] ?? 0));
}
