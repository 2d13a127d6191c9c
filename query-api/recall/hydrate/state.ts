/**
 * Determines the state of a memory and the memory that replaces it, pure. Superseding associations lead from an older
 * memory to a newer one. A successor that has itself lapsed supersedes nothing.
 */
import type { SupersedingType } from '../../../shared/contract/association.js';
import { SUPERSESSION_HOPS } from '../../../shared/contract/limits.js';
import type { Memory, MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import type { Succession } from '../../../shared/ports/graph.js';

export type LapseReason = 'archived' | 'not_yet_valid' | 'expired';
export type SuppressionReason = LapseReason | 'superseded';

/**
 * The state of one memory in current mode. `reason` is null when it is current. `successor` is the first step of its
 * chain, `head` the end, `share` the share of the memory's match that the head takes over.
 */
export type MemoryState = {
  readonly reason: SuppressionReason | null;
  readonly succession: { readonly head: MemoryId; readonly successor: Succession; readonly share: number } | null;
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

/** The returned function uses the memory's own validity and the successions that can be reached from it. */
export function createStateResolver(
  successions: readonly Succession[],
  now: Timestamp,
): (memory: Memory) => MemoryState {
  const newest = newestActiveSuccessor(successions, now);
  return (memory) => {
    const chain = chainFrom(memory.id, newest);
    const lapse = lapseOf(memory, now);
    const [successor] = chain;
    const head = chain.at(-1)?.target;
    if (!successor || head === undefined || head === memory.id) return { reason: lapse, succession: null };
    return { reason: lapse ?? 'superseded', succession: { head, successor, share: successionShare(chain) } };
  };
}

/** By source. Of several successors the one associated last, then the one with the larger id. */
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
 * The steps from a memory to its head, at most SUPERSESSION_HOPS. A cycle ends after the association that was written
 * last: so all members of the cycle have the same head, and the head stays current.
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

/** A memory that evolved keeps its topic. A memory can be invalidated by one about another topic. */
const TYPE_SHARES: Readonly<Record<SupersedingType, number>> = { EVOLVED_INTO: 0.95, INVALIDATED_BY: 0.85 };

/** Half of a share does not depend on the strength, because a weak association replaces a memory as well. */
const FIXED_PART = 0.5;

/**
 * Determines the share of a memory's match that its successor takes over, pure. The successor need not repeat the
 * words of the memory that it replaces ("The password is on the fridge", then "Ask Dana"), but it can also be about
 * something else ("Moved to the wiki"). So the share is below 1: a memory that matches as well by its own words ranks
 * higher. From 0 to 1. The step with the smallest share decides for the whole chain.
 */
export function successionShare(chain: readonly Pick<Succession, 'type' | 'strength'>[]): number {
  return Math.min(...chain.map(({ type, strength }) => TYPE_SHARES[type] * (FIXED_PART + (1 - FIXED_PART) * strength)));
}
