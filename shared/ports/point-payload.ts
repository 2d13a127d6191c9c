/**
 * What the point of a memory must contain. The vector indexer writes it, and the comparison of graph and index checks
 * it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Memory } from '../contract/memory.js';
import type { PointPayload } from './vectors.js';

/** The model of a point whose vector the caller supplied. */
export const SUPPLIED_MODEL = 'supplied';

/** Every property of a memory that a filter can use. */
export function pointPayload(memory: Memory): PointPayload {
  return {
    type: memory.type,
    importance: memory.importance,
    confidence: memory.confidence,
    tags: memory.tags,
    tagPrefixes: memory.tag_prefixes,
    timestamp: memory.timestamp,
    updatedAt: memory.updated_at,
    validFrom: memory.t_valid ?? null,
    validUntil: memory.t_invalid ?? null,
    archived: memory.archived ?? false,
  };
}

/**
 * Qdrant reads its stored numbers with an error in the last digit: one in ten numbers with 16 digits returns as its
 * neighbour. Compared exactly, such a point would differ after every repair.
 */
const NUMBER_TOLERANCE = 1e-12;

export function isSamePayload(one: PointPayload, other: PointPayload): boolean {
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NUMBER_TOLERANCE;
  return (
    isNear(one.importance, other.importance) &&
    isNear(one.confidence, other.confidence) &&
    isDeepStrictEqual({ ...one, importance: 0, confidence: 0 }, { ...other, importance: 0, confidence: 0 })
  );
}

/** The model of a point: the model of the embedder, except for a vector of the caller. */
export function expectedModel(vectorRef: string | null, embedderModel: string): string {
  return vectorRef === null ? embedderModel : SUPPLIED_MODEL;
}

/** A supplied vector that does not fit the dimension of the index is replaced by one of the embedder. */
export function isExpectedModel(
  actual: string,
  { vectorRef, embedderModel }: { readonly vectorRef: string | null; readonly embedderModel: string },
): boolean {
  return actual === embedderModel || actual === expectedModel(vectorRef, embedderModel);
}
