/**
 * Pairs of entities of one category that may be the same, by their slugs and by the memories that they share. The weights and thresholds are those
 * of AutoMem's identity step. Only pairs with a word or a beginning in common are compared, so the cost does not grow with all pairs.
 */
import type { EntityKey } from '../contract/entities/entity.js';
import { editDistance } from '../kernel/nearest-name.js';

export type NamedEntity = EntityKey & {
  /** The ids of memories with its tag. */
  readonly memories: ReadonlySet<string>;
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

/** The most certain first, then by slugs. */
export function findMergeCandidates(entities: readonly NamedEntity[]): readonly MergeCandidate[] {
  const longerNames = countLongerNames(entities);
  const found = new Map<string, MergeCandidate>();
  for (const block of blocksOf(entities)) {
    for (const [index, one] of block.entries()) {
      for (const other of block.slice(index + 1)) {
        const candidate = judge(one, other, longerNames);
        if (candidate)
          found.set(`${candidate.alias.category}:${candidate.alias.slug}:${candidate.canonical.slug}`, candidate);
      }
    }
  }
  return [...found.values()].sort(
    (one, other) =>
      other.confidence - one.confidence ||
      (one.canonical.slug === other.canonical.slug
        ? compare(one.alias.slug, other.alias.slug)
        : compare(one.canonical.slug, other.canonical.slug)),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Entities of a category that share a word of their slugs, or the beginning of them. */
function blocksOf(entities: readonly NamedEntity[]): readonly (readonly NamedEntity[])[] {
  const blocks = new Map<string, NamedEntity[]>();
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
function countLongerNames(entities: readonly NamedEntity[]): ReadonlyMap<string, number> {
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

function judge(one: NamedEntity, other: NamedEntity, longerNames: ReadonlyMap<string, number>): MergeCandidate | null {
  const [canonical, alias] = inOrder(one, other);
  const isPart = canonical.slug.includes(alias.slug);
  const similarity = slugSimilarity(canonical.slug, alias.slug, isPart);
  if (similarity < LEAST_SIMILARITY) return null;
  const overlap = overlapOf(one.memories, other.memories);
  const confidence = Math.min(1, SLUG_WEIGHT * similarity + OVERLAP_WEIGHT * overlap);
  const isAmbiguous =
    alias.category === 'people' && wordsOf(alias).length === 1 && (longerNames.get(alias.slug) ?? 0) > 1;
  const isCertain = isPart && overlap > CERTAIN_OVERLAP && confidence >= CERTAIN_CONFIDENCE && !isAmbiguous;
  if (confidence < LEAST_CONFIDENCE && !isAmbiguous) return null;
  return {
    canonical: keyOf(canonical),
    alias: keyOf(alias),
    confidence: Math.round(confidence * 10_000) / 10_000,
    reason: reasonOf({ isPart, isAmbiguous, similarity, overlap }),
    isCertain,
  };
}

/** The longer slug stays; of equally long ones the first in the alphabet. */
function inOrder(one: NamedEntity, other: NamedEntity): readonly [NamedEntity, NamedEntity] {
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
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  if (smaller.size === 0) return 0;
  return [...smaller].filter((id) => larger.has(id)).length / smaller.size;
}

type Grounds = {
  readonly isPart: boolean;
  readonly isAmbiguous: boolean;
  readonly similarity: number;
  readonly overlap: number;
};

function reasonOf({ isPart, isAmbiguous, similarity, overlap }: Grounds): string {
  const slugs = isPart ? 'one slug contains the other' : `the slugs are similar (${similarity.toFixed(2)})`;
  const memories = `${Math.round(overlap * 100)} % of the memories are shared`;
  return `${slugs}, ${memories}${isAmbiguous ? ', several longer names contain it' : ''}`;
}

function keyOf({ category, slug }: NamedEntity): EntityKey {
  return { category, slug };
}
