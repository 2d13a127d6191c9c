/**
 * What state a memory is in and which memory stands in for it, pure. Superseding associations lead from an older memory to a newer
 * one; a successor that has itself lapsed supersedes nothing.
 */
import type { Memory, MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { SUPERSESSION_HOPS } from '../../shared/contract/limits.js';
import type { Succession } from '../../shared/graph/graph.js';

export type LapseReason = 'archived' | 'not_yet_valid' | 'expired';
export type SuppressionReason = LapseReason | 'superseded';

/** What became of one memory in current mode. `successor` is the first step away from it, `head` where the chain ends. */
export type Verdict = {
  readonly reason: SuppressionReason | null;
  readonly succession: { readonly head: MemoryId; readonly successor: Succession } | null;
};

export function lapseOf(
  { archived, t_valid, t_invalid }: Pick<Memory, 'archived' | 't_valid' | 't_invalid'>,
  now: Timestamp,
): LapseReason | null {
  if (archived) return 'archived';
  if (t_valid !== undefined && t_valid > now) return 'not_yet_valid';
  if (t_invalid !== undefined && t_invalid <= now) return 'expired';
  return null;
}

/** Judges memories by their own bounds and by the successions reachable from them. */
export function createJudge(successions: readonly Succession[], now: Timestamp): (memory: Memory) => Verdict {
  const newest = newestActiveSuccessor(successions, now);
  return (memory) => {
    const chain = chainFrom(memory.id, newest);
    const lapse = lapseOf(memory, now);
    const [successor] = chain;
    const head = chain.at(-1)?.target;
    if (!successor || head === undefined || head === memory.id) return { reason: lapse, succession: null };
    return { reason: lapse ?? 'superseded', succession: { head, successor } };
  };
}

/** By source; of several successors the one associated last, then the one with the larger id. */
function newestActiveSuccessor(successions: readonly Succession[], now: Timestamp): ReadonlyMap<MemoryId, Succession> {
  const newest = new Map<MemoryId, Succession>();
  for (const succession of successions) {
    if (lapseOf(succession.targetState, now) !== null) continue;
    const known = newest.get(succession.source);
    if (!known || isNewer(succession, known)) newest.set(succession.source, succession);
  }
  return newest;
}

function isNewer(one: Succession, other: Succession): boolean {
  return one.updated_at === other.updated_at ? one.target > other.target : one.updated_at > other.updated_at;
}

/**
 * The steps from a memory to its head, at most SUPERSESSION_HOPS. In a cycle the association written last is the latest word, so
 * the chain ends there: all members of the cycle agree on one head, and that one stays.
 */
function chainFrom(id: MemoryId, newest: ReadonlyMap<MemoryId, Succession>): readonly Succession[] {
  const chain: Succession[] = [];
  const seenAt = new Map<MemoryId, number>([[id, 0]]);
  for (let at = newest.get(id); at && chain.length < SUPERSESSION_HOPS; at = newest.get(at.target)) {
    chain.push(at);
    const cycleStart = seenAt.get(at.target);
    if (cycleStart !== undefined) return chain.slice(0, cycleStart + indexOfNewest(chain.slice(cycleStart)) + 1);
    seenAt.set(at.target, chain.length);
  }
  return chain;
}

function indexOfNewest(cycle: readonly Succession[]): number {
  return cycle.reduce((best, succession, index) => (isNewer(succession, cycle[best] ?? succession) ? index : best), 0);
}
