/** Reads which of the results contradict or evolve, in one round trip for all; none where that cannot change their order. */
import type { AssociationType } from '../../shared/contract/association.js';
import { SUPERSEDING_TYPES } from '../../shared/contract/association.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Dispute } from './newest-first.js';
import type { RecallPlan } from './plan.js';
import type { SelectedResult } from './select.js';

const DISPUTING_TYPES: readonly AssociationType[] = ['CONTRADICTS', ...SUPERSEDING_TYPES];
/** Of each result, the newest. More than a memory has that stands in an answer with what it contradicts. */
const DISPUTE_LIMIT = 20;

type Results = readonly SelectedResult[];

export async function readDisputes(
  graph: GraphReader,
  results: Results,
  { sort }: Pick<RecallPlan, 'sort'>,
): Promise<readonly Dispute[]> {
  if (sort !== 'score' || results.length < 2) return [];
  const ids = results.map(({ memory }) => memory.id);
  const relations = await graph.relations({ ids, direction: 'outgoing', types: DISPUTING_TYPES, limit: DISPUTE_LIMIT });
  return [...relations].flatMap(([source, found]) =>
    found.map(({ type, memory }) => ({ source, target: memory.id, type })),
  );
}
