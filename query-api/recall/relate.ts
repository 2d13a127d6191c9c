/** Reads what stands beside the results: their outgoing associations, what callers wrote first and then the newest, in one round trip. */
import { ASSOCIATION_TYPES, type AssociationType } from '../../shared/contract/association.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader, Relation } from '../../shared/graph/graph.js';
import type { RecallConfig } from '../config.js';
import { isByRelation } from './expanded.js';
import type { SelectedResult } from './select.js';

const PUBLIC_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter(
  (type) => ASSOCIATION_TYPES[type].isPublic,
);

type Shown = Pick<RecallConfig, 'relationLimit' | 'excludedTypes'>;

/** Replacements and what associations led to are left out: they show the associations by which they came. */
export async function relate(
  graph: GraphReader,
  results: readonly SelectedResult[],
  { relationLimit, excludedTypes }: Shown,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const ids = results
    .filter((result) => result.replaces === null && !isByRelation(result))
    .map(({ memory }) => memory.id);
  return ids.length === 0
    ? new Map()
    : graph.relations({ ids, direction: 'outgoing', types: PUBLIC_TYPES, excludedTypes, limit: relationLimit });
}
