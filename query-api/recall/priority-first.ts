/** Puts the memories that the caller named first, pure: in the caller's order, then the others as they were ranked. */
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { ContextProfile } from './context-profile.js';
import type { Replaced } from './candidate.js';

type Ranked = {
  readonly memory: Memory;
  readonly replaces: Replaced | null;
  readonly dedupedFrom: readonly MemoryId[];
};

/** What stands in for a named memory, or was merged with it, has its place. */
export function priorityFirst<T extends Ranked>(results: readonly T[], profile: ContextProfile | null): readonly T[] {
  if (profile === null || profile.ids.length === 0) return results;
  const placeOf = new Map(profile.ids.map((id, place) => [id, place]));
  const place = ({ memory, replaces, dedupedFrom }: T): number => {
    const ids = [memory.id, ...(replaces ? [replaces.memory.id] : []), ...dedupedFrom];
    return Math.min(...ids.map((id) => placeOf.get(id) ?? placeOf.size));
  };
  // Sorting is stable: those without a place keep their order.
  return results
    .map((result) => ({ result, at: place(result) }))
    .sort((one, other) => one.at - other.at)
    .map(({ result }) => result);
}
