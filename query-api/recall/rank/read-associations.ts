/**
 * Reads the outgoing associations to show with the results, in one round trip: those that callers created first, then
 * the newest.
 */
import { ASSOCIATION_TYPES, type AssociationType } from '../../../shared/contract/association.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, Relation } from '../../../shared/graph/graph.js';
import type { RecallConfig } from '../../config.js';
import { isByAssociation } from '../expand/expansion-evidence.js';
import type { SelectedResult } from '../select/select-results.js';

const PUBLIC_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter(
  (type) => ASSOCIATION_TYPES[type].isPublic,
);

type Shown = Pick<RecallConfig, 'relationLimit' | 'excludedTypes'>;

/**
 * Skips replacements and memories that associations led to, because they show the associations by which they became
 * results.
 */
export async function readAssociations(
  graph: GraphReader,
  results: readonly SelectedResult[],
  { relationLimit, excludedTypes }: Shown,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const ids = results
    .filter((result) => result.replaces === null && !isByAssociation(result))
    .map(({ memory }) => memory.id);
  return ids.length === 0
    ? new Map()
    : graph.relations({ ids, direction: 'outgoing', types: PUBLIC_TYPES, excludedTypes, limit: relationLimit });
}
