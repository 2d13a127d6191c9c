/** Reads what stands beside the results: their outgoing associations, newest first, in one round trip. */
import { ASSOCIATION_TYPES, type AssociationType } from '../../shared/contract/association.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader, Relation } from '../../shared/graph/graph.js';
import { isByRelation } from './expanded.js';
import type { SelectedResult } from './select.js';

const PUBLIC_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter((type) => ASSOCIATION_TYPES[type].isPublic);

/** Replacements and what associations led to are left out: they show the associations by which they came. */
export async function relate(graph: GraphReader, results: readonly SelectedResult[], limit: number): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const ids = results.filter((result) => result.replaces === null && !isByRelation(result)).map(({ memory }) => memory.id);
  return ids.length === 0 ? new Map() : graph.relations({ ids, direction: 'outgoing', types: PUBLIC_TYPES, limit });
}
