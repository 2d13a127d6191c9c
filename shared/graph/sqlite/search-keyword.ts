/**
 * Keyword search, a procedure of the thread that holds the words. The best by their weight are judged by the database, chunk after
 * chunk, until there is enough to rank by words.
 */
import type { MemoryId } from '../../contract/memory.js';
import type { Database, SqlRow } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch } from '../graph.js';
import { hitsFor, rankByWords, type WordHit } from '../rank-by-words.js';
import { conditions, type Conditions } from './filter-sql.js';
import { narrowRows } from './narrow-rows.js';
import { bestFirst } from './words/best-first.js';
import { wordsUpToDate } from './words/catch-up.js';
import { pointsOf } from './words/points-of.js';
import { weigh } from './words/weigh.js';
import type { WordIndex } from './words/word-index.js';

export const searchKeywords = procedure(import.meta.url, 'searchKeywords', (database, searches: readonly KeywordSearch[]): MemoryId[][] => {
  const index = wordsUpToDate(database);
  return searches.map((search) => [...searchKeyword(database, index, search)]);
});

function searchKeyword(database: Database, index: WordIndex, { terms, filter, limit }: KeywordSearch): readonly MemoryId[] {
  const rows = narrowRows(database, filter);
  if (rows.some((some) => some.length === 0)) return [];
  const weights = weigh(index, terms);
  const next = bestFirst(matchingSlots(index, weights, rows), weights);
  const found = judge({ database, index, conditions: conditions(filter) }, next, hitsFor(limit));
  const points = pointsOf(index, terms);
  return rankByWords(found.map(({ slot, row }) => toHit(row, points(slot))), limit);
}

/** Those with a weight whose rows are among all of these. */
function matchingSlots(index: WordIndex, weights: Float64Array, rows: readonly (readonly number[])[]): Uint32Array {
  const passed = new Uint8Array(weights.length);
  rows.forEach((some, round) => {
    for (const n of some) {
      const slot = index.slotOfRow(n);
      if (slot !== undefined && passed[slot] === round) passed[slot] = round + 1;
    }
  });
  const living = index.rows();
  const matching = new Uint32Array(weights.length);
  let count = 0;
  for (let slot = 0; slot < weights.length; slot += 1) {
    if ((weights[slot] ?? 0) > 0 && passed[slot] === rows.length && living[slot] !== 0) matching[count++] = slot;
  }
  return matching.subarray(0, count);
}

type Judge = { readonly database: Database; readonly index: WordIndex; readonly conditions: Conditions };
type Found = { readonly slot: number; readonly row: SqlRow };

/** By so much the chunks grow, up to a size that takes some 10 ms. */
const GROWTH = 4;
const CHUNK_LIMIT = 8_000;

/** The first `most` of the slots whose memories the filter admits. Most often it admits nearly all, and the first chunk is enough. */
function judge(on: Judge, next: (count: number) => Uint32Array, most: number): readonly Found[] {
  const found: Found[] = [];
  let size = most;
  for (let slots = next(size); slots.length > 0 && found.length < most; slots = next(size)) {
    found.push(...admittedOf(on, slots));
    size = Math.min(CHUNK_LIMIT, size * GROWTH);
  }
  return found.slice(0, most);
}

function admittedOf({ database, index, conditions: { sql, params } }: Judge, slots: Uint32Array): readonly Found[] {
  const living = index.rows();
  const rows = database.all(
    `SELECT m.n, m.id, m.importance, m.timestamp FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.n = wanted.value WHERE ${sql}`,
    [JSON.stringify(Array.from(slots, (slot) => living[slot])), ...params],
  );
  const byRow = new Map(rows.map((row) => [row['n'], row]));
  return Array.from(slots).flatMap((slot) => {
    const row = byRow.get(living[slot] ?? 0);
    return row === undefined ? [] : [{ slot, row }];
  });
}

function toHit({ id, importance, timestamp }: SqlRow, points: readonly number[]): WordHit {
  return { id: id as MemoryId, importance: Number(importance), timestamp: timestamp as WordHit['timestamp'], points };
}
