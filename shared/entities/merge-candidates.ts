/**
 * Pairs of entities of one category that may be the same, by their slugs and by the memories that they share. The
 * weights and thresholds are those of AutoMem's identity step. Only pairs with a word or a prefix in common are
 * compared, so the cost does not grow with all pairs.
 */
import type { EntityKey } from '../contract/entities/entity.js';
import { editDistance } from '../kernel/nearest-name.js';
import { mergeKey } from './rename-entities.js';

/** Ids of the memories with the tag of an entity, by `mergeKey`. */
export type MemoriesOfEntities = ReadonlyMap<string, ReadonlySet<string>>;

/** Two entities with similar slugs. */
export type SimilarPair = {
  readonly canonical: EntityKey;
  readonly alias: EntityKey;
  readonly similarity: number;
  /** The slug of one is part of the other. */
  readonly isPart: boolean;
  /** The alias is a word that several longer names of persons contain. */
  readonly isAmbiguous: boolean;
};

export type MergeCandidate = {
  readonly canonical: EntityKey;
  readonly alias: EntityKey;
  /** Between 0 and 1. */
  readonly confidence: number;
  readonly reason: string;
  /** Certain enough to be merged without a review. */
  readonly isCertain: boolean;
};

const LEAST_SIMILARITY = 0.5;
const LEAST_CONFIDENCE = 0.5;
const CERTAIN_CONFIDENCE = 0.8;
const CERTAIN_OVERLAP = 0.6;
/** The similarity of a slug that is part of another one, at least. */
const PART_SIMILARITY = 0.6;
const SLUG_WEIGHT = 0.4;
const OVERLAP_WEIGHT = 0.6;
/** A word that more entities share says nothing about them. */
const BLOCK_LIMIT = 50;
const BEGINNING_LENGTH = 3;

/** Rates the pairs by the memories that they share: the most certain first, then by slugs. */
export function ratePairs(pairs: readonly SimilarPair[], memories: MemoriesOfEntities): readonly MergeCandidate[] {
  return pairs
    .flatMap((pair) => rate(pair, memories) ?? [])
    .sort(
      (one, other) =>
        other.confidence - one.confidence ||
        compare(one.canonical.slug, other.canonical.slug) ||
        compare(one.alias.slug, other.alias.slug),
    );
}

/** Each pair once. */
export function findSimilarPairs(entities: readonly EntityKey[]): readonly SimilarPair[] {
  const longerNames = countLongerNames(entities);
  const found = new Map<string, SimilarPair>();
  for (const block of blocksOf(entities)) {
    for (const [index, one] of block.entries()) {
      for (const other of block.slice(index + 1)) {
        const pair = pairOf(one, other, longerNames);
        if (pair) found.set(`${mergeKey(pair.alias)} ${pair.canonical.slug}`, pair);
      }
    }
  }
  return [...found.values()];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Entities of a category that share a word of their slugs, or a prefix of them. */
function blocksOf(entities: readonly EntityKey[]): readonly (readonly EntityKey[])[] {
  const blocks = new Map<string, EntityKey[]>();
  for (const entity of entities) {
    const keys = new Set([...wordsOf(entity), `^${entity.slug.slice(0, BEGINNING_LENGTH)}`]);
    for (const key of keys) {
      const block = blocks.get(`${entity.category}:${key}`);
      if (block) block.push(entity);
      else blocks.set(`${entity.category}:${key}`, [entity]);
    }
  }
  return [...blocks.values()].filter((block) => block.length > 1 && block.length <= BLOCK_LIMIT);
}

/** How many longer names of persons contain a word. */
function countLongerNames(entities: readonly EntityKey[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entity of entities.filter(({ category }) => category === 'people')) {
    const words = wordsOf(entity);
    if (words.length > 1) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function wordsOf({ slug }: EntityKey): readonly string[] {
  return slug.split('-').filter((word) => word !== '');
}

function pairOf(one: EntityKey, other: EntityKey, longerNames: ReadonlyMap<string, number>): SimilarPair | null {
  const [canonical, alias] = inOrder(one, other);
  const isPart = canonical.slug.includes(alias.slug);
  const similarity = slugSimilarity(canonical.slug, alias.slug, isPart);
  if (similarity < LEAST_SIMILARITY) return null;
  const isAmbiguous =
    alias.category === 'people' && wordsOf(alias).length === 1 && (longerNames.get(alias.slug) ?? 0) > 1;
  return { canonical, alias, similarity, isPart, isAmbiguous };
}

function rate(pair: SimilarPair, memories: MemoriesOfEntities): MergeCandidate | null {
  const { canonical, alias, similarity, isPart, isAmbiguous } = pair;
  const overlap = overlapOf(memories.get(mergeKey(canonical)), memories.get(mergeKey(alias)));
  const confidence = Math.min(1, SLUG_WEIGHT * similarity + OVERLAP_WEIGHT * overlap);
  if (confidence < LEAST_CONFIDENCE && !isAmbiguous) return null;
  return {
    canonical,
    alias,
    confidence: Math.round(confidence * 10_000) / 10_000,
    reason: reasonOf(pair, overlap),
    isCertain: isPart && overlap > CERTAIN_OVERLAP && confidence >= CERTAIN_CONFIDENCE && !isAmbiguous,
  };
}

/** The longer slug stays; of equally long ones the first in the alphabet. */
function inOrder(one: EntityKey, other: EntityKey): readonly [EntityKey, EntityKey] {
  const isFirst = one.slug.length === other.slug.length ? one.slug < other.slug : one.slug.length > other.slug.length;
  return isFirst ? [one, other] : [other, one];
}

function slugSimilarity(longer: string, shorter: string, isPart: boolean): number {
  const lengths = shorter.length / longer.length;
  if (isPart) return Math.max(PART_SIMILARITY, lengths);
  // The difference of the lengths alone is a bound, and the distance costs much more.
  return lengths < LEAST_SIMILARITY ? 0 : 1 - editDistance(longer, shorter) / longer.length;
}

/** The share of the memories of the smaller set. */
function overlapOf(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  if (smaller.size === 0) return 0;
  return [...smaller].filter((id) => larger.has(id)).length / smaller.size;
}

function reasonOf({ isPart, isAmbiguous, similarity }: SimilarPair, overlap: number): string {
  const slugs = isPart ? 'one slug contains the other' : `the slugs are similar (${similarity.toFixed(2)})`;
  const memories = `${Math.round(overlap * 100)} % of the memories are shared`;
  return `${slugs}, ${memories}${isAmbiguous ? ', several longer names contain it' : ''}`;
}
