/**
 * The stage that adds memories about the people, places and other entities of the results. One round trip for all entities, then what
 * admitting takes.
 */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Entity } from '../../shared/text/entity-tags.js';
import { expansionFilter, type AdmitExpanded, type Admitted, type Reached } from './admit-expanded.js';
import type { Hit } from './candidate.js';
import { entitiesOf } from './entities-of.js';
import { entityOf } from './expanded.js';
import { fuse } from './fuse.js';
import type { RecallPlan } from './plan.js';
import type { SelectedResult } from './select.js';

const FOLLOWED_ENTITIES = 5;
const SHOWN_NAMES = 10;
const RESULTS_OF_ONE = 5;
/** The most important memories of each entity, of which the best by score are added. */
const POOL_OF_ONE = 20;

type Dependencies = { readonly graph: GraphReader; readonly admit: AdmitExpanded };
type ReachedFrom = Omit<Reached, 'candidates'>;

export type AdmittedByEntity = Admitted & { /** Names, at most ten. */ readonly entitiesFound: readonly string[] };

export type ExpandEntities = (reachedFrom: ReachedFrom, plan: RecallPlan) => Promise<AdmittedByEntity>;

export function createExpandEntities({ graph, admit }: Dependencies): ExpandEntities {
  return async (reachedFrom, plan) => {
    const entities = entitiesOf(reachedFrom.shown.map(({ memory }) => memory));
    const hits = await search(graph, {
      entities: reachedFrom.limit > 0 ? entities.slice(0, FOLLOWED_ENTITIES) : [],
      shown: reachedFrom.shown,
      plan,
    });
    const candidates = fuse(hits);
    const admitted = await admit({ ...reachedFrom, candidates, limit: candidates.length }, plan);
    const entitiesFound = [...new Set(entities.map(({ name }) => name))].slice(0, SHOWN_NAMES);
    return { ...admitted, results: shareOut(admitted.results, reachedFrom.limit), entitiesFound };
  };
}

type Search = {
  readonly entities: readonly Entity[];
  readonly shown: readonly SelectedResult[];
  readonly plan: RecallPlan;
};

/** What is shown already may be the most important that there is of an entity, so it is asked for on top. */
async function search(graph: GraphReader, { entities, shown, plan }: Search): Promise<readonly (readonly Hit[])[]> {
  if (entities.length === 0) return [];
  const shownIds = new Set<MemoryId>(shown.map(({ memory }) => memory.id));
  const tags = entities.map(({ tag }) => tag);
  const found = await graph.topByTag({ tags, filter: expansionFilter(plan), limit: POOL_OF_ONE + shownIds.size });
  return entities.map(({ tag, name }) => {
    const ids = (found.get(tag) ?? []).filter((id) => !shownIds.has(id)).slice(0, POOL_OF_ONE);
    return ids.map((id) => ({ id, evidence: { source: 'entity', entity: name } }));
  });
}

/** Best first, a few of each entity: one that everything is about leaves room for the others. */
export function shareOut<T extends Parameters<typeof entityOf>[0]>(results: readonly T[], limit: number): readonly T[] {
  const taken = new Map<string | null, number>();
  const kept = results.filter((result) => {
    const entity = entityOf(result);
    const before = taken.get(entity) ?? 0;
    taken.set(entity, before + 1);
    return before < RESULTS_OF_ONE;
  });
  return kept.slice(0, limit);
}
