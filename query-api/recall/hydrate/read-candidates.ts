/**
 * Reads candidates and their successors from the graph, the source of truth, and drops candidates that the graph does
 * not confirm.
 */
import { SUPERSESSION_HOPS } from '../../../shared/contract/limits.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, Lineages, LoadedMemory, Succession } from '../../../shared/ports/graph.js';
import { visibleGraph } from '../../visible-graph.js';
import type { Candidate, HydratedCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { createFilterMatch } from './filter-match.js';

/** The most memories that the graph reads in one round trip. */
const READ_LIMIT = 1_000;

export type ConfirmedCandidates = {
  readonly candidates: readonly HydratedCandidate[];
  /** Empty in history mode. */
  readonly successions: readonly Succession[];
  /**
   * Every memory that was read, by id: the candidates of all searches, also those that the filter rejects, and their
   * successors.
   */
  readonly known: ReadonlyMap<MemoryId, LoadedMemory>;
};

/** Reads the candidates of one search. */
export async function readCandidates(
  graph: GraphReader,
  candidates: readonly Candidate[],
  plan: RecallPlan,
): Promise<ConfirmedCandidates> {
  const [hydrated = NO_CANDIDATES] = await readSearchCandidates(graph, [{ candidates }], plan);
  return hydrated;
}

/**
 * Reads the candidates of several searches, in their order, with one round trip per 1,000 distinct memories. The
 * indexes may lag behind the graph, so the filter is applied again to the memories as the graph has them.
 */
export async function readSearchCandidates<S extends Searched>(
  graph: GraphReader,
  searches: readonly S[],
  plan: RecallPlan,
): Promise<readonly (S & ConfirmedCandidates)[]> {
  const ids = [...new Set(searches.flatMap(({ candidates }) => candidates.map(({ id }) => id)))];
  const parts = Array.from({ length: Math.ceil(ids.length / READ_LIMIT) }, (_, part) =>
    ids.slice(part * READ_LIMIT, (part + 1) * READ_LIMIT),
  );
  const read = await Promise.all(parts.map((part) => readLineages(graph, part, plan)));
  const known = new Map(
    read
      .flatMap(({ memories, successors }) => [...memories, ...successors])
      .map((loaded) => [loaded.memory.id, loaded]),
  );
  const successions = read.flatMap((lineages) => lineages.successions);
  return searches.map((search) => ({
    ...search,
    candidates: confirmed(search.candidates, known, plan),
    successions,
    known,
  }));
}

type Searched = { readonly candidates: readonly Candidate[] };

const NO_CANDIDATES: ConfirmedCandidates = { candidates: [], successions: [], known: new Map() };

async function readLineages(
  graph: GraphReader,
  ids: readonly MemoryId[],
  { stateMode, filter }: RecallPlan,
): Promise<Lineages> {
  const visible = visibleGraph(graph, filter.within);
  if (stateMode === 'history') return { memories: await visible.memories(ids), successions: [], successors: [] };
  return visible.lineages(ids, SUPERSESSION_HOPS);
}

function confirmed(
  candidates: readonly Candidate[],
  known: ConfirmedCandidates['known'],
  { filter }: RecallPlan,
): readonly HydratedCandidate[] {
  const isAdmitted = createFilterMatch(filter);
  return candidates.flatMap(({ id, evidence }) => {
    const loaded = known.get(id);
    if (!loaded || !isAdmitted(loaded.memory)) return [];
    const { memory, position } = loaded;
    return [{ memory, position, evidence, replaces: null }];
  });
}
