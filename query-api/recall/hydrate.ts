/** Reads the candidates from the graph, the source of truth, and drops those that it does not confirm; beside them, what succeeded them. */
import { SUPERSESSION_HOPS } from '../../shared/contract/limits.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader, Lineages, Succession } from '../../shared/graph/graph.js';
import { admits } from './admits.js';
import type { Candidate, HydratedCandidate } from './candidate.js';
import type { RecallPlan } from './plan.js';

/** The most that the graph reads in one round trip. */
const READ_LIMIT = 1_000;

export type Hydrated = {
  readonly candidates: readonly HydratedCandidate[];
  /** None when the plan asks for history. */
  readonly successions: readonly Succession[];
  /** All that was read, by id: the candidates of every search, whether or not the filters admit them, and what succeeded them. */
  readonly known: ReadonlyMap<MemoryId, Memory>;
};

/** The candidates of one search. */
export async function hydrate(
  graph: GraphReader,
  candidates: readonly Candidate[],
  plan: RecallPlan,
): Promise<Hydrated> {
  const [hydrated = NOTHING] = await hydrateAll(graph, [{ candidates }], plan);
  return hydrated;
}

/**
 * Those of several searches, in their order: one round trip for each thousand memories that they found between them, none without any. An
 * index may lag behind, so the filters are applied again to what the graph says.
 */
export async function hydrateAll<F extends Found>(
  graph: GraphReader,
  found: readonly F[],
  plan: RecallPlan,
): Promise<readonly (F & Hydrated)[]> {
  const ids = [...new Set(found.flatMap(({ candidates }) => candidates.map(({ id }) => id)))];
  const parts = Array.from({ length: Math.ceil(ids.length / READ_LIMIT) }, (_, part) =>
    ids.slice(part * READ_LIMIT, (part + 1) * READ_LIMIT),
  );
  const read = await Promise.all(parts.map((part) => readLineages(graph, part, plan)));
  const known = new Map(
    read.flatMap(({ memories, successors }) => [...memories, ...successors]).map(({ memory }) => [memory.id, memory]),
  );
  const successions = read.flatMap((lineages) => lineages.successions);
  return found.map((each) => ({ ...each, candidates: confirmed(each.candidates, known, plan), successions, known }));
}

type Found = { readonly candidates: readonly Candidate[] };

const NOTHING: Hydrated = { candidates: [], successions: [], known: new Map() };

async function readLineages(
  graph: GraphReader,
  ids: readonly MemoryId[],
  { stateMode }: RecallPlan,
): Promise<Lineages> {
  if (stateMode === 'history') return { memories: await graph.memories(ids), successions: [], successors: [] };
  return graph.lineages(ids, SUPERSESSION_HOPS);
}

function confirmed(
  candidates: readonly Candidate[],
  known: Hydrated['known'],
  { filter }: RecallPlan,
): readonly HydratedCandidate[] {
  return candidates.flatMap(({ id, evidence }) => {
    const memory = known.get(id);
    return memory && admits(filter, memory) ? [{ memory, evidence, replaces: null }] : [];
  });
}
