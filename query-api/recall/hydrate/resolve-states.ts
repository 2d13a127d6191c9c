/**
 * Keeps the current memories: suppresses lapsed and superseded ones and replaces them by the heads of their chains. The
 * heads were read with the candidates; only when there are very many, one more round trip reads the missing heads.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, LoadedMemory } from '../../../shared/ports/graph.js';
import { visibleGraph } from '../../visible-graph.js';
import type { Evidence, HydratedCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { isListing } from './evidence.js';
import { matchesFilter } from './filter-match.js';
import type { ConfirmedCandidates } from './read-candidates.js';
import { createStateResolver, lapseOf, type MemoryState, type SuppressionReason } from './state.js';

export type Suppression = {
  readonly id: MemoryId;
  readonly reason: SuppressionReason;
  readonly replacement_id?: string;
  readonly relation_type?: string;
};

export type Resolved = {
  /** The candidates for the reply: in current mode the current ones, including the heads of chains. */
  readonly current: readonly HydratedCandidate[];
  readonly suppressed: readonly Suppression[];
};

export async function resolveStates(
  graph: GraphReader,
  { candidates, successions, known }: ConfirmedCandidates,
  plan: RecallPlan,
): Promise<Resolved> {
  if (plan.stateMode === 'history' || candidates.length === 0) return { current: candidates, suppressed: [] };
  const stateOf = createStateResolver(successions, plan.filter.now);
  const states = candidates.map((candidate) => ({ candidate, state: stateOf(candidate.memory) }));
  const heads = await loadHeads(graph, { states, known }, plan);
  const evidence = new Map(candidates.map((candidate) => [candidate.memory.id, candidate.evidence]));
  return {
    current: states.flatMap(({ candidate, state }) => currentCandidates(candidate, state, { heads, evidence })),
    suppressed: states.flatMap(({ candidate, state }) => suppressionOf(candidate.memory, state)),
  };
}

type CandidateState = { readonly candidate: HydratedCandidate; readonly state: MemoryState };
type Heads = Pick<ConfirmedCandidates, 'known'> & { readonly states: readonly CandidateState[] };

/** Heads by id: only heads that match the filter of the request and have not lapsed since the successions were read. */
async function loadHeads(
  graph: GraphReader,
  { states, known }: Heads,
  plan: RecallPlan,
): Promise<ReadonlyMap<MemoryId, LoadedMemory>> {
  const headOf = new Map(
    states.flatMap(({ candidate: { memory }, state }) =>
      state.succession ? [[memory.id, state.succession.head] as const] : [],
    ),
  );
  const wanted = [...new Set(headOf.values())].filter((id) => !leadsFurther(id, headOf));
  const missing = wanted.filter((id) => !known.has(id));
  const loaded = missing.length === 0 ? [] : await visibleGraph(graph, plan.filter.within).memories(missing);
  const heads = [...wanted.flatMap((id) => known.get(id) ?? []), ...loaded];
  return new Map(
    heads
      .filter(({ memory }) => matchesFilter(plan.filter, memory) && lapseOf(memory, plan.filter.now) === null)
      .map((head) => [head.memory.id, head]),
  );
}

/**
 * A chain can be longer than SUPERSESSION_HOPS. Then its end may be a candidate with a head of its own, and only that
 * head is loaded.
 */
function leadsFurther(id: MemoryId, headOf: ReadonlyMap<MemoryId, MemoryId>): boolean {
  const seen = new Set([id]);
  for (let at = headOf.get(id); at !== undefined; at = headOf.get(at)) {
    // A cycle longer than SUPERSESSION_HOPS has no end, and one of its members must stay.
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return seen.size > 1;
}

type Found = {
  readonly heads: ReadonlyMap<MemoryId, LoadedMemory>;
  /** The evidence of the search, by the memory in which it was found. */
  readonly evidence: ReadonlyMap<MemoryId, readonly Evidence[]>;
};

/**
 * The candidate itself, or the head that replaces it, or nothing. `selectResults` merges a head that was also found
 * directly. A listing of the candidate lists the head as well: it passed the same filters.
 */
function currentCandidates(
  candidate: HydratedCandidate,
  { reason, succession }: MemoryState,
  found: Found,
): HydratedCandidate[] {
  if (reason === null) return [candidate];
  const { memory, position, evidence } = candidate;
  const head = succession && found.heads.get(succession.head);
  if (!head) return [];
  const { share, successor } = succession;
  return [
    {
      memory: head.memory,
      position: head.position,
      evidence: found.evidence.get(succession.head) ?? evidence.filter(isListing),
      replaces: {
        memory,
        position,
        evidence: evidence.filter((one) => !isListing(one)),
        type: successor.type,
        strength: successor.strength,
        share,
      },
    },
  ];
}

function suppressionOf(memory: Memory, { reason, succession }: MemoryState): Suppression[] {
  if (reason === null) return [];
  const replacement = succession ? { replacement_id: succession.head, relation_type: succession.successor.type } : {};
  return [{ id: memory.id, reason, ...replacement }];
}
