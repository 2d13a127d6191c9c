/**
 * Finds the pieces of one source among the candidates, pure; `distinctResults` gives each source one place. A memory
 * without a source shares its place with no other memory.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { SourceKey } from '../plan/source-key.js';

type Ranked = { readonly memory: Pick<Memory, 'id'>; readonly dedupedFrom: readonly MemoryId[] };

/**
 * The results with `sourcePieces`: the candidates of the same source without a place, in the given order. A candidate
 * that is in the `dedupedFrom` of a result is left out.
 */
export function withSourcePieces<R extends Ranked>(
  results: readonly R[],
  candidates: readonly R[],
  keyOf: (ranked: R) => SourceKey | null,
): readonly (R & { readonly sourcePieces?: readonly R[] })[] {
  const keys = results.map(keyOf);
  const pieces = new Map<SourceKey | null, R[]>(keys.map((key) => [key, []]));
  pieces.delete(null);
  if (pieces.size === 0) return results;
  const shown = new Set(results.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  for (const candidate of candidates) {
    if (!shown.has(candidate.memory.id)) pieces.get(keyOf(candidate))?.push(candidate);
  }
  return results.map((result, index) => {
    const sourcePieces = pieces.get(keys[index] ?? null) ?? [];
    return sourcePieces.length === 0 ? result : { ...result, sourcePieces };
  });
}
