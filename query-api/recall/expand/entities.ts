/**
 * Adds memories about the people, places and other entities of the results, with one round trip for all entities and
 * one to admit the memories.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { type Entity, entityNamed, taggedEntities } from '../../../shared/text/entity-tags.js';
import type { Hit } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { fuse } from '../retrieve/fuse.js';
import type { SelectedResult } from '../select/select-results.js';
import { type AdmitExpanded, type Admitted, expansionFilter, type Reached } from './admit-expanded.js';
import { entityOf } from './expansion-evidence.js';

const MAX_FOLLOWED = 5;
const MAX_SHOWN_NAMES = 10;
const MAX_RESULTS_PER_ENTITY = 5;
/** Number of most important memories read per entity; the best of them by score are added. */
const POOL_PER_ENTITY = 20;

type Dependencies = { readonly graph: GraphReader; readonly admit: AdmitExpanded };
type ExpansionStart = Omit<Reached, 'candidates'>;

export type AdmittedByEntity = Admitted & {
  /** Names, at most ten. */
  readonly entitiesFound: readonly string[];
};

export type ExpandEntities = (start: ExpansionStart, plan: RecallPlan) => Promise<AdmittedByEntity>;

export function createExpandEntities({ graph, admit }: Dependencies): ExpandEntities {
  return async (start, plan) => {
    const entities = entitiesOf(start.shown.map(({ memory }) => memory));
    const hits = await searchEntities(graph, {
      entities: start.limit > 0 ? entities.slice(0, MAX_FOLLOWED) : [],
      shown: start.shown,
      plan,
    });
    const candidates = fuse(hits);
    const admitted = await admit({ ...start, candidates, limit: candidates.length }, plan);
    const entitiesFound = [...new Set(entities.map(({ name }) => name))].slice(0, MAX_SHOWN_NAMES);
    return { ...admitted, results: limitPerEntity(admitted.results, start.limit), entitiesFound };
  };
}

type EntitySearch = {
  readonly entities: readonly Entity[];
  readonly shown: readonly SelectedResult[];
  readonly plan: RecallPlan;
};

/** The results may be the most important memories of an entity, so the limit grows by their number. */
async function searchEntities(
  graph: GraphReader,
  { entities, shown, plan }: EntitySearch,
): Promise<readonly (readonly Hit[])[]> {
  if (entities.length === 0) return [];
  const shownIds = new Set<MemoryId>(shown.map(({ memory }) => memory.id));
  const tags = entities.map(({ tag }) => tag);
  const found = await graph.topByTag({ tags, filter: expansionFilter(plan), limit: POOL_PER_ENTITY + shownIds.size });
  return entities.map(({ tag, name }) => {
    const ids = (found.get(tag) ?? []).filter((id) => !shownIds.has(id)).slice(0, POOL_PER_ENTITY);
    return ids.map((id) => ({ id, evidence: { source: 'entity', entity: name } }));
  });
}

/** The best results, at most five per entity, so that a common entity leaves room for the others. */
export function limitPerEntity<T extends Parameters<typeof entityOf>[0]>(
  results: readonly T[],
  limit: number,
): readonly T[] {
  const counts = new Map<string | null, number>();
  const kept = results.filter((result) => {
    const entity = entityOf(result);
    const before = counts.get(entity) ?? 0;
    counts.set(entity, before + 1);
    return before < MAX_RESULTS_PER_ENTITY;
  });
  return kept.slice(0, limit);
}

/**
 * Entities of these types connect related memories more often than tools or concepts do, which half of a project may
 * share.
 */
const PREFERRED_TYPES = ['people', 'places', 'organizations'];

/**
 * The entities that extraction or callers named. Distinct by tag; people, places and organizations first, then in the
 * order of the memories.
 */
export function entitiesOf(memories: readonly Pick<Memory, 'metadata' | 'tag_prefixes'>[]): readonly Entity[] {
  const found = memories.flatMap(({ metadata, tag_prefixes }) => [
    ...extracted(metadata['entities']),
    ...taggedEntities(tag_prefixes),
  ]);
  const distinct = [...new Map(found.map((entity) => [entity.tag, entity])).values()];
  const isPreferred = ({ type }: Entity): boolean => PREFERRED_TYPES.includes(type);
  return [...distinct.filter(isPreferred), ...distinct.filter((entity) => !isPreferred(entity))];
}

/** Reads `{people: ["Ann Lee"], ...}`. Metadata is arbitrary JSON, so all other values are ignored. */
function extracted(entities: unknown): readonly Entity[] {
  if (typeof entities !== 'object' || entities === null) return [];
  return PREFERRED_TYPES.flatMap((type) => {
    const names: unknown = (entities as Readonly<Record<string, unknown>>)[type];
    return Array.isArray(names)
      ? names.flatMap((name) => (typeof name === 'string' ? (entityNamed(type, name) ?? []) : []))
      : [];
  });
}
