/**
 * Moves the memories that the caller named to the front, in the caller's order, pure. The other results keep their
 * order.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { Replaced } from '../candidate.js';
import type { ContextProfile } from '../plan/context-profile.js';

type Ranked = {
  readonly memory: Memory;
  readonly replaces: Replaced | null;
  readonly dedupedFrom: readonly MemoryId[];
};

/** A memory that replaces a named memory, or was merged with it, takes its position. */
export function priorityFirst<T extends Ranked>(results: readonly T[], profile: ContextProfile | null): readonly T[] {
  if (profile === null || profile.ids.length === 0) return results;
  const positionOf = new Map(profile.ids.map((id, position) => [id, position]));
  const position = (result: T): number => Math.min(...idsOf(result).map((id) => positionOf.get(id) ?? positionOf.size));
  // Sorting is stable: results without a position keep their order.
  return results
    .map((result) => ({ result, at: position(result) }))
    .sort((one, other) => one.at - other.at)
    .map(({ result }) => result);
}

/** Whether the caller named the memory, the memory that it replaces, or one that was merged into it. */
export function isNamed(result: Ranked, profile: ContextProfile | null): boolean {
  return profile !== null && profile.ids.length > 0 && idsOf(result).some((id) => profile.ids.includes(id));
}

function idsOf({ memory, replaces, dedupedFrom }: Ranked): readonly MemoryId[] {
  return [memory.id, ...(replaces ? [replaces.memory.id] : []), ...dedupedFrom];
}
