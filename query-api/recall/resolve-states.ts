/**
 * The stage that keeps what is current: suppresses lapsed and superseded memories and brings in the heads of their chains. They were read
 * with the candidates; only where there are very many, one round trip for those that were not.
 */
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { admits } from './admits.js';
import type { HydratedCandidate } from './candidate.js';
import type { Hydrated } from './hydrate.js';
import type { RecallPlan } from './plan.js';
import { createJudge, lapseOf, type SuppressionReason, type Verdict } from './state.js';

export type Suppression = {
  readonly id: MemoryId;
  readonly reason: SuppressionReason;
  readonly replacement_id?: string;
  readonly relation_type?: string;
};

export type Resolved = {
  /** What may be answered: in current mode what is current, heads of chains included. */
  readonly current: readonly HydratedCandidate[];
  readonly suppressed: readonly Suppression[];
};

export async function resolveStates(
  graph: GraphReader,
  { candidates, successions, known }: Hydrated,
  plan: RecallPlan,
): Promise<Resolved> {
  if (plan.stateMode === 'history' || candidates.length === 0) return { current: candidates, suppressed: [] };
  const judge = createJudge(successions, plan.filter.now);
  const judged = candidates.map((candidate) => ({ candidate, verdict: judge(candidate.memory) }));
  const heads = await loadHeads(graph, { judged, known }, plan);
  return {
    current: judged.flatMap(({ candidate, verdict }) => standing(candidate, verdict, heads)),
    suppressed: judged.flatMap(({ candidate, verdict }) => suppressionOf(candidate.memory, verdict)),
  };
}

type Judged = { readonly candidate: HydratedCandidate; readonly verdict: Verdict };
type Heads = Pick<Hydrated, 'known'> & { readonly judged: readonly Judged[] };

/** Heads by id: only those that the request's own filters admit, and that did not lapse since the successions were read. */
async function loadHeads(
  graph: GraphReader,
  { judged, known }: Heads,
  plan: RecallPlan,
): Promise<ReadonlyMap<MemoryId, Memory>> {
  const headOf = new Map(
    judged.flatMap(({ candidate: { memory }, verdict }) =>
      verdict.succession ? [[memory.id, verdict.succession.head] as const] : [],
    ),
  );
  const wanted = [...new Set(headOf.values())].filter((id) => !isOvertaken(id, headOf));
  const missing = wanted.filter((id) => !known.has(id));
  const loaded = missing.length === 0 ? [] : await graph.memories(missing);
  const heads = [...wanted.flatMap((id) => known.get(id) ?? []), ...loaded.map(({ memory }) => memory)];
  return new Map(
    heads
      .filter((head) => admits(plan.filter, head) && lapseOf(head, plan.filter.now) === null)
      .map((head) => [head.id, head]),
  );
}

/** Where a chain is longer than one walk, its end may be a candidate that leads further: then that one's own head is the one to show. */
function isOvertaken(id: MemoryId, headOf: ReadonlyMap<MemoryId, MemoryId>): boolean {
  const seen = new Set([id]);
  for (let at = headOf.get(id); at !== undefined; at = headOf.get(at)) {
    // A circle too long for one walk has no end, and one of its members must stay.
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return seen.size > 1;
}

/** The candidate itself, the head that takes over its evidence, or nothing. A head found by itself too is merged by `select`. */
function standing(
  candidate: HydratedCandidate,
  { reason, succession }: Verdict,
  heads: ReadonlyMap<MemoryId, Memory>,
): HydratedCandidate[] {
  if (reason === null) return [candidate];
  const head = succession && heads.get(succession.head);
  if (!head) return [];
  const { type, strength } = succession.successor;
  return [{ memory: head, evidence: candidate.evidence, replaces: { memory: candidate.memory, type, strength } }];
}

function suppressionOf(memory: Memory, { reason, succession }: Verdict): Suppression[] {
  if (reason === null) return [];
  const replacement = succession ? { replacement_id: succession.head, relation_type: succession.successor.type } : {};
  return [{ id: memory.id, reason, ...replacement }];
}
