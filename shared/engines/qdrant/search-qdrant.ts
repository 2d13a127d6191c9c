/**
 * Finds the nearest admitted points in an order that does not depend on Qdrant. Qdrant breaks ties arbitrarily, so the
 * search asks for one hit more than the limit, and for further hits while the last one ties with the last hit within
 * the limit.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { MemoryFilter } from '../../contract/filter.js';
import type { MemoryId } from '../../contract/memory.js';
import { DeadlineError } from '../../kernel/errors.js';
import type { VectorHit } from '../../ports/vectors.js';
import { createBeginsWithAny } from '../../text/prefixes.js';
import { wholeTagKey } from '../../text/tags.js';
import type { Query } from './batch-queries.js';
import { type ExcludedKeys, qdrantFilter } from './qdrant-filter.js';

export type SearchDeps = { readonly query: Query; /** 0 searches exactly. */ readonly hnswEf: number };
export type Search = { readonly vector: Float32Array; readonly limit: number; readonly filter: MemoryFilter };

/** Hits beyond the limit in the first request of a search with excluded tags. */
const SPARE_HITS = 50;
/**
 * Hits in one reply, unless the limit itself is higher. If more hits tie, ids decide only among the hits in the reply.
 */
const PAGE_LIMIT = 10_000;
/** Requests in one search. */
const ROUND_LIMIT = 32;

type Hits = readonly Schemas['ScoredPoint'][];
type Page = { readonly size: number; readonly isExact: boolean };

/** `vector` has unit length, `limit` is at least 1. */
export async function searchQdrant(deps: SearchDeps, { vector, limit, filter }: Search): Promise<readonly VectorHit[]> {
  const excluded = filter.excludeTags.length === 0 ? null : createExcludedTags(filter.excludeTags);
  let page: Page = { size: limit + 1 + (excluded === null ? 0 : SPARE_HITS), isExact: deps.hnswEf === 0 };
  for (let round = 0; round < ROUND_LIMIT; round += 1) {
    const points = await ask(deps, { vector, filter, page, excluded });
    const kept = excluded === null ? points : points.filter((point) => !excluded.excludes(keysOf(point)));
    const next = nextPage({ page, limit, points, kept });
    if (next === null) return best(kept, limit);
    page = next;
  }
  throw new DeadlineError(
    'Too many memories have tags that begin with an excluded one: exclude whole tags, or whole parts of them',
  );
}

type Asked = {
  readonly vector: Float32Array;
  readonly filter: MemoryFilter;
  readonly page: Page;
  readonly excluded: ExcludedTags | null;
};

function ask({ query, hnswEf }: SearchDeps, { vector, filter, page, excluded }: Asked): Promise<Hits> {
  return query({
    query: [...vector],
    limit: page.size,
    filter: qdrantFilter(filter, excluded?.keys ?? { tag_keys: [], tag_prefixes: [] }),
    params: page.isExact ? { exact: true } : { hnsw_ef: hnswEf },
    with_payload: excluded === null ? false : [...KEY_FIELDS],
  });
}

type Answered = { readonly page: Page; readonly limit: number; readonly points: Hits; readonly kept: Hits };

/** The next page to request; null when the reply determines the best hits. */
function nextPage({ page, limit, points, kept }: Answered): Page | null {
  // The HNSW graph may miss some of the few points that a narrow filter admits; an exact search of few points is cheap.
  if (points.length < page.size) return page.isExact ? null : { ...page, isExact: true };
  const worst = kept[limit - 1];
  const last = points.at(-1);
  if (worst !== undefined && last !== undefined && last.score < worst.score) return null;
  if (page.size >= PAGE_LIMIT && kept.length === points.length) return null;
  return { ...page, size: Math.max(page.size, Math.min(page.size * 2, PAGE_LIMIT)) };
}

function best(points: Hits, limit: number): readonly VectorHit[] {
  return points
    .map(({ id, score }) => ({ id: String(id) as MemoryId, similarity: Math.max(-1, Math.min(1, score)) })) // points have the ids of memories
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

const KEY_FIELDS = ['tag_keys', 'tag_prefixes'] as const satisfies readonly (keyof HitKeys)[];

function keysOf({ payload }: Schemas['ScoredPoint']): HitKeys {
  return { tag_keys: texts(payload?.['tag_keys']), tag_prefixes: texts(payload?.['tag_prefixes']) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The stored keys of a hit. */
type HitKeys = { readonly tag_keys: readonly string[]; readonly tag_prefixes: readonly string[] };

type ExcludedTags = {
  /** The keys that the filter can exclude so far. */
  readonly keys: ExcludedKeys;
  /** Returns whether the hit is excluded. Adds the keys that exclude it to `keys`. */
  readonly excludes: (hit: HitKeys) => boolean;
};

/**
 * Excludes memories whose tags begin with given values. Qdrant matches whole keywords only; storing every prefix of
 * every tag as a keyword would need about 75 keywords for each memory. So the filter excludes keys that equal an
 * excluded value. A key that only begins with one is learned from a hit that has it: then the filter excludes this key
 * too, and the search runs again.
 */
function createExcludedTags(values: readonly string[]): ExcludedTags {
  const wholes = values.map(wholeTagKey);
  const prefixes = { tag_keys: wholes, tag_prefixes: wholes.map((value) => value.replaceAll('/', ':')) };
  const isExcluded = {
    tag_keys: createBeginsWithAny(prefixes.tag_keys),
    tag_prefixes: createBeginsWithAny(prefixes.tag_prefixes),
  };
  const keys = { tag_keys: new Set(prefixes.tag_keys), tag_prefixes: new Set(prefixes.tag_prefixes) };

  function learn(field: keyof HitKeys, found: readonly string[]): boolean {
    const offending = found.filter(isExcluded[field]);
    for (const key of offending) keys[field].add(key);
    return offending.length > 0;
  }

  return {
    keys,
    excludes: (hit) => [learn('tag_keys', hit.tag_keys), learn('tag_prefixes', hit.tag_prefixes)].includes(true),
  };
}
